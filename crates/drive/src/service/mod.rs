//! A whole drive: one command in, its completion and the time each part took out.

mod break_off;
mod estimate;
mod last_seen;
mod read;
mod track_end;
mod write;
mod write_back;

use crate::cache::{Dirty, Segments, Stream};
use crate::controller::{Controller, Situation};
use crate::layout::{Found, Layout};
use crate::limits;
use crate::mechanism::{Arm, Mechanism};
use crate::transfer::MediaTimes;
use crate::{
    BusHold, BusParams, CacheParams, Chance, DriveParams, ParamError, ReadAheadEnds, WriteReport,
};
pub use estimate::Departure;
use last_seen::LastSeen;
use platterlab_units::{Operation, Span, Time};
use std::sync::Arc;

/// What the host asks of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// First sector.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// Whether a write may be reported before it is on the media.
    pub may_report_early: bool,
}

/// Where the data came from or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CacheOutcome {
    /// From or to the media, all of it.
    Miss,
    /// All of it was in the buffer.
    Hit,
    /// Its first part was in the buffer, the rest was fetched.
    Partial,
    /// The rest was being read ahead when it was asked for.
    InFlight,
    /// A write reported from the buffer.
    Reported,
}

impl CacheOutcome {
    /// All outcomes, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Miss, Self::Hit, Self::Partial, Self::InFlight, Self::Reported];

    /// The word for it in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Miss => "miss",
            Self::Hit => "hit",
            Self::Partial => "partial",
            Self::InFlight => "in-flight",
            Self::Reported => "reported",
        }
    }
}

/// How a command was served. The six spans follow each other and add up to the service time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// When the host sees the completion.
    pub completion: Time,
    /// The controller's processor, before and after.
    pub overhead: Span,
    /// Waiting for the mechanism to end what it cannot break off.
    pub wait: Span,
    /// Moving and settling the arm, switching heads.
    pub seek: Span,
    /// From there until the first sector comes under the head, data for a write being there.
    pub rotation: Span,
    /// From the first sector to the last, switches between tracks included.
    pub transfer: Span,
    /// What the bus took beyond the overlap with all this.
    pub bus: Span,
    /// When the drive first wants the bus for the data.
    pub bus_from: Time,
    /// What the data takes on the bus at its full rate.
    pub bus_span: Span,
    /// How long the drive keeps the bus from then on, data or not.
    pub bus_held: Span,
    /// From the end of the data on the bus, at the earliest, until the host sees the completion:
    /// a bus granted only at `g` puts the completion off to `g + bus_span + bus_rest`.
    pub bus_rest: Span,
    /// When the mechanism was done with the command; without the mechanism, when the buffer was set
    /// to work. A write reported early is done when it is on the media.
    pub media_end: Time,
    /// Where the data came from.
    pub cache: CacheOutcome,
    /// Cylinder of the first sector, or where the arm is if the media was not needed.
    pub cylinder: u32,
    /// Cylinders crossed to reach it.
    pub seek_distance: u32,
}

/// Why a drive cannot take a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// It has no sectors.
    Empty,
    /// It starts at or beyond the capacity.
    BeyondEnd,
    /// It starts on the drive and ends beyond it.
    StraddlesEnd,
}

/// One drive and its state.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Shared, as all that never changes is: a thousand drives of one kind fit a processor's cache.
    layout: Arc<Layout>,
    found: Found,
    mechanism: Mechanism,
    controller: Controller,
    cache: Arc<CacheParams>,
    bus: Arc<BusParams>,
    segments: Segments,
    stream: Option<Stream>,
    arm: Arm,
    last_seen: LastSeen,
    /// Write-behind holds the mechanism until then.
    media_free: Time,
    /// Sectors of write-behind in the buffer, at most, until [`Drive::media_free`].
    pending_sectors: u32,
    /// Until then the buffer has taken as much as it can beyond the write under way.
    next_taken_until: Time,
    /// Where the last write ended, if no read came after it.
    write_end: Option<u64>,
    /// Where the last command ended.
    last_end: Option<u64>,
    /// Written data that waits for the media, in a drive with a write-back cache.
    dirty: Option<Dirty>,
    /// Where the last of it that was written ended.
    destaged: u64,
    /// When the last command was complete.
    idle_from: Time,
    /// The command in hand, as the controller's rules see it.
    situation: Situation,
}

impl Drive {
    /// Checks the parameters and builds the drive, at rest on its first track at time zero.
    ///
    /// # Errors
    /// The first parameter that makes no sense.
    pub fn new(params: &DriveParams) -> Result<Self, ParamError> {
        limits::check_params(params)?;
        let layout = Layout::new(&params.layout)?;
        let mechanism = Mechanism::new(&params.mechanism, layout.cylinders())?;
        limits::check_longest_command(params, &layout, &mechanism)?;
        Ok(Self {
            mechanism,
            layout: Arc::new(layout),
            found: Found::default(),
            controller: Controller::new(&params.controller),
            cache: Arc::new(params.cache.clone()),
            bus: Arc::new(params.bus.clone()),
            segments: Segments::new(&params.cache),
            stream: None,
            arm: Arm::default(),
            last_seen: LastSeen::default(),
            media_free: Time::ZERO,
            pending_sectors: 0,
            next_taken_until: Time::ZERO,
            write_end: None,
            last_end: None,
            dirty: params.cache.write_back.as_ref().map(Dirty::new),
            destaged: 0,
            idle_from: Time::ZERO,
            situation: Situation::default(),
        })
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The way between buffer and host.
    #[must_use]
    pub fn bus(&self) -> &BusParams {
        &self.bus
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Whether the drive can take a command.
    ///
    /// # Errors
    /// Why it cannot.
    #[inline]
    pub fn check(&self, command: &Command) -> Result<(), Refusal> {
        let capacity = self.layout.capacity();
        if command.sectors == 0 {
            Err(Refusal::Empty)
        } else if command.lba >= capacity {
            Err(Refusal::BeyondEnd)
        } else if capacity - command.lba < u64::from(command.sectors) {
            Err(Refusal::StraddlesEnd)
        } else {
            Ok(())
        }
    }

    /// Serves a command that [`Drive::check`] lets pass, handed over at `issue`.
    ///
    /// Commands come one at a time: `issue` is not before the last completion, except in a replay
    /// at measured times, where the real drive was done and the model is taken to be.
    pub fn serve(&mut self, issue: Time, command: Command, chance: &mut impl Chance) -> Service {
        debug_assert_eq!(self.check(&command), Ok(()), "commands are checked by the caller");
        let Command { lba, sectors, operation, .. } = command;
        if self.cache.read_ahead_hold > Span::ZERO {
            self.let_go(issue);
        }
        if self.controller.has_rules() {
            self.situation = self.situation(issue, lba, operation);
        }
        self.destage_until(issue, chance);
        let mut service = match operation {
            Operation::Read => self.read(issue, command, chance),
            Operation::Write if self.is_written_back(command) => {
                self.write_back(issue, command, chance)
            }
            Operation::Write => self.write(issue, command, chance),
        };
        let end = lba + u64::from(sectors);
        self.last_end = Some(end);
        self.idle_from = service.completion;
        self.keep_bus(operation, issue, &mut service);
        self.controller.remember(operation, (lba, end), service.completion);
        service
    }

    /// Moves the clock's origin `by` later; nothing else changes.
    pub fn rebase(&mut self, by: Span) {
        self.mechanism.rebase(by);
        self.controller.rebase(by);
        self.media_free = self.media_free.rebased(by);
        self.next_taken_until = self.next_taken_until.rebased(by);
        self.idle_from = self.idle_from.rebased(by);
        self.last_seen.each_time(|time| time.rebased(by));
        if let Some(stream) = &mut self.stream {
            stream.rebase(by);
        }
    }

    /// Turns the platter on by `by` against the clock, back if `backwards`: for replays that keep
    /// the model's phase on the measured drive's.
    pub fn turn(&mut self, by: Span, backwards: bool) {
        self.mechanism.turn(by, backwards);
        if !self.mechanism.tracks_rotation() {
            return;
        }
        let rotation = self.mechanism.rotation();
        for time in [&mut self.media_free, &mut self.next_taken_until] {
            if *time > Time::ZERO {
                *time = rotation.turned(*time, by, backwards);
            }
        }
        self.last_seen.each_time(|time| {
            if time > Time::ZERO { rotation.turned(time, by, backwards) } else { time }
        });
        if let Some(stream) = &mut self.stream {
            stream.turn(rotation, by, backwards);
        }
    }

    #[inline]
    fn overhead(&self, operation: Operation, hit: bool) -> Span {
        self.controller.overhead(operation, hit, &self.situation)
    }

    #[inline]
    fn completion(&self, operation: Operation, hit: bool) -> Span {
        self.controller.completion(operation, hit, &self.situation)
    }

    /// When a read issued at `issue` finds out what the buffer holds: before anything else starts.
    fn looks_up_at(&self, issue: Time, situation: &Situation) -> Time {
        if self.cache.read_ahead_ends == ReadAheadEnds::OtherCommand {
            return issue;
        }
        let overhead = |hit| self.controller.overhead(Operation::Read, hit, situation);
        issue + overhead(true).min(overhead(false))
    }

    /// Says how long a service of a command issued at `issue` keeps the bus.
    #[inline]
    fn keep_bus(&self, operation: Operation, issue: Time, service: &mut Service) {
        match self.bus.hold[operation.index()] {
            BusHold::Data => {}
            BusHold::Transfer => {
                service.bus_held = (service.completion - service.bus_rest) - service.bus_from;
            }
            BusHold::Command => {
                service.bus_from = issue;
                service.bus_held = service.completion - issue;
            }
        }
    }

    /// When, from `begin` on, a buffer that takes written data in turn turns to something else.
    fn in_turn_from(&self, begin: Time) -> Time {
        let in_turn = self.cache.write_report == WriteReport::BufferInTurn;
        if in_turn && self.pending_sectors > 0 { begin.max(self.media_free) } else { begin }
    }
}

/// The data's way over the bus.
#[derive(Clone, Copy, Debug)]
struct OnBus {
    from: Time,
    span: Span,
    /// When the host has the data, or the drive all of it on the media.
    done: Time,
}

/// The parts of a service that used the media, from its times.
fn media_service(
    issue: Time,
    begin: Time,
    start: Time,
    times: &MediaTimes,
    on_bus: OnBus,
    completion_overhead: Span,
) -> Service {
    Service {
        completion: on_bus.done + completion_overhead,
        overhead: (begin - issue) + completion_overhead,
        wait: start - begin,
        seek: times.positioned - start,
        rotation: times.first - times.positioned,
        transfer: times.end - times.first,
        bus: on_bus.done - times.end,
        bus_from: on_bus.from,
        bus_span: on_bus.span,
        bus_held: on_bus.span,
        bus_rest: completion_overhead,
        media_end: times.end,
        cache: CacheOutcome::Miss,
        cylinder: times.cylinder,
        seek_distance: times.seek_distance,
    }
}
