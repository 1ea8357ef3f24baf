//! Shared by the fuzz targets.

use std::path::Path;

pub use libfuzzer_sys;
use platterlab_units::MAX_LBA;
pub use platterlab_workload::trace::Format;
use platterlab_workload::trace::{Options, Source, TraceReader, read};

/// The target that reads any bytes as a trace of one format.
#[macro_export]
macro_rules! read_as {
    ($format:ident) => {
        use $crate::libfuzzer_sys;

        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::read_all(
            bytes,
            $crate::Format::$format
        ));
    };
}

/// Reads `bytes` as a trace of `format` to its end or first error, and holds every record to the
/// contract of `TraceReader`.
pub fn read_all(bytes: &[u8], format: Format) {
    let source = Source::from_bytes(Path::new("fuzz"), bytes);
    if let Ok(reader) = source.and_then(|s| read(s, Some(format), &Options::default())) {
        hold(reader);
    }
}

/// Reads `bytes` as a table whose columns their first line names.
pub fn read_table(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let Ok(columns) = String::from_utf8_lossy(&bytes[..end]).parse() else { return };
    let options = Options { columns: Some(columns), ..Options::default() };
    let source = Source::from_bytes(Path::new("fuzz"), &bytes[end + 1..]);
    if let Ok(reader) = source.and_then(|s| read(s, None, &options)) {
        hold(reader);
    }
}

/// Holds every record to the contract.
fn hold(mut reader: Box<dyn TraceReader + Send>) {
    let mut latest = None;
    while let Some(Ok(record)) = reader.next() {
        assert!(record.sectors > 0 && record.lba <= MAX_LBA);
        assert!(u64::from(record.sectors) - 1 <= MAX_LBA - record.lba);
        assert!(latest <= Some(record.arrival), "arrivals go back");
        latest = Some(record.arrival);
    }
    assert!(reader.next().is_none(), "the first error ends a trace");
}
