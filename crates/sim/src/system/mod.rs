//! A whole storage subsystem: its parts, the way of a request through them, and the loop.
//!
//! `options` says what is built, `build` builds it; `run` has the loop. Each owner alone changes what it
//! has, and calls go down this list, never up: the `System` has the source and the faults to come,
//! `commands` takes commands from the driver through caching controllers to devices and back,
//! `devices` has what is under way in devices and on buses, `controller` what a cache is at, `requests`
//! what is planned of each request. `stepper` is a system on somebody else's clock.

mod build;
mod check;
mod commands;
mod controller;
mod devices;
mod error;
mod io;
mod options;
mod requests;
mod run;
mod stepper;

pub use crate::bus::BusPlace;
pub use error::SystemError;
pub use options::{DeviceOptions, DriverOptions, Fault, FaultOptions, SystemOptions};
pub use run::Outcome;
pub use stepper::{Asked, StepError, Stepper};

use crate::source::Request;
use commands::Commands;

/// A storage subsystem at work.
#[derive(Clone, Debug)]
pub struct System<S> {
    source: S,
    commands: Commands,
    /// Requests that came and have not been looked at.
    inbox: Vec<Request>,
    acts: u64,
    /// What is to go wrong, the first at the end.
    faults: Vec<FaultOptions>,
}
