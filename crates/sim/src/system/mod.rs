//! A whole storage subsystem: its parts, the way of a request through them, and the loop.
//!
//! `options` says what is built; `run` has the loop, `device` the way of a command to its device and
//! through it, `transfer` the data's way over the buses.

mod device;
mod io;
mod options;
mod run;
mod station;
mod transfer;

pub use options::{BusPlace, DeviceOptions, DriverOptions, Fault, FaultOptions, SystemOptions};
pub use run::Outcome;

use crate::array::{Piece, Volume};
use crate::bus::Bus;
use crate::chance::LatencyStream;
use crate::engine::{Calendar, Slab};
use crate::observe::Observer;
use crate::source::{Request, Source};
use io::{Active, Event, Io};
use platterlab_units::{Span, Time};
use station::Station;

/// A storage subsystem at work.
#[derive(Debug)]
pub struct System<S> {
    now: Time,
    calendar: Calendar<Event>,
    source: S,
    active: Slab<Active>,
    ios: Slab<Io>,
    volumes: Vec<Volume>,
    stations: Vec<Station>,
    buses: Vec<Bus>,
    initiation: [Span; 2],
    queue_limit: usize,
    full: Option<u32>,
    sequence: u64,
    acts: u64,
    observer: Observer,
    /// Requests that came and have not been looked at.
    inbox: Vec<Request>,
    pieces: Vec<Piece>,
}

impl<S: Source> System<S> {
    /// Puts a system together. All of `options` has been checked.
    #[must_use]
    pub fn new(options: SystemOptions, source: S) -> Self {
        let SystemOptions { volumes, driver, buses, devices, seed, .. } = options;
        let sector_bytes = devices.first().map_or(512, |device| device.model.sector_bytes());
        let observer =
            Observer::new(devices.len(), sector_bytes, options.warm_up, options.keep_rows);
        let buses: Vec<Bus> = buses.into_iter().map(Bus::new).collect();
        let mut users = vec![0_u32; buses.len()];
        for place in devices.iter().flat_map(|device| &device.buses) {
            users[place.bus as usize] += 1;
        }
        let station = |(index, device): (usize, DeviceOptions)| {
            let stream = u64::from_le_bytes(*b"rotation").wrapping_add(index as u64);
            let mut station = Station::new(device, &driver, LatencyStream::named(seed, stream));
            let held = |place: &&BusPlace| !buses[place.bus as usize].interleaved();
            station.shares_bus =
                station.buses.iter().filter(held).any(|place| users[place.bus as usize] > 1);
            let times =
                station.buses.iter().map(|place| buses[place.bus as usize].arbitration_time());
            station.arbitration = times.sum();
            station
        };
        let stations: Vec<Station> = devices.into_iter().enumerate().map(station).collect();
        let volumes = volumes.iter().map(|volume| simple_volume(volume, &stations)).collect();
        Self {
            now: Time::ZERO,
            calendar: Calendar::new(),
            source,
            active: Slab::new(),
            ios: Slab::new(),
            volumes,
            stations,
            buses,
            initiation: driver.initiation,
            queue_limit: options.queue_limit,
            full: None,
            sequence: 0,
            acts: 0,
            observer,
            inbox: Vec::new(),
            pieces: Vec::new(),
        }
    }
}

/// Stands in until volumes are built from their options.
fn simple_volume(options: &crate::array::VolumeOptions, stations: &[Station]) -> Volume {
    use crate::array::{Concat, LayoutOptions, Stripe};
    let sectors = |device: &u32| (*device, stations[*device as usize].model.sectors());
    let sized: Vec<(u32, u64)> = options.devices.iter().map(sectors).collect();
    match options.layout {
        LayoutOptions::Stripe { unit_sectors } => Volume::Stripe(Stripe::new(
            options.devices.clone(),
            unit_sectors,
            sized.iter().map(|(_, sectors)| *sectors).min().unwrap_or(0),
        )),
        _ => Volume::Concat(Concat::new(&sized)),
    }
}
