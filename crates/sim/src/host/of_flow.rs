use super::options::{FileReadAhead, HostOptions, Journal, Syncer};
use platterlab_units::{Span, Time};
use platterlab_workload::flow::{Cause, Event, FlowHeader, Item, PauseKind, Record};

/// Longest turn of a process that others wait behind: Linux's default for fair tasks is of this order.
const QUANTUM: Span = Span::from_us(3_000);

/// What the records of a captured flow say about its computer beside its header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowTraits {
    ready: Span,
    waits: u64,
    syncs: u64,
    journal: Option<(u64, u64)>,
    journal_requests: u64,
    journal_sectors: u64,
    end: Time,
}

impl FlowTraits {
    /// Takes a record into account.
    pub fn take(&mut self, record: &Record) {
        self.end = self.end.max(record.at);
        match &record.item {
            Item::Pause(pause) if pause.kind == PauseKind::Runnable => self.ready += pause.span,
            Item::Pause(_) => self.waits += 1,
            Item::Step(step) => {
                self.syncs += u64::from(matches!(step.event, Event::Sync { .. } | Event::SyncAll));
            }
            Item::Observed(request) if request.cause == Cause::Journal => {
                let end = request.lba + u64::from(request.sectors);
                let (first, last) = self.journal.unwrap_or((request.lba, end));
                self.journal = Some((first.min(request.lba), last.max(end)));
                self.journal_requests += 1;
                self.journal_sectors += u64::from(request.sectors);
            }
            _ => {}
        }
    }

    /// What it takes to come back from a wait: all time in which processes could run and did not, by
    /// the number of waits. Work of others on the same computer is in it.
    fn wake_up(&self) -> Span {
        if self.waits == 0 { Span::ZERO } else { self.ready / self.waits }
    }

    /// The log as it was written: so many requests of the mean length for each sync.
    fn journal(&self) -> Option<Journal> {
        let (first, end) = self.journal.filter(|_| self.syncs > 0)?;
        let requests = (self.journal_requests + self.syncs / 2) / self.syncs;
        let record_sectors = (self.journal_sectors / self.journal_requests).max(1) as u32;
        let sectors = (end - first).clamp(u64::from(record_sectors), u64::from(u32::MAX)) as u32;
        (requests > 0).then_some(Journal {
            lba: first,
            sectors,
            record_sectors,
            records: requests as u32,
        })
    }
}

impl HostOptions {
    /// The computer that a flow was captured on, or is meant for.
    #[must_use]
    pub fn of_flow(header: &FlowHeader, traits: &FlowTraits) -> Self {
        let page_sectors = header.machine.page_bytes / header.device.sector_bytes;
        let memory = header.machine.memory_pages;
        let share = |percent: f64| (memory as f64 * percent / 100.0) as u64;
        let ms = |ms: f64| Span::from_ms(ms).unwrap_or(Span::MAX);
        let cache = &header.cache;
        Self {
            cpus: header.machine.cpus,
            speed: 1.0,
            quantum: QUANTUM,
            context_switch: Span::ZERO,
            wake_up: traits.wake_up(),
            interrupt: Span::ZERO,
            syncer_request: Span::ZERO,
            memory_pages: memory,
            page_sectors,
            request_pages: (header.device.max_request_sectors / page_sectors).max(1),
            read_ahead: match cache.read_ahead_pages {
                0 => FileReadAhead::Off,
                1 => FileReadAhead::Next { cluster_pages: u32::MAX },
                pages => FileReadAhead::Window(pages),
            },
            syncer: Syncer::Expire {
                interval: ms(header.syncer.interval_ms),
                expire: ms(header.syncer.expire_ms),
                background_pages: share(cache.dirty_background_percent),
            },
            dirty_limit_pages: Some(share(cache.dirty_percent).max(1)),
            journal: traits.journal(),
            volume: 0,
            unplaced_lba: header.device.sectors / 2,
        }
    }
}
