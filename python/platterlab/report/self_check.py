"""Service times as extracted against those of its simulation, probe by probe."""

import altair as alt

from platterlab.answers import Extraction
from platterlab.report import page
from platterlab.report.style import MEASURED, SIMULATED, WIDTH, Spec, finished

ABOUT = (
    "What was extracted was simulated with the host's noise and answered the same requests. Each "
    "line is the share of a probe's requests that took no longer; where the two part, the "
    "extraction does not explain the drive, or a cache answered."
)
_HEIGHT = 130


def overlay(found: Extraction) -> Spec | None:
    """Both distributions of each probe, one above the other; None where nothing was simulated."""
    rows = [
        {"probe": each["probe"], "of": of, "ms": ms, "share": 100 * index / (len(times) - 1)}
        for each in found["self_check"]["probes"]
        for of, times in (
            ("measured", each["measured_ms"]),
            ("simulated", each["simulated_ms"]),
        )
        if len(times) > 1
        for index, ms in enumerate(times)
    ]
    if not rows:
        return None
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2)
        .encode(
            alt.X("ms:Q", title="service time, ms", scale=alt.Scale(zero=True)),
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
        .properties(width=WIDTH, height=_HEIGHT)
        .facet(alt.Facet("probe:N", title=None), columns=1)
        .resolve_scale(x="independent")
    )
    return finished(chart)


def table(found: Extraction) -> str:
    """What of the extraction its simulation contradicts, as a table; empty where nothing is."""
    rows = [[each["value"], each["note"]] for each in found["self_check"]["disagreements"]]
    if not rows:
        return ""
    about = "These values are not sure: simulated with them, the drive answers otherwise."
    return page.table("Self-check", about, ["value", "what did not come out"], rows)
