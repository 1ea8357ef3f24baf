"""Service times as extracted against those of its simulation, probe by probe."""

from collections.abc import Sequence

import altair as alt

from platterlab.answers import Extraction
from platterlab.report import page
from platterlab.report.style import MEASURED, SIMULATED, WIDTH, Records, Spec, finished, plot

ABOUT = (
    "What was extracted was simulated with the host's noise and answered the same requests. Each "
    "line is the share of a probe's requests that took no longer; where the two part, the "
    "extraction does not explain the drive, or a cache answered."
)
_HEIGHT = 130


def overlay(found: Extraction) -> Spec | None:
    """Both distributions of each probe, one above the other; None where nothing was simulated."""
    panels = [
        _panel(each["probe"], rows)
        for each in found["self_check"]["probes"]
        if (rows := _rows(each["measured_ms"], each["simulated_ms"]))
    ]
    # No facets: the page makes panels as wide as it has room for.
    return finished(alt.vconcat(*panels)) if panels else None


def _rows(measured_ms: Sequence[float], simulated_ms: Sequence[float]) -> Records:
    return [
        {"of": of, "ms": ms, "share": 100 * index / (len(times) - 1)}
        for of, times in (("measured", measured_ms), ("simulated", simulated_ms))
        if len(times) > 1
        for index, ms in enumerate(times)
    ]


def _panel(probe: str, rows: Records) -> alt.Chart:
    panel: alt.Chart = (
        plot(rows)
        .mark_line(strokeWidth=2)
        .encode(
            alt.X("ms:Q", title="service time, ms", scale=alt.Scale(zero=False)),
            alt.Y("share:Q", title="requests, %"),
            alt.Color(
                "of:N",
                title=None,
                scale=alt.Scale(domain=["measured", "simulated"], range=[MEASURED, SIMULATED]),
            ),
            alt.StrokeDash(
                "of:N",
                title=None,
                scale=alt.Scale(domain=["measured", "simulated"], range=[[1, 0], [5, 3]]),
            ),
            order="share:Q",
        )
        .properties(title=probe, width=WIDTH, height=_HEIGHT)
    )
    return panel


def table(found: Extraction) -> str:
    """What of the extraction its simulation contradicts, as a table; empty where nothing is."""
    rows = [[each["value"], each["note"]] for each in found["self_check"]["disagreements"]]
    if not rows:
        return ""
    about = "These values are not sure: simulated with them, the drive answers otherwise."
    return page.table("Self-check", about, ["value", "what did not come out"], rows, "made")
