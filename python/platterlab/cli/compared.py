"""Body of `platterlab compare`, with all that this takes to load."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape

from platterlab import manifest
from platterlab._core import InputError
from platterlab.agreement import compare_files
from platterlab.cli.agreement import tables
from platterlab.cli.console import count, emit, number, plain_table, stdout
from platterlab.comparing.conditions import Condition, condition
from platterlab.comparing.sides import Rows, Side, is_results, side
from platterlab.comparing.statistics import Difference, Figure, Group, against, common_time
from platterlab.comparing.times import TIMES
from platterlab.comparison import Comparison
from platterlab.documents import Json

_SHOWN = ("mean", "p50", "p95", "p99", "max")
"""Of all requests; of a group its mean and 99th percentile."""
_OF_GROUPS = ("mean", "p99")

_LEAST_P = 1e-4
"""Below this four digits say nothing."""


def run(
    files: list[Path],
    of: str | None,
    fail_if: Sequence[str],
    *,
    columns: str | None,
    threads: int | None,
    as_json: bool,
) -> int:
    """Compares files and says how they differ; the exit code."""
    conditions = [condition(text) for text in fail_if]
    if of is not None and of not in TIMES:
        raise InputError(f"--of {of}: it is none of {', '.join(TIMES)}")
    if len(files) == 1:
        if conditions:
            raise InputError("--fail-if needs two files: its bounds are of what the second has")
        alone = compare_files(files[0], None)
        _tell(_document(files) | _agreement(alone), as_json, lambda: stdout().print(tables(alone)))
        return 0
    since = manifest.states(files)
    sides = [side(path, columns=columns, threads=threads) for path in files]
    manifest.require_unchanged(files, since)
    return _several(files, sides, of or common_time(sides), conditions, as_json=as_json)


def _several(
    files: list[Path],
    sides: list[Side],
    word: str,
    conditions: list[Condition],
    *,
    as_json: bool,
) -> int:
    """Each side against the first; 1 where a condition holds."""
    found = {other.name: against(sides[0], other, word) for other in sides[1:]}
    failed: list[Json] = [
        {"condition": one.text, "file": name, "value": value, "unit": one.unit}
        for name, groups in found.items()
        for one in conditions
        for holds, value in [one.holds(groups, name)]
        if holds
    ]
    agreement = _agreements(files, sides)
    document = _document(files) | (_agreement(agreement) if agreement is not None else {})
    document |= {
        "of": word,
        "base": sides[0].name,
        "against": [
            {"file": name, "groups": {group: _json(one) for group, one in groups.items()}}
            for name, groups in found.items()
        ],
        "failed": failed,
    }

    def show() -> None:
        for name, groups in found.items():
            _show(sides[0].name, name, word, groups)
        if agreement is not None:
            stdout().print("\n[bold]The second as a model of the first[/] (service times)")
            stdout().print(tables(agreement))
        for one in failed:
            value = f"{number(one['value'])} {one['unit']}"
            told = f"failed: {one['condition']}: it is {value} in {one['file']}"
            stdout().print(told, markup=False, soft_wrap=True)

    _tell(document, as_json, show)
    return 1 if failed else 0


def _document(files: list[Path]) -> Json:
    """What every answer begins with."""
    first, second = str(files[0]), str(files[1 if len(files) > 1 else 0])
    read = [("measured", first), ("simulated", second)]
    more = [(f"file {number}", str(path)) for number, path in enumerate(files[2:], 3)]
    return {
        "measured": first,
        "simulated": second,
        "manifest": manifest.of([*read, *more]),
    }


def _tell(document: Json, as_json: bool, show: Any) -> None:
    if as_json:
        emit(document)
    else:
        show()


def _agreement(groups: dict[str, Comparison]) -> Json:
    return {"groups": {name: one.to_json() for name, one in groups.items()}}


def _agreements(files: list[Path], sides: list[Side]) -> dict[str, Comparison] | None:
    """Of two files of drives' rows, the second as a model of the first."""
    both = len(files) == 2 and all(is_results(path) for path in files)
    if not both or not all(isinstance(one, Rows) and "service" in one.times_ms for one in sides):
        return None
    return compare_files(files[0], files[1])


def _json(group: Group) -> Json:
    return {
        "base_count": group.count[0],
        "other_count": group.count[1],
        "paired": group.paired,
        "ks": group.ks,
        "ks_p": group.ks_p,
        "figures": {
            name: {**asdict(one), "change_pct": one.pct} for name, one in group.figures.items()
        },
    }


def _show(base: str, other: str, word: str, groups: dict[str, Group]) -> None:
    console = stdout()
    console.print(f"[bold]{escape(other)}[/] against {escape(base)}: {word}, ms", soft_wrap=True)
    table = plain_table("", "first", "second", "change", "95 % interval", "")
    for name, group in groups.items():
        for figure in _SHOWN if name == "all" else _OF_GROUPS:
            if (one := group.figures.get(figure)) is None:
                continue
            label = figure if name == "all" else f"{name}: {figure}"
            table.add_row(label, *_cells(one))
    console.print(table)
    whole = groups["all"]
    first, second = (count(number) for number in whole.count)
    if whole.ks is None:
        how = "paired by seed" if whole.paired else "seeds differ: not paired"
        console.print(f"{first} and {second} replications, {how}")
    else:
        how = "the same requests, paired" if whole.paired else "other requests: not paired"
        p = whole.ks_p or 0.0
        likely = f"p = {number(p, 4)}" if p >= _LEAST_P else f"p < {_LEAST_P}"
        console.print(
            f"{first} and {second} requests, {how}\nKS distance {number(whole.ks, 4)} "
            f"({likely}, were requests independent)"
        )
    console.print("* the interval leaves out 0", style="dim")


def _cells(one: Difference) -> tuple[str, ...]:
    change = "–" if one.pct is None else f"{one.pct:+.2f} %"
    return (
        number(one.base.ms),
        number(one.other.ms),
        change,
        _interval(one.change),
        "*" if one.is_sure else "",
    )


def _interval(figure: Figure) -> str:
    if figure.low_ms is None or figure.high_ms is None:
        return "–"
    return f"{figure.low_ms:+.3f} … {figure.high_ms:+.3f}"
