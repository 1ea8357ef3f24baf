//! A whole storage subsystem: its parts, the way of a request through them, and the loop.
//!
//! `options` says what is built, `build` builds it; `run` has the loop, `request` a request's
//! commands from plan to end, `device` the way of a command to its device and through it,
//! `controller` the way through a cache, `transfer` the data's way over the buses, `fault` what goes
//! wrong and is made good again. `stepper` is a system on somebody else's clock.

mod build;
mod check;
mod controller;
mod device;
mod error;
mod fault;
mod hand_over;
mod io;
mod options;
mod request;
mod run;
mod station;
mod stepper;
mod transfer;

pub use crate::bus::BusPlace;
pub use error::SystemError;
pub use options::{DeviceOptions, DriverOptions, Fault, FaultOptions, SystemOptions};
pub use run::Outcome;
pub use stepper::{Asked, StepError, Stepper};

use crate::array::{Piece, Volume};
use crate::bus::Bus;
use crate::clock::Clock;
use crate::engine::{Calendar, Slab};
use crate::observe::Observer;
use crate::source::{Completion, Request};
use controller::Controller;
use io::{Active, Event, Io};
use platterlab_units::Stamp;
use station::Station;

/// A storage subsystem at work.
#[derive(Clone, Debug)]
pub struct System<S> {
    now: Stamp,
    /// The clock of the devices.
    clock: Clock,
    calendar: Calendar<Event>,
    source: S,
    active: Slab<Active>,
    ios: Slab<Io>,
    volumes: Vec<Volume>,
    stations: Vec<Station>,
    buses: Vec<Bus>,
    controllers: Vec<Controller>,
    queue_limit: usize,
    /// Why nothing more is done.
    ended: Option<Outcome>,
    sequence: u64,
    acts: u64,
    observer: Observer,
    /// Requests that came and have not been looked at.
    inbox: Vec<Request>,
    news: Vec<News>,
    pieces: Vec<Piece>,
    /// What is to go wrong, the first at the end.
    faults: Vec<FaultOptions>,
}

/// What the source has not heard yet.
#[derive(Clone, Copy, Debug)]
enum News {
    Completed(Completion),
    Lost(Request),
}
