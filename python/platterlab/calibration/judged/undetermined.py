"""What a trace could not tell, and why."""

from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.buffer.rules import Chosen
from platterlab.calibration.platter.followed import NEIGHBOURS, drift_peak_ms
from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.told_effects import is_at_end, is_open
from platterlab.calibration.platter.zone_test import wrong_zones
from platterlab.calibration.trace.buffer_hits import smallest_step_ms
from platterlab.calibration.trace.reading import Reading

TOLD_MS = 0.25
"""An overhead that may be anywhere in more than this is not told from the arm's time."""

DRIFTS_MS = 0.1
"""A platter that goes to and fro by more against the clock moves requests of a long replay."""

PAUSE_MS = 60_000.0
"""Over a longer one the platter's position is lost."""


def why_not_farther(reading: Reading) -> str:
    """Why requests agree on the rotation near each other, and not farther apart."""
    what = (
        "skews, seek curve, positioning: near each other requests agree on the rotation, but not "
        "farther apart; "
    )
    seldom = _visits(reading)
    if seldom:
        return what + seldom
    zones = wrong_zones(reading)
    if not zones:
        return what + (
            "another order of tracks, other skews, zones that begin at other cylinders, spares "
            "that the profile does not state, slipped sectors, or places visited too seldom for "
            "the platter to be followed do that, and nothing tells which"
        )
    listed = ", ".join(str(number) for number in zones)
    return what + (
        f"the drive has other sectors per track in zones {listed} than the profile, or spares "
        "there that it does not state"
    )


def _visits(reading: Reading) -> str | None:
    """What is said of a drive that is looked at now and then, for a few requests."""
    seen = reading.seen
    pauses_ms = seen.gap_ms[seen.gap_ms > PAUSE_MS]
    each = len(seen) / (len(pauses_ms) + 1)
    if not len(pauses_ms) or each >= 2 * NEIGHBOURS:
        return None
    cylinders = len(np.unique(seen.first.cylinder))
    return (
        f"about {each:.0f} requests come at a time, on {cylinders} cylinders in all, and then none "
        f"for {np.median(pauses_ms) / 60e3:.0f} minutes (median), over which the platter is lost; "
        "that says nothing of the profile's layout"
    )


def undetermined_of_platter(
    angles: Angles, positioning: Positioning, reading: Reading, stated: dict[str, Any]
) -> list[str]:
    """What of the mechanics and the overheads the requests do not tell, a line each."""
    missing = []
    unknown = [
        number
        for number in range(len(stated["zone"]))
        if not _is_spare(stated, number)
        and (number >= len(angles.known) or not angles.known[number])
    ]
    if unknown:
        listed = ", ".join(str(number) for number in unknown)
        missing.append(f"skews of zones {listed}: too few requests there; the profile's stay")
    never = [name for name in positioning.counts if not positioning.tells(name)]
    alike = [
        name
        for name in positioning.counts
        if positioning.tells(name)
        and not positioning.is_fitted(name)
        and name not in positioning.doubted
    ]
    told = {"write", "write_after_write", "head_write", "settle_write"}
    if not reading.writes_wait:
        missing.append(
            "head switch before a write: every write ends in the buffer; settling before one is "
            "only as long as reads that come while it is written wait for it"
        )
        never = [name for name in never if name not in told]
    missing += [f"{name}: no request tells of it" for name in never]
    missing += [
        f"{name}: those that it goes for leave it open"
        for name in positioning.counts
        if positioning.tells(name) and is_open(positioning, name)
    ]
    missing += [
        f"{name}: requests have it at the end of what a drive can be, "
        f"{positioning.effects[name]:.2f} ms; it stands for something else"
        for name in positioning.counts
        if is_at_end(positioning, name)
    ]
    missing += [f"{name}: not told apart from the rest; it counts as 0" for name in alike]
    if doubted := [name for name in positioning.counts if name in positioning.doubted]:
        missing.append(f"{', '.join(doubted)}: not surely there; none counts as anything but 0")
    drift_ms = drift_peak_ms(angles)
    if drift_ms is None:
        missing.append(
            "how the spindle drifts: from one request to the next whole turns of it may be lost, "
            "and `judged` follows what is left; the profile turns evenly"
        )
    elif drift_ms > DRIFTS_MS:
        missing.append(
            f"how the spindle will drift: against the clock it went {drift_ms:.2f} ms to and fro, "
            "which `judged` follows; the profile turns evenly, and where a replay starts at one "
            "angle its requests come to be off by as much"
        )
    missing.append(
        "what of the overhead is settling on the same track, and what of a read's time after the "
        "media is reselection: only the sums are seen"
    )
    return missing


def undetermined_of_overhead(positioning: Positioning, profile: Profile) -> list[str]:
    """What of the time before a request is overhead, if requests leave that open."""
    least_ms, most_ms = positioning.overhead_between_ms(profile)
    if most_ms - least_ms <= TOLD_MS:
        return []
    return [
        "what of the time before a request is overhead and what the arm's: an overhead of "
        f"{least_ms:.2f} to {most_ms:.2f} ms goes with them as well; only the sum is seen"
    ]


def _is_spare(stated: dict[str, Any], number: int) -> bool:
    """Whether a spare region covers all of a zone."""
    first, last = stated["zone"][number]["cylinders"]
    end = stated["geometry"]["surfaces"] - 1
    return any(
        region["first"] <= [first, 0] and [last, end] <= region["last"]
        for region in stated.get("spare_region", [])
    )


def why_not_locked(reading: Reading) -> str:
    """Why the platter was not found."""
    strength, chance = reading.period.strength, reading.period.chance
    return (
        "rotation, skews, seek curve: completions do not follow the platter (strength "
        f"{strength:.2f}, chance {chance:.2f}); a coarse clock, another order of tracks, other "
        "zones, other skews or a slow bus of another speed do that"
    )


def coarse_tick_ms(reading: Reading) -> float:
    """The tick of the clock that times are told by; 0 where it hides nothing that matters."""
    tick_ms = smallest_step_ms(reading.seen.service_ms[np.isfinite(reading.seen.service_ms)])
    return tick_ms if tick_ms > TOLD_MS else 0.0


def undetermined_by_ticks(reading: Reading) -> list[str]:
    """What a coarse clock hides, if the clock is coarse."""
    tick_ms = coarse_tick_ms(reading)
    if not tick_ms:
        return []
    return [
        f"the bus, when it starts, and what answers of the buffer cost: times are whole ticks of "
        f"{tick_ms:g} ms, and others go with them as well; the profile has some that do"
    ]


def undetermined_of_cache(
    chosen: Chosen, known: dict[str, Any], moved: frozenset[str] = frozenset()
) -> list[str]:
    """The cache's policies that no read tells of, or not surely: those of the start, and others.

    Args:
        chosen: by what the buffer answers.
        known: what made the profile in the end: a policy that differs there was told by times.
        moved: policies whose other words have requests take another time.
    """
    keys = {name: f"cache.{name}" for name in chosen.undetermined}
    left = [name for name, key in keys.items() if known.get(key) == chosen.overrides.get(key)]
    lines = []
    for some, how in (
        ([name for name in left if name not in moved], "no read tells of them"),
        ([name for name in left if name in moved], "by when reads end these are not surely told"),
    ):
        own = [name for name in some if name in chosen.stated]
        usual = [name for name in some if name not in chosen.stated]
        lines += [
            f"cache: {', '.join(names)}: {how}; they stand as {whose} them"
            for names, whose in ((own, "the start has"), (usual, "usual drives have"))
            if names
        ]
    return lines
