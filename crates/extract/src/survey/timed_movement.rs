//! What a survey tells of the arm.

use super::Survey;
use super::orders::Timing;

/// A movement that a survey timed, by the middle sectors of its tracks: where the first ones lie, defects that are not
/// known move by a few.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedMovement {
    pub(crate) from_lba: u64,
    pub(crate) to_lba: u64,
    pub(crate) time_ms: f64,
    pub(crate) width_ms: f64,
    /// What the sector takes at its end.
    pub(crate) sector_ms: f64,
}

/// What a read takes without the arm and without its sector, and half the width of its interval: of a track that
/// read-ahead may have left, by as much as holds no data there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Still {
    pub(crate) time_ms: f64,
    pub(crate) width_ms: f64,
}

impl Still {
    /// What the arm or the head added to a read that took so long to its sector's begin, and half the width of its
    /// interval.
    pub(super) fn added(self, time_ms: f64, width_ms: f64) -> (f64, f64) {
        (time_ms - self.time_ms, width_ms.hypot(self.width_ms))
    }
}

impl TimedMovement {
    /// What the arm or the head added, and half the width of its interval.
    pub(crate) fn beyond(&self, still: Still) -> (f64, f64) {
        still.added(self.time_ms - self.sector_ms, self.width_ms)
    }
}

impl Survey {
    /// Movements that were timed.
    pub(crate) fn strokes(&self) -> Vec<TimedMovement> {
        let Some(movements) = &self.movements else { return Vec::new() };
        let middle = |track| {
            let (first_lba, sectors) = self.walk.pieces.track(track)?;
            Some(first_lba + sectors / 2)
        };
        let stroke = |timing: Timing| {
            Some(TimedMovement {
                from_lba: middle(timing.from)?,
                to_lba: middle(timing.to)?,
                time_ms: timing.time,
                width_ms: timing.width,
                sector_ms: movements.timed(timing.from, timing.to)?.2,
            })
        };
        movements.timings().into_iter().filter_map(stroke).collect()
    }

    /// What a read takes without the arm and without its sector, as pairs of them tell it.
    pub(crate) fn still(&self) -> Option<Still> {
        self.strokes.as_ref()?.still(self.movements.as_ref()?)
    }
}
