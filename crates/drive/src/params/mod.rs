//! Everything the model needs to know about one drive, in plain values.
//!
//! A profile file resolves to these; [`crate::Drive::new`] checks them all, once. With the feature
//! `file` they are also the words of that file: what differs from it in units alone is generic, in
//! times `T`, sizes `S` and shares `P`.

mod bus;
mod cache;
mod controller;
mod durability;
mod layout;
mod listed;
mod mechanism;

pub use bus::*;
pub use cache::*;
pub use controller::*;
pub use durability::*;
pub use layout::*;
pub use listed::*;
pub use mechanism::*;

/// One drive.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveParams {
    /// The layout of sectors.
    pub layout: LayoutParams,
    /// How the arm moves and the platter turns.
    pub mechanism: MechanismParams,
    /// The times of the controller's processor.
    pub controller: ControllerParams,
    /// The buffer memory.
    pub cache: CacheParams,
    /// The way between buffer and host.
    pub bus: BusParams,
}
