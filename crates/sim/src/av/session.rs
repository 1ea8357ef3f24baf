//! One session's buffer against time.

use super::{AvOptions, AvSession, LevelColumns, Spans};
use platterlab_units::{Lapse, Operation, Span, Stamp};
use platterlab_workload::synthetic::AvRequests;

/// A session under way.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) requests: AvRequests,
    pub(super) operation: Operation,
    /// How long one I/O plays.
    pub(super) io_span: Span,
    pub(super) io_sectors: u32,
    first_lba: u64,
    ios: u64,
    buffers: u64,
    start_after: u64,
    /// I/Os that the drive is done with.
    pub(super) done: u64,
    /// When the first I/O started to play, put off by every stall; recording starts at zero.
    playing_since: Option<Stamp>,
    pub(super) start_up: Option<Stamp>,
    pub(super) stalls: u64,
    pub(super) stalled: Lapse,
    pub(super) responses: Spans,
    /// The least time that data in the buffer, or room for it, still lasted when an I/O was done.
    pub(super) least_slack: Option<Lapse>,
    /// The most that was in the buffer, in picoseconds of playing.
    pub(super) most_buffered: Lapse,
}

impl Session {
    pub(super) fn new(
        session: &AvSession,
        requests: AvRequests,
        io_span: Span,
        options: &AvOptions,
    ) -> Self {
        let recording = session.file.operation == Operation::Write;
        let since = recording.then_some(Stamp::ZERO);
        Self {
            requests,
            operation: session.file.operation,
            io_span,
            io_sectors: session.file.io_sectors,
            first_lba: session.file.first_lba,
            ios: session.file.ios,
            buffers: u64::from(options.buffers),
            start_after: u64::from(options.start_after).min(session.file.ios),
            done: 0,
            playing_since: since,
            start_up: since,
            stalls: 0,
            stalled: Lapse::ZERO,
            responses: Spans::new(),
            least_slack: None,
            most_buffered: Lapse::ZERO,
        }
    }

    pub(super) fn first_lba(&self) -> u64 {
        self.first_lba
    }

    /// How long this many I/Os last.
    fn plays(&self, ios: u64) -> Lapse {
        Lapse::from_ps(u128::from(self.io_span.as_ps()) * u128::from(ios))
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.ios
    }

    /// Whether the buffer has room for an I/O to be read, or a whole one to be written.
    pub(super) fn has_room(&self, now: Stamp) -> bool {
        if self.is_done() {
            return false;
        }
        match (self.operation, self.playing_since) {
            (Operation::Read, None) => true,
            (Operation::Read, Some(since)) => {
                let played = (self.done + 1).saturating_sub(self.buffers);
                played == 0 || now >= since + self.plays(played)
            }
            (Operation::Write, since) => {
                now >= since.unwrap_or_default() + self.plays(self.done + 1)
            }
        }
    }

    /// The next I/O is done: plays on, or says that it stood still. A session starts to play with
    /// the round that is planned at `next`, which is not before `now`.
    pub(super) fn delivered(&mut self, now: Stamp, next: Stamp, response: Span) {
        self.responses.add(response);
        if let Some(since) = self.playing_since {
            // Read: when this I/O has to be there. Written: when its buffer is needed again.
            let due = match self.operation {
                Operation::Read => since + self.plays(self.done),
                Operation::Write => since + self.plays(self.done + self.buffers),
            };
            let late = now.since(due);
            let slack = due.since(now);
            self.least_slack = Some(self.least_slack.map_or(slack, |least| least.min(slack)));
            if late > Lapse::ZERO {
                self.stalls += 1;
                self.stalled += late;
                self.playing_since = Some(since + late);
            }
        }
        self.done += 1;
        if self.playing_since.is_none() && self.done >= self.start_after {
            self.playing_since = Some(next);
            self.start_up = self.playing_since;
        }
    }

    /// Notes what is in the buffer now and what was, both as times it plays.
    pub(super) fn note_level(
        &mut self,
        index: usize,
        before: Lapse,
        now: Stamp,
        levels: &mut LevelColumns,
    ) {
        let after = self.buffered(now);
        self.most_buffered = self.most_buffered.max(before).max(after);
        let ios = |time: Lapse| time.as_ps() as f64 / self.io_span.as_ps() as f64;
        levels.push(index, now, ios(before), ios(after));
    }

    /// What is in the buffer at `now`, as the time it plays.
    pub(super) fn buffered(&self, now: Stamp) -> Lapse {
        let done = Stamp::ZERO + self.plays(self.done);
        let Some(since) = self.playing_since else { return done - Stamp::ZERO };
        let played = Stamp::ZERO + now.since(since);
        match self.operation {
            Operation::Read => done.since(played),
            Operation::Write => played.since(done),
        }
    }
}
