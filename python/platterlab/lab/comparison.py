"""The result of a comparison, as a mapping that a notebook shows as a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from platterlab.comparing.statistics import Group
from platterlab.lab import charts

if TYPE_CHECKING:
    import altair as alt


class Comparison(dict[str, dict[str, Group]]):
    """By the name of each other side, and by group (`all`, `reads`, ...), how its times differ.

    >>> from platterlab.lab.comparison import Comparison
    >>> Comparison({})._repr_html_().startswith("<table>")
    True
    """

    def chart(self) -> alt.LayerChart:
        """Difference of each figure from the first side's, with its interval, as Altair's chart.

        >>> from platterlab.lab.comparison import Comparison
        >>> len(Comparison({}).chart().layer)
        2
        """
        return charts.changes(self)

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{name}</th>" for name in ("", "", "first", "other", "change, ms"))
        rows = "".join(
            f"<tr><td>{escape(other)}</td><td>{escape(group)}, {escape(name)}</td>"
            f"<td>{one.base.ms:,.4g}</td><td>{one.other.ms:,.4g}</td>"
            f"<td>{one.change.ms:+,.4g}{_ends(one.change.low_ms, one.change.high_ms)}</td></tr>"
            for other, groups in self.items()
            for group, found in groups.items()
            for name, one in found.figures.items()
        )
        return f"<table><tr>{heads}</tr>{rows}</table>"


def _ends(low_ms: float | None, high_ms: float | None) -> str:
    """Of an interval, where there is one."""
    if low_ms is None or high_ms is None:
        return ""
    return f" <small>({low_ms:+,.4g} to {high_ms:+,.4g})</small>"
