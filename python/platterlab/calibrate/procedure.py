"""The whole calibration: from a trace and a profile to a better profile, and how good it is.

The stages, each in its file: which reading of the trace (`reading`), where tracks begin (`skews`),
how long positioning takes (`positioning`), what the controller costs (`overheads`), what the buffer
keeps (`cache_rules`), and what only the whole model tells (`refined`, `slow_fence`, `track_ends`).
They see the first part of the trace; `outcome.findings` judges on the rest. What they found is
kept as far as it is no worse than the start on some of the first part, unseen (`judged`).
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from platterlab._core import InputError, Profile
from platterlab.calibrate.buffer.overheads import overhead_overrides, pauses_ms
from platterlab.calibrate.buffer.read_ahead_active import reading_ahead
from platterlab.calibrate.buffer.rules import Chosen, choose_cache
from platterlab.calibrate.buffer.slow_fence import SlowFence, find_slow_fence
from platterlab.calibrate.judged.refined import off_ms, settling, settling_behind, trimmed
from platterlab.calibrate.judged.undetermined import (
    undetermined_of_cache,
    undetermined_of_platter,
    why_not_farther,
    why_not_locked,
)
from platterlab.calibrate.judged.verdict import Part
from platterlab.calibrate.overrides import (
    answering_bus,
    bus_delays,
    bus_overrides,
    joined,
    layout_overrides,
    positioning_overrides,
    spindle_overrides,
    started_sectors,
    switch_room_ms,
    with_controller,
)
from platterlab.calibrate.platter.positioning import Positioning, find_positioning
from platterlab.calibrate.platter.regression import Angles
from platterlab.calibrate.platter.skews import angles_of
from platterlab.calibrate.platter.slipped_layout import Layout, with_slips
from platterlab.calibrate.platter.track_ends import find_track_ends
from platterlab.calibrate.trace.observed import Flags, Floats
from platterlab.calibrate.trace.reading import LATTICE_MS, Reading, read_trace

Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is done."""

SCATTERED_TURNS = 0.02
"""Requests farther from the lattice than this, in the median, are on tracks of another layout."""

LOST_TURNS = 0.05
"""Beyond this they are anywhere."""

WRITTEN_TURNS = 3.0
"""A drive idle for so long has written what it has reported."""

HELD_BACK = 0.2
"""Of the first part of the trace: what stages are judged on before all of it is fitted on."""

STAGES = ("mechanics and overheads", "what the buffer keeps", "the whole model")
"""What is kept up to one of them."""

NO_COMPLETION = {"controller.read_completion_ms": 0.0, "controller.write_completion_ms": 0.0}
"""All that is not seen to come after the data counts as coming before it."""


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
        overrides: what was found, by key; none where the start is kept.
        fitted: how many requests were fitted on.
        start: where the search began.
        stages: by name, the profile after each stage and what had been found by then.
        kept: the last stage that is kept; None where the start is.
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
    start: Profile
    stages: dict[str, tuple[Profile, dict[str, Any]]]
    kept: str | None

    def simulated(self, timing: str = "closed") -> dict[str, Any]:
        """The whole trace under the calibrated profile, a row each.

        At the times it tells, the platter follows the completions of earlier requests.
        """
        follow = timing == "issue" and self.reading.period.is_locked
        return self.reading.requests.replay(self.profile, timing=timing, track_phase=follow)

    def predicted(self) -> dict[str, Any]:
        """The same with what is most likely in place of what chance draws."""
        likeliest = self.profile.with_overrides({"cache.read_ahead_abandoned": 0.0})
        return self.reading.requests.replay(likeliest, timing="closed")


def calibrate(job: Job, progress: Progress = lambda _what, _share: None) -> Calibration:
    """Fits the profile to the first part of the trace.

    Raises:
        InputError: trace or profile are wrong, or not of the same drive.
    """
    if not 0 < job.share <= 1:
        raise InputError(f"a share of {job.share} to fit on; it must be above 0 and at most 1")
    # Linear algebra on several threads adds in an order that depends on how many there are.
    with threadpool_limits(limits=1, user_api="blas"):
        return _never_worse(job, progress)


def _never_worse(job: Job, progress: Progress) -> Calibration:
    """What is found, as far as it is no worse than the start on requests that it did not see."""
    folder = job.resume / "held-back" if job.resume is not None else None
    tried = replace(job, share=job.share * (1 - HELD_BACK), resume=folder)
    half = 0.5 if _is_enough(tried) else 0.0
    kept, report = STAGES[-1], None
    if half:
        before = _best(tried, lambda what, share: progress(what, half * share))
        last = int(len(before.reading.requests) * job.share)
        part = Part(before.reading, slice(before.fitted, last))
        chosen = part.best(job.profile, [profile for profile, _ in before.stages.values()])
        if chosen is None:
            progress("done", 1.0)
            return _started(before)
        kept, report = list(before.stages)[chosen], before.reading.write_report
    found = _best(job, lambda what, share: progress(what, half + (1 - half) * share), report)
    if half and part.best(job.profile, [_up_to(found, kept).profile]) is None:
        return _started(found)
    return _up_to(found, kept)


def _is_enough(job: Job) -> bool:
    """Whether the requests suffice to fit on, with some held back."""
    try:
        _readings(job)
    except InputError:
        return False
    return True


def _up_to(found: Calibration, stage: str) -> Calibration:
    """What was found up to a stage, or the last one before it that there was."""
    names = [name for name in STAGES[: STAGES.index(stage) + 1] if name in found.stages]
    profile, overrides = found.stages[names[-1]]
    return replace(found, profile=profile, overrides=overrides, kept=names[-1])


def _started(found: Calibration) -> Calibration:
    """The start, with all that was found out about it and does not help."""
    return replace(found, profile=found.start, overrides={}, kept=None)


def _readings(job: Job) -> list[Reading]:
    """The trace under each reading that it leaves open."""
    stated = tomllib.loads(job.profile.to_toml())
    return read_trace(
        job.trace, job.profile, stated, trace_format=job.trace_format, options=job.options,
        device=job.device, share=job.share, rough=job.rough,
    )  # fmt: skip


def _best(job: Job, progress: Progress, report: str | None = None) -> Calibration:
    """What is found under the way of reading the trace that leaves the smaller errors.

    Or under the one with writes reported so, where that is known.
    """
    progress("reading the trace", 0.0)
    stated = tomllib.loads(job.profile.to_toml())
    readings = _readings(job)
    found = []
    ways = readings[0].ways()
    ways = [way for way in ways if way.write_report == report] or ways
    for number, way in enumerate(ways):

        def within(what: str, share: float, number: int = number) -> None:
            progress(what, (number + share) / len(ways))

        found.append(_calibrated(job, stated, [way, *readings[1:]], within))
    progress("done", 1.0)
    return min(found, key=_off_ms) if len(found) > 1 else found[0]


def _off_ms(found: Calibration) -> float:
    follow = found.angles is not None and found.angles.tracked
    return float(off_ms([found.profile], found.reading, follow)[0])


def _calibrated(
    job: Job, stated: dict[str, Any], readings: list[Reading], progress: Progress
) -> Calibration:
    """The same under the first reading."""
    reading, start = readings[0], job.profile
    stages: dict[str, tuple[Profile, dict[str, Any]]] = {}
    undetermined: list[str] = []
    overrides: dict[str, Any] = dict(NO_COMPLETION)
    answered = overhead_overrides(reading)
    media: dict[str, Any] = {}
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
            undetermined.append(why_not_farther(reading))
            overrides |= spindle_overrides(stated, reading.period.rotation_ms)
            angles = None
    if angles is not None:
        progress("how long positioning takes", 0.25)
        delays = bus_delays(stated, reading.seen, angles, reading.writes_wait)
        positioning = _positioning(reading, angles, delays[0], job.seed)
        media = _mechanics(reading, angles, positioning, stated, delays)
        undetermined += undetermined_of_platter(angles, positioning, reading, stated)
    elif not reading.period.is_locked:
        undetermined.append(why_not_locked(reading))
    if angles is None:
        media = answering_bus(reading, stated)
    overrides = with_controller(overrides | joined(answered, media), stated)
    profile = job.profile.with_overrides(overrides)
    stages[STAGES[0]] = profile, overrides
    cache = None
    if reading.hits or reading.reported:
        follow = angles is not None and angles.tracked
        cache = choose_cache(
            _without_cache(profile), reading, follow, pauses_ms(answered), job.resume,
            lambda share: progress("what the buffer keeps", 0.3 + 0.6 * share),
        )  # fmt: skip
        undetermined = undetermined_of_cache(cache) + undetermined
        profile = _without_cache(profile).with_overrides(cache.overrides)
        # What an answer costs can depend on what the buffer does at the time.
        answered = overhead_overrides(reading, reading_ahead(profile, reading, follow))
        overrides = with_controller(overrides | joined(answered, media), overrides)
        overrides |= cache.overrides
        profile = profile.with_overrides({"controller": overrides["controller"]})
        stages[STAGES[1]] = profile, overrides
    if angles is not None and positioning is not None:
        positioning, overrides = _refined(
            profile, reading, angles, positioning, overrides, answered, stated, job.seed
        )
        profile = profile.with_overrides(overrides)
    if cache and cache.abandoned:
        overrides |= {"cache.read_ahead_abandoned": cache.abandoned}
        profile = profile.with_overrides(overrides)
    stages[STAGES[-1]] = profile, overrides
    return Calibration(
        profile, reading, readings[1:], angles, positioning, cache, undetermined, overrides,
        len(reading.seen), start, stages, STAGES[-1],
    )  # fmt: skip


def _refined(
    profile: Profile,
    reading: Reading,
    angles: Angles,
    positioning: Positioning,
    overrides: dict[str, Any],
    answered: dict[str, Any],
    stated: dict[str, Any],
    seed: int,
) -> tuple[Positioning, dict[str, Any]]:
    """What only the whole model tells: settling, what slow tracks do not wait for, tracks' ends."""
    if reading.writes_wait:
        overrides = overrides | settling(profile, reading, positioning, overrides, answered, angles)
        profile = profile.with_overrides(overrides)
        slow = find_slow_fence(profile, reading) if positioning.waits_for_data else None
        if slow:
            # Writes that set out early had been taken for a faster arm or bus.
            delays = bus_delays(stated, reading.seen, angles, True)
            positioning = _positioning(reading, angles, delays[0], seed, slow)
            media = _mechanics(reading, angles, positioning, stated, delays)
            overrides = overrides | with_controller(joined(answered, media), overrides)
            overrides["cache.write_fence_slow"] = slow.table()
            profile = profile.with_overrides(overrides)
            overrides = overrides | settling(
                profile, reading, positioning, overrides, answered, angles
            )
            profile = profile.with_overrides(overrides)
    else:
        overrides = overrides | settling_behind(profile, reading, overrides, angles)
        profile = profile.with_overrides(overrides)
    overrides = overrides | trimmed(profile, reading, overrides, angles)
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
    per_track = seen.first.per_track[rows]
    passed = np.where(write, sectors, angles.passed(sectors, per_track))
    media = (passed + started_sectors(seen, angles)) / per_track
    after: Floats = np.where(
        write, angles.write_turns * angles.rotation_ms, angles.sector_ms * sectors
    )
    after += reconnect_ms
    waited = waiting.end_ms - seen.issue_ms[rows] - media * angles.rotation_ms - after
    near: Flags = np.abs(angles.off_turns) * angles.rotation_ms < LATTICE_MS
    rows = rows[near]
    # Until it has written what it has reported, a drive may have no time for what comes.
    behind = reading.written_behind & (seen.gap_ms < WRITTEN_TURNS * angles.rotation_ms)
    sector_ms = reading.hits.sector_ms if reading.hits else angles.sector_ms
    return find_positioning(
        seen, rows, behind[rows], waited[near], angles.rotation_ms, sector_ms, seed, slow
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
    sector_bytes = stated["geometry"].get("sector_bytes", 512)
    found |= bus_overrides(reading, angles, reconnect_ms, positioning.data, sector_bytes)
    found |= spindle_overrides(stated, angles.rotation_ms)
    found |= positioning_overrides(positioning, reading.writes_wait, switch_room_ms(angles))
    return found
