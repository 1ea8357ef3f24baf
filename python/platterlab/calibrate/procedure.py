"""The whole calibration: from a trace and a profile to a better profile, and how good it is.

The stages, each in its file: which reading of the trace (`reading`), where tracks begin (`skews`),
which of them the drive skips (`slipped_layout`), how long positioning takes (`positioning`), what
the controller costs (`overheads`), what the buffer keeps (`cache_rules`), and when the controller
looks after the end of a track (`track_ends`). They see the first part of the trace; `Judged` is of
the rest.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from platterlab._core import InputError, Profile
from platterlab.calibrate.cache_rules import Chosen, choose_cache
from platterlab.calibrate.drawn import (
    bus_delays,
    bus_overrides,
    layout_overrides,
    positioning_overrides,
    spindle_overrides,
    started_sectors,
    switch_room_ms,
)
from platterlab.calibrate.observed import Flags, Floats
from platterlab.calibrate.overheads import overhead_overrides
from platterlab.calibrate.positioning import Positioning, find_positioning
from platterlab.calibrate.reading import Reading, read_trace
from platterlab.calibrate.regression import Angles
from platterlab.calibrate.skews import angles_of
from platterlab.calibrate.slipped_layout import Layout, with_slips
from platterlab.calibrate.slow_fence import SlowFence, find_slow_fence
from platterlab.calibrate.track_ends import find_track_ends

Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is done."""

LATTICE_MS = 0.3
"""A request farther from the lattice does not tell when the drive was ready."""


SCATTERED_TURNS = 0.02
"""Requests farther from the lattice than this, in the median, are on tracks of another layout."""

LOST_TURNS = 0.05
"""Beyond this they are anywhere."""

WRONG_LAYOUT = (
    "skews, seek curve, positioning: near each other requests agree on the rotation, but not "
    "farther apart; the profile's zones or sectors per track are not the drive's"
)

LEAST_TO_TRIM = 30
"""Requests for a median."""

SETTLING_STEPS = 17
"""In which overhead and settling are told apart."""


@dataclass(frozen=True)
class Job:
    """What to calibrate.

    Attributes:
        trace: with measured service times.
        profile: where to start.
        trace_format: None to tell by the content.
        options: what the trace does not say about itself.
        device: of the trace.
        share: the first part of the trace, which is fitted on.
        rough: whether the profile is no more than a data sheet.
        resume: a folder for what is worth keeping if the work is broken off.
        seed: of every random choice.
    """

    trace: Path
    profile: Profile
    trace_format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    device: int = 0
    share: float = 0.5
    rough: bool = False
    resume: Path | None = None
    seed: int = 0


@dataclass(frozen=True)
class Calibration:
    """What came out.

    Attributes:
        profile: with what was found in it.
        reading: the trace as it was read.
        readings: the other readings, for comparison.
        angles: None where the platter was not found in the trace.
        positioning: None likewise.
        cache: None where the buffer answers nothing.
        undetermined: what the trace could not tell, and why.
        overrides: what was found, by key.
        fitted: how many requests were fitted on.
    """

    profile: Profile
    reading: Reading
    readings: list[Reading]
    angles: Angles | None
    positioning: Positioning | None
    cache: Chosen | None
    undetermined: list[str]
    overrides: dict[str, Any]
    fitted: int

    def simulated(self, timing: str = "closed") -> dict[str, Any]:
        """The whole trace under the calibrated profile, a row each."""
        follow = timing == "issue" and self.angles is not None and self.angles.tracked
        return self.reading.requests.replay(self.profile, timing=timing, track_phase=follow)


def calibrate(job: Job, progress: Progress = lambda _what, _share: None) -> Calibration:
    """Fits the profile to the first part of the trace.

    Raises:
        InputError: trace or profile are wrong, or not of the same drive.
    """
    if not 0 < job.share <= 1:
        raise InputError(f"a share of {job.share} to fit on; it must be above 0 and at most 1")
    progress("reading the trace", 0.0)
    stated = tomllib.loads(job.profile.to_toml())
    readings = read_trace(
        job.trace, job.profile, stated, trace_format=job.trace_format, options=job.options,
        device=job.device, share=job.share, rough=job.rough,
    )  # fmt: skip
    reading = readings[0]
    undetermined: list[str] = []
    overrides: dict[str, Any] = {
        "controller.read_completion_ms": 0.0,
        "controller.write_completion_ms": 0.0,
    }
    overrides |= overhead_overrides(reading)
    angles, positioning = None, None
    if reading.period.is_locked:
        progress("where tracks begin", 0.1)
        angles = angles_of(reading, stated)
        if angles.spread_turns > SCATTERED_TURNS:
            progress("slipped tracks", 0.15)
            found = with_slips(Layout(job.profile, stated, reading, angles, {}))
            job, stated = replace(job, profile=found.profile), found.stated
            reading, angles = found.reading, found.angles
            overrides |= found.overrides
        if angles.spread_turns > LOST_TURNS:
            undetermined.append(WRONG_LAYOUT)
            overrides |= spindle_overrides(stated, reading.period.rotation_ms)
            angles = None
    if angles is not None:
        progress("how long positioning takes", 0.25)
        delays = bus_delays(stated, reading.seen, angles, reading.writes_wait)
        positioning = _positioning(reading, angles, delays[0], job.seed)
        overrides |= _mechanics(reading, angles, positioning, stated, delays)
        undetermined += _missing(angles, positioning, reading, stated)
    elif not reading.period.is_locked:
        undetermined.append(_why_not_locked(reading))
    # Rules that are not found anew do not stay.
    anew = ("rules", "track_end")
    kept = {key: it for key, it in stated.get("controller", {}).items() if key not in anew}
    overrides = _with_controller(overrides, kept)
    profile = job.profile.with_overrides(overrides)
    cache = None
    if reading.hits:
        cache = choose_cache(
            _without_cache(profile), reading, angles is not None and angles.tracked, job.resume,
            lambda share: progress("what the buffer keeps", 0.3 + 0.6 * share),
        )  # fmt: skip
        overrides |= cache.overrides
        profile = _without_cache(profile).with_overrides(cache.overrides)
    if angles is not None and positioning is not None:
        positioning, overrides = _refined(
            profile, reading, angles, positioning, overrides, stated, job.seed
        )
        profile = profile.with_overrides(overrides)
    progress("done", 1.0)
    return Calibration(
        profile, reading, readings[1:], angles, positioning, cache, undetermined, overrides,
        len(reading.seen),
    )  # fmt: skip


def _refined(
    profile: Profile,
    reading: Reading,
    angles: Angles,
    positioning: Positioning,
    overrides: dict[str, Any],
    stated: dict[str, Any],
    seed: int,
) -> tuple[Positioning, dict[str, Any]]:
    """What only the whole model tells: settling, what slow tracks do not wait for, tracks' ends."""

    def settled() -> dict[str, Any]:
        return _settling(profile, reading, positioning, overrides["controller"], angles)

    if reading.writes_wait:
        overrides = overrides | settled()
        profile = profile.with_overrides(overrides)
        waits = positioning.data is not None and positioning.data.fence > 1
        slow = find_slow_fence(profile, reading) if waits else None
        if slow:
            # Writes that set out early had been taken for a faster arm or bus.
            delays = bus_delays(stated, reading.seen, angles, True)
            positioning = _positioning(reading, angles, delays[0], seed, slow)
            anew = _mechanics(reading, angles, positioning, stated, delays)
            overrides = overrides | _with_controller(anew, overrides["controller"])
            overrides["cache.write_fence_slow"] = slow.table()
            profile = profile.with_overrides(overrides)
            overrides = overrides | settled()
            profile = profile.with_overrides(overrides)
    overrides = overrides | _trimmed(profile, reading, overrides, angles)
    profile = profile.with_overrides(overrides)
    busy = find_track_ends(profile, reading, overrides["controller"])
    if busy:
        controller = overrides["controller"] | {"track_end": busy.table()}
        overrides = overrides | {"controller": controller}
    return positioning, overrides


def _without_cache(profile: Profile) -> Profile:
    """The profile with its speed-matching buffer alone.

    How much data writes wait for is found from the trace, or else is part of their overheads.
    """
    kept = tomllib.loads(profile.to_toml()).get("cache", {})
    names = ("buffer", "read_fence", "read_fence_share", "write_fence", "zero_latency_write")
    return profile.with_overrides({"cache": {name: kept[name] for name in names if name in kept}})


def _positioning(
    reading: Reading,
    angles: Angles,
    reconnect_ms: float,
    seed: int,
    slow: SlowFence | None = None,
) -> Positioning:
    seen, waiting = reading.seen, reading.waiting(with_writes=True)
    rows = waiting.which
    write, sectors = seen.write[rows], seen.sectors[rows]
    passed = np.where(write, sectors, angles.passed(sectors))
    media = (passed + started_sectors(seen, angles)) / seen.first.per_track[rows]
    after: Floats = np.where(
        write, angles.write_turns * angles.rotation_ms, angles.sector_ms * sectors
    )
    after += reconnect_ms
    waited = waiting.end_ms - seen.issue_ms[rows] - media * angles.rotation_ms - after
    near: Flags = np.abs(angles.off_turns) * angles.rotation_ms < LATTICE_MS
    sector_ms = reading.hits.sector_ms if reading.hits else angles.sector_ms
    return find_positioning(
        seen, rows[near], waited[near], angles.rotation_ms, sector_ms, seed, slow
    )


def _mechanics(
    reading: Reading,
    angles: Angles,
    positioning: Positioning,
    stated: dict[str, Any],
    delays: tuple[float, float],
) -> dict[str, Any]:
    """The drive's mechanism in the profile's keys."""
    reconnect_ms, completion_ms = delays
    found: dict[str, Any] = {"controller.write_completion_ms": completion_ms}
    found |= layout_overrides(stated, reading.seen, angles, reconnect_ms)
    found |= bus_overrides(angles, reading.hits, reconnect_ms, positioning.data)
    found |= spindle_overrides(stated, angles.rotation_ms)
    found |= positioning_overrides(positioning, reading.writes_wait, switch_room_ms(angles))
    return found


def _with_controller(overrides: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """The same with the controller as one table, beginning with what is kept of it."""
    controller = dict(kept)
    rest = {}
    for key, value in overrides.items():
        table, _, name = key.partition(".")
        if table == "controller" and name:
            controller[name] = value
        else:
            rest[key] = value
    return rest | {"controller": controller}


def _settling(
    profile: Profile,
    reading: Reading,
    found: Positioning,
    controller: dict[str, Any],
    angles: Angles,
) -> dict[str, Any]:
    """How much of the time on the same track is settling, and whether a write waits by track.

    Only overhead delays a write's data, and only settling a change of tracks within a request.
    """
    room_ms = switch_room_ms(angles)
    waits = (False, True) if found.data and found.data.fence > 1 else (False,)
    candidates = [
        _with_controller(
            positioning_overrides(found, True, room_ms, share * max(found.effects["read"], 0.0)),
            controller,
        )
        | {"cache.write_fence_by_track": by_track}
        for by_track in waits
        for share in np.linspace(0.0, 1.0, SETTLING_STEPS).tolist()
    ]
    profiles = [profile.with_overrides(candidate) for candidate in candidates]
    follow = angles.tracked
    runs = reading.seen.requests.service_ms(profiles, timing="issue", track_phase=follow)
    most = reading.period.rotation_ms / 2
    off = [np.minimum(np.abs(run - reading.seen.service_ms), most).mean() for run in runs]
    return candidates[int(np.argmin(off))]


def _trimmed(
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
            bus = overrides["bus"]
            found["bus"] = bus | {"reconnect_ms": bus["reconnect_ms"] + apart_ms}
            early_ms -= apart_ms
        else:
            controller = overrides["controller"]
            kept = float(controller["write_completion_ms"])
            found["controller"] = controller | {"write_completion_ms": kept - apart_ms}
    turns = early_ms / reading.period.rotation_ms
    zones = [
        zone | {"first_track_skew_turns": (zone["first_track_skew_turns"] + turns) % 1.0}
        if "first_track_skew_turns" in zone
        else zone
        for zone in overrides["zone"]
    ]
    return found | {"zone": zones}


def _missing(
    angles: Angles, positioning: Positioning, reading: Reading, stated: dict[str, Any]
) -> list[str]:
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
    never = [name for name, count in positioning.counts.items() if count < 4]
    told = {"write", "write_after_write", "head_write", "settle_write"}
    if not reading.writes_wait:
        missing.append("head switch and settling before a write: every write ends in the buffer")
        never = [name for name in never if name not in told]
    missing += [f"{name}: no request tells of it" for name in never]
    missing.append(
        "what of the overhead is settling on the same track, and what of a read's time after the "
        "media is reselection: only the sums are seen"
    )
    return missing


def _is_spare(stated: dict[str, Any], number: int) -> bool:
    """Whether a spare region covers all of a zone."""
    first, last = stated["zone"][number]["cylinders"]
    end = stated["geometry"]["surfaces"] - 1
    return any(
        region["first"] <= [first, 0] and [last, end] <= region["last"]
        for region in stated.get("spare_region", [])
    )


def _why_not_locked(reading: Reading) -> str:
    strength, chance = reading.period.strength, reading.period.chance
    return (
        "rotation, skews, seek curve: completions do not follow the platter (strength "
        f"{strength:.2f}, chance {chance:.2f}); zones that are not the drive's, or a coarse clock, "
        "do that"
    )
