"""What a calibration found, in the words of its users.

Values with their uncertainty, choices, what stays open, and how good the result is on requests it
has not seen.
"""

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from platterlab.calibration.buffer.read_completion import AtShare, BeforeEnd, Following
from platterlab.calibration.choices import choices
from platterlab.calibration.job import STAGES, Calibration
from platterlab.calibration.judged.pieces import PIECES
from platterlab.calibration.judged.undetermined import coarse_tick_ms, undetermined_by_ticks
from platterlab.calibration.judged.verdict import NOT_WORSE, Part, judged
from platterlab.calibration.judged.warnings import warnings
from platterlab.calibration.platter.followed import drift_peak_ms
from platterlab.calibration.platter.mean_period import mean_period_error_ms
from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.seek_scatter import scatter_override
from platterlab.calibration.platter.told_effects import is_at_end, is_open, open_ms
from platterlab.calibration.trace.observed import Flags, Floats, Whole

TIMINGS = {"closed": "by themselves", "issue": "issued when the drive's were"}
"""How the requests that a profile is judged on were served, and the words for it."""


OF_THE_BUS = (
    "hits_sector_ms", "writes_sector_ms", "media_sector_ms", "read_share", "before_end_sectors",
)  # fmt: skip
"""Values that a coarse clock does not tell."""

BY_MANY = ("rotation_ms", "drift_ms", "lattice_ms")
"""Times that are told by how all requests lie to each other: no tick moves them."""


LATE_TIMES, LEAST_LATE_MS = 5.0, 0.02
"""An answer that is off by more than so many times what most are, and by so much, came late."""


@dataclass(frozen=True)
class Value:
    """One number.

    Attributes:
        name: for machines.
        what: for people.
        value: in `unit`.
        reach: half of its 95 % confidence interval.
        requests: how many tell of it.
    """

    name: str
    what: str
    value: float
    unit: str
    reach: float
    requests: int


@dataclass(frozen=True)
class Findings:
    """Everything to be shown."""

    found: Calibration
    choices: list[str]
    undetermined: list[str]
    judged: dict[str, dict[str, float]]
    overrides: dict[str, Any]
    fitted: int
    requests: int
    gap: str | None
    verdict: str
    sentence: str
    timing: str
    warnings: list[str]

    @cached_property
    def values(self) -> list[Value]:
        """The numbers with their intervals, for which requests are drawn anew and fitted again."""
        return _values(self.found)

    def to_json(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "requests": self.requests,
            "fitted_on": self.fitted,
            "gap": self.gap,
            "values": [asdict(one) for one in self.values],
            "choices": self.choices,
            "undetermined": self.undetermined,
            "judged": self.judged,
            "judged_timing": self.timing,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "warnings": self.warnings,
            "profile": self.overrides,
        }


def findings(found: Calibration) -> Findings:
    """What to show of a calibration."""
    reading = found.reading
    measured = reading.requests.columns()["service_ms"]
    rest = slice(found.fitted, None) if found.fitted < len(measured) else slice(None)
    rotation = reading.period.rotation_ms
    part = Part(reading, rest)
    start, result = (part.figures(profile) for profile in (found.start, found.profile))
    figures = {"start": start, "result": result}
    for timing, words in TIMINGS.items():
        if timing == "closed" and not np.isfinite(reading.requests.columns()["think_ms"][1:]).all():
            continue
        simulated = found.simulated(timing)["service_ms"]
        if len(simulated) == len(measured):
            known = np.isfinite(measured[rest])
            figures[words] = judged(simulated[rest][known], measured[rest][known], rotation)
    return Findings(
        found=found,
        choices=choices(found),
        undetermined=[*_left_out(found), *found.undetermined, *undetermined_by_ticks(reading)],
        judged=figures,
        overrides=found.overrides | scatter_override(found.scatter),
        fitted=found.fitted,
        requests=len(measured),
        gap=reading.gap,
        verdict="kept-start" if found.kept is None else "improved",
        sentence=_sentence(found, start, result),
        timing=part.timing,
        warnings=warnings(found, part),
    )


SHOWN = {
    "demerit_ms": "the demerit",
    "median_abs_error_ms": "the median error",
    "p95_abs_error_ms": "the 95th percentile",
    "within_0.25_ms": "the share within 0.25 ms",
    "within_0.5_ms": "the share within 0.5 ms",
    "slipped_revolution": "how many slip a turn",
}
"""The figures that start and result are compared by."""


def _left_out(found: Calibration) -> list[str]:
    """What was found and is not in the profile, though values and choices tell of it."""
    left = [name for name in PIECES if found.kept is None or name not in found.kept.pieces]
    if not left:
        return []
    what = "all of it" if len(left) == len(PIECES) else _listed(left)
    return [
        "values and choices are of what was found; not in the profile, which has the start's: "
        f"{what}"
    ]


def _sentence(found: Calibration, start: dict[str, float], result: dict[str, float]) -> str:
    """What improved and what did not."""
    if found.kept is None:
        return "Nothing that was found helps requests not fitted on: the start is kept."
    better, worse = [], []
    for name, words in SHOWN.items():
        before, after = start[name], result[name]
        if name.startswith("within"):
            before, after = after, before
        if after < before:
            better.append(words)
        elif after > NOT_WORSE * before:
            worse.append(words)
    said = f"Improved: {_listed(better)}." if better else "Nothing improved."
    if worse:
        said += f" Worse: {_listed(worse)}."
    if found.kept.stage != STAGES[-1]:
        said += f" Kept up to: {found.kept.stage}; what came after did not help."
    left = [name for name in PIECES if name not in found.kept.pieces]
    if left:
        said += f" As in the start, for what was found did not help: {_listed(left)}."
    return said


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _values(found: Calibration) -> list[Value]:
    """The numbers; by a coarse clock those that it tells, by as much less surely."""
    if not (tick_ms := coarse_tick_ms(found.reading)):
        return _numbers(found)
    values = [one for one in _numbers(found) if one.name not in OF_THE_BUS]
    # What moves all requests by a part of a tick may move none of them to another one.
    return [
        replace(one, reach=one.reach + tick_ms / 2)
        if one.unit == "ms" and one.name not in BY_MANY
        else one
        for one in values
    ]


def _numbers(found: Calibration) -> list[Value]:
    reading, angles, times = found.reading, found.angles, found.positioning
    values = []
    write = reading.seen.write
    for name, line, some in (
        ("read hits", reading.hits, ~write),
        ("reported writes", reading.reported, write),
    ):
        if line:
            key = name.split()[1]
            what = f"bus time of a sector, {name}"
            count = int((reading.is_hit & some).sum())
            told = _slope_reach(
                reading.seen.service_ms, reading.seen.sectors, reading.is_hit & some, line.sector_ms
            )
            # Where all are of one size, what a sector takes is not told from what each costs.
            if told is not None:
                values.append(Value(f"{key}_sector_ms", what, line.sector_ms, "ms", told, count))
    if angles is None or times is None:
        return values
    count = len(angles.off_turns)
    errors = {name: 1.96 * error for name, error in angles.errors.items()}
    lag = drift_peak_ms(angles)
    skews = "of all zones" if angles.pooled else "of the first zone"
    first = int(np.flatnonzero(angles.known)[0])
    for name, what, value, unit, reach in (
        ("rotation_ms", "rotation", angles.rotation_ms, "ms",
         errors["rotation_ms"] + mean_period_error_ms(angles)),
        *([] if lag is None else [
            ("drift_ms", "drift of the platter, peak to peak", lag, "ms", errors["drift_ms"]),
        ]),
        ("head_turns", f"head skew {skews}, with the surfaces' even rise",
         angles.head[first] % 1, "turns", errors["head"]),
        ("cylinder_turns", f"turn per cylinder {skews}", angles.step[first] % 1, "turns",
         errors["step"]),
        ("lattice_ms", "median distance from the lattice",
         angles.spread_turns * angles.rotation_ms, "ms",
         _median_reach(np.abs(angles.off_turns)) * angles.rotation_ms),
        ("media_sector_ms", "bus time of a sector, reads", angles.sector_ms, "ms",
         errors["sector_ms"]),
        *_bus_starts(angles.reads, errors["read_share"]),
    ):  # fmt: skip
        values.append(Value(name, what, float(value), unit, reach, count))
    values += _turned(angles, first, errors, count)
    return values + _positioning(found, times, count // max(1, len(times.distances)))


def _positioning(found: Calibration, times: Positioning, each: int) -> list[Value]:
    """How long positioning takes, as the profile has it.

    What the arm has less the overhead has more: by so much as the whole model moved from the one to
    the other, and as surely as requests tell them apart.

    Args:
        found: the calibration.
        times: its sums.
        each: requests for each point of the seek curve.
    """
    known = list(found.stages.values())[-1][1]
    whole_ms = known["controller"]["read_ms"] + known["switch"]["resettle_read_ms"]
    moved_ms = whole_ms - max(times.effects["read"], 0.0)
    ends_ms = times.overhead_between_ms(found.profile)
    sum_ms = max(abs(at - times.effects["read"]) for at in ends_ms)
    moved = {"read": moved_ms, "head_read": -moved_ms, "head_write": -moved_ms}
    values = [
        Value(
            f"{name}_ms",
            name.replace("_", " "),
            value + moved.get(name, 0.0),
            "ms",
            max(
                1.96 * times.effect_errors_ms[name],
                sum_ms if name in moved else 0.0,
                open_ms(times, name),
            ),
            times.counts[name],
        )
        for name, value in times.effects.items()
        if times.is_fitted(name) and not is_open(times, name) and not is_at_end(times, name)
    ]
    return values + [
        Value(f"seek_{distance}_ms", f"seek of {distance} cylinders", float(time) - moved_ms, "ms",
              max(1.96 * float(error), sum_ms), each)
        for distance, time, error in zip(
            times.distances, times.seek_ms, times.errors_ms, strict=True
        )
    ]  # fmt: skip


def _turned(angles: Angles, zone: int, errors: dict[str, float], count: int) -> list[Value]:
    """How far surfaces are turned, or where passes are listed, those from track to track."""
    if len(angles.leg) > 1:
        along = (angles.step[zone] + angles.along) % 1
        return [
            Value(f"pass_{number}_turns", f"turn per track of listed pass {number}", float(turns),
                  "turns", errors["along"], count)
            for number, turns in enumerate(along)
        ]  # fmt: skip
    beside = angles.surface - angles.surface.mean()
    return [
        Value(f"surface_{number}_turns", f"surface {number} against all, beside that rise",
              float(turns), "turns", errors["surface"], count)
        for number, turns in enumerate(beside if len(beside) > 1 else ())
    ]  # fmt: skip


def _bus_starts(reads: Following, reach: float) -> list[tuple[str, str, float, str, float]]:
    """When the bus starts, where that is a number that requests tell, as in `_values`."""
    match reads:
        case AtShare(share):
            return [("read_share", "share of a read before the bus starts", share, "", reach)]
        case BeforeEnd(sectors):
            what = "sectors of a read that are left when the bus starts"
            return [("before_end_sectors", what, sectors, "sectors", reach)]
        case _:
            return []


def _slope_reach(service_ms: Floats, sectors: Whole, some: Flags, slope_ms: float) -> float | None:
    """Half the 95 % interval of the slope of a line through some requests.

    Around a slope that need not be the line's own: it is the one on which they are most crowded.
    """
    x, y = np.asarray(sectors[some], dtype=np.float64), service_ms[some]
    spread = float(np.std(x)) * np.sqrt(len(x))
    if spread == 0:
        return None
    # Some of them came late, which says nothing of the line.
    rest = y - slope_ms * x
    near = np.abs(rest - np.median(rest)) <= LATE_TIMES * _scatter(rest) + LEAST_LATE_MS
    fit_ms, least_ms = np.polyfit(x[near], y[near], 1) if np.ptp(x[near]) else (slope_ms, 0.0)
    noise = _scatter(y - fit_ms * x - least_ms)
    return float(1.96 * noise / spread + abs(fit_ms - slope_ms))


def _scatter(values: Floats) -> float:
    """A standard deviation that some far ones do not move."""
    return 1.4826 * float(np.median(np.abs(values - np.median(values))))


def _median_reach(values: Floats) -> float:
    """Half the 95 % interval of a median, from the values around it."""
    step = 0.98 / np.sqrt(len(values))
    low, high = np.quantile(values, np.clip([0.5 - step, 0.5 + step], 0, 1))
    return float(high - low) / 2
