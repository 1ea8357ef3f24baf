//! A transfer: sectors pass under the head while the bus fills or drains the buffer
//! (Ruemmler–Wilkes 1994, Figure 2).
//!
//! The walk over the media is one loop for all cases; what differs between reads, writes and
//! read-ahead is the [`SpeedMatching`] it is given: that says when each sector may pass, and learns
//! when each did.

mod bursts;
mod held_buffer;
mod read_buffer;
mod sending;
mod write_buffer;

pub(crate) use held_buffer::HeldBuffer;
pub(crate) use read_buffer::ReadBuffer;
pub use sending::Dry;
pub(crate) use sending::Sending;
pub(crate) use write_buffer::WriteBuffer;

use crate::Chance;
use crate::layout::{Run, Tracks};
use crate::mechanism::{Arm, Mechanism};
use platterlab_units::{Operation, Time};

/// The buffer between mechanism and bus, seen from the mechanism.
///
/// Sectors are counted from the first of the request. Contract: [`SpeedMatching::ready`] does not fall
/// with the sector, and within one call of [`SpeedMatching::passed`] sectors pass at an even pace.
pub(crate) trait SpeedMatching {
    /// The earliest time `sector` may start to pass, given that those before it have passed.
    fn ready(&self, sector: u32) -> Time;

    /// The first of the sectors `from..to` that would come too early, if each begins to pass when
    /// `begins` says; `to` if none does. `begins` may be asked for `to`, where the last one ends.
    fn stall(&self, from: u32, to: u32, begins: impl Fn(u32) -> Time) -> u32;

    /// Sectors `from..to` passed, evenly, between `start` and `end`.
    fn passed(&mut self, from: u32, to: u32, start: Time, end: Time);

    /// Whether sectors pass in the order in which the head, arriving at `now`, meets them.
    fn on_arrival(&self, now: Time) -> bool;

    /// The head leaves the track for the one that the sectors `next..end` lie on.
    fn track_left(&mut self, next: u32, end: u32, now: Time);
}

/// What the walk over the media found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MediaTimes {
    /// The arm is on the first track and settled.
    pub(crate) positioned: Time,
    /// The first sector begins to pass.
    pub(crate) first: Time,
    /// The last sector has passed.
    pub(crate) end: Time,
    /// Where the arm is then.
    pub(crate) arm: Arm,
    /// Cylinders crossed to reach the first track.
    pub(crate) seek_distance: u32,
    /// Cylinder of the first sector.
    pub(crate) cylinder: u32,
}

impl MediaTimes {
    /// Those of a head that stays where it is.
    pub(crate) fn none(arm: Arm) -> Self {
        let at = Time::ZERO;
        Self { positioned: at, first: at, end: at, arm, seek_distance: 0, cylinder: arm.cylinder }
    }
}

/// Sectors `done..sectors` of a request at `lba`; those before are in the buffer already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) lba: u64,
    pub(crate) sectors: u32,
    pub(crate) done: u32,
}

/// Where a walk starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// When the mechanism is free.
    pub(crate) at: Time,
    /// Where the arm is then.
    pub(crate) arm: Arm,
    /// Whether the walk continues with a transfer that ended at `at`, without a new seek.
    pub(crate) continues: bool,
}

/// Moves the sectors that are `wanted` between media and `buffer`.
pub(crate) fn walk(
    tracks: &mut Tracks<'_>,
    mechanism: &Mechanism,
    start: Start,
    operation: Operation,
    wanted: Wanted,
    buffer: &mut impl SpeedMatching,
    chance: &mut dyn Chance,
) -> MediaTimes {
    let Wanted { lba, sectors, mut done } = wanted;
    let mut run = tracks.run(lba + u64::from(done), sectors - done);
    let step = if start.continues {
        mechanism.switch(start.arm, run.cylinder, run.surface, operation)
    } else {
        let step = mechanism.position(start.arm, run.cylinder, run.surface, operation);
        mechanism.scattered(step, start.arm, run.cylinder, chance)
    };
    let positioned = start.at + step;
    let ready = positioned.max(buffer.ready(done));
    let latency = if start.continues {
        mechanism.next_latency(ready, &run, 0)
    } else {
        mechanism.first_latency(ready, run.angle(0), chance)
    };
    let first = ready + latency;
    let mut times = MediaTimes {
        positioned,
        first,
        end: first,
        arm: start.arm,
        seek_distance: start.arm.cylinder.abs_diff(run.cylinder),
        cylinder: run.cylinder,
    };
    let mut arrived = ready;
    loop {
        times.arm = Arm { cylinder: run.cylinder, surface: run.surface };
        times.end = if buffer.on_arrival(arrived) {
            pass_on_arrival(mechanism, &run, done, arrived, times.end, buffer)
        } else {
            pass_run(mechanism, &run, done, times.end, buffer)
        };
        done += run.sectors;
        if done == sectors {
            return times;
        }
        let next = tracks.run(lba + u64::from(done), sectors - done);
        let switch = mechanism.switch(times.arm, next.cylinder, next.surface, operation);
        if times.arm != (Arm { cylinder: next.cylinder, surface: next.surface }) {
            buffer.track_left(done, done + next.sectors, times.end);
        }
        arrived = (times.end + switch).max(buffer.ready(done));
        times.end = arrived + mechanism.next_latency(arrived, &next, 0);
        run = next;
    }
}

/// Passes one run whose first sector comes under the head at `start`; a sector that may not pass
/// yet is awaited, whole revolutions where the platter's position counts.
#[inline]
fn pass_run(
    mechanism: &Mechanism,
    run: &Run,
    done: u32,
    start: Time,
    buffer: &mut impl SpeedMatching,
) -> Time {
    let (mut from, mut start) = (0, start);
    loop {
        let begins = |sector: u32| start + mechanism.pass(run, from, sector - done);
        let stop = buffer.stall(done + from, done + run.sectors, begins) - done;
        let end = begins(done + stop);
        if stop > from {
            buffer.passed(done + from, done + stop, start, end);
        }
        if stop == run.sectors {
            return end;
        }
        let ready = end.max(buffer.ready(done + stop));
        start = ready + mechanism.next_latency(ready, run, stop);
        from = stop;
    }
}

/// Passes one run that the head may have arrived within: what it meets first is kept, so that at
/// most one turn is needed (Ruemmler–Wilkes 1994, "Read-ahead"). The head was ready when it `arrived`;
/// the run's first sector comes under it at `start`.
fn pass_on_arrival(
    mechanism: &Mechanism,
    run: &Run,
    done: u32,
    arrived: Time,
    start: Time,
    buffer: &mut impl SpeedMatching,
) -> Time {
    let turn = mechanism.rotation().period();
    let all = mechanism.pass(run, 0, run.sectors);
    let waited = start - arrived;
    if !mechanism.tracks_rotation() || waited + all <= turn {
        return pass_run(mechanism, run, done, start, buffer);
    }
    // Sectors that began to pass at or after the arrival, one revolution before they come around.
    let missed = mechanism.passed_within(run, 0, turn - waited);
    let exact = mechanism.pass(run, 0, missed) == turn - waited;
    let missed = if exact { missed } else { missed + 1 };
    let end = start + mechanism.pass(run, 0, missed);
    if missed > 0 {
        buffer.passed(done, done + missed, start, end);
    }
    if missed < run.sectors {
        buffer.passed(done + missed, done + run.sectors, end, end);
    }
    end
}

/// The first of the sectors `from..to` that is too early; `to` if none is.
///
/// Sectors pass at an even pace, and what they wait for is the latest of several even paces. So
/// from the first sector that is in time on, either all are or all from some sector on are not.
#[inline]
fn first_early(from: u32, to: u32, early: impl Fn(u32) -> bool) -> u32 {
    if early(from) {
        return from;
    }
    if !early(to - 1) {
        return to;
    }
    let (mut in_time, mut late) = (from, to - 1);
    while late - in_time > 1 {
        let middle = in_time + (late - in_time) / 2;
        if early(middle) {
            late = middle;
        } else {
            in_time = middle;
        }
    }
    late
}
