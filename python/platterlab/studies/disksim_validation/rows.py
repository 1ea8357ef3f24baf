"""The figures of the study, and the reference of each."""

import numpy as np

from platterlab.calibration.judged.verdict import judged
from platterlab.studies.criteria import EXACT
from platterlab.studies.disksim_validation.binned import binned_demerit_ms
from platterlab.studies.disksim_validation.runs import Drive, Run
from platterlab.studies.row import Bound, Row

MOST_SLIPS, LEAST_OUTCOMES = 0.03, 0.98
MEDIAN_MS, WITHIN_SHARE, ENOUGH_DRIVES = 0.05, 0.90, 4
"""What single requests of unseen halves are to reach, and on how many drives."""

_WORDS = {
    "demerit_ms": ("demerit", "ms"),
    "rmse_ms": ("root mean square of single errors", "ms"),
    "median_abs_error_ms": ("median of single errors", "ms"),
    "p95_abs_error_ms": ("95th percentile of single errors", "ms"),
    "within_0.1_ms": ("share within 0.1 ms", ""),
    "within_0.25_ms": ("share within 0.25 ms", ""),
    "within_0.5_ms": ("share within 0.5 ms", ""),
    "within_1_ms": ("share within 1 ms", ""),
    "slipped_revolution": ("share off by one revolution", ""),
}

WAYS = {
    "imported": "parameters as imported, fed closed as DiskSim does",
    "measured-times": "parameters as imported, at measured times",
    "calibrated-unseen": "calibrated on the first half, closed, on the second half",
    "edge": "what the scatter of its seeks near the edge of a revolution leaves of the second half",
}


def drive_rows(drive: Drive) -> list[Row]:
    """All rows of a drive."""
    rows = []
    ways = (
        ("imported", drive.imported),
        ("measured-times", drive.measured_times),
        ("calibrated-unseen", drive.unseen),
    )
    for way, run in ways:
        rows += _way_rows(drive, way, run)
    whole = drive.imported
    rows.append(
        Row(
            id=f"{drive.which.name}/imported/demerit_binned_ms",
            what="demerit from distributions in bins, as DiskSim publishes it",
            paper=binned_demerit_ms(whole.disksim_ms, whole.measured_ms),
            ours=binned_demerit_ms(whole.ours_ms, whole.measured_ms),
            unit="ms",
            target=drive.which.demerit_ms,
            bound="at-most",
            criterion=EXACT,
            group=f"{drive.which.what}: {WAYS['imported']}",
        )
    )
    rows.append(
        Row(
            id=f"{drive.which.name}/calibrated-unseen/cache_outcome",
            what="reads predicted rightly to hit or miss the buffer",
            paper=None,
            ours=drive.outcomes,
            unit="",
            target=LEAST_OUTCOMES,
            bound="at-least",
            criterion=EXACT,
            group=f"{drive.which.what}: {WAYS['calibrated-unseen']}",
        )
    )
    rows += _edge_rows(drive)
    groups = list(dict.fromkeys(row.group for row in rows))
    return sorted(rows, key=lambda row: groups.index(row.group))


def _edge_rows(drive: Drive) -> list[Row]:
    """What a perfect model would be left with."""
    left, edge = drive.scattered, drive.edge
    reached = np.mean(left.demerit_ms <= drive.which.demerit_ms / 2)
    values = (
        ("scatter_ms", "scatter of when requests are ready", edge.scatter_ms, "ms"),
        ("requests", "requests that tell of it", edge.requests, ""),
        ("demerit_ms", "demerit, mean of draws", np.mean(left.demerit_ms), "ms"),
        ("demerit_p05_ms", "5 % of draws are below", np.quantile(left.demerit_ms, 0.05), "ms"),
        ("demerit_p95_ms", "5 % of draws are above", np.quantile(left.demerit_ms, 0.95), "ms"),
        ("demerit_wanted", "share of draws at the demerit wanted, or below", reached, ""),
        ("slipped_revolution", "share off by one revolution", np.mean(left.slipped), ""),
    )
    return [
        Row(
            id=f"{drive.which.name}/edge/{name}",
            what=what,
            paper=None,
            ours=float(value),
            unit=unit,
            group=f"{drive.which.what}: {WAYS['edge']}",
        )
        for name, what, value, unit in values
    ]


def _way_rows(drive: Drive, way: str, run: Run) -> list[Row]:
    ours = judged(run.ours_ms, run.measured_ms, drive.rotation_ms)
    theirs = judged(run.disksim_ms, run.measured_ms, drive.rotation_ms)
    limits: dict[str, tuple[float, Bound]] = {}
    if way == "imported":
        limits["demerit_ms"] = (drive.which.demerit_ms, "at-most")
    if way == "calibrated-unseen":
        limits["demerit_ms"] = (drive.which.demerit_ms / 2, "at-most")
        limits["slipped_revolution"] = (MOST_SLIPS, "at-most")
    rows = []
    for name, value in ours.items():
        target, bound = limits.get(name, (None, None))
        better: Bound = "at-least" if name.startswith("within") else "at-most"
        # Calibrated, every figure is compared with DiskSim's; imported, the demerit alone.
        held = target is not None or way == "calibrated-unseen"
        rows.append(
            Row(
                id=f"{drive.which.name}/{way}/{name}",
                what=_WORDS[name][0],
                paper=theirs[name] if held else None,
                ours=value,
                unit=_WORDS[name][1],
                target=target,
                bound=bound or better,
                criterion=EXACT,
                group=f"{drive.which.what}: {WAYS[way]}",
                extra={"disksim": theirs[name]},
            )
        )
    return rows


def overall_rows(rows: list[Row]) -> list[Row]:
    """On how many drives single unseen requests are predicted well enough."""
    by_id = {row.id: row.ours for row in rows}
    names = [key.split("/")[0] for key in by_id if key.endswith("unseen/demerit_ms")]
    near = [by_id[f"{name}/calibrated-unseen/median_abs_error_ms"] <= MEDIAN_MS for name in names]
    most = [by_id[f"{name}/calibrated-unseen/within_0.25_ms"] >= WITHIN_SHARE for name in names]
    words = (
        ("all/calibrated-unseen/drives_median_0.05_ms", "drives with a median of 0.05 ms", near),
        ("all/calibrated-unseen/drives_90_pct_within_0.25_ms", "drives with 90 % in 0.25 ms", most),
    )
    return [
        Row(
            id=key,
            what=what,
            paper=None,
            ours=float(sum(good)),
            unit="",
            target=float(min(ENOUGH_DRIVES, len(names))),
            bound="at-least",
            criterion=EXACT,
            group="Single requests of the unseen halves",
        )
        for key, what, good in words
    ]
