//! Counts, by kind, of what readers leave out or find incomplete.

/// Something a reader met that became no record, or a record less complete than it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Lines of text before the first request.
    HeaderLines,
    /// Events read, where a format records events rather than requests.
    Events,
    /// Commands that flush a cache.
    Flushes,
    /// Commands that discard, trim or unmap sectors.
    Discards,
    /// Commands sent to the device past the block layer, such as SCSI generic.
    Passthrough,
    /// Commands that move no data and are none of the above.
    WithoutData,
    /// Requests joined to another before the device saw them.
    Merged,
    /// Requests handed back by the device and issued again.
    Requeued,
    /// Records of requests that were queued but never issued, so they have no times.
    NeverIssued,
    /// Records of requests that were issued but whose completion is not in the trace.
    NeverCompleted,
    /// Records of requests that completed without having been issued (device mapper, md).
    NotIssued,
    /// Completions of requests that started before the trace did.
    StartNotSeen,
    /// Events stamped up to a millisecond before the event above them, taken as simultaneous.
    ClockDisorder,
    /// Requests that stood in the file after one that came later, and were put in order.
    PutInOrder,
    /// Requests of bytes that are not whole sectors, taken as the sectors they touch.
    Widened,
    /// Lines of events that are not requests.
    OtherEvents,
    /// Requests that were never answered.
    Unanswered,
    /// Requests before or after the window that is read.
    OutsideWindow,
    /// Requests whose addresses are not in the sample.
    NotSampled,
    /// Requests to other devices than the one that is read.
    OtherDevices,
}

impl Note {
    /// All notes, in the order they are shown.
    pub const ALL: [Self; 20] = [
        Self::HeaderLines,
        Self::Events,
        Self::Flushes,
        Self::Discards,
        Self::Passthrough,
        Self::WithoutData,
        Self::Merged,
        Self::Requeued,
        Self::NeverIssued,
        Self::NeverCompleted,
        Self::NotIssued,
        Self::StartNotSeen,
        Self::ClockDisorder,
        Self::PutInOrder,
        Self::Widened,
        Self::OtherEvents,
        Self::Unanswered,
        Self::OutsideWindow,
        Self::NotSampled,
        Self::OtherDevices,
    ];

    /// The key under which `trace info` shows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HeaderLines => "header_lines",
            Self::Events => "events",
            Self::Flushes => "skipped_flushes",
            Self::Discards => "skipped_discards",
            Self::Passthrough => "skipped_passthrough_commands",
            Self::WithoutData => "skipped_commands_without_data",
            Self::Merged => "merged_into_another_request",
            Self::Requeued => "requeued",
            Self::NeverIssued => "records_never_issued",
            Self::NeverCompleted => "records_never_completed",
            Self::NotIssued => "records_completed_but_not_issued",
            Self::StartNotSeen => "skipped_completions_without_start",
            Self::ClockDisorder => "events_out_of_order_by_under_1_ms",
            Self::PutInOrder => "put_in_order_of_arrival",
            Self::Widened => "widened_to_whole_sectors",
            Self::OtherEvents => "skipped_other_events",
            Self::Unanswered => "skipped_never_answered",
            Self::OutsideWindow => "outside_the_window",
            Self::NotSampled => "not_in_the_sample",
            Self::OtherDevices => "of_other_devices",
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_notes_is_in_the_order_of_the_counts() {
        for (place, note) in Note::ALL.into_iter().enumerate() {
            assert_eq!(note as usize, place, "{}", note.name());
        }
    }
}
