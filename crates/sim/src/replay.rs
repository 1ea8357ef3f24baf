//! Trace replay on one drive: first come, first served, one request at the drive at a time.

use crate::by_issue::ByIssue;
use crate::chance::LatencyStream;
use crate::clock::{self, Clock};
use crate::observe::OUTCOMES;
use crate::phase::PhaseTracker;
use crate::row::row;
use platterlab_drive::{CacheOutcome, Command, Drive, Refusal};
use platterlab_results::{Kept, Row, Summary, SummaryBuilder};
use platterlab_units::{Lapse, Operation, SectorSizes, Span, Stamp, words};
use platterlab_workload::Record;
use platterlab_workload::trace::{Incoming, TraceError, linux_name};

words! {
    /// When requests are given to the drive.
    pub enum Timing {
        /// At their recorded arrivals, or when the drive is done with the one before.
        Open = "open",
        /// At their recorded issue times and in that order, whatever the model makes of the one before.
        Issue = "issue",
        /// At the simulated completion of the one before plus the recorded think time.
        Closed = "closed",
    }
}

/// How to replay.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// When requests are given to the drive.
    pub timing: Timing,
    /// The trace's device to replay; `None` if it has only one.
    pub device: Option<u32>,
    /// Seed of all random streams.
    pub seed: u64,
    /// Served requests at the start that the summary leaves out.
    pub warm_up: u64,
    /// Bytes in one of the trace's sectors.
    pub trace_sector_bytes: u32,
    /// Whether the platter is kept in phase with the measured completions of earlier requests.
    pub track_phase: bool,
}

/// Why a replay cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The trace is wrong.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The trace is right but cannot be replayed like this.
    #[error("{0}")]
    Request(String),
}

/// A replay under way.
#[derive(Debug)]
pub struct Replay<S> {
    source: ByIssue<S>,
    drive: Drive,
    options: ReplayOptions,
    chance: LatencyStream,
    clock: Clock,
    phase: Option<PhaseTracker>,
    /// When the drive was done with the last request.
    done: Stamp,
    /// The device replayed, once known.
    device: Option<u32>,
    /// Other devices seen, the smallest few.
    others: Vec<u32>,
    requests: u64,
    summary: SummaryBuilder,
}

/// A request of a trace in the drive's sectors: all of those that it touches.
///
/// # Errors
/// Why the drive refuses it.
#[inline(always)]
pub fn command_of(
    record: &Record,
    trace_sector_bytes: u32,
    drive: &Drive,
) -> Result<Command, &'static str> {
    let layout = drive.layout();
    let sizes = SectorSizes {
        workload: trace_sector_bytes,
        logical: layout.logical_sector_bytes(),
        physical: layout.sector_bytes(),
    };
    let touched = sizes.touched(record.lba, record.sectors.into())?;
    let beyond = "beyond the end of the drive";
    let command = Command {
        lba: touched.lba,
        sectors: u32::try_from(touched.sectors).map_err(|_| beyond)?,
        operation: record.operation,
        may_report_early: true,
        partial: touched.partial,
    };
    match drive.check(&command) {
        Ok(()) => Ok(command),
        Err(Refusal::Empty) => Err("no sectors"),
        Err(Refusal::BeyondEnd) => Err(beyond),
        Err(Refusal::StraddlesEnd) => Err("straddles the end of the drive"),
    }
}

/// Checks the sectors that a trace counts against the logical sectors of a drive.
///
/// # Errors
/// Neither is a multiple of the other.
pub fn check_sectors(trace: u32, drive: &Drive) -> Result<(), ReplayError> {
    let (logical, physical) =
        (drive.layout().logical_sector_bytes(), drive.layout().sector_bytes());
    if (SectorSizes { workload: trace, logical, physical }).fit() {
        return Ok(());
    }
    Err(ReplayError::Request(format!(
        "the trace counts sectors of {trace} bytes, the drive has sectors of {logical}; one must be \
         a multiple of the other"
    )))
}

impl<S: Iterator<Item = Result<Record, TraceError>>> Replay<S> {
    /// A replay of `source` on `drive`.
    ///
    /// # Errors
    /// Sector sizes of which neither is a multiple of the other.
    pub fn new(source: S, drive: Drive, options: ReplayOptions) -> Result<Self, ReplayError> {
        check_sectors(options.trace_sector_bytes, &drive)?;
        let own = drive.layout().sector_bytes();
        Ok(Self {
            source: ByIssue::new(source, options.timing == Timing::Issue),
            chance: LatencyStream::new(options.seed),
            clock: Clock::default(),
            phase: options.track_phase.then(PhaseTracker::new),
            done: Stamp::ZERO,
            device: options.device,
            others: Vec::new(),
            requests: 0,
            summary: SummaryBuilder::new(&OUTCOMES, own, options.warm_up),
            drive,
            options,
        })
    }

    /// Serves the next request; `None` at the end of the trace.
    ///
    /// # Errors
    /// A trace that is wrong, or that cannot be replayed with these options.
    #[inline(always)]
    pub fn next_row(&mut self) -> Result<Option<Row>, ReplayError> {
        let row = self.next_served()?;
        if let Some(row) = &row {
            self.summary.add(row);
        }
        Ok(row)
    }

    /// The same without the row in the summary.
    #[inline(always)]
    pub(crate) fn next_served(&mut self) -> Result<Option<Row>, ReplayError> {
        loop {
            let record = match self.source.next() {
                Some(Ok(record)) => record,
                Some(Err(error)) => return Err(error.into()),
                None => return self.end().map(|()| None),
            };
            if self.device != Some(record.device) && !self.is_ours(record.device)? {
                continue;
            }
            self.requests += 1;
            match command_of(&record, self.options.trace_sector_bytes, &self.drive) {
                Ok(command) => return self.serve(&record, command).map(Some),
                Err(reason) => self.summary.refuse(reason),
            }
        }
    }

    /// The run in figures, so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary.finish()
    }

    /// What counts rows as this does.
    #[must_use]
    pub fn counting(&self) -> SummaryBuilder {
        SummaryBuilder::new(&OUTCOMES, self.drive.layout().sector_bytes(), self.options.warm_up)
    }

    /// The run in figures, of which another has counted the rows.
    #[must_use]
    pub fn summary_with(&self, rows: &SummaryBuilder) -> Summary {
        rows.beside(&self.summary).finish()
    }

    /// The trace reader.
    #[must_use]
    pub fn source(&self) -> &S {
        self.source.source()
    }

    fn is_ours(&mut self, device: u32) -> Result<bool, ReplayError> {
        let ours = *self.device.get_or_insert(device);
        if device == ours {
            return Ok(true);
        }
        if self.options.device.is_none() {
            return Err(ReplayError::Request(format!(
                "the trace has requests for devices {} and {}; name the one to replay",
                linux_name(ours),
                linux_name(device)
            )));
        }
        if self.others.len() < 16 && !self.others.contains(&device) {
            self.others.push(device);
            self.others.sort_unstable();
        }
        Ok(false)
    }

    #[cold]
    fn end(&self) -> Result<(), ReplayError> {
        match self.options.device {
            Some(device) if self.requests == 0 => {
                let others: Vec<_> = self.others.iter().map(|one| linux_name(*one)).collect();
                Err(ReplayError::Request(format!(
                    "the trace has no request for device {}; it has {}",
                    linux_name(device),
                    others.join(", ")
                )))
            }
            None if self.requests == 0 => {
                Err(ReplayError::Request("the trace has no request".to_owned()))
            }
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn serve(&mut self, record: &Record, command: Command) -> Result<Row, ReplayError> {
        let (arrival, issue) = self.issue(record).ok_or_else(|| self.unknown_issue())?;
        let drive = &mut self.drive;
        if let Some(turn) = self.phase.as_mut().and_then(|phase| phase.predict(issue)) {
            drive.turn(turn.by, turn.backwards);
        }
        if self.clock.must_move(issue) {
            clock::rebase(drive, self.clock.move_to(issue));
        }
        let time = self.clock.time(issue);
        let service = drive.serve(time, command, &mut self.chance);
        self.done = self.clock.stamp(service.completion);
        let number = self.requests - 1;
        let row = Row {
            device: record.device,
            request: number,
            measured: record.service,
            ..row(&command, [arrival, issue, self.done], &service)
        };
        debug_assert_eq!(
            self.done.since(issue),
            row.parts.list().map(Lapse::from).into_iter().sum(),
            "the parts make up the service time"
        );
        if record.operation == Operation::Write && !command.partial.is_whole() {
            self.summary.partial_write();
        }
        if service.cache == CacheOutcome::Miss {
            self.follow_platter(&row);
        }
        Ok(row)
    }

    fn follow_platter(&mut self, row: &Row) {
        let (Some(phase), Some(measured), Some(service)) =
            (&mut self.phase, row.measured, row.service().span())
        else {
            return;
        };
        let rotation = self.drive.mechanism().rotation().period();
        if let Some(turn) = phase.learn(row.issue, service, measured, rotation) {
            self.drive.turn(turn.by, turn.backwards);
        }
    }

    /// When the request arrives, and when the drive gets it; `None` where the trace does not say.
    #[inline(always)]
    fn issue(&self, record: &Record) -> Option<(Stamp, Stamp)> {
        let arrival = record.arrival;
        match self.options.timing {
            Timing::Open => Some((arrival, arrival.max(self.done))),
            Timing::Issue => Some((arrival, arrival + record.queued?)),
            // The platter's position follows the trace's clock.
            Timing::Closed if self.requests == 1 => Some((arrival, arrival)),
            Timing::Closed => {
                // Without a think time it was issued before the last completed.
                let think = record.think.or(record.service.map(|_| Span::ZERO))?;
                Some((self.done + think, self.done + think))
            }
        }
    }

    #[cold]
    fn unknown_issue(&self) -> ReplayError {
        let unknown = if self.options.timing == Timing::Issue { "issue" } else { "completion" };
        ReplayError::Request(format!(
            "request {} has no recorded {unknown} time; replay it with `open` timing",
            self.requests
        ))
    }
}

// Compiled here, a request's whole way in one loop, and not put into who calls it: there the same may be made
// small instead of quick.
impl Replay<Incoming> {
    /// Serves up to `count` requests and adds the row of each to `rows`: fewer only at the end. They are not
    /// in the summary: who sees them counts them, see [`Replay::counting`].
    ///
    /// # Errors
    /// As [`Replay::next_row`], after the rows before it.
    #[inline(never)]
    pub fn rows(&mut self, count: usize, rows: &mut Vec<Row>) -> Result<(), ReplayError> {
        self.each(count, |row| rows.push(*row)).map(drop)
    }

    /// Serves up to `count` requests of which nobody sees the rows: how many there were, fewer only at the end.
    /// `kept` counts them, and the summary does not.
    ///
    /// # Errors
    /// As [`Replay::next_row`].
    #[inline(never)]
    pub fn pass(&mut self, count: usize, kept: &mut Kept) -> Result<usize, ReplayError> {
        self.each(count, |row| kept.add(row))
    }

    #[inline(always)]
    fn each(&mut self, count: usize, mut show: impl FnMut(&Row)) -> Result<usize, ReplayError> {
        for done in 0..count {
            let Some(row) = self.next_served()? else { return Ok(done) };
            show(&row);
        }
        Ok(count)
    }
}
