//! Waits while the controller prepares the end of a track.

use super::Drive;
use super::parts::OnBus;
use crate::TrackEnd;
use crate::buffer::extent;
use crate::layout::{Run, Tracks};
use crate::mechanism::Arm;
use crate::transfer::MediaTimes;
use platterlab_units::{Operation, Time};

impl Drive {
    /// When the data of a read that ended with the sector `last` has been sent, and from when on.
    pub(super) fn sent_around_track_end(
        &mut self,
        last: u64,
        times: &MediaTimes,
        on_bus: OnBus,
    ) -> OnBus {
        let Some(busy) = self.controller.track_end() else { return on_bus };
        let (end, _) = self.track_end(last, times);
        let from = free(busy, Operation::Read, end, on_bus.from);
        OnBus { from, done: on_bus.done.max(from + on_bus.span), ..on_bus }
    }

    /// When the end of a write with the sector `last` can be reported. If it is its track's last, the
    /// arm continues to the next one.
    pub(super) fn reported_around_track_end(&mut self, last: u64, times: &MediaTimes) -> Time {
        let Some(busy) = self.controller.track_end() else { return times.end };
        let (end, next) = self.track_end(last, times);
        let report = free(busy, Operation::Write, end, times.end);
        let Some(next) = next.filter(|_| end == times.end) else { return report };
        let switch =
            self.mechanism.switch(times.arm, next.cylinder, next.surface, Operation::Write);
        self.head.goes_on_to(Arm { cylinder: next.cylinder, surface: next.surface });
        report.max(end + switch)
    }

    /// When the head comes to the end of the track of the sector `last`, which has passed as `times`
    /// says, and what comes next.
    fn track_end(&mut self, last: u64, times: &MediaTimes) -> (Time, Option<Run>) {
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let here = tracks.run(last, 1);
        let next = extent::end_of_track(&mut tracks, last);
        let left = tracks.run(next - 1, 1).sector - here.sector;
        let end = times.end + self.mechanism.pass(&here, 1, 1 + left);
        (end, (next < tracks.capacity()).then(|| tracks.run(next, 1)))
    }
}

/// When the controller can do at the earliest what it would do at `at`, if the track ends at `end`.
fn free(busy: TrackEnd, operation: Operation, end: Time, at: Time) -> Time {
    let over = end + busy.after;
    if at + busy.before[operation.index()] >= end && at < over { over } else { at }
}
