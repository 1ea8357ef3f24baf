"""Output of every command: tables on stdout, progress and errors on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from platterlab.output import SCHEMA_VERSION

if TYPE_CHECKING:
    from rich.progress import Progress


Point = Literal["mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms"]
POINTS: dict[Point, str] = {
    "mean_ms": "mean", "p50_ms": "median", "p95_ms": "p95", "p99_ms": "p99", "max_ms": "max",
}  # fmt: skip
"""What is told of times, and its name."""


def stdout() -> Console:
    """Where results go."""
    return Console(highlight=False, soft_wrap=False)


def stderr() -> Console:
    """Where progress, warnings and errors go."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def fail(message: str) -> None:
    """One message on stderr."""
    stderr().print(f"[bold red]platterlab:[/] {escape(message)}")


def emit(document: Mapping[str, Any]) -> None:
    """One JSON object on stdout, its schema's version first."""
    body = {"schema_version": SCHEMA_VERSION, **document}
    narrow = "utf" not in (sys.stdout.encoding or "").lower()
    sys.stdout.write(json.dumps(body, indent=2, ensure_ascii=narrow, allow_nan=False) + "\n")


def plain_table(*headings: str, title: str | None = None, words: int = 1) -> Table:
    """A quiet table: the first `words` columns hold words, the others numbers."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    for index, heading in enumerate(headings):
        table.add_column(
            heading, justify="left" if index < words else "right", no_wrap=index >= words
        )
    return table


_LONG_MS = 1e6
"""From here on, a good quarter of an hour, nobody reads milliseconds."""


def number(value: float | None, digits: int = 2) -> str:
    """A number with thousands marked, or a dash."""
    if value is None:
        return "–"
    return f"{value:,.{digits}f}"


def short(value: float) -> str:
    """A number of any size in few characters: three digits at least, and all before the point."""
    digits = max(0, 3 - len(f"{abs(value):.0f}")) if value else 0
    return f"{value:,.{digits}f}"


def count(value: int | None) -> str:
    """A whole number with thousands marked, or a dash."""
    return "–" if value is None else f"{value:,}"


def duration(ms: float) -> str:
    """A time in units that people read: ms below a second, then the largest of d, h, min and s."""
    if abs(ms) < 1_000:
        return f"{number(ms)} ms"
    seconds = ms / 1e3
    if seconds < 60:
        return f"{number(seconds, 3)} s"
    if seconds < 3_600:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest} s"
    if seconds < 86_400:
        hours, rest = divmod(round(seconds / 60), 60)
        return f"{hours} h {rest} min"
    days, rest = divmod(round(seconds / 3_600), 24)
    return f"{days:,} d {rest} h"


def in_ms(ms: float, digits: int = 2) -> str:
    """A time for a column of ms: one that is too long to be read so says its own units."""
    return number(ms, digits) if abs(ms) < _LONG_MS else duration(ms)


def with_ms(ms: float, digits: int = 2) -> str:
    """The same with its unit, for a sentence."""
    return f"{number(ms, digits)} ms" if abs(ms) < _LONG_MS else duration(ms)


def bar(share: float, width: int = 24) -> str:
    """A bar of blocks, to an eighth of a block, for a share from 0 to 1."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + " ▏▎▍▌▋▊▉"[rest].strip()


class Meter:
    """A progress bar; silent where stderr is not a terminal."""

    def __init__(self, progress: Progress | None, what: str) -> None:
        self._progress = progress
        self._task = None if progress is None else progress.add_task(what, total=1.0, rate="")

    def __call__(self, share: float, rate: str = "") -> None:
        """Shows the share that is done, from 0 to 1, and a rate in words."""
        self._show(completed=share, rate=rate)

    def note(self, text: str) -> None:
        """Says something above the bar, which stays below it."""
        console = stderr() if self._progress is None else self._progress.console
        console.print(f"[yellow]note:[/] {escape(text)}")

    def rename(self, what: str) -> None:
        """Says what is being done now."""
        self._show(description=what)

    def _show(self, **changes: Any) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, **changes)


@contextmanager
def meter(what: str) -> Iterator[Meter]:
    """A progress bar on stderr for as long as the block runs."""
    console = stderr()
    if not console.is_terminal:
        yield Meter(None, what)
        return
    # Help and quick answers go without.
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as progress:
        yield Meter(progress, what)
