"""Progress of long work: reported to who asked, or shown as a bar where a notebook runs it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from typing import Any

Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is done, from 0 to 1."""

_PATIENCE_S = 0.5
"""What is done by then has no bar."""
_EACH_S = 0.2


@contextmanager
def listener(progress: Progress | None) -> Iterator[Progress]:
    """Who hears how far work is: the one who is given, else a notebook's bar, else nobody."""
    if progress is None and _in_notebook():
        bar = Bar()
        try:
            yield bar
        finally:
            bar.end()
    else:
        yield _silent if progress is None else progress


def _silent(_what: str, _share: float) -> None:
    """Nobody listens."""


def _in_notebook() -> bool:
    """Whether a notebook's kernel runs this; who has none has not loaded IPython."""
    shell = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")


class Bar:
    """A bar below the cell that is at work; it goes when the work is done."""

    def __init__(self) -> None:
        self._begun = self._shown_at = time.monotonic()
        self._handle: Any = None

    def __call__(self, what: str, share: float) -> None:
        """Shows the share that is done, now and then."""
        now = time.monotonic()
        if now - self._begun >= _PATIENCE_S and now - self._shown_at >= _EACH_S:
            self._shown_at = now
            self._show(_Html(self._text(what, share, now - self._begun)))

    def end(self) -> None:
        """Takes it away."""
        if self._handle is not None:
            self._handle.update(_Html(""))
            self._handle = None

    def _text(self, what: str, share: float, passed_s: float) -> str:
        left = f", {passed_s / share - passed_s:,.0f} s left" if share > 0.01 else ""
        return (
            f'<progress value="{share:.3f}" max="1"></progress> {escape(what)}: {share:.0%}{left}'
        )

    def _show(self, shown: _Html) -> None:
        if self._handle is None:
            display: Any = import_module("IPython.display")
            self._handle = display.display(shown, display_id=True)
        else:
            self._handle.update(shown)


class _Html:
    """A line of a notebook."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return ""
