//! Counts, by kind, of what readers leave out or find incomplete.

use platterlab_units::words;

words! {
    /// Something a reader met that became no record, or a record less complete than it could be.
    pub enum Note {
        /// Lines of text before the first request.
        HeaderLines = "header_lines",
        /// Events read, where a format records events rather than requests.
        Events = "events",
        /// Commands that flush a cache.
        Flushes = "skipped_flushes",
        /// Commands that discard, trim or unmap sectors.
        Discards = "skipped_discards",
        /// Commands sent to the device past the block layer, such as SCSI generic.
        Passthrough = "skipped_passthrough_commands",
        /// Commands that move no data and are none of the above.
        WithoutData = "skipped_commands_without_data",
        /// Requests joined to another before the device saw them.
        Merged = "merged_into_another_request",
        /// Requests handed back by the device and issued again.
        Requeued = "requeued",
        /// Records of requests that were queued but never issued, so they have no times.
        NeverIssued = "records_never_issued",
        /// Records of requests that were issued but whose completion is not in the trace.
        NeverCompleted = "records_never_completed",
        /// Records of requests that completed without having been issued (device mapper, md).
        NotIssued = "records_completed_but_not_issued",
        /// Completions of requests that started before the trace did.
        StartNotSeen = "skipped_completions_without_start",
        /// Events stamped up to a millisecond before the event above them, taken as simultaneous.
        ClockDisorder = "events_out_of_order_by_under_1_ms",
        /// Requests that stood in the file after one that came later, and were put in order.
        PutInOrder = "put_in_order_of_arrival",
        /// Requests of bytes that are not whole sectors, taken as the sectors they touch.
        Widened = "widened_to_whole_sectors",
        /// Lines of events that are not requests.
        OtherEvents = "skipped_other_events",
        /// Requests that were never answered.
        Unanswered = "skipped_never_answered",
        /// Requests before or after the window that is read.
        OutsideWindow = "outside_the_window",
        /// Requests whose addresses are not in the sample.
        NotSampled = "not_in_the_sample",
        /// Requests to other devices than the one that is read.
        OtherDevices = "of_other_devices",
    }
}

/// How often each [`Note`] was made so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes([u64; Note::ALL.len()]);

impl Notes {
    /// Notes one more.
    pub(super) fn add(&mut self, note: Note) {
        self.0[note as usize] += 1;
    }

    /// Has `note` so often.
    pub(super) fn set(&mut self, note: Note, count: u64) {
        self.0[note as usize] = count;
    }

    /// Notes one more, if `met`.
    pub(super) fn count_if(&mut self, note: Note, met: bool) {
        self.0[note as usize] += u64::from(met);
    }

    /// How often `note` was made.
    #[must_use]
    pub fn count(&self, note: Note) -> u64 {
        self.0[note as usize]
    }

    /// The notes made at least once, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Note, u64)> {
        Note::ALL.into_iter().map(|note| (note, self.count(note))).filter(|(_, count)| *count > 0)
    }
}
