//! What is in flight.

use crate::array::Piece;
use crate::engine::Cell;
use crate::row::row;
use crate::source::Request;
use platterlab_drive::{Command, Service};
use platterlab_results::Row;
use platterlab_units::{Moment, Operation, Partial, Stamp};
use platterlab_workload::Criticality;

/// No command.
pub(super) const NONE: u32 = u32::MAX;

/// A request under way, or a piece of work of the system's own. Packed: there may be millions.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(4))]
pub(super) struct Active {
    pub(super) request: Request,
    pub(super) owner: Owner,
    pub(super) arrival: Moment,
    /// The request's number among those that came; [`Row::OWN`] for the system's own.
    pub(super) number: u64,
    /// Commands of this stage that are not done; of those that read and rewrite, the reads.
    pub(super) left: u32,
    /// Rewrites that have begun and are not done, of any stage.
    pub(super) rewriting: u32,
    /// Reads of each part that are not done, see [`Piece::part`].
    pub(super) parts: [u8; 2],
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
    /// The request's volume, whose rebuild has taken a step.
    Rebuild,
    /// A job of a controller's cache, as [`JobId::of`] has it.
    Job,
}

/// A job of a controller's cache. No source hears of the requests that are for one, so their tags
/// name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobId {
    pub(super) controller: u32,
    pub(super) job: u32,
}

impl JobId {
    /// The one that a request is for.
    pub(super) fn of(request: &Request) -> Self {
        Self { controller: (request.tag >> u32::BITS) as u32, job: request.tag as u32 }
    }

    pub(super) fn tag(self) -> u64 {
        u64::from(self.controller) << u32::BITS | u64::from(self.job)
    }
}

impl Active {
    pub(super) fn new(request: Request, number: u64, owner: Owner, arrival: Stamp) -> Self {
        let (left, rewriting, parts, later, flawed) = (0, 0, [0; 2], NONE, false);
        let arrival = arrival.into();
        Self { request, owner, arrival, number, left, rewriting, parts, later, flawed }
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

impl Cell for Active {
    fn spare(&mut self) -> &mut u32 {
        &mut self.left
    }
}

/// What a command wants the buses for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// To reach a device that is at work, whose controller takes it in.
    HandOver,
    /// The same, and it is its turn already.
    Turn,
    /// To reach the device, which works on it.
    Command,
    /// For its data.
    Data,
    /// To say that it is done.
    Report,
}

impl Phase {
    /// Whether it is on its way to the device.
    pub(super) fn is_command(self) -> bool {
        matches!(self, Self::Command) || self.is_hand_over()
    }

    /// Whether the device, at work on another, takes it in.
    pub(super) fn is_hand_over(self) -> bool {
        matches!(self, Self::HandOver | Self::Turn)
    }
}

/// A command under way. There may be millions: what only the one has that its device is at work on
/// stands in its station.
#[derive(Clone, Copy, Debug)]
pub(super) struct Io {
    pub(super) active: u32,
    pub(super) piece: Piece,
    pub(super) arrival: Moment,
    /// The next command that is not begun yet; of one that is, the next that is served with it.
    pub(super) next: u32,
    /// Sectors before the piece that the device is asked for with it, where others ride along.
    pub(super) ahead: u32,
    /// What the device is asked for from there on.
    pub(super) sectors: u32,
    pub(super) partial: Partial,
    /// Buses it has.
    pub(super) buses: u16,
    /// What it has them, or wants them, for.
    pub(super) phase: Phase,
    /// Whether it is for a controller's cache rather than for the device itself.
    pub(super) front: bool,
    /// Whether it writes what it has read.
    pub(super) rewrites: bool,
}

impl Io {
    /// A command that comes to the driver at `now`.
    pub(super) fn new(active: u32, piece: Piece, now: Stamp) -> Self {
        let Piece { sectors, partial, .. } = piece;
        Self {
            active,
            piece,
            arrival: now.into(),
            next: NONE,
            ahead: 0,
            sectors,
            partial,
            buses: 0,
            phase: Phase::Data,
            front: false,
            rewrites: false,
        }
    }

    /// The first sector that the device is asked for.
    pub(super) fn lba(&self) -> u64 {
        self.piece.lba - u64::from(self.ahead)
    }

    /// What the device is asked.
    pub(super) fn command(&self) -> Command {
        let Self { sectors, partial, piece: Piece { operation, .. }, .. } = *self;
        let lba = self.lba();
        Command { lba, sectors, operation, may_report_early: true, partial }
    }

    /// Whether it writes a part of a sector, which the device reads first.
    pub(super) fn is_partial_write(&self) -> bool {
        self.piece.operation == Operation::Write && !self.partial.is_whole()
    }

    /// The row it leaves, at these times served like this as a part of what is `active`.
    pub(super) fn row(&self, active: &Active, service: &Service, times: [Stamp; 3]) -> Row {
        Row {
            device: self.piece.device,
            request: active.number,
            stream: active.request.stream,
            ..row(&self.command(), times, service)
        }
    }
}

impl Cell for Io {
    fn spare(&mut self) -> &mut u32 {
        &mut self.next
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
    /// A device at work has the buses to take in a read that its buffer answers.
    HitTakenIn(u32),
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
    /// The mechanism of a device is at rest, for which its choice was put off.
    AtRest(u32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::Waiting;

    #[test]
    fn a_request_in_flight_is_small() {
        let sizes = [size_of::<Active>(), size_of::<Io>(), size_of::<Waiting>()];
        assert!(sizes.iter().sum::<usize>() <= 196, "{sizes:?}: there may be millions of each");
    }
}
