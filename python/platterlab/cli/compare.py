"""`platterlab compare`: two sides or more, each against the first."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab.cli.values import AsJson, Columns
from platterlab.comparing.times import TIMES


def compare(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="A [B [C ...]]",
            help="Rows (.parquet, .csv) of --per-request or --requests, traces with measured "
            "times, or experiments (.toml), which are run. One alone: its service_ms against its "
            "measured_ms.",
        ),
    ],
    of: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(TIMES), help="The compared times; those that all have if not given."
        ),
    ] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Exit with 1 where it is so: 'p99 > +5 %', 'mean of writes > +0.2 ms', "
            "'p95 > 20 ms'. With a sign or in %, of the change against A.",
        ),
    ] = None,
    columns: Columns = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=4096, help="Replications of an experiment at a time.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say how times differ: figures with 95 % intervals by group, and conditions that fail.

    Requests that both sides have are paired, and so are replications of the same seed. Of measured
    against simulated service times the demerit and the errors of single requests stand below.
    """
    from platterlab.cli import compared

    return compared.run(files, of, fail_if or (), columns=columns, threads=threads, as_json=as_json)
