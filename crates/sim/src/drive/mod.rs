//! A device at the end of its buses: the drive model or a simple stand-in, with a queue of its own.

mod queue;
mod simple;

pub(crate) use queue::DeviceQueue;
pub use simple::{AccessLaw, SimpleDevice, SimpleParams};

use crate::chance::LatencyStream;
use crate::clock::{self, Clock};
use crate::scheduler::DeviceView;
use platterlab_drive::layout::Spot;
use platterlab_drive::{Chance, Command, Departure, Drive, Dry, Service, WrittenMemory};
use platterlab_units::{Lapse, Operation, Span, Stamp, Time};

/// The device that serves the commands.
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

    /// Bytes in the smallest piece it can be asked for.
    #[must_use]
    pub fn logical_sector_bytes(&self) -> u32 {
        match self {
            Self::Drive(drive) => drive.layout().logical_sector_bytes(),
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
        waited: Span,
        continued_to: u64,
        command: Command,
        chance: &mut LatencyStream,
    ) -> Service {
        match self {
            Self::Drive(drive) => drive.serve_queued(issue, waited, continued_to, command, chance),
            Self::Simple(device) => device.serve(issue, command),
        }
    }

    /// Puts all that waits for the media there: when the host sees it done.
    pub(crate) fn flush(&mut self, issue: Time, chance: &mut LatencyStream) -> Time {
        match self {
            Self::Drive(drive) => drive.flush(issue, chance),
            Self::Simple(_) => issue,
        }
    }

    /// Whether it has a write-back cache.
    #[must_use]
    pub fn writes_back(&self) -> bool {
        match self {
            Self::Drive(drive) => drive.writes_back(),
            Self::Simple(_) => false,
        }
    }

    /// Whether a battery keeps its written data.
    #[must_use]
    pub fn has_battery(&self) -> bool {
        self.written_memory() == WrittenMemory::BatteryBacked
    }

    /// The memory that holds written data which is not on the media yet.
    pub(crate) fn written_memory(&self) -> WrittenMemory {
        match self {
            Self::Drive(drive) => drive.written_memory(),
            Self::Simple(_) => WrittenMemory::Volatile,
        }
    }

    /// Adds the runs that wait in a write-back cache at `now`, first sector and end of each.
    pub(crate) fn unwritten(
        &mut self,
        now: Time,
        chance: &mut LatencyStream,
        runs: &mut Vec<(u64, u64)>,
    ) {
        if let Self::Drive(drive) = self {
            drive.unwritten(now, chance, runs);
        }
    }

    /// The rotation period, if there is a platter.
    #[must_use]
    pub fn revolution(&self) -> Span {
        match self {
            Self::Drive(drive) => drive.mechanism().rotation().period(),
            Self::Simple(_) => Span::ZERO,
        }
    }

    /// The device as schedulers see it, on a clock that has shown no more than 53 days.
    #[must_use]
    pub fn view(&self) -> OnClock<'_> {
        OnClock { model: self, clock: Clock::default(), inside: false }
    }

    /// Moves the origin of its clock.
    pub(crate) fn rebase(&mut self, by: Lapse) {
        if let Self::Drive(drive) = self {
            clock::rebase(drive, by);
        }
    }

    /// Whether it has the bus from the start of a command on.
    pub(crate) fn holds_overhead(&self) -> bool {
        match self {
            Self::Drive(drive) => drive.bus().hold_overhead,
            Self::Simple(_) => false,
        }
    }

    /// Where the data of the read in hand runs dry, see [`Drive::runs_dry`].
    pub(crate) fn runs_dry(&self, sent: u32, now: Time) -> Option<Dry> {
        match self {
            Self::Drive(drive) => drive.runs_dry(sent, now),
            Self::Simple(_) => None,
        }
    }

    /// What a command takes of the controller's time at its hand-over, see [`Drive::hand_over`].
    pub(crate) fn hand_over(&self, now: Time, command: &Command, after: Operation) -> (Span, bool) {
        match self {
            Self::Drive(drive) => drive.hand_over(now, command, after),
            Self::Simple(_) => (Span::ZERO, true),
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

/// A device as schedulers see it, on the clock of the drives.
#[derive(Clone, Copy, Debug)]
pub struct OnClock<'a> {
    pub(crate) model: &'a Model,
    pub(crate) clock: Clock,
    /// Whether what waits is in the device already.
    pub(crate) inside: bool,
}

impl DeviceView for OnClock<'_> {
    fn depart(&self, now: Stamp) -> Departure {
        match self.model {
            Model::Drive(drive) if self.inside => drive.depart_inside(self.clock.time(now)),
            Model::Drive(drive) => drive.depart(self.clock.time(now)),
            Model::Simple(_) => Departure::default(),
        }
    }

    fn depart_from_last_sector(&self, now: Stamp) -> Departure {
        match self.model {
            Model::Drive(drive) => drive.depart_from_last_sector(self.clock.time(now)),
            Model::Simple(_) => Departure::default(),
        }
    }

    fn depart_at_once(&self, now: Stamp) -> Departure {
        match self.model {
            Model::Drive(drive) => drive.depart_at_once(self.clock.time(now)),
            Model::Simple(_) => Departure::default(),
        }
    }

    fn at_rest_since(&self, now: Stamp) -> Stamp {
        match self.model {
            Model::Drive(drive) => self.clock.stamp(drive.at_rest_since(self.clock.time(now))),
            Model::Simple(_) => now,
        }
    }

    fn arrives_within(
        &self,
        departure: &Departure,
        place: &Spot,
        sectors: u32,
        operation: Operation,
    ) -> bool {
        match self.model {
            Model::Drive(drive) => drive.arrives_within(departure, place, sectors, operation),
            Model::Simple(_) => false,
        }
    }

    #[inline]
    fn positioning(&self, departure: &Departure, place: &Spot, operation: Operation) -> Span {
        match self.model {
            Model::Drive(drive) => drive.positioning_from(departure, place, operation),
            Model::Simple(_) => Span::ZERO,
        }
    }

    #[inline]
    fn seek_floor(&self, cylinders: u32) -> Span {
        match self.model {
            Model::Drive(drive) => drive.mechanism().seek_floor(cylinders),
            Model::Simple(_) => Span::ZERO,
        }
    }

    fn revolution(&self) -> Span {
        self.model.revolution()
    }

    fn write_continues_at(&self) -> Option<u64> {
        match self.model {
            Model::Drive(drive) => drive.write_continues_at(),
            Model::Simple(_) => None,
        }
    }

    fn cached(&self, now: Stamp, ranges: &mut Vec<(u64, u64)>) {
        if let Model::Drive(drive) = self.model {
            drive.cached_ranges(self.clock.time(now), ranges);
        }
    }
}
