"""What only running the whole model tells: sums taken apart, and the last bias taken out."""

from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried, each_off_ms
from platterlab.calibration.overrides import (
    answered_at_once,
    completed_later,
    joined,
    positioning_overrides,
    with_controller,
)
from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.observed import Floats
from platterlab.calibration.trace.reading import LATTICE_MS, Reading

LEAST_TO_TRIM = 30
"""Requests for a median."""

SETTLING_STEPS = 17
"""In which overhead and settling are told apart."""

SETTLED_TURNS = 0.25
"""No arm settles for longer than this."""

Room = tuple[float, float]
"""What a switch to the next head and to the next cylinder takes within a request at most, in ms."""


def off_ms(profiles: list[Profile], reading: Reading, follow: bool) -> Floats:
    """How far the requests fitted on are from their times under each profile, in the mean."""
    off = each_off_ms(profiles, reading.seen, reading.period.rotation_ms, follow)
    return np.asarray([np.nanmean(each) for each in off], dtype=np.float64)


def _best(
    candidates: list[dict[str, Any]], profile: Profile, reading: Reading, angles: Angles
) -> dict[str, Any]:
    """Which of some overrides leaves the smallest errors, the first of equals."""
    profiles = [profile.with_overrides(candidate) for candidate in candidates]
    return candidates[int(np.argmin(off_ms(profiles, reading, angles.tracked)))]


def _settled(found: Positioning, share: float, room_ms: Room, writes_wait: bool) -> dict[str, Any]:
    """The sums with a share of a read's overhead as settling."""
    settling_ms = share * max(found.effects["read"], 0.0)
    return positioning_overrides(found, writes_wait, room_ms, settling_ms)


def settling(
    profile: Profile,
    reading: Reading,
    found: Positioning,
    overrides: dict[str, Any],
    answered: dict[str, Any],
    angles: Angles,
    room_ms: Room,
) -> dict[str, Any]:
    """How much of the time on the same track is settling, and whether writes surely wait by track.

    Only overhead delays a write's data, and only settling a change of tracks within a request.

    Args:
        profile: as found so far.
        reading: the trace.
        found: the sums.
        overrides: what made the profile.
        answered: of these, what the buffer's answers cost.
        angles: where tracks begin.
        room_ms: for switches within a request.
    """
    shares = np.linspace(0.0, 1.0, SETTLING_STEPS).tolist()
    ways = [
        with_controller(joined(answered, _settled(found, share, room_ms, True)), overrides)
        | {"cache.write_fence_by_track": False}
        for share in shares
    ]
    known = _best(ways, profile, reading, angles)
    if not found.waits_for_data:
        return known
    # Few writes reach another track: which rule leaves less of these is soon a matter of chance.
    tried = Tried(profile.with_overrides(known), reading.seen, reading.period.rotation_ms)
    by_track = [way | {"cache.write_fence_by_track": True} for way in ways]
    at = tried.surely_best(by_track, MOVED_TURNS)
    return known if at is None else by_track[at]


def settling_behind(
    profile: Profile,
    reading: Reading,
    found: Positioning,
    overrides: dict[str, Any],
    answered: dict[str, Any],
    angles: Angles,
    room_ms: Room,
) -> dict[str, Any]:
    """The same where the buffer takes all writes, and how long the arm settles before them.

    Only reads that come while it writes tell of that: they wait until it is done, and their
    overhead has passed by then, if that is what the time before a read is.

    Args:
        profile: as found so far.
        reading: the trace.
        found: the sums.
        overrides: what made the profile.
        answered: of these, what the buffer's answers cost.
        angles: where tracks begin.
        room_ms: for switches within a request.
    """
    most_ms = SETTLED_TURNS * reading.period.rotation_ms
    read_ms = max(found.effects["read"], 0.0)

    def settled(known: dict[str, Any], times_ms: list[float]) -> list[dict[str, Any]]:
        switch = known["switch"]
        return [known | {"switch": switch | {"settle_write_ms": ms}} for ms in times_ms]

    def split(share: float) -> dict[str, Any]:
        sums = _settled(found, share, room_ms, False)
        return with_controller(joined(answered, sums), overrides)

    times_ms = np.linspace(0.0, most_ms, SETTLING_STEPS).tolist()
    known = _best(settled(overrides, times_ms), profile, reading, angles)
    settle_ms = known["switch"]["settle_write_ms"]
    # What is no overhead the arm takes to settle before reads as well.
    shares = np.linspace(0.0, 1.0, SETTLING_STEPS).tolist()
    ways = [
        settled(split(share), [max(settle_ms - share * read_ms, 0.0)])[0] for share in shares[1:]
    ]
    known = _best([known, *ways], profile, reading, angles)
    return _best([known, *settled(known, times_ms)], profile, reading, angles)


def released(profile: Profile, reading: Reading, overrides: dict[str, Any]) -> dict[str, Any]:
    """Whether a read's data goes out as the head leaves a track, with less there than the fence."""
    released = {"bus": overrides["bus"] | {"release_at_track_end": True}}
    if not overrides["cache.read_fence_share"]:
        return {}
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    tried.best([released])
    return released if tried.is_sure() else {}


def trimmed(
    profile: Profile, reading: Reading, overrides: dict[str, Any], angles: Angles
) -> dict[str, Any]:
    """Angles and completions moved so that the median request is on time."""
    rows = reading.seen.requests.replay(profile, timing="issue", track_phase=angles.tracked)
    off = rows["service_ms"] - reading.seen.service_ms
    near = (np.abs(off) < 2 * LATTICE_MS) & ~reading.is_hit & np.isfinite(off)
    read, write = near & ~reading.seen.write, near & reading.seen.write & reading.writes_wait
    early_ms = -float(np.median(off[read])) if read.sum() > LEAST_TO_TRIM else 0.0
    found: dict[str, Any] = {}
    if write.sum() > LEAST_TO_TRIM:
        # Reads and writes that are off by unlike times differ in what comes after the media.
        apart_ms = early_ms + float(np.median(off[write]))
        if apart_ms > 0:
            bus, controller = overrides["bus"], overrides["controller"]
            if controller.get("read_completion_ms"):
                found["controller"] = completed_later(controller, apart_ms)
            else:
                found["bus"] = bus | {"reconnect_ms": bus["reconnect_ms"] + apart_ms}
            early_ms -= apart_ms
        else:
            controller = overrides["controller"]
            kept = float(controller["write_completion_ms"])
            controller = answered_at_once(controller) if reading.reported else controller
            found["controller"] = controller | {"write_completion_ms": kept - apart_ms}
    turns = early_ms / reading.period.rotation_ms
    zones = [
        zone | {"first_track_skew_turns": (zone["first_track_skew_turns"] + turns) % 1.0}
        if "first_track_skew_turns" in zone
        else zone
        for zone in overrides["zone"]
    ]
    return found | {"zone": zones}
