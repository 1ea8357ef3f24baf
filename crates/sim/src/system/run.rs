//! The event loop of a system.

use super::System;
use crate::array::Volume;
use crate::engine::LAST;
use crate::observe::Report;
use crate::source::{Over, Source};
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
        while self.commands.observer.rows.as_ref().is_some_and(|held| held.len() < rows) {
            if !self.step()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Continues for this many events at most; whether there is more.
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
        self.commands.observer.served_so_far()
    }

    /// Responses after the warm-up so far: how many, and their sum in milliseconds.
    #[must_use]
    pub fn responses(&self) -> (u64, f64) {
        self.commands.observer.responses()
    }

    /// The simulated time.
    #[must_use]
    pub fn now(&self) -> Stamp {
        self.commands.devices.now
    }

    /// Why the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.commands.devices.ended.unwrap_or(Outcome::Finished)
    }

    /// The rows held so far, which are given away.
    pub fn take_rows(&mut self) -> Columns {
        self.commands.observer.rows.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The requests held so far, which are given away.
    pub fn take_requests(&mut self) -> RequestColumns {
        self.commands.observer.requests.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The figures so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let devices = &self.commands.devices;
        self.commands.report(devices.calendar.entered() + self.acts)
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
        let devices = &self.commands.devices;
        if devices.ended.is_some() {
            return Ok(false);
        }
        let due = devices.calendar.next_time().unwrap_or(Stamp::MAX);
        let acts = self.source.next().unwrap_or(Stamp::MAX);
        // What is due at the same time goes first: it makes room for what comes.
        let (at, by_source) = if acts < due { (acts, true) } else { (due, false) };
        if devices.clock_must_move(at) && !self.move_clock(at) {
            let more = at == Stamp::MAX && self.commands.remind();
            self.tell()?;
            return Ok(more);
        }
        if let Some(fault) = self.faults.pop_if(|fault| fault.at <= at) {
            self.commands.suffer(fault);
        } else if by_source {
            let now = self.now().max(at);
            self.commands.devices.now = now;
            self.acts += 1;
            self.source.act(now, &mut self.inbox)?;
        } else {
            self.commands.happen(at);
        }
        self.tell()?;
        while let Some(tag) = self.source.take_awaited() {
            self.commands.promote(tag);
        }
        Ok(true)
    }

    /// Moves the origin of the devices' clock, so that it can show `at`; `false` where nothing comes
    /// any more, or too late for any clock.
    #[cold]
    fn move_clock(&mut self, at: Stamp) -> bool {
        if at > LATEST {
            if at < Stamp::MAX {
                self.commands.devices.ended = Some(Outcome::ClockFull);
            }
            return false;
        }
        self.commands.devices.move_clock(at);
        true
    }

    /// Takes in what the source put out, until nothing comes of it at once.
    fn take_in(&mut self) -> Result<(), S::Error> {
        let mut index = 0;
        while let Some(&request) = self.inbox.get(index) {
            index += 1;
            let number = self.commands.observer.offered(&request);
            let volume = self.commands.requests.volumes().get(request.volume as usize);
            let sectors = volume.map_or(0, Volume::sectors);
            let fits = request.sectors > 0
                && request.lba < sectors
                && sectors - request.lba >= u64::from(request.sectors);
            if fits {
                self.commands.admit(request, number);
            } else {
                self.commands.observer.refused(&request);
                self.source.over(self.now(), &Over { request, served: false }, &mut self.inbox)?;
            }
        }
        self.inbox.clear();
        Ok(())
    }

    /// Tells the source what became of its requests, and takes in what it makes of that.
    fn tell(&mut self) -> Result<(), S::Error> {
        loop {
            self.take_in()?;
            let now = self.now();
            let news = &mut self.commands.requests.news;
            if news.is_empty() {
                return Ok(());
            }
            for over in news.drain(..) {
                self.source.over(now, &over, &mut self.inbox)?;
            }
        }
    }
}
