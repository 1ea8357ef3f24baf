"""`platterlab compare`: simulated times against measured ones."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab import manifest
from platterlab.cli.agreement import tables
from platterlab.cli.console import emit, stdout
from platterlab.compare import compare_files


def compare(
    measured: Annotated[
        Path, typer.Argument(help="Results with measured_ms or service_ms, .parquet or .csv.")
    ],
    simulated: Annotated[
        Path | None,
        typer.Argument(help="Results with service_ms; without it, the first file's own."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Say how near a simulation is to the measurement: demerit and per-request error."""
    groups = compare_files(measured, simulated)
    if as_json:
        emit(
            {
                "measured": str(measured),
                "simulated": str(simulated or measured),
                "manifest": manifest.of(
                    [("measured", str(measured)), ("simulated", str(simulated or measured))]
                ),
                "groups": {name: one.to_json() for name, one in groups.items()},
            }
        )
    else:
        stdout().print(tables(groups))
