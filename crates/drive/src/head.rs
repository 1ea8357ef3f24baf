//! The head: where the arm is, until when a transfer holds it, and what has passed under it. Nobody
//! else moves it.

use crate::mechanism::{Arm, Rotation};
use crate::passed_sectors::{Passed, PassedSectors};
use crate::transfer::MediaTimes;
use platterlab_units::{Span, Time};

/// The head of one drive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    arm: Arm,
    /// A write that has been reported already holds it until then.
    free_at: Time,
    passed: PassedSectors,
    /// Sectors transferred since someone asked.
    sectors: u64,
}

impl Head {
    /// Where the arm is, once the head is free.
    #[inline]
    pub(crate) fn arm(&self) -> Arm {
        self.arm
    }

    /// When the head is free.
    #[inline]
    pub(crate) fn free_at(&self) -> Time {
        self.free_at
    }

    /// What had passed last at `now`, read-ahead aside.
    pub(crate) fn passed_by(&self, now: Time) -> Passed {
        self.passed.by(now)
    }

    /// Sectors have been read, or read ahead to the end of what the host wanted, or are written,
    /// perhaps only later.
    pub(crate) fn transfers(&mut self, sectors: u32, times: &MediaTimes) {
        self.sectors += u64::from(sectors);
        self.passed.begin(times.first, Passed { at: times.end, arm: times.arm });
        self.arm = times.arm;
    }

    /// Takes how many sectors have been transferred since this was asked last.
    pub(crate) fn take_passed_sectors(&mut self) -> u64 {
        std::mem::take(&mut self.sectors)
    }

    /// Read-ahead is broken off after the sector `last`; the arm stays at `arm`.
    pub(crate) fn leaves_read_ahead(&mut self, last: Passed, arm: Arm) {
        self.passed.done(last);
        self.arm = arm;
    }

    /// The arm continues to another track.
    pub(crate) fn goes_on_to(&mut self, arm: Arm) {
        self.arm = arm;
    }

    /// The head has work to do until `end`.
    #[inline]
    pub(crate) fn hold_until(&mut self, end: Time) {
        self.free_at = end;
    }

    /// The platter was turned under the head; instants at which nothing happened are left alone.
    pub(crate) fn turn(&mut self, rotation: &Rotation, by: Span, backwards: bool) {
        if self.free_at > Time::ZERO {
            self.free_at = rotation.turned(self.free_at, by, backwards);
        }
        self.passed.each_time(|time| {
            if time > Time::ZERO { rotation.turned(time, by, backwards) } else { time }
        });
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        self.free_at = self.free_at.rebased(by);
        self.passed.each_time(|time| time.rebased(by));
    }
}
