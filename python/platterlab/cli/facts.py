"""Shows a JSON object of the core as lines of name and value."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from platterlab.cli.console import duration

_UNITS = {
    "_ms": "ms",
    "_s": "s",
    "_pct": "%",
    "_rpm": "rpm",
    "_mib_s": "MiB/s",
    "_mb_s": "MB/s",
    "_bytes": "bytes",
    "_sectors": "sectors",
    "_cylinders": "cylinders",
}


def show_facts(facts: Mapping[str, Any], console: Console) -> None:
    """One line per value; what is inside an object is indented under its name."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for depth, name, value in _lines(facts, 0):
        table.add_row("  " * depth + name, value)
    console.print(table, markup=False)


def is_distribution(value: Any) -> bool:
    """Whether a value is the core's digest of many numbers."""
    return isinstance(value, Mapping) and {"mean", "p50", "max"} <= value.keys()


def with_unit(key: str) -> str:
    """`service_ms` as `service, ms`."""
    name, unit = _named(key)
    return f"{name}, {unit}" if unit else name


def _lines(facts: Mapping[str, Any], depth: int) -> Iterator[tuple[int, str, str]]:
    for key, value in facts.items():
        name, unit = _named(key)
        if isinstance(value, Mapping):
            yield depth, name, ""
            yield from _lines(value, depth + 1)
        elif value is None:
            continue
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for index, item in enumerate(value):
                yield depth, f"{name} {index + 1}", ""
                yield from _lines(item, depth + 1)
        elif isinstance(value, list):
            yield depth, name, f"{', '.join(_said(item) for item in value)} {unit}".rstrip()
        else:
            yield depth, name, _with_unit(value, unit)


def _with_unit(value: Any, unit: str) -> str:
    long_ms = 10_000
    if unit == "ms" and isinstance(value, int | float) and abs(value) >= long_ms:
        return duration(value)
    return f"{_said(value)} {unit}".rstrip()


def _named(key: str) -> tuple[str, str]:
    """`seek_mean_ms` is named `seek mean`, in `ms`."""
    for ending in sorted(_UNITS, key=len, reverse=True):
        if key.endswith(ending) and key != ending[1:]:
            return key.removesuffix(ending).replace("_", " "), _UNITS[ending]
    return key.replace("_", " "), ""


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}" if abs(value) < 1e5 else f"{value:,.0f}"
    return str(value)
