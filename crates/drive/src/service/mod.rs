//! A whole drive: one command in, its completion and the time each part took out.

mod estimate;
mod partial;
mod parts;
mod read;
mod recalibration;
mod track_end;
mod write;
mod write_back;

use crate::buffer::Buffer;
use crate::controller::{Controller, Situation};
use crate::head::Head;
use crate::layout::{Found, Layout, Tracks};
use crate::limits;
use crate::mechanism::Mechanism;
use crate::transfer::{Dry, Sending};
use crate::{
    BusHold, BusParams, CacheParams, Chance, DriveParams, ParamError, ReadAheadEnds, WriteReport,
};
pub use estimate::Departure;
pub use parts::{CacheOutcome, Service};
use platterlab_units::{Operation, Partial, Span, Time};
use recalibration::Recalibrations;
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
    /// What a write leaves alone of its first and its last sector, which the drive then has to read
    /// before it can write them.
    pub partial: Partial,
}

impl Command {
    /// The address after its last sector.
    #[must_use]
    #[inline]
    pub fn end(&self) -> u64 {
        self.lba + u64::from(self.sectors)
    }
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
    recalibrations: Option<Recalibrations>,
    controller: Controller,
    cache: Arc<CacheParams>,
    bus: Arc<BusParams>,
    head: Head,
    buffer: Buffer,
    /// Where the last command ended.
    last_end: Option<u64>,
    /// When the last command was complete.
    idle_from: Time,
    /// The command in hand, as the controller's rules see it.
    situation: Situation,
    /// How long the command in hand has waited in the drive: so much of its overhead is over.
    prepared: Span,
    /// Where the reads end that wait in the drive and continue the command in hand.
    continued_to: u64,
    /// What of the read in hand came when.
    sending: Sending,
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
        let cache = Arc::new(params.cache.clone());
        Ok(Self {
            mechanism,
            recalibrations: params.mechanism.recalibration.map(Recalibrations::new),
            layout: Arc::new(layout),
            found: Found::default(),
            controller: Controller::new(&params.controller),
            buffer: Buffer::new(Arc::clone(&cache)),
            cache,
            bus: Arc::new(params.bus.clone()),
            head: Head::default(),
            last_end: None,
            idle_from: Time::ZERO,
            situation: Situation::default(),
            prepared: Span::ZERO,
            continued_to: 0,
            sending: Sending::default(),
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

    /// As [`Drive::serve`], for a command out of the drive's own queue: while another was served the
    /// controller has looked after this one for as long as it `waited`, and reads that wait behind it
    /// continue it up to `continued_to`, so that reading on goes as far, where the segment holds it.
    pub fn serve_queued(
        &mut self,
        issue: Time,
        waited: Span,
        continued_to: u64,
        command: Command,
        chance: &mut dyn Chance,
    ) -> Service {
        (self.prepared, self.continued_to) = (waited, continued_to);
        let service = self.serve(issue, command, chance);
        (self.prepared, self.continued_to) = (Span::ZERO, 0);
        service
    }

    /// Serves a command that [`Drive::check`] lets pass, handed over at `issue`.
    ///
    /// Commands come one at a time: `issue` is not before the last completion, except in a replay
    /// at measured times, where the real drive was done and the model is taken to be.
    pub fn serve(&mut self, issue: Time, command: Command, chance: &mut dyn Chance) -> Service {
        debug_assert_eq!(self.check(&command), Ok(()), "commands are checked by the caller");
        let Command { lba, operation, .. } = command;
        if let Some((by, backwards)) = self.mechanism.drifted(issue) {
            self.turn(by, backwards);
        }
        self.recalibrate_until(issue, chance);
        if self.cache.read_ahead_hold > Span::ZERO {
            self.end_idle_read_ahead(issue);
        }
        if self.controller.has_rules() {
            self.situation = self.situation(issue, lba, operation);
        }
        self.destage_until(issue, chance);
        self.sending.begin(self.bus.read_sector);
        let mut service = match operation {
            Operation::Read => self.read(issue, command, chance),
            Operation::Write if self.is_written_back(command) => {
                self.write_back(issue, command, chance)
            }
            Operation::Write => self.write(issue, command, chance),
        };
        let end = command.end();
        self.last_end = Some(end);
        self.idle_from = service.completion;
        self.keep_bus(operation, issue, &mut service);
        self.controller.remember(operation, lba..end, service.completion);
        service
    }

    /// Moves the clock's origin `by` later; nothing else changes.
    pub fn rebase(&mut self, by: Span) {
        self.mechanism.rebase(by);
        if let Some(recalibrations) = &mut self.recalibrations {
            recalibrations.rebase(by);
        }
        self.controller.rebase(by);
        self.idle_from = self.idle_from.rebased(by);
        self.head.rebase(by);
        self.buffer.rebase(by);
        self.sending.rebase(by);
    }

    /// Where the data of the read in hand, of which `sent` sectors have gone over the bus, runs dry if
    /// the drive has the bus from `now` on; `None` if all of it goes without a pause.
    #[must_use]
    pub fn runs_dry(&self, sent: u32, now: Time) -> Option<Dry> {
        self.sending.runs_dry(sent, now)
    }

    /// What a command that is handed over at `now` takes of the controller's time, the last command that
    /// is done having been one of the kind `after`; and whether the buffer can answer it.
    #[must_use]
    pub fn hand_over(&self, now: Time, command: &Command, after: Operation) -> (Span, bool) {
        let hit = match command.operation {
            Operation::Read => self.would_hit(now, command.lba, command.sectors),
            Operation::Write => self.reports_early(*command, false),
        };
        (self.controller.overhead_after(command.operation, hit, after), hit)
    }

    /// Turns the platter on by `by` against the clock, back if `backwards`: for replays that keep
    /// the model's phase on the measured drive's.
    pub fn turn(&mut self, by: Span, backwards: bool) {
        self.mechanism.turn(by, backwards);
        if !self.mechanism.tracks_rotation() {
            return;
        }
        let rotation = self.mechanism.rotation();
        self.head.turn(rotation, by, backwards);
        self.buffer.turn(rotation, by, backwards);
    }

    #[inline]
    fn overhead(&self, operation: Operation, hit: bool) -> Span {
        self.controller.overhead(operation, hit, &self.situation).less(self.prepared)
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
        issue + overhead(true).min(overhead(false)).less(self.prepared)
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
        let waits = in_turn && self.buffer.write_behind.pending_sectors() > 0;
        if waits { begin.max(self.head.free_at()) } else { begin }
    }

    /// Credits read-ahead with what it has read until `now`.
    #[inline]
    fn fill_until(&mut self, now: Time) {
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        self.buffer.fill_until(now, &mut tracks, &self.mechanism);
    }

    /// Ends read-ahead that has been held at its limit for long enough.
    fn end_idle_read_ahead(&mut self, now: Time) {
        self.fill_until(now);
        if self.buffer.read_ahead_is_over(now, self.idle_from) {
            self.break_off_read_ahead(now);
        }
    }

    /// Breaks off read-ahead at `now`: when the mechanism is free.
    fn break_off_read_ahead(&mut self, now: Time) -> Time {
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        match self.buffer.break_off(now, &mut tracks, &self.mechanism) {
            Some(broken) => {
                self.head.leaves_read_ahead(broken.last, broken.arm);
                broken.free
            }
            None => now,
        }
    }

    /// Breaks off read-ahead for a command that arrives at `now` and is not for what it reads, where
    /// that is enough to end it. How much later the controller turns to the command.
    fn break_off_at_arrival(&mut self, now: Time) -> Span {
        let ends = self.cache.read_ahead_ends == ReadAheadEnds::OtherCommand;
        if !ends || !self.buffer.has_read_ahead() {
            return Span::ZERO;
        }
        let left_off = self.break_off_read_ahead(now);
        self.head.hold_until(left_off.max(self.head.free_at()));
        self.buffer.write_behind.forget_pending();
        left_off - now
    }

    /// When the mechanism sets off for a command that is `ready` for it, `late` later where the
    /// controller turned to it so much later.
    fn take_mechanism(&mut self, ready: Time, late: Span) -> Time {
        let free = self.break_off_read_ahead(ready).max(ready + late).max(self.head.free_at());
        let passed = self.head.take_passed_sectors() + self.buffer.take_read_ahead_sectors();
        self.mechanism.fall_behind(passed);
        free
    }
}
