//! The base of every simulation: the calendar of events and the store of what is in flight.

mod calendar;
mod slab;

pub(crate) use calendar::{Calendar, LAST};
pub(crate) use slab::{Cell, Slab, room_for_more};
