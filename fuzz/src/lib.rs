//! Shared by the fuzz targets.

use std::path::Path;

use platterlab_units::MAX_LBA;
use platterlab_workload::trace::{Format, Options, Source, read};

/// Reads `bytes` as a trace of `format` to its end or first error, and holds every record to the
/// contract of `TraceReader`.
pub fn read_all(bytes: &[u8], format: Format) {
    let source = Source::from_bytes(Path::new("fuzz"), bytes);
    let Ok(mut reader) = source.and_then(|s| read(s, Some(format), &Options::default())) else {
        return;
    };
    let mut latest = None;
    while let Some(Ok(record)) = reader.next() {
        assert!(record.sectors > 0 && record.lba <= MAX_LBA);
        assert!(u64::from(record.sectors) - 1 <= MAX_LBA - record.lba);
        assert!(latest <= Some(record.arrival), "arrivals go back");
        latest = Some(record.arrival);
    }
    assert!(reader.next().is_none(), "the first error ends a trace");
}
