"""`platterlab calibrations`: a list of drives, each calibrated, here or on a cluster."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab import library
from platterlab.cli.console import emit, fail, meter, plain_table, stdout
from platterlab.cli.values import AsJson, Dask, Workers
from platterlab.output import declare_folder
from platterlab.sweeps.local import WorkersKilledError


def calibrations(
    drives: Annotated[
        Path, typer.Argument(metavar="DRIVES.toml", help="A [[drive]] each: profile and trace.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="DRIVES.calibrated; what is in it stays."
        ),
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    as_json: AsJson = False,
) -> int:
    """Calibrate each drive of a list to its trace; resumed where it was interrupted.

    Of each drive the folder has the profile, NAME.toml, and what was found, NAME.json.
    """
    from platterlab.calibration import listed

    calls = listed.load(drives)
    folder = out if out is not None else drives.with_suffix(".calibrated")
    profiles = [library.file_of(call.arguments["profile"]) for call in calls.values()]
    traces = [Path(call.arguments["trace"]) for call in calls.values()]
    declare_folder("--out", folder, [drives, *profiles, *traces])
    try:
        with meter("calibrating") as show:
            found = listed.run(calls, folder, workers=workers, dask=dask, progress=show)
    except WorkersKilledError as error:
        fail(str(error))
        return 1
    if as_json:
        emit({"folder": str(folder), "ran": found.ran, "drives": found.rows})
        return 0
    table = plain_table("drive", "demerit", "was", "≤ 0.25 ms", "was", "")
    for row in found.rows:
        start, result = row["judged"]["start"], row["judged"]["result"]
        warned = f"{len(row['warnings'])} warnings" if row["warnings"] else ""
        table.add_row(
            row["name"],
            *(f"{one['demerit_ms']:.3f} ms" for one in (result, start)),
            *(f"{100 * one['within_0.25_ms']:.1f} %" for one in (result, start)),
            ", ".join(word for word in (row["verdict"], warned) if word),
        )
    stdout().print(table)
    stdout().print(f"\n{len(found.rows)} drives, {found.ran} of them now: {folder}", markup=False)
    return 0
