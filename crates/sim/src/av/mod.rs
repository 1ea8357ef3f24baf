//! Audio and video from one drive: sessions that take one I/O each a period, and the buffers that
//! have to bridge the time between (Gim 2009, Sections 2 and 5).
//!
//! Contract: a round begins with its period, or when the round before it ends if that is later. In
//! it every session whose buffer has room is served once, one command at a time. Between rounds
//! the drive is idle. A session starts to play with the beginning of a round: were it later, its
//! buffer would have room that much after each round's beginning, too late for that round. A session
//! that has to wait for data, or for room to record into, stands still until the drive has caught
//! up, and that is counted.

mod levels;
mod report;
mod session;

pub use levels::LevelColumns;
pub use report::{AvReport, AvSessionReport};

use crate::chance::LatencyStream;
use crate::clock::{self, Clock};
use platterlab_drive::{Chance, Command, Drive};
use platterlab_results::Distribution;
use platterlab_units::{Lapse, Partial, Span, Stamp, words};
use platterlab_workload::synthetic::{AvFile, Fragmentation};
use report::AvTally;
use session::Session;

/// One session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvSession {
    /// Its file.
    pub file: AvFile,
    /// What it plays or records, in bits per second.
    pub rate_bit_s: u64,
}

words! {
    /// In which sequence a round serves the sessions.
    pub enum RoundOrder {
        /// As they are listed.
        Listed = "listed",
        /// By address, up and down in turn.
        Sweep = "sweep",
    }
}

/// How to serve sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct AvOptions {
    /// From the start of one round to the start of the next; what the first session's I/O lasts
    /// where `None`.
    pub period: Option<Span>,
    /// Buffers of one I/O each that a session has: 2 is double buffering.
    pub buffers: u32,
    /// I/Os in the buffer before a session starts to play, with the next round.
    pub start_after: u32,
    /// The sequence within a round.
    pub order: RoundOrder,
    /// The host hands over each I/O up to this much after it could, evenly spread.
    pub host_spread: Span,
    /// How files come to be in pieces.
    pub fragmentation: Fragmentation,
    /// Seed of all random streams.
    pub seed: u64,
}

/// Why sessions cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AvError(String);

/// Sessions being served by a drive.
#[derive(Debug)]
pub struct AvRun {
    drive: Drive,
    sessions: Vec<Session>,
    options: AvOptions,
    period: Span,
    latency: LatencyStream,
    host: LatencyStream,
    now: Stamp,
    /// The clock of the drive.
    clock: Clock,
    tally: AvTally,
}

impl AvRun {
    /// Sessions that all start at time zero on `drive`.
    ///
    /// # Errors
    /// A session that is none, or options that make none of them play.
    pub fn new(sessions: &[AvSession], drive: Drive, options: AvOptions) -> Result<Self, AvError> {
        let refuse = |what: String| Err(AvError(what));
        if sessions.is_empty() {
            return refuse("no session is asked for; ask for at least one".into());
        }
        if !(1..=options.buffers).contains(&options.start_after) {
            return refuse(format!(
                "a session of {} buffers cannot start after {}; write 1 to {}",
                options.buffers,
                options.start_after,
                options.buffers.max(1)
            ));
        }
        let capacity = drive.layout().capacity();
        let sector_bytes = drive.layout().sector_bytes();
        let mut built = Vec::with_capacity(sessions.len());
        for (number, session) in (0..).zip(sessions) {
            let requests = session
                .file
                .requests(number, options.fragmentation, capacity, options.seed)
                .map_err(|error| AvError(format!("session {}: {error}", number + 1)))?;
            let Some(io_span) = io_span(session, sector_bytes) else {
                return refuse(format!(
                    "session {}: {} bit/s; a rate must be above 0 and an I/O last less than 3 hours",
                    number + 1,
                    session.rate_bit_s
                ));
            };
            built.push(Session::new(session, requests, io_span, &options));
        }
        let period = options.period.unwrap_or(built[0].io_span);
        check_period(&built, period)?;
        Ok(Self {
            period,
            tally: AvTally::new(sector_bytes),
            latency: LatencyStream::new(options.seed),
            host: LatencyStream::named(options.seed, u64::from_le_bytes(*b"av hosts")),
            now: Stamp::ZERO,
            clock: Clock::default(),
            drive,
            sessions: built,
            options,
        })
    }

    /// Serves every session to the end of its file.
    #[must_use]
    pub fn run(mut self) -> AvReport {
        let (mut round, mut planned) = (0, Stamp::ZERO);
        while self.sessions.iter().any(|session| !session.is_done()) {
            self.tally.round_starts(planned, self.now);
            let start = self.now.max(planned);
            self.now = start;
            for index in self.order(round) {
                self.serve(index, planned);
            }
            self.tally.rounds.add(self.now - start);
            round += 1;
            planned += self.period;
        }
        self.tally.finish(self.now, &self.sessions)
    }

    /// The sessions in the sequence of round `round`.
    fn order(&self, round: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sessions.len()).collect();
        if self.options.order == RoundOrder::Sweep {
            order.sort_by_key(|index| (self.sessions[*index].first_lba(), *index));
            if round % 2 == 1 {
                order.reverse();
            }
        }
        order
    }

    /// One I/O of a session, if there is room for it, in the round that was planned at `planned`.
    fn serve(&mut self, index: usize, planned: Stamp) {
        let session = &mut self.sessions[index];
        if !session.has_room(self.now) {
            return;
        }
        let Some(io) = session.requests.next() else { return };
        let host = self.host.angle().span(self.options.host_spread);
        self.tally.host += host;
        let at = self.now + host;
        if self.clock.must_move(at) {
            clock::rebase(&mut self.drive, self.clock.move_to(at));
        }
        let issue = self.clock.time(at);
        let mut done = issue;
        for piece in io.pieces() {
            let command = Command {
                lba: piece.lba,
                sectors: piece.sectors,
                operation: session.operation,
                may_report_early: true,
                partial: Partial::WHOLE,
            };
            let service = self.drive.serve(done, command, &mut self.latency);
            self.tally.command(&service);
            done = service.completion;
        }
        let response = done - issue;
        self.tally.io(io.pieces().len(), response);
        let done = self.clock.stamp(done);
        let before = session.buffered(done);
        let period = u128::from(self.period.as_ps());
        let rounds = done.since(planned).as_ps().div_ceil(period).max(1);
        session.delivered(done, planned + Lapse::from_ps(rounds * period), response);
        session.note_level(index, before, done, &mut self.tally.levels);
        self.now = done;
    }
}

/// How long one I/O of a session lasts, in whole picoseconds.
fn io_span(session: &AvSession, sector_bytes: u32) -> Option<Span> {
    let bits = u128::from(session.file.io_sectors) * u128::from(sector_bytes) * 8;
    let ps = (bits * 1_000_000_000_000).checked_div(u128::from(session.rate_bit_s))?;
    u64::try_from(ps).ok().filter(|ps| *ps > 0 && *ps < 1 << 53).map(Span::from_ps)
}

/// Checks that rounds are not too short to get anywhere.
fn check_period(built: &[Session], period: Span) -> Result<(), AvError> {
    for (number, built) in (1..).zip(built) {
        if period.as_ps() < built.io_span.as_ps() / 1_000 || period == Span::ZERO {
            return Err(AvError(format!(
                "session {number}: a period of {period} is below a thousandth of the {} that an \
                 I/O lasts; make it longer",
                built.io_span
            )));
        }
    }
    Ok(())
}

/// A distribution under its common name here.
type Spans = Distribution;
