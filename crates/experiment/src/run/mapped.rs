//! A trace's records, mapped from its devices to the volumes of a system.

use crate::options::TraceTiming;
use crate::plan::{Mapping, TracePlan};
use platterlab_workload::Record;
use platterlab_workload::trace::{Options, TraceError, TraceReader, linux_name, open};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The records of a trace for the volumes of a system.
pub(super) struct Mapped {
    reader: Box<dyn TraceReader + Send>,
    plan: TracePlan,
    /// Bytes of the file read so far.
    read: Arc<AtomicU64>,
    /// Requests that were given another place.
    wrapped: Arc<AtomicU64>,
    records: u32,
    failed: bool,
}

/// Records between two notes of how far the file is read.
const NOTE_EACH: u32 = 1 << 10;

impl Mapped {
    /// Opens the trace; `read` hears how many bytes have been read, `wrapped` how many requests were
    /// given another place. Also the file's size.
    pub(super) fn open(
        plan: &TracePlan,
        read: Arc<AtomicU64>,
        wrapped: Arc<AtomicU64>,
    ) -> Result<(Self, Option<u64>), TraceError> {
        let own_clock = matches!(plan.timing, TraceTiming::Open { own_clock: true, .. });
        let options = Options { own_clock, columns: plan.columns.clone(), ..Options::default() };
        let reader = open(&plan.path, plan.format, &options)?;
        let total = reader.bytes_total();
        Ok((Self { reader, plan: plan.clone(), read, wrapped, records: 0, failed: false }, total))
    }

    fn mapped(&self, record: Record) -> Result<Record, TraceError> {
        let facts = self.reader.facts();
        let refuse = |what| Err(TraceError::new(&facts.path, self.reader.place(), what));
        let mapping = match &self.plan.map {
            Some(map) => match map.get(record.device, self.reader.device_names()) {
                Some(mapping) => mapping,
                None => {
                    let names = self.reader.device_names();
                    let named = names.get(record.device as usize).cloned();
                    return refuse(format!(
                        "device {} goes nowhere; `map` has devices {}",
                        named.unwrap_or_else(|| linux_name(record.device)),
                        map.known()
                    ));
                }
            },
            None if (record.device as usize) < self.plan.volume_sectors.len() => Mapping {
                volume: record.device,
                location_bytes: None,
                size_scale: 1.0,
                offset_sectors: 0,
            },
            None => {
                return refuse(format!(
                    "device {} goes nowhere: there are {} volumes; say where with `map`",
                    linux_name(record.device),
                    self.plan.volume_sectors.len()
                ));
            }
        };
        let (own, sizes) = (facts.sector_bytes, self.plan.sizes);
        let bytes = u128::from(sizes.workload);
        let unit = u128::from(mapping.location_bytes.unwrap_or(own));
        let begin = u128::from(record.lba) * unit
            + u128::from(mapping.offset_sectors) * u128::from(sizes.physical);
        let length = f64::from(record.sectors) * mapping.size_scale * f64::from(own);
        // All that is touched: the start rounded down, the end up.
        let end = begin + (length.ceil() as u128).max(1);
        let (first, end) = (begin / bytes, end.div_ceil(bytes));
        let sectors = u32::try_from(end - first).unwrap_or(u32::MAX);
        let first = u64::try_from(first).unwrap_or(u64::MAX);
        let lba = self.placed(mapping.volume, first, sectors)?;
        Ok(Record { device: mapping.volume, lba, sectors, ..record })
    }

    /// Where a request lies on a volume, in sectors of the workload.
    fn placed(&self, volume: u32, first: u64, sectors: u32) -> Result<u64, TraceError> {
        let sizes = self.plan.sizes;
        let bytes =
            u128::from(self.plan.volume_sectors[volume as usize]) * u128::from(sizes.physical);
        let end = u64::try_from(bytes / u128::from(sizes.workload)).unwrap_or(u64::MAX);
        let (lba, moved) = self.plan.beyond.place(first, sectors, end).map_err(|what| {
            let what = format!(
                "{what} of volume {volume}, which has {end} sectors of {} bytes; --beyond skip, or \
                 beyond = \"skip\" in the workload, leaves such requests out, wrap folds them back",
                sizes.workload
            );
            TraceError::new(&self.reader.facts().path, self.reader.place(), what)
        })?;
        self.wrapped.fetch_add(u64::from(moved), Ordering::Relaxed);
        Ok(lba)
    }
}

impl Iterator for Mapped {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.records = (self.records + 1) % NOTE_EACH;
        if self.records == 0 {
            self.read.store(self.reader.bytes_read(), Ordering::Relaxed);
        }
        let record = self.reader.next()?.and_then(|record| self.mapped(record));
        self.failed = record.is_err();
        Some(record)
    }
}
