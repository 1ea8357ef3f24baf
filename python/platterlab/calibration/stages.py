"""The stages of a calibration, under one way of reading the trace.

Each is in its file: where tracks begin (`skews`), how long positioning takes (`positioning`), what
the controller costs (`overheads`), what the buffer keeps (`rules`), and what only the whole model
tells (`refined`, `slow_fence`, `track_ends`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.buffer.overheads import overhead_overrides, pauses_ms
from platterlab.calibration.buffer.read_ahead_active import reading_ahead
from platterlab.calibration.buffer.rules import choose_cache
from platterlab.calibration.buffer.slow_fence import SlowFence, find_slow_fence
from platterlab.calibration.job import STAGES, Calibration, Job, Progress
from platterlab.calibration.judged.all_data_first import all_data_first
from platterlab.calibration.judged.answer_rules import lasting_rules
from platterlab.calibration.judged.arm_behind import arm_behind
from platterlab.calibration.judged.bursts_or_fence import bursts_or_fence
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.judged.open_policies import move_times
from platterlab.calibration.judged.over_track_ends import over_track_ends
from platterlab.calibration.judged.pieces import ALL, Found, Kept
from platterlab.calibration.judged.policies_again import policies_again
from platterlab.calibration.judged.policies_stated import policies_stated
from platterlab.calibration.judged.read_ends import read_ends
from platterlab.calibration.judged.read_order import read_order
from platterlab.calibration.judged.refined import (
    released,
    settling,
    settling_behind,
    trimmed,
)
from platterlab.calibration.judged.switches import stated_switches
from platterlab.calibration.judged.unanswered import unanswered
from platterlab.calibration.judged.undetermined import (
    undetermined_of_cache,
    undetermined_of_overhead,
    undetermined_of_platter,
    why_not_farther,
    why_not_locked,
)
from platterlab.calibration.judged.write_back import write_back, write_back_again
from platterlab.calibration.mechanism import Mechanism, mechanism_of
from platterlab.calibration.overrides import (
    answering_bus,
    joined,
    spindle_overrides,
    switch_room_ms,
    waits_for_all,
    with_controller,
)
from platterlab.calibration.plain_form import plainly
from platterlab.calibration.platter.arm_place import Arm, as_served
from platterlab.calibration.platter.laid_out import LOST_TURNS, WAYS, laid_out
from platterlab.calibration.platter.listed_holes import without_holes
from platterlab.calibration.platter.over_ends import with_bus_of_track_ends
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.skews import angles_of, told_by_hits
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.track_ends import find_track_ends
from platterlab.calibration.trace.reading import Reading, with_free_passes
from platterlab.documents import Overrides

MET = 0.8
"""Of the requests, so many near the lattice: the layout is the drive's, but for a few places."""

MET_FOLLOWED = 0.5
"""The same where the platter is followed: around each place where it is lost, requests are off."""

NO_COMPLETION = {"controller.read_completion_ms": 0.0, "controller.write_completion_ms": 0.0}
"""All that is not seen to come after the data counts as coming before it."""


def calibrated(
    job: Job,
    stated: Overrides,
    readings: list[Reading],
    progress: Progress,
    idle: frozenset[str] = frozenset(),
) -> Calibration:
    """The same under the first reading; what is `idle` is not looked for."""
    reading, start = readings[0], job.profile
    stages: dict[str, Found] = {}
    undetermined: list[str] = []
    overrides: Overrides = dict(NO_COMPLETION)
    media: Overrides = {}
    angles, found = None, None
    if reading.period.is_locked:
        progress("where tracks begin", 0.1)
        laid, idle = _laid_out(job, stated, reading, progress, idle)
        job, stated = replace(job, profile=laid.profile), laid.stated
        reading, angles, overrides = laid.reading, laid.angles, laid.overrides
        if angles.spread_turns > LOST_TURNS:
            undetermined.append(why_not_farther(reading))
            overrides |= spindle_overrides(stated, reading.period.rotation_ms)
            angles = None
    if angles is not None:
        progress("how long positioning takes", 0.25)
        taking_ms = float(stated.get("bus", {}).get("reconnect_ms", 0.0))
        reading, angles = with_bus_of_track_ends(reading, angles, taking_ms)
        found = mechanism_of(reading, angles, stated, job.seed)
        media = found.media
        undetermined += undetermined_of_platter(angles, found.positioning, reading, stated)
    elif not reading.period.is_locked:
        undetermined.append(why_not_locked(reading))
    if angles is None:
        media = answering_bus(reading, stated)
    answered = overhead_overrides(reading)
    overrides = with_controller(overrides | joined(answered, media), stated)
    profile = job.profile.with_overrides(overrides)
    stages[STAGES[0]] = plainly(profile, overrides, stated)
    cache = None
    if reading.hits or reading.reported:
        follow = angles is not None and angles.tracked
        cache = choose_cache(
            _without_cache(profile), reading, follow, pauses_ms(answered), job.resume,
            lambda share: progress("what the buffer keeps", 0.3 + 0.6 * share),
            stated=stated.get("cache", {}),
        )  # fmt: skip
        profile = _without_cache(profile).with_overrides(cache.overrides)
        # What an answer costs can depend on what the buffer does at the time.
        answered = overhead_overrides(reading, reading_ahead(profile, reading, follow))
        overrides = with_controller(overrides | joined(answered, media), overrides)
        overrides |= cache.overrides
        profile = profile.with_overrides({"controller": overrides["controller"]})
        stages[STAGES[1]] = plainly(profile, overrides, stated)
    if found is not None:
        answered = lasting_rules(profile, reading, overrides["controller"], answered)
        overrides = with_controller(overrides | joined(answered, media), overrides)
        profile = profile.with_overrides({"controller": overrides["controller"]})
        on = _refined(_Model(profile, reading, found, overrides, answered, stated, job.seed, idle))
        found, overrides, profile, idle = on.found, on.overrides, on.profile, on.idle
    if cache is not None:
        moved = move_times(profile, reading, overrides, cache.undetermined)
        undetermined = undetermined_of_cache(cache, overrides, moved) + undetermined
    if found:
        undetermined += undetermined_of_overhead(found.positioning, profile)
    profile, overrides = stages[STAGES[-1]] = plainly(profile, overrides, stated)
    return Calibration(
        profile, reading, readings[1:], angles, found.positioning if found else None, cache,
        undetermined, overrides, len(reading.seen), start, stages, Kept(STAGES[-1], ALL), idle,
    )  # fmt: skip


def _laid_out(
    job: Job, stated: Overrides, reading: Reading, progress: Progress, idle: frozenset[str]
) -> tuple[Layout, frozenset[str]]:
    """The layout that requests tell of, and what is not looked for after that."""
    reading, angles = _followed(job, stated, reading)
    plain = Layout(job.profile, stated, reading, angles, dict(NO_COMPLETION))
    found = laid_out(plain, progress, idle, slips=job.slips)
    return found.layout, idle | (WAYS - found.ways)


def _followed(job: Job, stated: Overrides, reading: Reading) -> tuple[Reading, Angles]:
    """The platter under the profile's angles of passes, or under free ones where that loses it.

    Zones that each turn from pass to pass by another angle have no period on which many of their
    requests agree: how well they do says little of whose angles they are, and the lattice all.
    """
    reading, angles = told_by_hits(reading, stated)
    if angles.spread_turns <= LOST_TURNS:
        reading, angles = _in_time(reading, angles, stated)
        return without_holes(job.profile, stated, reading, angles, job.rough)
    free = with_free_passes(reading, job.profile, stated, job.rough)
    if free is None or not free.period.is_locked:
        return reading, angles
    freely = angles_of(free, stated)
    met = freely.spread_turns <= LOST_TURNS
    return (free, freely) if met else (reading, angles)


def _in_time(reading: Reading, angles: Angles, stated: Overrides) -> tuple[Reading, Angles]:
    """The same under the period that following the platter told, where that loses it no more."""
    period = replace(reading.period, rotation_ms=angles.rotation_ms)
    lost = (1 / period.rotation_ms - 1 / reading.period.rotation_ms) * np.ptp(reading.seen.end_ms)
    if not angles.tracked or abs(lost) < LOST_TURNS:
        return reading, angles
    timed = replace(reading, period=period)
    even = angles_of(timed, stated)
    return timed, even if even.spread_turns <= LOST_TURNS else angles


@dataclass(frozen=True)
class _Model:
    """The whole model, as far as it is found.

    Attributes:
        profile: it.
        reading: the trace.
        found: its mechanism.
        overrides: what made it of the profile to start from.
        answered: of these, what the buffer's answers cost.
        stated: the profile to start from, as its file states it.
        seed: of every random choice.
        idle: what is not looked for, or was and is not there, of `_LAST` and the slow fence.
    """

    profile: Profile
    reading: Reading
    found: Mechanism
    overrides: Overrides
    answered: Overrides
    stated: Overrides
    seed: int
    idle: frozenset[str]

    def having(self, more: Overrides) -> "_Model":
        """The same with more of it found."""
        overrides = self.overrides | more
        return replace(self, profile=self.profile.with_overrides(overrides), overrides=overrides)

    def moving(
        self, slow: SlowFence | None = None, *, overlaps: bool = True, arm: Arm | None = None
    ) -> "_Model":
        """The same with its mechanism found anew: with a slow fence, or with an arm that waits.

        Or with one that is where it is found to be.
        """
        found = mechanism_of(
            self.reading, self.found.angles, self.stated, self.seed, slow,
            overlaps=overlaps, arm=arm,
        )  # fmt: skip
        media = with_controller(joined(self.answered, found.media), self.overrides)
        return replace(self.having(media), found=found)

    def settled(self) -> "_Model":
        """The same with what of the time on a track is settling."""
        angles, way = self.found.angles, settling if self.reading.writes_wait else settling_behind
        room_ms = switch_room_ms(angles, self.reading.seen.own.passes)
        sums, known, answered = self.found.positioning, self.overrides, self.answered
        return self.having(way(self.profile, self.reading, sums, known, answered, angles, room_ms))

    @property
    def is_met(self) -> bool:
        """Whether most requests are near the lattice.

        Of a layout that is not the drive's anything may seem to be so that makes some later.
        """
        angles = self.found.angles
        return near_share(self.reading, angles) > (MET_FOLLOWED if angles.tracked else MET)


_LAST: dict[str, Callable[[_Model], Overrides]] = {
    "write-back": lambda on: write_back(on.profile, on.reading),
    "read order": lambda on: read_order(on.profile, on.reading, on.overrides),
    "over track ends": lambda on: over_track_ends(
        on.profile, on.reading, on.overrides, on.found.angles
    ),
    "arm behind": lambda on: arm_behind(on.profile, on.reading, on.overrides),
    "write-back again": lambda on: write_back_again(on.profile, on.reading, on.overrides),
    "arm behind again": lambda on: (
        arm_behind(on.profile, on.reading, on.overrides)
        if "cache.write_back" in on.overrides
        else {}
    ),
    "policies": lambda on: policies_again(
        on.profile, on.reading, on.overrides, pauses_ms(on.answered)
    ),
    "bursts or fence": lambda on: bursts_or_fence(on.profile, on.reading, on.overrides),
    "all data first": lambda on: all_data_first(on.profile, on.reading, on.overrides),
    "released": lambda on: released(on.profile, on.reading, on.overrides) if on.is_met else {},
    "read ends": lambda on: read_ends(on.profile, on.reading, on.overrides),
    "trimmed": lambda on: trimmed(on.profile, on.reading, on.overrides, on.found.angles),
    "stated switches": lambda on: stated_switches(on.profile, on.reading, on.overrides, on.stated),
    "track ends": lambda on: _with_track_ends(on) if on.is_met else {},
}
"""What is found one after the other, each under all that was found before."""

_SLOW, _SERVED = "slow fence", "as served"

_BEFORE_ARM = "write-back"
"""The step after which a run of the model tells where the arm is."""

MOST_TURNS = 3
"""The mechanism by where the arm is, and that by the mechanism, one after the other."""


def _refined(on: _Model) -> _Model:
    """What only the whole model tells: settling, slow fences, switches, tracks' ends."""
    on = on.having(unanswered(on.profile, on.reading)).settled()
    if on.reading.writes_wait:
        if waits_for_all(on.found.angles):
            on = _in_turn(on)
        waits = on.found.positioning.waits_for_data and on.is_met and _SLOW not in on.idle
        if waits and (slow := find_slow_fence(on.profile, on.reading)):
            # Writes that set out early had been taken for a faster arm or bus.
            on = on.moving(slow).having({"cache.write_fence_slow": slow.table()}).settled()
        elif waits:
            on = replace(on, idle=on.idle | {_SLOW})
    for name, step in _LAST.items():
        if name not in on.idle:
            more = step(on)
            on = on.having(more) if more else replace(on, idle=on.idle | {name})
        if name == _BEFORE_ARM and _SERVED not in on.idle:
            on = _as_served(on)
    return on


def _as_served(on: _Model) -> _Model:
    """The same with its mechanism found by where a run of it has the arm, as long as that is sure.

    Where what waits is written and how far the drive reads ahead goes by the mechanism, and that by
    where the arm is: each is found under the other.
    """
    rotation_ms, seen = on.reading.period.rotation_ms, on.reading.seen
    if on.reading.hits is None and not on.reading.written_behind.any():
        return on
    for turn in range(MOST_TURNS):
        other = on.moving(arm=as_served(on.profile, on.reading, rotation_ms)).settled()
        tried = Tried(on.profile, seen, rotation_ms)
        if tried.surely_best([other.overrides], MOVED_TURNS) is None:
            return on if turn else replace(on, idle=on.idle | {_SERVED})
        cache = on.stated.get("cache", {})
        on = other.having(policies_stated(other.profile, on.reading, other.overrides, cache))
    return on


def _in_turn(on: _Model) -> _Model:
    """The same of a drive whose arm begins once a write's data is there, where that is sure.

    One whose reads are on the bus once all of them has passed may be so.
    """
    apart = on.moving(overlaps=False).settled()
    tried = Tried(on.profile, on.reading.seen, on.reading.period.rotation_ms)
    return on if tried.surely_best([apart.overrides], MOVED_TURNS) is None else apart


def _with_track_ends(on: _Model) -> Overrides:
    """The controller's time at a track's end."""
    controller = on.overrides["controller"]
    busy = find_track_ends(on.profile, on.reading, controller)
    return {"controller": controller | {"track_end": busy.table()}} if busy else {}


def _without_cache(profile: Profile) -> Profile:
    """The profile with its speed-matching buffer alone.

    How much data writes wait for is found from the trace, or else is part of their overheads.
    """
    kept = profile.stated().get("cache", {})
    names = ("buffer", "read_fence", "read_fence_share", "write_fence", "zero_latency_write")
    return profile.with_overrides({"cache": {name: kept[name] for name in names if name in kept}})
