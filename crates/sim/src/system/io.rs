//! A command under way, and what happens to it.

use crate::array::Piece;
use crate::engine::Cell;
use platterlab_drive::Command;
use platterlab_units::{Moment, Operation, Partial, Stamp};

/// No command.
pub(super) const NONE: u32 = u32::MAX;

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
    /// The next that begins with it; once it has, the next that is served with it.
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
