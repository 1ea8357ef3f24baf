"""The drive's mechanism: where tracks begin, how long positioning takes, and the profile's keys."""

from dataclasses import dataclass

import numpy as np

from platterlab.calibration.buffer.slow_fence import SlowFence
from platterlab.calibration.overrides import (
    bus_delays,
    bus_overrides,
    layout_overrides,
    positioning_overrides,
    spindle_overrides,
    started_sectors,
    switch_room_ms,
    write_sector_ms,
)
from platterlab.calibration.platter.arm_place import Arm, behind_last
from platterlab.calibration.platter.positioning import Positioning, find_positioning
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.under_way import soon_after_reads
from platterlab.calibration.trace.observed import Flags, Floats
from platterlab.calibration.trace.reading import LATTICE_MS, Reading
from platterlab.documents import Overrides

MOST_WAIT = 0.5
"""Requests of a kind that wait for the platter are on the lattice, but for strays."""


@dataclass(frozen=True)
class Mechanism:
    """Where tracks begin, how long positioning takes, and both in the profile's keys."""

    angles: Angles
    positioning: Positioning
    media: Overrides


def mechanism_of(
    reading: Reading,
    angles: Angles,
    stated: Overrides,
    seed: int,
    slow: SlowFence | None = None,
    *,
    overlaps: bool = True,
    arm: Arm | None = None,
) -> Mechanism:
    """All of it, from where tracks begin: under a slow fence, or an arm that waits for all data.

    With an arm that is where a run of the model has it, or else where each request left it.
    """
    delays = bus_delays(stated, reading.seen, angles, reading.writes_wait)
    arm = arm or behind_last(reading, angles.rotation_ms)
    positioning = _positioning(
        reading, angles, stated, arm, delays[0], seed, slow, overlaps=overlaps
    )
    media = _mechanics(reading, angles, positioning, stated, delays)
    if not overlaps:
        media["bus"] |= {"overlap": False}
    return Mechanism(angles, positioning, media)


def _positioning(
    reading: Reading,
    angles: Angles,
    stated: Overrides,
    arm: Arm,
    reconnect_ms: float,
    seed: int,
    slow: SlowFence | None = None,
    *,
    overlaps: bool,
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
    # Where the arm need not move read-ahead may answer: few of those are on the lattice, by chance.
    still = ~write & (arm.moved[rows] == 0) & arm.same_surface[rows]
    if still.any() and np.mean(near[still]) < MOST_WAIT:
        near &= ~still
    if reading.write_report == "immediate":
        # The first write since a read does not wait: those on the lattice are so by chance.
        near &= ~write | seen.after_write[rows]
    rows = rows[near]
    soon = soon_after_reads(seen, rows, angles.rotation_ms) & (reading.hits is not None)
    sector_ms = write_sector_ms(reading, angles, stated)
    if not overlaps:
        # The arm begins once all data is there, and waits for none of it any more.
        waited = waited - np.where(write, sector_ms * sectors, 0.0)
        sector_ms = 0.0
    return find_positioning(
        seen,
        rows,
        arm,
        soon,
        waited[near],
        angles.rotation_ms,
        sector_ms,
        reading.answer_ms,
        stated,
        seed,
        slow,
    )


def _mechanics(
    reading: Reading,
    angles: Angles,
    positioning: Positioning,
    stated: Overrides,
    delays: tuple[float, float],
) -> Overrides:
    """The drive's mechanism in the profile's keys."""
    reconnect_ms, completion_ms = delays
    found: Overrides = {"controller.write_completion_ms": completion_ms}
    found |= layout_overrides(stated, reading.seen, angles, reconnect_ms)
    found |= bus_overrides(reading, angles, reconnect_ms, positioning.data, stated)
    found |= spindle_overrides(stated, angles.rotation_ms)
    room_ms = switch_room_ms(angles, reading.seen.own.passes)
    found |= positioning_overrides(positioning, reading.writes_wait, room_ms)
    return found
