"""Going on to the next track within a request: what only requests over a track's end tell.

Before a request, overhead and the arm's time come as one sum. Within one the arm's time stands
alone, against the skew: where it is longer, the request loses a turn.
"""

from collections.abc import Callable

import numpy as np

from platterlab._core import Profile, runs
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.judged.refined import SETTLED_TURNS, SETTLING_STEPS
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.observed import Floats, Observed
from platterlab.calibration.trace.reading import Reading
from platterlab.datasheet import SKEW_USED
from platterlab.documents import Overrides

LOST_TURNS = 0.25
"""A request whose error changes by more is moved by a longer switch."""

LEAST_SWITCH_MS = 0.05
"""No drive has another head in less."""

Way = Callable[[Overrides], list[Overrides]]
"""What may be tried, given what has been found."""

EVEN_MS = [0.1 * step for step in range(1, 21)]
"""Switches to another head, as drives have them."""

MOST_LENGTHS = 12
"""Of a switch that are tried: each loses a turn over other skews."""


def switches_within(
    profile: Profile, reading: Reading, overrides: Overrides, angles: Angles
) -> Overrides:
    """How long the next track takes within a request, and what of a write's time is settling.

    Hardly any of it changes how long a request takes that lies on one track. Each is taken where
    parts of the requests gain by what the other parts choose, and most of those that it moves.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
        angles: where tracks begin.
    """
    heads, cylinders = (
        _lengths(turns, angles.rotation_ms) for turns in _crossed_turns(profile, reading.seen)
    )
    # A seek that changes heads takes the longer of both: seeks that are shorter tell of heads, too.
    known_ms = overrides["switch"]["head_ms"]
    heads += sorted(EVEN_MS, key=lambda ms: abs(ms - known_ms))
    ways = [_switches("track_ms", cylinders), _switches("head_ms", heads)]
    if reading.writes_wait:
        # A write settles too: what that leaves of a skew is told once the rest is known.
        ways += [_switches("head_write_ms", heads), _settlings(reading), *ways]
    elif reading.seen.write.any():
        # One that was reported before is seen by how long reads wait behind it.
        ways.append(_switches("head_write_ms", heads))
    kept: Overrides = {}
    for way in ways:
        candidates = [kept | one for one in way(overrides | kept)]
        if not candidates:
            continue
        tried = Tried(profile.with_overrides(kept), reading.seen, reading.period.rotation_ms)
        best = tried.surely_best(candidates, LOST_TURNS)
        if best is not None:
            kept = candidates[best]
    return kept


def stated_switches(
    profile: Profile, reading: Reading, overrides: Overrides, stated: Overrides
) -> Overrides:
    """Switches of no time as the start has them, where requests are no farther with those.

    What few requests tell of comes out as anything that they allow, and no head is there at once.
    Arguments as in `switches_within`, and the start as its file states it.
    """
    switch, own = overrides["switch"], stated.get("switch", {})
    for name, settles_ms in (("head_ms", 0.0), ("head_write_ms", switch["settle_write_ms"])):
        other = switch | {name: own.get(name, own.get("head_ms", 0.0) + settles_ms)}
        if switch[name] >= LEAST_SWITCH_MS or other[name] < LEAST_SWITCH_MS:
            continue
        tried = Tried(profile, reading.seen, reading.period.rotation_ms)
        if tried.best([{"switch": other}, {"switch": switch}]) == 0:
            switch = other
    return {"switch": switch} if switch is not overrides["switch"] else {}


def _crossed_turns(profile: Profile, seen: Observed) -> tuple[Floats, Floats]:
    """What requests on several tracks have from the end of one to where they go on.

    On the next surface, and on the next cylinder.
    """
    table = runs(profile, seen.lba.astype(np.uint64), seen.sectors.astype(np.uint64))
    end = table["angle_turns"] + table["sectors"] / table["sectors_per_track"]
    goes_on = table["request"][1:] == table["request"][:-1]
    turns = (table["angle_turns"][1:] - end[:-1]) % 1.0
    moves = table["cylinder"][1:] != table["cylinder"][:-1]
    return turns[goes_on & ~moves], turns[goes_on & moves]


def _lengths(skews: Floats, rotation_ms: float) -> list[float]:
    """Times below all skews, between any two, and above them all."""
    skews_ms = np.unique(np.round(skews * rotation_ms, 3))
    if not len(skews_ms):
        return []
    between = (skews_ms[1:] + skews_ms[:-1]) / 2
    all_ms = np.array([SKEW_USED * skews_ms[0], *between, skews_ms[-1] / SKEW_USED])
    some = np.unique(np.linspace(0, len(all_ms) - 1, MOST_LENGTHS).astype(int))
    return [float(ms) for ms in all_ms[some]]


def _switches(name: str, lengths_ms: list[float]) -> Way:
    """A switch of each of some lengths."""

    def candidates(overrides: Overrides) -> list[Overrides]:
        return [{"switch": overrides["switch"] | {name: ms}} for ms in lengths_ms]

    return candidates


def _settlings(reading: Reading) -> Way:
    """Parts of a write's overhead as settling, or the other way: their sum is what it was.

    What is overhead after all leaves the next head as it is: writes over a track's end told that.
    """
    parts_ms = np.linspace(0.0, SETTLED_TURNS * reading.period.rotation_ms, SETTLING_STEPS)[1:]

    def candidates(overrides: Overrides) -> list[Overrides]:
        switch, controller = overrides["switch"], overrides["controller"]
        most_ms = min(controller["write_ms"], controller["after_write"]["write_ms"])
        settles = ("head_write_ms", "resettle_write_ms", "settle_write_ms")
        more = parts_ms[parts_ms <= most_ms].tolist()
        less = parts_ms[parts_ms <= switch["settle_write_ms"]].tolist()
        return [_settled(overrides, settles, ms) for ms in more] + [
            _settled(overrides, settles[1:], -ms) for ms in less
        ]

    return candidates


def _settled(overrides: Overrides, settles: tuple[str, ...], ms: float) -> Overrides:
    """So much of a write's overhead as time that the arm settles."""
    switch, controller = overrides["switch"], overrides["controller"]
    after = controller["after_write"]
    write_ms, after_ms = (one["write_ms"] - ms for one in (controller, after))
    return {
        "switch": switch | {name: max(switch[name] + ms, 0.0) for name in settles},
        "controller": controller
        | {"write_ms": write_ms, "after_write": after | {"write_ms": after_ms}},
    }
