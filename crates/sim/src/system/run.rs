//! The event loop of a system.

use super::controller::Controller;
use super::io::Event;
use super::{News, System};
use crate::array::Volume;
use crate::engine::LAST;
use crate::observe::Report;
use crate::source::Source;
use platterlab_results::{Columns, RequestColumns};
use platterlab_units::Stamp;

/// Nothing happens later: what is entered then still has its place in the calendar.
pub(super) const LATEST: Stamp = Stamp::from_ps(LAST.as_ps() / 2);

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The source is at its end and everything is served.
    Finished,
    /// Too many requests wait for a device.
    QueueFull {
        /// The device.
        device: u32,
    },
    /// The clock ends: after two billion years, or when a command has waited 106 days for a bus.
    ClockFull,
}

impl<S: Source> System<S> {
    /// Runs to the end.
    ///
    /// # Errors
    /// What the source says.
    pub fn run(&mut self) -> Result<Outcome, S::Error> {
        while self.step()? {}
        Ok(self.outcome())
    }

    /// Runs until `rows` rows are held or the end is there; whether there is more.
    ///
    /// # Errors
    /// What the source says.
    pub fn run_for(&mut self, rows: usize) -> Result<bool, S::Error> {
        while self.observer.rows.as_ref().is_some_and(|held| held.len() < rows) {
            if !self.step()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on for so many events at most; whether there is more.
    ///
    /// # Errors
    /// What the source says.
    pub fn run_events(&mut self, events: u32) -> Result<bool, S::Error> {
        for _ in 0..events {
            if !self.step()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Requests served so far.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.observer.served_so_far()
    }

    /// Responses after the warm-up so far: how many, and their sum in milliseconds.
    #[must_use]
    pub fn responses(&self) -> (u64, f64) {
        self.observer.responses()
    }

    /// The simulated time.
    #[must_use]
    pub fn now(&self) -> Stamp {
        self.now
    }

    /// Why the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.ended.unwrap_or(Outcome::Finished)
    }

    /// The rows held so far, which are given away.
    pub fn take_rows(&mut self) -> Columns {
        self.observer.rows.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The requests held so far, which are given away.
    pub fn take_requests(&mut self) -> RequestColumns {
        self.observer.requests.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The figures so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let events = self.calendar.entered() + self.acts;
        let caches = self.controllers.iter().map(Controller::report).collect();
        self.observer.report(self.now, events, &self.buses, (&self.volumes, caches))
    }

    /// The source.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source, to be asked for what it only finds out at the end.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// One event; whether there is another.
    pub(super) fn step(&mut self) -> Result<bool, S::Error> {
        if self.ended.is_some() {
            return Ok(false);
        }
        let due = self.calendar.next_time().unwrap_or(Stamp::MAX);
        let acts = self.source.next().unwrap_or(Stamp::MAX);
        // What is due at the same time goes first: it makes room for what comes.
        let (at, by_source) = if acts < due { (acts, true) } else { (due, false) };
        if self.clock.must_move(at) && !self.move_clock(at) {
            let more = at == Stamp::MAX && self.remind();
            self.tell()?;
            return Ok(more);
        }
        if self.faults.last().is_some_and(|fault| fault.at <= at) {
            self.fault();
        } else if by_source {
            self.now = self.now.max(at);
            self.acts += 1;
            self.source.act(self.now, &mut self.inbox)?;
        } else if let Some(event) = self.calendar.take() {
            self.now = at;
            self.handle(event);
        }
        self.tell()?;
        while let Some(tag) = self.source.take_awaited() {
            self.promote(tag);
        }
        Ok(true)
    }

    /// Moves the origin of the devices' clock, so that it can show `at`; `false` where nothing comes
    /// any more, or too late for any clock.
    #[cold]
    fn move_clock(&mut self, at: Stamp) -> bool {
        if at > LATEST {
            if at < Stamp::MAX {
                self.ended = Some(Outcome::ClockFull);
            }
            return false;
        }
        let Self { clock, stations, .. } = self;
        let by = clock.move_to(at);
        stations.iter_mut().for_each(|station| station.model.rebase(by));
        true
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Started(io) => self.started(io),
            Event::BusWanted(io) => self.ask_for_buses(io),
            Event::DataDone(io) => {
                self.release_buses(io);
                if self.ios[io].front {
                    return self.front_transferred(io);
                }
                if self.ios[io].phase.is_hand_over() {
                    return self.handed_over(io);
                }
                if let Some((at, phase)) = self.next_phase(io) {
                    self.ios[io].phase = phase;
                    return self.calendar.enter(at, Event::BusWanted(io));
                }
                let device = self.ios[io].piece.device;
                let completion = self.stations[device as usize].completion;
                if completion == self.now {
                    self.done(io);
                } else {
                    self.calendar.enter(completion, Event::Done(io));
                }
            }
            Event::HitTakenIn(io) => self.hit_taken_in(io),
            Event::Done(io) => self.done(io),
            Event::Rebuild(volume) => self.rebuild(volume),
            Event::Flush(controller) => self.flush(controller),
            Event::Idle(controller) => self.idle(controller),
            Event::Anticipated(device) => self.dispatch(device),
            Event::AtRest(device) => self.at_rest(device),
        }
    }

    /// Takes in what the source put out, until nothing comes of it at once.
    fn take_in(&mut self) -> Result<(), S::Error> {
        let mut index = 0;
        while let Some(&request) = self.inbox.get(index) {
            index += 1;
            let number = self.observer.offered(&request);
            let volume = self.volumes.get(request.volume as usize);
            let sectors = volume.map_or(0, Volume::sectors);
            let fits = request.sectors > 0
                && request.lba < sectors
                && sectors - request.lba >= u64::from(request.sectors);
            if fits {
                self.admit(request, number);
            } else {
                self.observer.refused(&request);
                self.source.refused(self.now, &request, &mut self.inbox)?;
            }
        }
        self.inbox.clear();
        Ok(())
    }

    /// Tells the source what became of its requests, and takes in what it makes of that.
    fn tell(&mut self) -> Result<(), S::Error> {
        loop {
            self.take_in()?;
            if self.news.is_empty() {
                return Ok(());
            }
            for one in &self.news {
                match one {
                    News::Completed(completion) => {
                        self.source.completed(self.now, completion, &mut self.inbox)?;
                    }
                    News::Lost(request) => {
                        self.source.refused(self.now, request, &mut self.inbox)?;
                    }
                }
            }
            self.news.clear();
        }
    }
}
