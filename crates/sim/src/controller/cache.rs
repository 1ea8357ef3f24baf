//! The cache of a controller: its jobs, and what must not be under way at the same time.

use super::lines::Lines;
use super::{CacheOptions, CacheReport, Store, WriteScheme};
use crate::array::Piece;
use crate::chance::LatencyStream;
use crate::engine::{Cell, Slab};
use crate::outside::Evictor;
use platterlab_units::Operation;
use std::ops::Range;

/// Stages of a job's commands.
pub(super) const LIFT: u8 = 0;
pub(super) const FLUSH: u8 = 1;
pub(super) const FETCH: u8 = 2;
pub(super) const STORE: u8 = 3;

/// A cache and the jobs under way in it.
///
/// A job is what one command of the host, or a flush, makes the controller do. It begins only when
/// nothing that is under way stands against it ([`Cache::begin`] gives nothing otherwise), so no two
/// jobs write the same sectors of a device at a time, and none reads what another is writing.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    pub(super) options: CacheOptions,
    pub(super) lines: Lines,
    pub(super) flights: Vec<Flight>,
    pub(super) jobs: Slab<Job>,
    pub(super) pool: Vec<Vec<Part>>,
    pub(super) device_sectors: Vec<u64>,
    pub(super) tally: CacheReport,
    /// Whether the device that keeps the data has failed.
    broken: bool,
}

/// Sectors of a device that a job reads or writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) device: u32,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) job: u32,
    pub(super) operation: Operation,
}

/// A line of a job: what is fetched into it and what the host writes to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) slot: u32,
    pub(super) fetched: u64,
    pub(super) written: u64,
}

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A command of the host, through the cache.
    Cached,
    /// A command of the host, past the cache.
    Bypass,
    Flush,
}

#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) kind: Kind,
    /// The command of the host, or for a flush nothing that means anything.
    pub(super) want: Piece,
    pub(super) parts: Vec<Part>,
    /// Granules that were dirty and are on their way to a device.
    pub(super) flushed: u64,
}

impl Cell for Job {
    fn spare(&mut self) -> &mut u32 {
        &mut self.want.sectors
    }
}

/// What comes when a job has made ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ready {
    /// Whether the host hears now rather than when the job is over.
    pub(crate) reply: bool,
    /// Whether there is more to do; else the job is over.
    pub(crate) more: bool,
}

impl Cache {
    pub(crate) fn new(
        options: CacheOptions,
        device_sectors: Vec<u64>,
        chance: LatencyStream,
    ) -> Self {
        Self {
            lines: Lines::new(&options, chance),
            options,
            flights: Vec::new(),
            jobs: Slab::new(),
            pool: Vec::new(),
            device_sectors,
            tally: CacheReport::default(),
            broken: false,
        }
    }

    /// From now on `evictor` decides which line makes room; the cache is empty.
    pub(crate) fn replaced_by(&mut self, evictor: Box<dyn Evictor>) {
        self.lines.replaced_by(evictor);
    }

    pub(crate) fn options(&self) -> &CacheOptions {
        &self.options
    }

    /// Whether a sector is there.
    #[cfg(test)]
    pub(super) fn holds(&self, device: u32, lba: u64) -> bool {
        let number = lba / self.lines.line_sectors;
        self.lines.find((device, number)).is_some_and(|slot| {
            self.lines.at(slot).present & self.lines.touched(number, lba, lba + 1) != 0
        })
    }

    pub(crate) fn report(&self) -> CacheReport {
        let granule = u64::from(self.options.granule_sectors);
        CacheReport {
            dirty_sectors: self.lines.dirty_granules * granule,
            lost_sectors: self.tally.lost_sectors * granule,
            flushed_sectors: self.tally.flushed_sectors * granule,
            ..self.tally.clone()
        }
    }

    pub(super) fn end(&self, device: u32) -> u64 {
        self.device_sectors[device as usize]
    }

    /// Whether a job under way stands against the use of sectors of a device.
    pub(super) fn conflict(
        &self,
        device: u32,
        sectors: &Range<u64>,
        with: impl Fn(Operation) -> bool,
    ) -> bool {
        let meets = |flight: &Flight| {
            flight.device == device && flight.from < sectors.end && sectors.start < flight.to
        };
        self.flights.iter().any(|flight| meets(flight) && with(flight.operation))
    }

    pub(super) fn fly(&mut self, job: u32, device: u32, from: u64, to: u64, operation: Operation) {
        self.flights.push(Flight { device, from, to, job, operation });
    }

    /// Begins a command of the host; its commands to devices go to `out`. Nothing comes back if it
    /// has to wait until another job is over.
    pub(crate) fn begin(&mut self, want: Piece, out: &mut Vec<Piece>) -> Option<u32> {
        if self.broken || want.sectors > self.options.max_request_sectors {
            self.begin_bypass(want, out)
        } else {
            self.begin_cached(want, out)
        }
    }

    pub(super) fn open(&mut self, kind: Kind, want: Piece) -> u32 {
        let parts = self.pool.pop().unwrap_or_default();
        self.jobs.insert(Job { kind, want, parts, flushed: 0 })
    }

    /// The first commands of a job are done: the data is there, or there is room for it.
    pub(crate) fn ready(&mut self, id: u32, out: &mut Vec<Piece>) -> Ready {
        let Job { kind, want, .. } = self.jobs[id];
        let over = Ready { reply: true, more: false };
        match (kind, want.operation) {
            (Kind::Flush, _) => Ready { reply: false, more: false },
            (Kind::Bypass, _) => over,
            (Kind::Cached, Operation::Read) => {
                if let Store::Device(device) = self.options.store {
                    self.keep(id, device, out);
                }
                Ready { reply: true, more: !out.is_empty() }
            }
            (Kind::Cached, Operation::Write) => {
                if self.options.write.is_back() {
                    return over;
                }
                self.commit(id);
                out.push(Piece { stage: 0, rewrite: false, ..want });
                Ready { reply: self.options.write == WriteScheme::ThroughEarly, more: true }
            }
        }
    }

    /// What was fetched goes to the device that keeps it.
    fn keep(&mut self, id: u32, store: u32, out: &mut Vec<Piece>) {
        for index in 0..self.jobs[id].parts.len() {
            let part = self.jobs[id].parts[index];
            self.stored(store, part.slot, part.fetched, Operation::Write, LIFT, out);
        }
    }

    /// A job is over.
    pub(crate) fn finish(&mut self, id: u32) {
        self.commit(id);
        self.tally.flushed_sectors += self.jobs[id].flushed;
        self.close(id);
    }

    /// A device failed under a job: nothing comes of it.
    pub(crate) fn abort(&mut self, id: u32) {
        self.tally.lost_sectors += self.jobs[id].flushed;
        self.close(id);
    }

    fn close(&mut self, id: u32) {
        let mut parts = std::mem::take(&mut self.jobs[id].parts);
        for part in parts.drain(..) {
            self.lines.unpin(part.slot);
        }
        self.pool.push(parts);
        self.flights.retain(|flight| flight.job != id);
        self.jobs.remove(id);
    }

    /// What a job fetched and wrote is in the lines now.
    fn commit(&mut self, id: u32) {
        let back = self.options.write.is_back();
        for index in 0..self.jobs[id].parts.len() {
            let part = &mut self.jobs[id].parts[index];
            let Part { slot, fetched, written } = *part;
            (part.fetched, part.written) = (0, 0);
            self.lines.fill(slot, fetched | written);
            if back && written != 0 {
                self.lines.mark_dirty(slot, written);
            }
        }
    }

    /// The memory loses what it holds; a battery keeps what is dirty, and with it all the rest.
    pub(crate) fn lose_power(&mut self) {
        if self.options.write == WriteScheme::BatteryBacked {
            return;
        }
        for slot in self.lines.slots() {
            let lost = self.lines.empty(slot);
            self.tally.lost_sectors += u64::from(lost.count_ones());
        }
    }

    /// A device has failed: nothing can be written to it any more, or kept on it.
    pub(crate) fn device_failed(&mut self, device: u32) {
        self.broken |= self.options.store == Store::Device(device);
        for slot in self.lines.slots() {
            if self.broken || self.lines.at(slot).key.0 == device {
                let lost = self.lines.empty(slot);
                self.tally.lost_sectors += u64::from(lost.count_ones());
            }
        }
    }
}
