"""The fastest requests: those the drive answered without its mechanism.

Answered from the buffer, a request takes a fixed time and the bus time of its blocks. Many such
requests lie on one line, service = overhead + sectors * bus, and above it nothing follows until the
shortest positioning time. So the line is the slope at which the service times are most crowded, and
its upper edge the first gap above.
"""

from dataclasses import dataclass

import numpy as np

from platterlab._core import crowding
from platterlab.calibration.judged.cross_validation import is_sure_gain
from platterlab.calibration.trace.observed import Flags, Floats, Whole

STEEPEST_MS = 1.0
"""No bus needs longer for a sector: of 512 bytes, half a megabyte a second."""

BINS_MS = (0.02, 0.1)
"""Service times this near to each other count as equal; the wider where a host is late by more."""

LEAST_GAP = 5.0
"""Above answers that are crowded in a wide bin alone, nothing follows for so many of its widths."""

PEAK, BEHIND = 3.0, 2
"""Or so many times as many, by a clock that counts in more than that, as so many ticks later: what
the platter answers comes as often in one tick as in the next."""

LEAST_SHARE = 0.02
"""A line that fewer requests than this lie on is none."""

CLEARLY = 1.25
"""A slope so many times as crowded as the one expected is taken instead of it."""

TOO_QUICK = 0.005
"""Of requests that took less than a line has their data take over the bus, no more are let pass:
no drive answers before the last sector is over it, wherever it came from."""

NEAR_BINS = 1.5
"""Around the middle of the most crowded one: answers are in it and in those beside it."""

REACH_TURNS = 0.35
"""A line is looked for within this share of a turn, and ends within so much."""


LEAST_ABOVE, ANSWERED = 20, 0.95
"""Of so many requests above a line, those that do not wait for the platter where hardly any takes
longer than `REACH_TURNS` more."""


@dataclass(frozen=True)
class Floor:
    """Requests that the buffer answered.

    Attributes:
        sector_ms: time of one sector over the bus.
        upper_ms: with the bus time taken off, no such request took longer.
        share: how many of all requests lie on the line.
    """

    sector_ms: float
    upper_ms: float
    share: float

    def below(self, service_ms: Floats, sectors: Whole) -> Flags:
        """Which requests the buffer answered."""
        return np.asarray(service_ms - self.sector_ms * sectors <= self.upper_ms)

    def alike(self, service_ms: Floats, sectors: Whole) -> Flags:
        """The most requests that are within the narrower bin of each other, bus time taken off."""
        rest_ms = service_ms - self.sector_ms * sectors
        order = np.sort(rest_ms)
        counts = np.searchsorted(order, order + BINS_MS[0]) - np.arange(len(order))
        least_ms = order[counts.argmax()]
        return np.asarray((rest_ms >= least_ms) & (rest_ms < least_ms + BINS_MS[0]))


def find_floor(
    service_ms: Floats,
    sectors: Whole,
    rotation_ms: float,
    sector_ms: float | None = None,
    *,
    is_measured: bool = False,
    reach_turns: float = REACH_TURNS,
) -> Floor | None:
    """The line of requests that the buffer answered; None where there is none.

    Args:
        service_ms: of the requests of one operation.
        sectors: of each.
        rotation_ms: roughly.
        sector_ms: the slope to be expected.
        is_measured: whether it was measured on this drive, and not stated of its kind.
        reach_turns: within which share of a turn it is looked for.
    """
    timed = np.isfinite(service_ms)
    if timed.sum() < 20:
        return None
    # Of times in whole ticks of a clock those of any one size are equal, whatever the bus.
    tick_ms = smallest_step_ms(service_ms)
    allowed_ms = (service_ms + max(BINS_MS[0], tick_ms))[timed] / sectors[timed]
    steepest_ms = max(0.0, float(np.quantile(allowed_ms, TOO_QUICK)))
    slopes = np.arange(0, STEEPEST_MS, 8e-4)
    slopes = slopes[slopes <= steepest_ms]
    if sector_ms is not None and sector_ms > steepest_ms:
        sector_ms = None
    if sector_ms is not None:
        # Of one size any slope is as good.
        slopes = np.append([] if np.ptp(sectors) == 0 else slopes, sector_ms)
    own_ms, weights = np.ascontiguousarray(service_ms), sectors.astype(np.float64)
    for bin_ms in BINS_MS:
        edges = np.arange(-max(bin_ms, tick_ms), reach_turns * rotation_ms, max(bin_ms, tick_ms))
        crowded = crowding(own_ms, weights, slopes, edges)
        best = int(np.argmax(crowded))
        if sector_ms is not None and crowded[best] < CLEARLY * crowded[-1]:
            best = len(slopes) - 1
        crowd = np.histogram(service_ms - slopes[best] * sectors, edges)[0]
        if crowd.max() >= max(10, LEAST_SHARE * len(service_ms)):
            mode_ms, slope_ms = float(edges[crowd.argmax()]), float(slopes[best])
            width_ms = float(edges[1] - edges[0])
            if width_ms <= BINS_MS[-1] and not (is_measured and slope_ms == sector_ms):
                slope_ms = _by_all(service_ms, weights, slope_ms, mode_ms + width_ms / 2, width_ms)
                slope_ms = min(slope_ms, steepest_ms)
                crowd = np.histogram(service_ms - slope_ms * sectors, edges)[0]
                mode_ms = float(edges[crowd.argmax()])
            rest = np.sort(service_ms - slope_ms * sectors)
            found, gap_ms = _up_to_gap(rest, mode_ms, rotation_ms, slope_ms)
            # What is crowded in a wide bin alone may be the platter's.
            is_clear = width_ms <= BINS_MS[0] or gap_ms > LEAST_GAP * width_ms
            peaks = width_ms <= tick_ms and _peaks(rest, mode_ms, width_ms)
            return found if is_clear or peaks else None
    return None


def _peaks(rest_ms: Floats, mode_ms: float, tick_ms: float) -> bool:
    """Whether far more lie in a tick than a few ticks later; answers may lie in two of them."""
    behind_ms = mode_ms + BEHIND * tick_ms
    own, behind = (
        np.searchsorted(rest_ms, from_ms + tick_ms) - np.searchsorted(rest_ms, from_ms)
        for from_ms in (mode_ms, behind_ms)
    )
    return bool(own > PEAK * behind)


def _by_all(
    service_ms: Floats, sectors: Floats, slope_ms: float, middle_ms: float, width_ms: float
) -> float:
    """The slope that all answers near a line tell, if they surely lie nearer to it.

    Within a bin a slope may turn by the bin over the range of sizes: over a fast bus, by a quarter.
    """
    near = np.abs(service_ms - slope_ms * sectors - middle_ms) < NEAR_BINS * width_ms
    own_ms, sizes = service_ms[near], sectors[near]
    if np.ptp(sizes) == 0:
        return slope_ms
    found_ms, least_ms = np.polyfit(sizes, own_ms, 1)
    rest_ms = own_ms - slope_ms * sizes
    nearer = (rest_ms - rest_ms.mean()) ** 2 - (own_ms - found_ms * sizes - least_ms) ** 2
    return float(found_ms) if found_ms >= 0 and is_sure_gain(nearer) else slope_ms


def _up_to_gap(
    rest_ms: Floats, mode_ms: float, rotation_ms: float, sector_ms: float
) -> tuple[Floor | None, float]:
    """The line around a time beside the bus's, up to the widest gap above it, and its width."""
    first, beyond = np.searchsorted(rest_ms, [mode_ms, mode_ms + REACH_TURNS * rotation_ms])
    # With the first one out of reach: the gap may be all that is above.
    near = rest_ms[first : beyond + 1]
    if len(near) < 2:
        return None, 0.0
    if near[-1] - near[0] < BINS_MS[0]:
        # Answers alone: no gap among them is the one above.
        upper = float(near[-1]) + BINS_MS[0]
        return Floor(sector_ms, upper, float(np.mean(rest_ms <= upper))), 0.0
    gap = int(np.argmax(np.diff(near)))
    upper = float((near[gap] + near[gap + 1]) / 2)
    above = rest_ms[rest_ms > upper] - mode_ms
    if len(above) >= LEAST_ABOVE and np.mean(above <= REACH_TURNS * rotation_ms) > ANSWERED:
        # What waits for the platter does so for any part of a turn: these are answers, too.
        upper = float(rest_ms[beyond - 1]) + BINS_MS[0]
        return Floor(sector_ms, upper, float(np.mean(rest_ms <= upper))), float("inf")
    found = Floor(sector_ms, upper, float(np.mean(rest_ms <= upper)))
    return found, float(near[gap + 1] - near[gap])


def smallest_step_ms(service_ms: Floats) -> float:
    """The least that two times differ by, to a tenth of a microsecond: a tick of a coarse clock."""
    apart = np.diff(np.unique(np.round(service_ms, 4)))
    return float(apart.min()) if len(apart) else 0.0
