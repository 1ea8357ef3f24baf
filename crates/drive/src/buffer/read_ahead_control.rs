//! Conditions under which read-ahead continues between commands, and those that end it.

use super::{Behind, Buffer, Growth, Stream, Unsent};
use crate::layout::Tracks;
use crate::mechanism::{Arm, Mechanism};
use crate::passed_sectors::Passed;
use crate::{OnHit, Overwritten};
use platterlab_units::{Span, Time};
use std::ops::Range;

/// Read-ahead that has been broken off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrokenOff {
    /// The last sector that it has read.
    pub(crate) last: Passed,
    /// When the mechanism is free.
    pub(crate) free: Time,
    /// Where the arm is then.
    pub(crate) arm: Arm,
}

/// Read-ahead that a command takes over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakenOver {
    /// The segment that it filled.
    pub(crate) segment: usize,
    /// When the first sector wanted begins to pass.
    pub(crate) at: Time,
    /// Where the arm is then.
    pub(crate) arm: Arm,
}

impl Buffer {
    /// Credits read-ahead with what it has read until `now`.
    #[inline]
    pub(crate) fn fill_until(&mut self, now: Time, tracks: &mut Tracks<'_>, mechanism: &Mechanism) {
        let Some(stream) = &mut self.stream else { return };
        if stream.is_at_rest() {
            return;
        }
        let from = stream.next;
        let growth = stream.growth(now, tracks, mechanism);
        self.read_ahead_sectors += stream.next - from;
        self.segments.grow(stream.segment, &growth);
    }

    /// Whether there is read-ahead, under way or at its limit.
    #[inline]
    pub(crate) fn has_read_ahead(&self) -> bool {
        self.stream.is_some()
    }

    /// Whether read-ahead fills another segment than this.
    pub(crate) fn reads_ahead_elsewhere(&self, segment: usize) -> bool {
        self.stream.as_ref().is_some_and(|stream| stream.segment != segment)
    }

    /// Whether read-ahead, which has come as far as it does until `now`, is under way; the drive has
    /// had nothing to do since `idle_from`.
    #[inline]
    pub(crate) fn is_under_way(&self, stream: &Stream, now: Time, idle_from: Time) -> bool {
        let hold = self.params.read_ahead_hold;
        !stream.is_at_rest() || (hold > Span::ZERO && now <= idle_from + hold)
    }

    /// Whether there is read-ahead that is no longer under way.
    pub(crate) fn read_ahead_is_over(&self, now: Time, idle_from: Time) -> bool {
        self.stream.as_ref().is_some_and(|stream| !self.is_under_way(stream, now, idle_from))
    }

    /// Read-ahead as it will be by then if it continues, and what it will have added.
    pub(crate) fn read_ahead_by(
        &self,
        by: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> Option<(Stream, Growth)> {
        let mut stream = self.stream.clone()?;
        let growth = stream.growth(by, tracks, mechanism);
        Some((stream, growth))
    }

    /// Whether the part of a request that is not cached is what read-ahead reads now, or comes to.
    pub(crate) fn is_in_flight(&self, lba: u64, cached: Option<(usize, u64)>) -> bool {
        let Some(stream) = &self.stream else { return false };
        match cached {
            Some((segment, held)) => segment == stream.segment && stream.is_reading(lba + held),
            None => self.params.almost_hits && self.comes_to(stream, lba),
        }
    }

    /// Whether a read of `lba`, which is not in the buffer, waits until read-ahead comes there.
    pub(crate) fn comes_to(&self, stream: &Stream, lba: u64) -> bool {
        stream.is_reading(lba) || (self.params.hits_on_later_tracks && stream.will_read(lba))
    }

    /// The segment that a write brings up to date, though the policy is to drop what is overwritten:
    /// the one that read-ahead, credited until the write came, is filling.
    #[inline]
    pub(crate) fn spared(
        &mut self,
        now: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> Option<usize> {
        if self.params.overwritten != Overwritten::Dropped {
            return None;
        }
        self.fill_until(now, tracks, mechanism);
        self.stream.as_ref().filter(|stream| !stream.is_at_rest()).map(|stream| stream.segment)
    }

    /// Breaks off read-ahead at `now`, if there is any.
    pub(crate) fn break_off(
        &mut self,
        now: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> Option<BrokenOff> {
        self.fill_until(now, tracks, mechanism);
        let stream = self.stream.take()?;
        let (free, arm) = stream.stop(now, self.params.read_ahead_stops_in_sector, mechanism);
        Some(BrokenOff { last: stream.last_passed(), free, arm })
    }

    /// Takes how many sectors read-ahead has read since this was asked last.
    pub(crate) fn take_read_ahead_sectors(&mut self) -> u64 {
        std::mem::take(&mut self.read_ahead_sectors)
    }

    /// What would come of breaking it off at `ends`, after a look at it at `seen`.
    pub(crate) fn if_broken_off(
        &self,
        seen: Option<Time>,
        ends: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> Option<BrokenOff> {
        let mut stream = self.stream.clone()?;
        for time in seen.into_iter().chain([ends]) {
            stream.growth(time, tracks, mechanism);
        }
        let (free, arm) = stream.stop(ends, self.params.read_ahead_stops_in_sector, mechanism);
        Some(BrokenOff { last: stream.last_passed(), free, arm })
    }

    /// Hands over read-ahead to a command that takes `lba` from it from `begin` on.
    pub(crate) fn take_over(
        &mut self,
        lba: u64,
        begin: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> Option<TakenOver> {
        let mut stream = self.stream.take()?;
        stream.read_on_to(lba, tracks, mechanism);
        let (at, arm) = stream.reach(lba, begin, mechanism);
        Some(TakenOver { segment: stream.segment, at, arm })
    }

    /// Lets the head read on into `segment`: the addresses `ahead`, from `at` on, and then, if it
    /// comes by again, those `behind`.
    pub(crate) fn read_on(
        &mut self,
        segment: usize,
        ahead: Range<u64>,
        from: Passed,
        behind: Option<Behind>,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) {
        let mut stream = Stream::new(segment, ahead.start, from.at, from.arm);
        stream.extend(ahead.end, from.at, tracks, mechanism);
        if let Some(behind) = behind {
            stream.wrap(behind);
        }
        self.stream = Some(stream);
    }

    /// Has read-ahead wait where it would take the place of data that is `unsent`, if that is so.
    pub(crate) fn spare_unsent(&mut self, unsent: &Unsent, mechanism: &Mechanism) {
        let room = u64::from(self.params.segment_sectors);
        if let Some(stream) = self.stream.as_mut().filter(|_| !self.params.read_ahead_over_unsent) {
            stream.wait_for(unsent, room, mechanism);
        }
    }

    /// Whether a read at `now` that finds all its data in the buffer has read-ahead continue.
    pub(crate) fn goes_on_after_hit(&self, now: Time, idle_from: Time) -> bool {
        match self.params.read_ahead_on_hit {
            OnHit::Ignore => false,
            OnHit::Continue => {
                self.stream.as_ref().is_some_and(|it| self.is_under_way(it, now, idle_from))
            }
            OnHit::Extend | OnHit::Start => true,
        }
    }

    /// Lets read-ahead of `segment` continue up to `limit`; whether there is any.
    pub(crate) fn extend_read_ahead(
        &mut self,
        segment: usize,
        limit: u64,
        now: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> bool {
        match self.stream.as_mut().filter(|stream| stream.segment == segment) {
            Some(stream) => {
                stream.extend(limit, now, tracks, mechanism);
                true
            }
            None => false,
        }
    }

    /// Where read-ahead into `segment` up to `limit` starts again after a hit, if it does.
    pub(crate) fn starts_again(&self, segment: usize, limit: u64) -> Option<u64> {
        let (held, written) = self.segments.holds(segment);
        let starts = self.params.read_ahead_on_hit == OnHit::Start && !written && limit > held.end;
        starts.then_some(held.end)
    }
}
