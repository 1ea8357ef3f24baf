"""Statements of the text on its graphs and on Table 3 as a whole, compared with ours."""

import numpy as np

from platterlab.report.sawtooth import steps
from platterlab.studies.criteria import EFFECT, EXACT
from platterlab.studies.row import Bound, Row
from platterlab.studies.talagala import one_skippy
from platterlab.studies.talagala.table3 import PUT_IN, Measured

SPIKES = "Sections 4.1.4 and 5.1.3: spikes of SKIPPY"
CACHING = "Section 5.1.2: caching at small steps"
SHARES = "Sections 5.2 and 6: shares"

DOWNWARD: dict[str, tuple[float, Bound, str]] = {
    "ultrastar": (2, "at-least", "some downward spikes as the step approaches STM (section 4.1.3)"),
    "rz26": (1, "at-least", "diskSim shows downward spikes before the transition (section 5.1.3)"),
    "hp97560": (0, "at-most", "the Dartmouth result shows none (section 5.1.3)"),
}
CACHED = {"fireball": "Figure 18", "dtta": "Figure 19"}
SWITCH_PCT = {"hawk": (10.0, 20.0), "9zx": (13.0, 32.0)}
"""Head and cylinder switch of a rotation (section 6)."""

OUTER_OVER_INNER_PCT = {"least": 50.0, "most": 80.0}
"""By how much the outer bandwidth is above the inner, over the drives with zones (section 5.2)."""


def rows(drives: list[Measured]) -> list[Row]:
    """A row for each sentence."""
    made = []
    for drive in drives:
        key = drive.published.key
        if key in DOWNWARD:
            made.append(_downward(drive))
        if key == "ultrastar":
            made.append(_upward(drive))
        if key in CACHED:
            made.append(_cached(drive))
        if key in SWITCH_PCT:
            made += _switches(drive)
    together = (SPIKES, CACHING, SHARES)
    return sorted([*made, *_outer_over_inner(drives)], key=lambda row: together.index(row.group))


def off_line(drive: Measured) -> tuple[one_skippy.Column, one_skippy.Column, one_skippy.Sawtooth]:
    """Steps of SKIPPY before the MTM point, how much longer each took than on L2, the lines."""
    run = next(run for run in drive.runs if run.probe == "skippy")
    step, took_ms, _ = steps(run)
    lines = one_skippy.lines(step, took_ms)
    before = (step > 0) & (step < lines.stm)
    return step[before], (took_ms - lines.offset_ms - lines.slope_ms * step)[before], lines


def _downward(drive: Measured) -> Row:
    _, over_ms, lines = off_line(drive)
    key, name = drive.published.key, drive.published.name
    target, bound, claim = DOWNWARD[key]
    return Row(
        f"spikes/{key}/downward",
        f"{name}: requests before the MTM point that save the revolution",
        None,
        float(np.count_nonzero(over_ms < lines.rotation_ms / 2)),
        "",
        target=target,
        bound=bound,
        criterion=EXACT,
        claim=claim,
        group=SPIKES,
    )


def _upward(drive: Measured) -> Row:
    step, over_ms, lines = off_line(drive)
    above = over_ms > lines.rotation_ms + 2 * one_skippy.ON_LINE_MS
    return Row(
        "spikes/ultrastar/upward",
        f"{drive.published.name}: requests in the first half before the MTM point above their line",
        None,
        float(np.count_nonzero(above & (step < lines.stm / 2))),
        "",
        target=1,
        bound="at-least",
        criterion=EXACT,
        claim="upward spikes for small steps (section 4.1.3)",
        group=SPIKES,
    )


def _cached(drive: Measured) -> Row:
    _, over_ms, lines = off_line(drive)
    first = over_ms[: one_skippy.FIRST_STEPS]
    return Row(
        f"caching/{drive.published.key}/small_steps",
        f"{drive.published.name}: of the first {one_skippy.FIRST_STEPS} steps, answered early",
        None,
        float(np.count_nonzero(first < lines.rotation_ms / 2)),
        "",
        target=1,
        bound="at-least",
        criterion=EXACT,
        claim=f"the graph shows caching at the lower step sizes ({CACHED[drive.published.key]})",
        group=CACHING,
    )


def _switches(drive: Measured) -> list[Row]:
    key, turn_ms = drive.published.key, drive.value("rotation_ms")
    return [
        Row(
            f"switch-share/{key}/{what}",
            f"{drive.published.name}: {what} switch of a rotation",
            paper,
            100.0 * ours_ms / turn_ms,
            "%",
            criterion=EFFECT,
            evidence="by construction",
            used=PUT_IN,
            group=SHARES,
        )
        for what, ours_ms, paper in zip(
            ("head", "cylinder"),
            (drive.value("track_skew_ms"), drive.value("cylinder_skew_ms")),
            SWITCH_PCT[key],
            strict=True,
        )
    ]


def _outer_over_inner(drives: list[Measured]) -> list[Row]:
    gains = [
        100.0 * (drive.value("outer_mib_s") / drive.value("inner_mib_s") - 1.0)
        for drive in drives
        if len(drive.zones) > 1
    ]
    ours = {"least": min(gains), "most": max(gains)}
    return [
        Row(
            f"outer-over-inner/{end}",
            f"bandwidth of outer over inner tracks, the {end} of the drives with zones",
            paper,
            float(ours[end]),
            "%",
            criterion=EFFECT,
            evidence="by construction",
            used="the inner zones of four of five drives were made for the paper's inner bandwidth",
            group=SHARES,
        )
        for end, paper in OUTER_OVER_INNER_PCT.items()
    ]
