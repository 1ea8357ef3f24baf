//! The report of served sessions.

use super::session::Session;
use super::{LevelColumns, Spans};
use platterlab_drive::Service;
use platterlab_results::DistributionSummary;
use platterlab_units::{Lapse, Span, Stamp};
use serde::Serialize;

/// What came of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct AvReport {
    /// Rounds served.
    pub rounds: u64,
    /// Rounds that began late because the one before was not over.
    pub late_rounds: u64,
    /// I/Os served.
    pub ios: u64,
    /// I/Os that took more than one command.
    pub split_ios: u64,
    /// Commands the drive served.
    pub commands: u64,
    /// Commands that moved the arm.
    pub seeks: u64,
    /// Cylinders crossed per command, on average.
    pub mean_seek_cylinders: f64,
    /// Length of the run.
    pub elapsed_ms: f64,
    /// Time in which neither drive nor host was busy with an I/O.
    pub idle_ms: f64,
    /// Times from the issue of an I/O to its last byte.
    pub response: Option<DistributionSummary>,
    /// Times from the start of a round to its last byte.
    pub round: Option<DistributionSummary>,
    /// Session by session.
    pub sessions: Vec<AvSessionReport>,
    /// Buffer levels over time.
    #[serde(skip)]
    pub levels: LevelColumns,
}

/// What came of one session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct AvSessionReport {
    /// From the start of the run until it played; 0 for a recording.
    pub start_up_ms: Option<f64>,
    /// Times it ran out of data, or of room to record into.
    pub underruns: u64,
    /// How long it stood still in all.
    pub stalled_ms: f64,
    /// The least time by which an I/O came before it was needed.
    pub least_slack_ms: Option<f64>,
    /// The most that was in its buffer, in bytes.
    pub most_buffered_bytes: f64,
    /// Times from the issue of an I/O to its last byte.
    pub response: Option<DistributionSummary>,
}

/// Figures that grow with the run.
#[derive(Debug)]
pub(super) struct AvTally {
    sector_bytes: u32,
    pub(super) rounds: Spans,
    pub(super) levels: LevelColumns,
    /// Time the host took to hand I/Os over.
    pub(super) host: Lapse,
    late_rounds: u64,
    split_ios: u64,
    commands: u64,
    seeks: u64,
    crossed_cylinders: u64,
    responses: Spans,
    busy: Lapse,
}

impl AvTally {
    pub(super) fn new(sector_bytes: u32) -> Self {
        Self {
            sector_bytes,
            rounds: Spans::new(),
            levels: LevelColumns::default(),
            host: Lapse::ZERO,
            late_rounds: 0,
            split_ios: 0,
            commands: 0,
            seeks: 0,
            crossed_cylinders: 0,
            responses: Spans::new(),
            busy: Lapse::ZERO,
        }
    }

    pub(super) fn round_starts(&mut self, planned: Stamp, now: Stamp) {
        self.late_rounds += u64::from(now > planned);
    }

    pub(super) fn command(&mut self, service: &Service) {
        self.commands += 1;
        self.seeks += u64::from(service.seek_distance > 0);
        self.crossed_cylinders += u64::from(service.seek_distance);
    }

    pub(super) fn io(&mut self, commands: usize, response: Span) {
        self.split_ios += u64::from(commands > 1);
        self.responses.add(response);
        self.busy += response;
    }

    pub(super) fn finish(self, now: Stamp, sessions: &[Session]) -> AvReport {
        let rounds = self.rounds.summary();
        let response = self.responses.summary();
        AvReport {
            rounds: rounds.as_ref().map_or(0, |all| all.count),
            late_rounds: self.late_rounds,
            ios: response.as_ref().map_or(0, |all| all.count),
            split_ios: self.split_ios,
            commands: self.commands,
            seeks: self.seeks,
            mean_seek_cylinders: self.crossed_cylinders as f64 / self.commands.max(1) as f64,
            elapsed_ms: now.as_ms(),
            idle_ms: now.since(Stamp::ZERO + self.busy + self.host).as_ms(),
            response,
            round: rounds,
            sessions: sessions.iter().map(|session| self.session(session)).collect(),
            levels: self.levels,
        }
    }

    fn session(&self, session: &Session) -> AvSessionReport {
        let ios = session.most_buffered.as_ps() as f64 / session.io_span.as_ps() as f64;
        let io_bytes = f64::from(session.io_sectors) * f64::from(self.sector_bytes);
        AvSessionReport {
            start_up_ms: session.start_up.map(Stamp::as_ms),
            underruns: session.stalls,
            stalled_ms: session.stalled.as_ms(),
            least_slack_ms: session.least_slack.map(Lapse::as_ms),
            most_buffered_bytes: ios * io_bytes,
            response: session.responses.summary(),
        }
    }
}
