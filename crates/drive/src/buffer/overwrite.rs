//! What a write does to a segment that holds data of the same addresses.

use super::segments::Segment;
use crate::Overwritten;

/// What is left of `segment` once `lba..end`, which it overlaps, has been written.
pub(super) fn left(policy: Overwritten, mut segment: Segment, lba: u64, end: u64) -> Segment {
    match policy {
        Overwritten::Updated => {}
        Overwritten::KeepsEarlier if segment.first < lba => segment.end = lba,
        Overwritten::KeepsEarlier | Overwritten::KeepsLater => {
            segment.first = end.min(segment.end);
        }
        Overwritten::Dropped => segment.first = segment.end,
    }
    segment
}
