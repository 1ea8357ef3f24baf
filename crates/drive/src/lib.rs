//! The drive model: layout, mechanism, controller, cache and bus, as pure functions of integer
//! time. No events, clock, input, output or randomness: chance comes in through [`Chance`].
//!
//! A request meets the folders in this order: [`controller`] costs, `buffer`, [`mechanism`] over
//! [`layout`], and the bus that overlaps it in `transfer`; [`service`](Drive) puts them together.

pub mod controller;
pub mod layout;
pub mod mechanism;

mod buffer;
mod chance;
mod error;
mod head;
mod limits;
mod most;
mod params;
mod passed_sectors;
mod service;
mod transfer;

pub use chance::{Chance, NoChance};
pub use error::ParamError;
pub use layout::TrackOrder;
pub use most::{LONGEST_MS, MOST_BEFORE_END, MOST_CYLINDERS, MOST_SURFACES};
pub use params::*;
pub use service::{CacheOutcome, Command, Departure, Drive, Refusal, Service};
pub use transfer::Dry;
