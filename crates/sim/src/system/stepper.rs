//! A system on somebody else's clock: requests go in at instants, its events happen as far as is
//! asked, and what is over comes out.
//!
//! The events are those of a run and happen in its order, so requests that are handed in are served to
//! the picosecond as in a simulation of the same requests: what is due at an instant goes before what
//! arrives at it. This is what another simulator needs of a disk.

use super::run::LATEST;
use super::{DeviceOptions, Outcome, System, SystemError, SystemOptions};
use crate::array::Volume;
use crate::drive::Model;
use crate::observe::Report;
use crate::scheduler::{QueueOptions, Scheduler};
use crate::source::{Ended, Request, Submitted};
use platterlab_drive::Drive;
use platterlab_units::{Operation, Partial, Stamp};
use platterlab_workload::Criticality;
use std::fmt;

/// A system whose time is the caller's.
///
/// ```
/// use platterlab_sim::scheduler::Scheduler;
/// use platterlab_sim::system::{Asked, Stepper};
/// use platterlab_units::{Operation, Stamp};
/// # let profile = platterlab_profile::Profile::from_library("hp-97560").unwrap();
/// # let drive = platterlab_drive::Drive::new(profile.params()).unwrap();
/// let mut disk = Stepper::of_drive(drive, Scheduler::Sptf, 1)?;
/// let read = Asked { volume: 0, lba: 1_000_000, sectors: 8, operation: Operation::Read };
/// let number = disk.submit(Stamp::ZERO, read)?;
/// let mut over = Vec::new();
/// while over.is_empty() {
///     let next = disk.next_event().expect("a request is under way");
///     disk.advance(next)?;
///     over.append(disk.completions());
/// }
/// assert_eq!((over[0].request.tag, over[0].completion), (number, disk.now()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stepper {
    system: System<Submitted>,
    now: Stamp,
    /// Of the next request.
    number: u64,
}

/// What is asked of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The volume, by its place in the system; a drive by itself is volume 0.
    pub volume: u32,
    /// First sector.
    pub lba: u64,
    /// Length in sectors, at least 1.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
}

/// Why a step cannot be done. The system is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepError {
    /// An instant before one that the system has come to.
    Past {
        /// The instant.
        at: Stamp,
        /// What the system has come to.
        now: Stamp,
    },
    /// A volume that is not there.
    NoVolume {
        /// Its number.
        volume: u32,
        /// How many there are.
        volumes: usize,
    },
    /// A request that does not lie on its volume.
    Beyond {
        /// Its first sector.
        lba: u64,
        /// Its length.
        sectors: u32,
        /// The volume's sectors.
        of: u64,
    },
    /// Nothing more happens, for this reason.
    Over(Outcome),
}

impl Stepper {
    /// A system at time zero whose requests are handed in.
    ///
    /// # Errors
    /// What of `options` cannot be, and what would be right.
    pub fn new(options: SystemOptions) -> Result<Self, SystemError> {
        let system = System::new(options, Submitted::default())?;
        Ok(Self { system, now: Stamp::ZERO, number: 0 })
    }

    /// A drive behind a driver that gives it one command at a time, in the order of `scheduler`.
    ///
    /// # Errors
    /// As [`Stepper::new`].
    pub fn of_drive(drive: Drive, scheduler: Scheduler, seed: u64) -> Result<Self, SystemError> {
        let device = DeviceOptions::of(Model::Drive(Box::new(drive)));
        let options = SystemOptions::of(vec![device], QueueOptions::of(scheduler));
        Self::new(SystemOptions { seed, ..options })
    }

    /// The instant it has come to.
    #[must_use]
    pub fn now(&self) -> Stamp {
        self.now
    }

    /// How many volumes there are.
    #[must_use]
    pub fn volumes(&self) -> usize {
        self.system.commands.requests.volumes().len()
    }

    /// The sectors of a volume; 0 where there is none.
    #[must_use]
    pub fn sectors(&self, volume: u32) -> u64 {
        self.system.commands.requests.volumes().get(volume as usize).map_or(0, Volume::sectors)
    }

    /// Bytes in a sector, of every volume.
    #[must_use]
    pub fn sector_bytes(&self) -> u32 {
        self.system.commands.devices.stations.first().map_or(0, |station| station.sector_bytes())
    }

    /// Requests that were handed in and are not over.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.system.source.in_flight()
    }

    /// Hands in a request that arrives at `at`; its number, which is its tag: the first is 0. Of two
    /// that arrive at one instant the one that was handed in first goes first.
    ///
    /// # Errors
    /// An instant of the past, or a request that does not fit.
    pub fn submit(&mut self, at: Stamp, asked: Asked) -> Result<u64, StepError> {
        self.check(at, &asked)?;
        let number = self.number;
        self.number += 1;
        self.system.source.submit(at, asked.request(number));
        Ok(number)
    }

    /// When something happens next; `None` while nothing is to come.
    #[must_use]
    pub fn next_event(&mut self) -> Option<Stamp> {
        if self.system.commands.devices.ended.is_some() {
            return None;
        }
        let arrival = crate::source::Source::next(&mut self.system.source);
        arrival.into_iter().chain(self.system.commands.devices.calendar.next_time()).min()
    }

    /// Lets happen what is due up to `to`, that included, which is then the time.
    ///
    /// # Errors
    /// An instant of the past, or that the system is at an end.
    pub fn advance(&mut self, to: Stamp) -> Result<(), StepError> {
        if to < self.now {
            return Err(StepError::Past { at: to, now: self.now });
        }
        while self.next_event().is_some_and(|next| next <= to) && self.step() {}
        if let Some(outcome) = self.system.commands.devices.ended {
            return Err(StepError::Over(outcome));
        }
        self.now = to;
        Ok(())
    }

    /// What is over since it was last taken, in the order in which it was over.
    #[must_use]
    pub fn completions(&mut self) -> &mut Vec<Ended> {
        self.system.source.over()
    }

    /// When a request would be over if it came now and nothing after it did: served by a copy of the
    /// system as it stands, to which nothing is done.
    ///
    /// # Errors
    /// A request that does not fit, or that the system is at an end.
    pub fn estimate(&self, asked: Asked) -> Result<Stamp, StepError> {
        let mut copy = self.clone();
        let number = copy.submit(self.now, asked)?;
        loop {
            copy.completions().clear();
            let more = copy.step();
            if let Some(ended) = copy.completions().iter().find(|one| one.request.tag == number) {
                return Ok(ended.completion);
            }
            if !more {
                return Err(StepError::Over(copy.system.outcome()));
            }
        }
    }

    /// The figures so far, those of a simulation.
    #[must_use]
    pub fn report(&self) -> Report {
        self.system.report()
    }

    /// One event; whether there may be another.
    fn step(&mut self) -> bool {
        match self.system.step() {
            Ok(more) => more,
            Err(never) => match never {},
        }
    }

    fn check(&self, at: Stamp, asked: &Asked) -> Result<(), StepError> {
        let &Asked { volume, lba, sectors, .. } = asked;
        if at < self.now {
            return Err(StepError::Past { at, now: self.now });
        }
        let too_late = (at > LATEST).then_some(Outcome::ClockFull);
        if let Some(outcome) = self.system.commands.devices.ended.or(too_late) {
            return Err(StepError::Over(outcome));
        }
        if volume as usize >= self.volumes() {
            return Err(StepError::NoVolume { volume, volumes: self.volumes() });
        }
        let of = self.sectors(volume);
        if sectors == 0 || lba >= of || of - lba < u64::from(sectors) {
            return Err(StepError::Beyond { lba, sectors, of });
        }
        Ok(())
    }
}

impl Asked {
    fn request(self, tag: u64) -> Request {
        let Self { volume, lba, sectors, operation } = self;
        Request {
            volume,
            lba,
            sectors,
            partial: Partial::WHOLE,
            operation,
            criticality: Criticality::Unknown,
            stream: 0,
            order: None,
            tag,
        }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Past { at, now } => {
                let (at, now) = (at.as_ps(), now.as_ps());
                write!(f, "{at} ps is past: the system has come to {now} ps")
            }
            Self::NoVolume { volume, volumes } => {
                write!(f, "there is no volume {volume}: the last of {volumes} is {}", volumes - 1)
            }
            Self::Beyond { sectors: 0, .. } => f.write_str("a request has at least one sector"),
            Self::Beyond { lba, sectors, of } => {
                write!(f, "{sectors} sectors from {lba} on do not lie on a volume of {of} sectors")
            }
            Self::Over(Outcome::QueueFull { device }) => write!(
                f,
                "too many requests wait for device {device}: nothing more happens; see \
                 `stop.queue_limit`"
            ),
            Self::Over(_) => f.write_str("the clock ends here: nothing more happens"),
        }
    }
}

impl std::error::Error for StepError {}
