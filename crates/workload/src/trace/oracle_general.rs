//! The binary traces of libCacheSim, `oracleGeneral`: also CloudPhysics' and other block traces.

use super::over_source::over_source;
use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT};

use super::checks::{ArrivalChecks, extent};
use super::{Declared, Format, Note, Notes, Source, TraceError, TraceFacts};
use crate::{Criticality, Record};
use std::collections::BTreeSet;

/// Bytes of a record, without padding, in the order of bytes of x86.
const RECORD_BYTES: usize = 24;
/// How many records have to look like ones.
const LOOKED_AT: usize = 256;
/// More records than any trace has.
const MOST_RECORDS: i64 = 1 << 40;
/// The next use of what is never used again; -2 in older files.
const NEVER: [i64; 3] = [-1, -2, i64::MAX];

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "oracle-general",
    title: "libCacheSim's oracleGeneral (binary): CloudPhysics and others",
    columns: &[
        ["time", "s, 32 bits", "when the request came"],
        ["object", "sectors of 512 bytes, 64 bits", "what it is for: taken as the first sector"],
        ["size", "bytes, 32 bits", "how long it is"],
        ["next use", "records, 64 bits", "not used"],
    ],
    silent: "Whether a request reads or writes: all are taken as reads. Parts of a second; which \
             device; how long anything took. Objects that are not addresses (of caches of the web) \
             make no block trace.",
    sniff,
    open: |source, _| Ok(Box::new(OracleGeneral::new(source))),
};

/// One record's fields.
struct Fields {
    time_s: u32,
    object: u64,
    bytes: u32,
    next_use: i64,
}

impl Fields {
    fn of(record: &[u8]) -> Option<Self> {
        Some(Self {
            time_s: u32::from_le_bytes(*record.first_chunk()?),
            object: u64::from_le_bytes(*record.get(4..)?.first_chunk()?),
            bytes: u32::from_le_bytes(*record.get(12..)?.first_chunk()?),
            next_use: i64::from_le_bytes(*record.get(16..)?.first_chunk()?),
        })
    }
}

/// True if the first records are in order of time, have lengths, and are used again later, each at a
/// place of its own, or never.
fn sniff(head: &[u8]) -> bool {
    let mut before = 0;
    let mut count = 0;
    let mut used = BTreeSet::new();
    for (at, record) in head.chunks_exact(RECORD_BYTES).take(LOOKED_AT).enumerate() {
        let Some(fields) = Fields::of(record) else { return false };
        let again = (at as i64 + 1..MOST_RECORDS).contains(&fields.next_use);
        let later = NEVER.contains(&fields.next_use) || (again && used.insert(fields.next_use));
        // A text has letters, digits and blanks where a length has its highest byte.
        if fields.time_s < before || !later || fields.bytes == 0 || fields.bytes > 1 << 26 {
            return false;
        }
        before = fields.time_s;
        count += 1;
    }
    count >= 2
}

/// A reader of libCacheSim's binary traces.
struct OracleGeneral {
    source: Source,
    facts: TraceFacts,
    arrivals: ArrivalChecks,
    notes: Notes,
}

impl OracleGeneral {
    fn new(source: Source) -> Self {
        let facts = source.facts(Format::OracleGeneral, SECTOR_BYTES_DEFAULT);
        Self { source, facts, arrivals: ArrivalChecks::default(), notes: Notes::default() }
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        let at = self.source.offset();
        let Some(bytes) = self.source.take(RECORD_BYTES, "a record")? else { return Ok(None) };
        let Some(fields) = Fields::of(bytes) else { return Ok(None) };
        let record = self.request(&fields);
        record.map(Some).map_err(|what| self.source.error_at_byte(at, what))
    }

    fn request(&mut self, fields: &Fields) -> Result<Record, String> {
        let sectors = fields.bytes.div_ceil(SECTOR_BYTES_DEFAULT);
        self.notes.count_if(Note::Widened, !fields.bytes.is_multiple_of(SECTOR_BYTES_DEFAULT));
        let (lba, sectors) = extent(fields.object, sectors.into())
            .map_err(|what| format!("{what}; are its objects sectors?"))?;
        Ok(Record {
            arrival: self.arrivals.place(u128::from(fields.time_s) * 1_000_000_000_000)?,
            queued: None,
            service: None,
            think: None,
            lba,
            sectors,
            device: 0,
            operation: Operation::Read,
            criticality: Criticality::Unknown,
        })
    }
}

over_source!(OracleGeneral; notes);
