use crate::plan::{Mapping, TracePlan};
use platterlab_workload::Record;
use platterlab_workload::trace::{Options, TraceError, TraceReader, open};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The records of a trace for the volumes of a system.
pub(super) struct Mapped {
    reader: Box<dyn TraceReader + Send>,
    plan: TracePlan,
    /// Bytes of the file read so far.
    read: Arc<AtomicU64>,
    records: u32,
    failed: bool,
}

/// Records between two notes of how far the file is read.
const NOTE_EACH: u32 = 1 << 10;

impl Mapped {
    /// Opens the trace; `read` hears how many bytes have been read. Also the file's size.
    pub(super) fn open(
        plan: &TracePlan,
        read: Arc<AtomicU64>,
    ) -> Result<(Self, Option<u64>), TraceError> {
        let reader = open(&plan.path, plan.format, &Options::default())?;
        let total = reader.bytes_total();
        Ok((Self { reader, plan: plan.clone(), read, records: 0, failed: false }, total))
    }

    fn mapped(&self, record: Record) -> Result<Record, TraceError> {
        let facts = self.reader.facts();
        let refuse = |what| Err(TraceError::new(&facts.path, self.reader.place(), what));
        let mapping = match &self.plan.map {
            Some(map) => match map.get(&record.device) {
                Some(mapping) => *mapping,
                None => {
                    let known: Vec<String> = map.keys().map(ToString::to_string).collect();
                    return refuse(format!(
                        "device {} goes nowhere; `map` has devices {}",
                        record.device,
                        known.join(", ")
                    ));
                }
            },
            None if record.device < self.plan.volumes => Mapping {
                volume: record.device,
                location_bytes: None,
                size_scale: 1.0,
                offset_sectors: 0,
            },
            None => {
                return refuse(format!(
                    "device {} goes nowhere: there are {} volumes; say where with `map`",
                    record.device, self.plan.volumes
                ));
            }
        };
        let (own, bytes) = (facts.sector_bytes, u128::from(self.plan.sector_bytes));
        let unit = u128::from(mapping.location_bytes.unwrap_or(own));
        let lba = u128::from(record.lba) * unit / bytes + u128::from(mapping.offset_sectors);
        let length = f64::from(record.sectors) * mapping.size_scale * f64::from(own) / bytes as f64;
        Ok(Record {
            device: mapping.volume,
            lba: u64::try_from(lba).unwrap_or(u64::MAX),
            sectors: length.ceil().clamp(1.0, f64::from(u32::MAX)) as u32,
            ..record
        })
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
