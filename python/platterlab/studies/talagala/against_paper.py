"""Extracted values compared with the paper itself: its values, and its statements on fits."""

from platterlab.studies.criteria import CLAIMED, EXACT
from platterlab.studies.row import Evidence, Row
from platterlab.studies.talagala.published import (
    BUS_BOUND,
    QUANTITIES,
    ULTRASTAR_ZONES,
    Published,
)
from platterlab.studies.talagala.table3 import PUT_IN, Measured, interval

FROM_GEOMETRY = (
    "nothing of this row: bandwidth follows from sectors, rotation, surfaces, skews and switches"
)
FITTED_INNER = "the inner zone's sectors were chosen to give it"
BUS_RATE = "the bus's rate is this bandwidth"
ZONES = "zones on the parabola through the outer and the inner bandwidth, as section 5.2 tells it"

FITS = "Section 5.2: bandwidth over the disk"
TWO_POINT, TWO_POINT_MOST = "two_point_quadratic_over_all_linear", 0.5
"""A parabola through two points against a line through all, and the most that its claim allows."""


def rows(drives: list[Measured]) -> list[Row]:
    """The rows of every drive."""
    made = []
    for drive in drives:
        made += [*_values(drive), *_zones(drive), *_fits(drive)]
    return [*made, *_all_but_one(made)]


def _values(drive: Measured) -> list[Row]:
    """The same values compared with the paper's, to the 3 % that it claims."""
    made = []
    for quantity, what, unit in QUANTITIES:
        estimate, paper = drive.found[quantity], getattr(drive.published, quantity)
        if paper is None or estimate["status"] != "ok":
            continue
        evidence, used = _given(drive.published, quantity)
        made.append(
            Row(
                id=f"{drive.published.key}/{quantity}/against_paper",
                what=f"{what}, against the paper",
                paper=float(paper),
                ours=drive.value(quantity),
                unit=unit,
                criterion=EXACT if quantity == "surfaces" else CLAIMED,
                interval=interval(estimate["ci95"]),
                evidence=evidence,
                used=used,
                group=f"{drive.published.name}, against the paper",
            )
        )
    return made


def _zones(drive: Measured) -> list[Row]:
    """The averages that section 4.2 prints of the UltraStar's zones."""
    if drive.published.key != "ultrastar":
        return []
    return [
        Row(
            id=f"ultrastar/zone_{number}_sectors_per_track/against_paper",
            what=f"sectors per track, zone {number}, against the paper",
            paper=paper,
            ours=float(zone["sectors_per_track"]["value"] or 0.0),
            unit="",
            criterion=CLAIMED,
            evidence="by construction",
            used=PUT_IN,
            group=f"{drive.published.name}, against the paper",
        )
        for number, (paper, zone) in enumerate(
            zip(ULTRASTAR_ZONES, drive.found["zones"], strict=False), start=1
        )
    ]


def _given(published: Published, quantity: str) -> tuple[Evidence, str]:
    """What of a value of the paper went into a drive's profile."""
    if quantity == "outer_mib_s" and published.key not in BUS_BOUND:
        return "blind", FROM_GEOMETRY
    if quantity.endswith("mib_s"):
        return "by construction", BUS_RATE if published.key in BUS_BOUND else FITTED_INNER
    return "by construction", PUT_IN


def _fits(drive: Measured) -> list[Row]:
    """Section 5.2: which curve the bandwidths over the disk are on, by ratios of RMS errors."""
    if len(drive.zones) < 2:
        return []
    rms = {
        (fit["curve"], fit["two_point"]): float(fit["rms_mib_s"])
        for fit in drive.found["bandwidth_fits"]
    }
    line, parabola = rms["linear", False], rms["quadratic", False]
    figures = (
        (
            "quadratic_over_linear",
            "error of a parabola over that of a line",
            parabola / line,
            0.5,
            "quadratic fits 2 to 10 times better than linear (section 5.2)",
        ),
        (
            "two_point_quadratic_over_linear",
            "the same through two points",
            rms["quadratic", True] / rms["linear", True],
            0.1,
            "through two values 10 to 20 times better (section 5.2)",
        ),
        (
            TWO_POINT,
            "a parabola through two points over a line through all",
            rms["quadratic", True] / line,
            TWO_POINT_MOST,
            "a quadratic through two is 2 to 10 times better than a line through all (section 5.2)",
        ),
    )
    return [
        Row(
            id=f"fits/{drive.published.key}/{key}",
            what=f"{drive.published.name}: {what}",
            paper=None,
            ours=ours,
            unit="",
            target=most,
            bound="at-most",
            criterion=EXACT,
            evidence="blind" if drive.published.key == "ultrastar" else "by construction",
            used="the zones of section 4.2" if drive.published.key == "ultrastar" else ZONES,
            claim=claim,
            group=FITS,
        )
        for key, what, ours, most, claim in figures
    ]


def _all_but_one(rows: list[Row]) -> list[Row]:
    """Of the drives with zones, those of which the last of these claims is not true."""
    ratios = [row.ours for row in rows if row.id.endswith(f"/{TWO_POINT}")]
    if not ratios:
        return []
    return [
        Row(
            id="fits/exceptions",
            what=f"of {len(ratios)} drives, without the gain of a parabola through two points",
            paper=1.0,
            ours=float(sum(ratio > TWO_POINT_MOST for ratio in ratios)),
            unit="",
            criterion=EXACT,
            evidence="by construction",
            used=ZONES,
            group=FITS,
        )
    ]
