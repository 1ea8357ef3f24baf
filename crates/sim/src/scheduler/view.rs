//! The view of a policy on the device that it chooses for.

use platterlab_drive::Departure;
use platterlab_drive::layout::Spot;
use platterlab_units::{Operation, Span, Stamp};

/// What a policy may ask of the device it chooses for.
pub trait DeviceView {
    /// Where the arm is and when it can leave, if the next request is handed over at `now`.
    fn depart(&self, now: Stamp) -> Departure;

    /// The same, reckoned from where and when a sector last passed under the head.
    fn depart_from_last_sector(&self, now: Stamp) -> Departure;

    /// The departure as if the arm could leave at once, see [`platterlab_drive::Drive::depart_at_once`].
    fn depart_at_once(&self, now: Stamp) -> Departure;

    /// Since when the mechanism has had nothing to do, see [`platterlab_drive::Drive::at_rest_since`].
    fn at_rest_since(&self, now: Stamp) -> Stamp;

    /// Whether the head arrives at `place` while one of the `sectors` from there on is under it.
    fn arrives_within(
        &self,
        departure: &Departure,
        place: &Spot,
        sectors: u32,
        operation: Operation,
    ) -> bool;

    /// From hand-over until the first sector comes under the head.
    fn positioning(&self, departure: &Departure, place: &Spot, operation: Operation) -> Span;

    /// Moving the arm over `cylinders` takes no less than this.
    fn seek_floor(&self, cylinders: u32) -> Span;

    /// The rotation period.
    fn revolution(&self) -> Span;

    /// Where a write would continue one that the device reports before it is on the media.
    fn write_continues_at(&self) -> Option<u64>;

    /// The ranges of sectors that the device's cache holds at `now`, first and end of each.
    fn cached(&self, now: Stamp, ranges: &mut Vec<(u64, u64)>);
}
