"""`platterlab simulate --vary`: an experiment at each point of a grid; what each choice costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape

from platterlab import manifest, variations
from platterlab._core import Experiment, InputError
from platterlab.cli.console import emit, meter, number, plain_table, stderr, stdout
from platterlab.cli.experiment import Named
from platterlab.documents import Json
from platterlab.extras import need
from platterlab.output import declare
from platterlab.variations import Variation

_MOST_POINTS = 100_000

Make = Callable[[Json], tuple[Experiment, Mapping[str, Any]]]
"""The experiment with these values at its keys, and what made it."""


@dataclass(frozen=True)
class Files:
    """What is written of a grid."""

    table: Path | None = None
    """A row for each point."""
    report: Path | None = None
    """A page."""


@dataclass(frozen=True)
class Grid:
    """A grid, and what becomes of it."""

    varied: Mapping[str, Sequence[Any]]
    named: Named
    files: Files
    threads: int | None = None


def run(make: Make, grid: Grid, *, as_json: bool = False) -> int:
    """Runs every point and prints one table; 1 if a point did not come to its end."""
    table, page = grid.files.table, grid.files.report
    if table is not None:
        variations.suffix_of(table)
        need("tables")
    count = 1
    for values in grid.varied.values():
        count *= len(values)
    if count > _MOST_POINTS:
        raise InputError(f"--vary: makes {count} points; at most {_MOST_POINTS} are run at a time")
    # All are read before one runs: a mistake in the last would cost the rest.
    points: list[tuple[Json, Experiment, Mapping[str, Any]]] = []
    since = grid.named.since
    named: dict[Path, None] = {}
    for point in variations.grid(grid.varied):
        points.append((point, *make(point)))
        new = dict.fromkeys(name for name in points[-1][1].files if name not in named)
        since = {**manifest.states(new), **since}
        named |= new
    declare({"--table": table, "--report": page}, [*grid.named.reads, *named])
    with meter("simulating") as show:
        found = variations.run(
            points,
            inputs=grid.named.inputs,
            since=since,
            threads=grid.threads,
            progress=lambda share, rate: show(share, f"{rate / 1e6:.2f} M requests/s"),
            warn=show.note,
        )
    if table is not None and found:
        variations.write(found, table)
    if page is not None and found:
        from platterlab.report import variations as pages

        name = found[0].outcome.report["name"]
        pages.build(found, name or "An experiment", page)
    if as_json:
        emit({"variations": [_json(one, found) for one in found]})
    elif found:
        _show(found)
        for what, path in (("table", table), ("report", page)):
            if path is not None:
                stdout().print(f"\n{what}: {path}", markup=False, soft_wrap=True)
    if len(found) < len(points) or not all(one.outcome.complete for one in found):
        stderr().print(
            f"[yellow]incomplete:[/] {sum(one.outcome.complete for one in found)} of {len(points)} "
            "points came to their end"
        )
        return 1
    return 0


def _json(one: Variation, found: Sequence[Variation]) -> Json:
    return {
        "values": one.values,
        **one.figures(variations.best_ms(found)),
        "outcome": one.outcome.to_json(),
    }


def _show(found: Sequence[Variation]) -> None:
    runs = found[0].outcome.report["runs"]
    seeds = f"seed {runs[0]['seed']}"
    if len(runs) > 1:
        seeds = f"{len(runs)} replications, seeds {runs[0]['seed']} to {runs[-1]['seed']}"
    stdout().print(f"[dim]at each point {seeds}; response in ms, ± 95 % confidence[/]")
    keys = list(found[0].values)
    # A dotted key is wider than what stands below it.
    lines = max(key.count(".") for key in keys)
    heads = ["\n" * (lines - key.count(".")) + key.replace(".", ".\n") for key in keys]
    figures_of = [
        "\n" * lines + head for head in ("mean", "±", "p95", "±", "a second", "±", "dearer")
    ]
    table = plain_table(*heads, *figures_of, words=len(keys))
    least_ms = variations.best_ms(found)
    for one in found:
        *figures, per_s, per_s_width, dearer = one.figures(least_ms).values()
        words = [escape(variations.word(value)) for value in one.values.values()]
        price = "–" if dearer is None else "best" if dearer == 0.0 else f"{dearer:+.1%}"
        cells = [*map(number, figures), number(per_s, 1), number(per_s_width, 1), price]
        style = "bold" if dearer == 0.0 else None
        table.add_row(*words, *cells, style=style)
    stdout().print(table)
    if len(keys) > 1:
        stdout().print()
        prices = plain_table("what a choice costs at its best", "", "dearer", words=2)
        for key, value, above in variations.prices(found):
            price = "–" if above == 0.0 else f"{above:+.1%}"
            prices.add_row(escape(key), escape(variations.word(value)), price)
        stdout().print(prices)
