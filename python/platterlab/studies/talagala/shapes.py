"""Statements of the text on the shape of seeks over sectors, of zones and of sawtooths' heights."""

import numpy as np

from platterlab.studies.criteria import CLAIMED, EXACT
from platterlab.studies.row import Row
from platterlab.studies.talagala import one_skippy
from platterlab.studies.talagala.table3 import PUT_IN, Measured

SEEKS = "Section 5.3: shapes of seeks over sectors"
ZONES = "Figure 16: zones"
HEIGHTS = "Sections 5.1.1 and 5.1.2: rotation by the height of the sawtooth"

MIDDLE, END = (0.3, 0.6), (0.9, 1.0)
"""Parts of a drive's sectors: in the first zones change little, in the second tracks are short."""

HEIGHT_MS = {
    "hawk": 11.22,
    "barracuda": 8.43,
    "micropolis": 8.41,
    "9zx": 6.06,
    "fireball": 11.40,
    "dtta": 11.04,
}
STEEPER = "the latency increases more than linearly towards the innermost zones (section 5.3)"
MOST = "most observable in the IBM 9ZX (section 5.3)"
HALF = "the outermost two zones occupy more than half of the disk (Figure 16)"


def rows(drives: list[Measured]) -> list[Row]:
    """A row for each sentence."""
    zoned = [drive for drive in drives if len(drive.zones) > 1 and drive.found["seeks"]]
    ratios = {drive.published.key: steepness(drive) for drive in zoned}
    made = [
        _claim(f"seek-shape/{drive.published.key}/end_over_middle",
               f"{drive.published.name}: time for a sector more at the end, of that in the middle",
               ratios[drive.published.key], 1.0, STEEPER, SEEKS)
        for drive in zoned
    ]  # fmt: skip
    others = max(ratio for key, ratio in ratios.items() if key != "9zx")
    made.append(
        _claim("seek-shape/9zx/most", "IBM 9ZX: the same, of the greatest of the other drives",
               ratios["9zx"] / others, 1.0, MOST, SEEKS)
    )  # fmt: skip
    return [*made, *_zones(drives), *_heights(drives)]


def steepness(drive: Measured) -> float:
    """How much more a sector of distance costs at the end than in the middle."""
    seeks = drive.found["seeks"]
    distance = np.array([point["distance_sectors"] for point in seeks], dtype=np.float64)
    took_ms = np.array([point["seek_ms"] for point in seeks], dtype=np.float64)
    share = distance / distance.max()

    def slope(part: tuple[float, float]) -> float:
        ends = np.interp(part, share, took_ms)
        return float((ends[1] - ends[0]) / (part[1] - part[0]))

    return slope(END) / slope(MIDDLE)


def _zones(drives: list[Measured]) -> list[Row]:
    ultrastar = next(drive for drive in drives if drive.published.key == "ultrastar")
    starts = [zone["first_lba"]["value"] for zone in ultrastar.found["zones"]]
    if len(starts) < 3 or starts[2] is None:
        return []
    end = max(rate["lba"] for rate in ultrastar.found["rates"])
    what = "IBM UltraStar: the outermost two zones, of all sectors"
    share = 100.0 * starts[2] / end
    return [
        _claim("zones/ultrastar/outermost_two", what, share, 50.0, HALF, ZONES, unit="%"),
    ]


def _heights(drives: list[Measured]) -> list[Row]:
    """The findings of a single SKIPPY, which the text gives with the specification."""
    made = []
    for drive in drives:
        key = drive.published.key
        if key not in HEIGHT_MS:
            continue
        run = next(run for run in drive.runs if run.probe == "skippy")
        made.append(
            Row(
                f"one-skippy/{key}/rotation_by_height_ms",
                f"{drive.published.name}: height of the sawtooth",
                HEIGHT_MS[key],
                one_skippy.read(run)["rotation_by_height_ms"],
                "ms",
                criterion=CLAIMED,
                evidence="by construction",
                used=PUT_IN,
                group=HEIGHTS,
            )
        )
    return made


def _claim(
    row_id: str, what: str, ours: float, least: float, claim: str, group: str, unit: str = ""
) -> Row:
    return Row(
        row_id,
        what,
        None,
        ours,
        unit,
        target=least,
        bound="at-least",
        criterion=EXACT,
        evidence="by construction",
        used="the zones and the seek curve of the profile",
        claim=claim,
        group=group,
    )
