//! The effect of a write on a segment that holds data of the same addresses.

use crate::Overwritten;
use std::ops::Range;

/// What a segment of the data `held` still holds once `written`, which it overlaps, has been written.
pub(super) fn left(policy: Overwritten, held: Range<u64>, written: Range<u64>) -> Range<u64> {
    match policy {
        Overwritten::Updated => held,
        Overwritten::KeepsEarlier if held.start < written.start => held.start..written.start,
        Overwritten::KeepsEarlier | Overwritten::KeepsLater => written.end.min(held.end)..held.end,
        Overwritten::Dropped => held.end..held.end,
    }
}
