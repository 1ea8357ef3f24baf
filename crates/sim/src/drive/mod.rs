//! A device at the end of its buses: the drive model or a simple stand-in, with a queue of its own.

mod simple;

pub use simple::{AccessLaw, SimpleDevice, SimpleParams};

use crate::chance::LatencyStream;
use crate::scheduler::DeviceView;
use platterlab_drive::layout::Spot;
use platterlab_drive::{Chance, Command, Departure, Drive, Service};
use platterlab_units::{Operation, Span, Time};

/// What serves the commands.
#[derive(Clone, Debug)]
pub enum Model {
    /// The drive model.
    Drive(Box<Drive>),
    /// A device without mechanics.
    Simple(Box<SimpleDevice>),
}

impl Model {
    /// Sectors it holds.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        match self {
            Self::Drive(drive) => drive.layout().capacity(),
            Self::Simple(device) => device.sectors(),
        }
    }

    /// Cylinders it has.
    #[must_use]
    pub fn cylinders(&self) -> u32 {
        match self {
            Self::Drive(drive) => drive.layout().cylinders(),
            Self::Simple(_) => 1,
        }
    }

    /// Bytes in its sectors.
    #[must_use]
    pub fn sector_bytes(&self) -> u32 {
        match self {
            Self::Drive(drive) => drive.layout().sector_bytes(),
            Self::Simple(device) => device.sector_bytes(),
        }
    }

    /// Begins at the angle of a spindle, see [`crate::system::DeviceOptions::spindle`].
    pub(crate) fn turn_to(&mut self, spindle: u32, seed: u64) {
        if let (Self::Drive(drive), 1..) = (self, spindle) {
            let name = u64::from_le_bytes(*b"spindle ").wrapping_add(u64::from(spindle));
            let angle = LatencyStream::named(seed, name).angle();
            drive.turn(angle.span(drive.mechanism().rotation().period()), false);
        }
    }

    /// Where a sector lies, if there are mechanics.
    #[must_use]
    pub fn place(&self, lba: u64) -> Option<Spot> {
        match self {
            Self::Drive(drive) => Some(drive.layout().run(lba, 1).spot()),
            Self::Simple(_) => None,
        }
    }

    #[inline]
    pub(crate) fn serve(
        &mut self,
        issue: Time,
        command: Command,
        chance: &mut LatencyStream,
    ) -> Service {
        match self {
            Self::Drive(drive) => drive.serve(issue, command, chance),
            Self::Simple(device) => device.serve(issue, command),
        }
    }

    /// Whether it has the bus from the start of a command on.
    pub(crate) fn holds_overhead(&self) -> bool {
        match self {
            Self::Drive(drive) => drive.bus().hold_overhead,
            Self::Simple(_) => false,
        }
    }

    /// How long after a command for a write is handed over its data is wanted.
    pub(crate) fn write_overhead(&self) -> Span {
        match self {
            Self::Drive(drive) => drive.usual_overhead(Operation::Write),
            Self::Simple(_) => Span::ZERO,
        }
    }
}

impl DeviceView for Model {
    fn depart(&self, now: Time) -> Departure {
        match self {
            Self::Drive(drive) => drive.depart(now),
            Self::Simple(_) => Departure::default(),
        }
    }

    fn depart_from_last_sector(&self, now: Time) -> Departure {
        match self {
            Self::Drive(drive) => drive.depart_from_last_sector(now),
            Self::Simple(_) => Departure::default(),
        }
    }

    fn arrives_within(
        &self,
        departure: &Departure,
        place: &Spot,
        sectors: u32,
        operation: Operation,
    ) -> bool {
        match self {
            Self::Drive(drive) => drive.arrives_within(departure, place, sectors, operation),
            Self::Simple(_) => false,
        }
    }

    #[inline]
    fn positioning(&self, departure: &Departure, place: &Spot, operation: Operation) -> Span {
        match self {
            Self::Drive(drive) => drive.positioning_from(departure, place, operation),
            Self::Simple(_) => Span::ZERO,
        }
    }

    #[inline]
    fn seek_floor(&self, cylinders: u32) -> Span {
        match self {
            Self::Drive(drive) => drive.mechanism().seek_floor(cylinders),
            Self::Simple(_) => Span::ZERO,
        }
    }

    fn revolution(&self) -> Span {
        match self {
            Self::Drive(drive) => drive.mechanism().rotation().period(),
            Self::Simple(_) => Span::ZERO,
        }
    }

    fn cached(&self, now: Time, ranges: &mut Vec<(u64, u64)>) {
        if let Self::Drive(drive) = self {
            drive.cached_ranges(now, ranges);
        }
    }
}
