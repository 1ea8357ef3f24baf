"""`platterlab report`: results as one page to look at."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab import output
from platterlab._core import InputError
from platterlab.cli.console import emit, meter, stdout
from platterlab.cli.values import AsJson
from platterlab.results import suffix_of


def report(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS [OTHER ...]",
            help="Per-request results of `simulate`, .parquet or .csv; several are drawn side by "
            "side, and traces with measured times can be among them.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="RESULTS with .html.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw per-request results as one self-contained page that needs no network."""
    if len(results) == 1:
        suffix_of(results[0])
    target = out or results[0].with_suffix(".html")
    output.declare({"--out": target}, list(results))
    if len(results) > 1:
        requests, size_bytes = _several(results, target)
    else:
        from platterlab.report import build

        with meter("drawing") as show:
            written = build(results[0], target, show)
        requests, size_bytes = written.requests, written.size_bytes
    if as_json:
        emit({"report": str(target), "requests": requests, "bytes": size_bytes})
    else:
        stdout().print(f"{target}", markup=False)


def _several(results: list[Path], target: Path) -> tuple[int, int]:
    """Requests and bytes of a page with several sides."""
    from platterlab.comparing.sides import Rows, side
    from platterlab.comparing.statistics import common_time
    from platterlab.report import several

    sides = [side(path) for path in results]
    rows = [one for one in sides if isinstance(one, Rows)]
    if len(rows) < len(sides):
        raise InputError(
            "an experiment has no rows to draw: write them with `platterlab simulate --requests`"
        )
    word = common_time(sides)
    size_bytes = several.build(rows, word, target)
    return sum(len(one.times_ms[word]) for one in rows), size_bytes
