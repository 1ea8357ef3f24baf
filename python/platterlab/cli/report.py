"""`platterlab report`: results as one page to look at."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab import output
from platterlab.cli.console import emit, meter, stdout
from platterlab.results import suffix_of


def report(
    results: Annotated[
        Path, typer.Argument(help="Per-request results of `simulate`, .parquet or .csv.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="RESULTS with .html.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Draw per-request results as one self-contained page that needs no network."""
    from platterlab.report import build

    suffix_of(results)
    target = out or results.with_suffix(".html")
    output.declare({"--out": target}, [results])
    with meter("drawing") as show:
        written = build(results, target, show)
    if as_json:
        emit({"report": str(target), "requests": written.requests, "bytes": written.size_bytes})
    else:
        stdout().print(f"{target}", markup=False)
