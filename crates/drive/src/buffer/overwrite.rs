//! What a write does to a segment that holds data of the same addresses.

use crate::Overwritten;

/// What a segment of the data `first..end` still holds once `lba..written`, which it overlaps, has
/// been written.
pub(super) fn left(
    policy: Overwritten,
    (first, end): (u64, u64),
    (lba, written): (u64, u64),
) -> (u64, u64) {
    match policy {
        Overwritten::Updated => (first, end),
        Overwritten::KeepsEarlier if first < lba => (first, lba),
        Overwritten::KeepsEarlier | Overwritten::KeepsLater => (written.min(end), end),
        Overwritten::Dropped => (end, end),
    }
}
