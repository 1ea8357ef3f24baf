use super::System;
use super::io::{Active, Event};
use crate::array::Volume;
use crate::observe::Report;
use crate::source::Source;
use platterlab_results::Columns;
use platterlab_units::Time;

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

    /// The simulated time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Why the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.full.map_or(Outcome::Finished, |device| Outcome::QueueFull { device })
    }

    /// The rows held so far, which are given away.
    pub fn take_rows(&mut self) -> Columns {
        self.observer.rows.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The figures so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let buses: Vec<_> = self.buses.iter().map(|bus| (bus.busy, bus.waited)).collect();
        self.observer.report(self.now, self.calendar.entered() + self.acts, &buses)
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
        if self.full.is_some() {
            return Ok(false);
        }
        let due = self.calendar.next_time();
        match self.source.next() {
            // What is due at the same time goes first: it makes room for what comes.
            Some(at) if due.is_none_or(|due| at < due) => {
                self.now = self.now.max(at);
                self.acts += 1;
                self.source.act(self.now, &mut self.inbox)?;
            }
            _ => {
                let Some((at, event)) = self.calendar.take() else { return Ok(false) };
                self.now = at;
                self.handle(event)?;
            }
        }
        self.take_in()?;
        Ok(true)
    }

    pub(super) fn handle(&mut self, event: Event) -> Result<(), S::Error> {
        match event {
            Event::Started(io) => {
                let waiting = self.waiting(io);
                self.accept(waiting);
            }
            Event::BusWanted(io) => self.ask_for_buses(io),
            Event::DataDone(io) => {
                self.release_buses(io);
                let completion = self.ios[io].service.completion;
                if completion == self.now {
                    return self.done(io);
                }
                self.calendar.enter(completion, Event::Done(io));
            }
            Event::Done(io) => return self.done(io),
        }
        Ok(())
    }

    /// Takes in what the source put out, until nothing comes of it at once.
    pub(super) fn take_in(&mut self) -> Result<(), S::Error> {
        let mut index = 0;
        while let Some(&request) = self.inbox.get(index) {
            index += 1;
            self.observer.offered();
            let volume = self.volumes.get(request.volume as usize);
            let sectors = volume.map_or(0, Volume::sectors);
            let fits = request.sectors > 0
                && request.lba < sectors
                && sectors - request.lba >= u64::from(request.sectors);
            if fits {
                let arrival = self.now;
                let active = Active { request, arrival, left: 0, phase: 0 };
                let active = self.active.insert(active);
                self.start_phase(active);
            } else {
                self.observer.refused();
                self.source.refused(self.now, &request, &mut self.inbox)?;
            }
        }
        self.inbox.clear();
        Ok(())
    }

    /// Hands the commands of a request's phase to the driver; whether there are any.
    pub(super) fn start_phase(&mut self, active: u32) -> bool {
        let mut pieces = std::mem::take(&mut self.pieces);
        let Active { request, phase, .. } = self.active[active];
        self.volumes[request.volume as usize].pieces(&request, phase, &mut pieces);
        self.active[active].left = pieces.len() as u32;
        for &piece in &pieces {
            self.queue(active, piece);
        }
        let any = !pieces.is_empty();
        pieces.clear();
        self.pieces = pieces;
        any
    }
}
