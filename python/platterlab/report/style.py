"""The colours and the look that all charts share."""

from typing import Any

import altair as alt

from platterlab.documents import Json

WIDTH = 720
# As in page.css; "inherit" is a font whose widths cannot be known when labels are laid out.
FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
NOTE = "note"
"""The style of texts next to their subject: left out on a narrow page."""
SIMULATED, MEASURED, QUIET, INK = "#1f6fb2", "#d1662c", "#96a3b3", "#3c4654"

Spec = Json
Records = list[Json]
"""What a chart is drawn of: a row for each mark."""


class _Rows(alt.InlineData):
    """Rows that a chart shares with its copies.

    altair would copy every row at each step, and check it.
    """

    _class_is_valid_at_instantiation = False

    def __deepcopy__(self, _memo: object) -> "_Rows":
        return self


def plot(rows: Records) -> alt.Chart:
    """A chart of these rows that has no marks yet."""
    return alt.Chart(_Rows(values=rows))


_LOOK = alt.Config(
    font=FONT,
    background="transparent",
    view=alt.ViewConfig(stroke=None),
    axis=alt.AxisConfig(
        gridColor="#e6e9ee",
        domainColor="#9aa5b1",
        tickColor="#9aa5b1",
        labelColor=INK,
        titleColor=INK,
        titleFontWeight="normal",
        labelOverlap="greedy",
        labelSeparation=6,
    ),
    legend=alt.LegendConfig(orient="top", title=None, columnPadding=18),
)


def finished(chart: Any) -> Spec:
    """A chart in the house's style, as a specification."""
    # As it is: each of altair's own methods makes a copy of all layers first.
    chart.config = _LOOK
    spec: Spec = chart.to_dict()
    return spec
