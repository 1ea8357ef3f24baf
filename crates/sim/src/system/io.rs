//! What is in flight.

use crate::array::{Piece, Step};
use crate::source::Request;
use platterlab_drive::{Command, Service};
use platterlab_results::{Parts, Row};
use platterlab_units::{Operation, Partial, Span, Stamp};
use platterlab_workload::Criticality;

/// No command.
pub(super) const NONE: u32 = u32::MAX;

/// A request under way, or a piece of work of the system's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub(super) request: Request,
    pub(super) owner: Owner,
    pub(super) arrival: Stamp,
    /// The request's number among those that came; [`Row::OWN`] for the system's own.
    pub(super) number: u64,
    /// Commands of this stage that are not done; of those that read and rewrite, the reads.
    pub(super) left: u32,
    /// Rewrites that have begun and are not done, of any stage.
    pub(super) rewriting: u32,
    /// The first command of later stages.
    pub(super) later: u32,
    /// Whether a device failed under one of its commands.
    pub(super) flawed: bool,
}

/// Who hears that it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The source.
    Source,
    /// A volume that is rebuilt.
    Rebuild(Step),
    /// A job of a controller's cache.
    Job { controller: u32, job: u32 },
}

impl Active {
    pub(super) fn new(request: Request, number: u64, owner: Owner, arrival: Stamp) -> Self {
        let (left, rewriting, later, flawed) = (0, 0, NONE, false);
        Self { request, owner, arrival, number, left, rewriting, later, flawed }
    }

    /// What the system asks for by itself.
    pub(super) fn own(volume: u32, owner: Owner, arrival: Stamp) -> Self {
        let request = Request {
            volume,
            lba: 0,
            sectors: 0,
            partial: Partial::WHOLE,
            operation: Operation::Read,
            criticality: Criticality::Noncritical,
            stream: Row::OWN_STREAM,
            order: None,
            tag: 0,
        };
        Self::new(request, Row::OWN, owner, arrival)
    }
}

/// What a command wants the buses for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// To reach the device, which works on it.
    Command,
    /// For its data.
    Data,
    /// To say that it is done.
    Report,
}

/// A command under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Io {
    pub(super) active: u32,
    pub(super) piece: Piece,
    pub(super) arrival: Stamp,
    pub(super) issue: Stamp,
    /// How long it waited in its device.
    pub(super) waited: Span,
    /// Buses it has.
    pub(super) buses: u32,
    /// What it has them, or wants them, for.
    pub(super) phase: Phase,
    /// The next command that is not begun yet.
    pub(super) later: u32,
    /// What the device is asked: more than the piece where others ride along.
    pub(super) lba: u64,
    pub(super) sectors: u32,
    pub(super) partial: Partial,
    /// The next command that is served with this one.
    pub(super) rider: u32,
    /// Whether it is for a controller's cache rather than for the device itself.
    pub(super) front: bool,
    /// Whether it writes what it has read.
    pub(super) rewrites: bool,
}

impl Io {
    /// A command that comes to the driver at `now`.
    pub(super) fn new(active: u32, piece: Piece, now: Stamp) -> Self {
        let Piece { lba, sectors, partial, .. } = piece;
        Self {
            active,
            piece,
            arrival: now,
            issue: now,
            waited: Span::ZERO,
            buses: 0,
            phase: Phase::Data,
            later: NONE,
            lba,
            sectors,
            partial,
            rider: NONE,
            front: false,
            rewrites: false,
        }
    }

    /// What the device is asked.
    pub(super) fn command(&self) -> Command {
        let Self { lba, sectors, partial, piece: Piece { operation, .. }, .. } = *self;
        Command { lba, sectors, operation, may_report_early: true, partial }
    }

    /// Whether it writes a part of a sector, which the device reads first.
    pub(super) fn is_partial_write(&self) -> bool {
        self.piece.operation == Operation::Write && !self.partial.is_whole()
    }

    /// The row it leaves, served like this and done at `now`, as a part of what is `active`.
    pub(super) fn row(&self, active: &Active, service: &Service, now: Stamp) -> Row {
        let &Service { overhead, wait, seek, rotation, transfer, bus, .. } = service;
        Row {
            arrival: self.arrival,
            issue: self.issue,
            completion: now,
            parts: Parts { overhead, wait, seek, rotation, transfer, bus },
            lba: self.lba,
            sectors: self.sectors,
            device: self.piece.device,
            request: active.number,
            stream: active.request.stream,
            operation: self.piece.operation,
            cache: service.cache as u8,
            cylinder: service.cylinder,
            seek_distance: service.seek_distance,
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
    /// A volume takes the next step of its rebuild.
    Rebuild(u32),
    /// A controller writes everything that is dirty.
    Flush(u32),
    /// The host has been quiet for a while.
    Idle(u32),
    /// A device has waited long enough for a critical command.
    Anticipated(u32),
}
