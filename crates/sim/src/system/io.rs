//! What is in flight.

use crate::array::Piece;
use crate::source::Request;
use platterlab_drive::{CacheOutcome, Command, Service};
use platterlab_results::{Parts, Row};
use platterlab_units::{Span, Stamp, Time};

/// A request under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub(super) request: Request,
    pub(super) arrival: Time,
    /// Commands of this phase that are not done.
    pub(super) left: u32,
    pub(super) phase: u8,
}

/// A command under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Io {
    pub(super) active: u32,
    pub(super) piece: Piece,
    pub(super) arrival: Time,
    pub(super) issue: Time,
    pub(super) service: Service,
    /// Buses it has.
    pub(super) buses: u32,
}

impl Io {
    /// A command that comes to the driver at `now`.
    pub(super) fn new(active: u32, piece: Piece, now: Time) -> Self {
        Self { active, piece, arrival: now, issue: now, service: IDLE, buses: 0 }
    }

    /// What the device is asked.
    pub(super) fn command(&self) -> Command {
        let Piece { lba, sectors, operation, .. } = self.piece;
        Command { lba, sectors, operation, may_report_early: true }
    }

    /// The row it leaves, done at `now`.
    pub(super) fn row(&self, now: Time) -> Row {
        let stamp = |time: Time| Stamp::from_ps(u128::from(time.as_ps()));
        let Service { overhead, wait, seek, rotation, transfer, bus, .. } = self.service;
        Row {
            arrival: stamp(self.arrival),
            issue: stamp(self.issue),
            completion: stamp(now),
            parts: Parts { overhead, wait, seek, rotation, transfer, bus },
            lba: self.piece.lba,
            sectors: self.piece.sectors,
            device: self.piece.device,
            operation: self.piece.operation,
            cache: self.service.cache as u8,
            cylinder: self.service.cylinder,
            seek_distance: self.service.seek_distance,
            measured: None,
        }
    }
}

/// What happens to a command.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// The driver has started a command.
    Started(u32),
    /// The data of a command wants its way to the host.
    BusWanted(u32),
    /// The data of a command is off the buses.
    DataDone(u32),
    /// A command is done.
    Done(u32),
}

/// What stands in a command's place for its service before there is one.
const IDLE: Service = Service {
    completion: Time::ZERO,
    overhead: Span::ZERO,
    wait: Span::ZERO,
    seek: Span::ZERO,
    rotation: Span::ZERO,
    transfer: Span::ZERO,
    bus: Span::ZERO,
    bus_from: Time::ZERO,
    bus_span: Span::ZERO,
    bus_held: Span::ZERO,
    bus_rest: Span::ZERO,
    media_end: Time::ZERO,
    cache: CacheOutcome::Miss,
    cylinder: 0,
    seek_distance: 0,
};
