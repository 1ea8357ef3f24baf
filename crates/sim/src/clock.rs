//! The clock of the drives: 128-bit stamps of a run on 64 bits.

use platterlab_drive::Drive;
use platterlab_units::{Lapse, Span, Stamp, Time};

/// Stamps of a run of any length on the 64-bit clock of its drives.
///
/// The clock holds 213 days. Before it runs out its origin moves, and the drives with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    origin: Stamp,
    /// The origin moves when a stamp beyond this is wanted.
    latest: Stamp,
}

/// The origin moves when the clock shows more than this: about 53 days.
const LATEST: Time = Time::from_ps(1 << 62);

/// What stays on the clock of the past when the origin moves: 13 days.
const PAST: Span = Span::from_ps(1 << 60);

impl Default for Clock {
    fn default() -> Self {
        Self::from(Stamp::ZERO)
    }
}

impl Clock {
    fn from(origin: Stamp) -> Self {
        Self { origin, latest: origin + Span::from_ps(LATEST.as_ps()) }
    }

    /// Whether its origin has to move before it can show the stamp.
    #[inline]
    pub(crate) fn must_move(&self, stamp: Stamp) -> bool {
        stamp > self.latest
    }

    /// Moves the origin so that the stamp can be shown; by how much.
    #[cold]
    pub(crate) fn move_to(&mut self, stamp: Stamp) -> Lapse {
        let ahead = stamp.since(self.origin + PAST);
        *self = Self::from(self.origin + ahead);
        ahead
    }

    /// The stamp on the clock: it lies neither before the origin nor where it would have to move.
    #[inline]
    pub(crate) fn time(&self, stamp: Stamp) -> Time {
        debug_assert!(stamp >= self.origin && !self.must_move(stamp), "{stamp:?} with {self:?}");
        Time::from_ps((stamp.as_ps() - self.origin.as_ps()) as u64)
    }

    /// The instant as a stamp.
    #[inline]
    pub(crate) fn stamp(&self, time: Time) -> Stamp {
        self.origin + Span::from_ps(time.as_ps())
    }
}

/// Moves the origin of a drive's clock.
pub(crate) fn rebase(drive: &mut Drive, by: Lapse) {
    if let Some(by) = by.span() {
        return drive.rebase(by);
    }
    // Nothing that a drive remembers is as old as that: the rest is where its platter stands.
    drive.rebase(Span::MAX);
    let period = u128::from(drive.mechanism().rotation().period().as_ps());
    let rest = (by - Lapse::from(Span::MAX)).as_ps() % period;
    drive.rebase(Span::from_ps(rest as u64));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_follows_a_trace_of_years() {
        let mut clock = Clock::default();
        let day = 86_400_000_000_u64;
        let mut moved = 0_u128;
        for days in [0, 50, 60, 400, 4_000, 40_000] {
            let stamp = Stamp::from_us(days * day);
            if clock.must_move(stamp) {
                moved += clock.move_to(stamp).as_ps();
            }
            let time = clock.time(stamp);
            assert!(time <= LATEST);
            assert_eq!(clock.stamp(time), stamp);
            assert_eq!(moved + u128::from(time.as_ps()), stamp.as_ps());
        }
        assert!(moved > 0);
    }
}
