//! Writes that were reported before they are on the media, and what that lets the next one do.

use crate::mechanism::Rotation;
use platterlab_units::{Span, Time};

/// What the buffer knows of the last write.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteBehind {
    /// Sectors in the buffer, at most, until the head is free.
    pending_sectors: u32,
    /// Until then the buffer has taken as much as it can beyond the write under way.
    next_taken_until: Time,
    /// Where the last write ended, if nothing came after it that ends a sequence.
    end: Option<u64>,
}

impl WriteBehind {
    /// Sectors in the buffer, at most, until the head is free.
    #[inline]
    pub(crate) fn pending_sectors(&self) -> u32 {
        self.pending_sectors
    }

    /// Whether a write of `lba` continues where the last one ended.
    #[inline]
    pub(crate) fn is_continued_by(&self, lba: u64) -> bool {
        self.end == Some(lba)
    }

    /// Where the last write ended, if nothing came after it that ends a sequence.
    pub(crate) fn end(&self) -> Option<u64> {
        self.end
    }

    /// Whether no write came since the last read.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.end.is_none()
    }

    /// Whether a write issued at `issue` that continues from the last one finds the buffer ready.
    #[inline]
    pub(crate) fn takes_another_at(&self, issue: Time) -> bool {
        self.next_taken_until <= issue
    }

    /// The buffer takes no other command until then.
    pub(crate) fn is_taken_until(&mut self, until: Time) {
        self.next_taken_until = until;
    }

    /// A write ended at the address `end`, `pending` sectors waiting for the media with it.
    #[inline]
    pub(crate) fn wrote(&mut self, end: u64, pending: u32) {
        self.end = Some(end);
        self.pending_sectors = pending;
    }

    /// Something else came: the next write begins anew.
    #[inline]
    pub(crate) fn end_sequence(&mut self) {
        self.end = None;
    }

    /// What waited is no longer counted.
    pub(crate) fn forget_pending(&mut self) {
        self.pending_sectors = 0;
    }

    pub(crate) fn turn(&mut self, rotation: &Rotation, by: Span, backwards: bool) {
        if self.next_taken_until > Time::ZERO {
            self.next_taken_until = rotation.turned(self.next_taken_until, by, backwards);
        }
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        self.next_taken_until = self.next_taken_until.rebased(by);
    }
}
