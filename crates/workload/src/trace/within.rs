use super::{Notes, Position, TraceError, TraceFacts, TraceReader};
use crate::Record;

/// A reader that ends with an error at the first request for an address that a drive does not have.
///
/// Only the first sector counts: a request that begins on the drive and straddles its end is passed
/// on, for the drive to refuse. Requests for other devices are passed on too.
pub struct Within {
    inner: Box<dyn TraceReader + Send>,
    device: Option<u32>,
    end_sectors: u64,
    failed: bool,
}

impl Within {
    /// `inner` for a drive of so many bytes, in the place of `device`; of all devices if `None`.
    #[must_use]
    pub fn new(
        inner: Box<dyn TraceReader + Send>,
        device: Option<u32>,
        capacity_bytes: u128,
    ) -> Self {
        let sectors = capacity_bytes / u128::from(inner.facts().sector_bytes.max(1));
        let end_sectors = u64::try_from(sectors).unwrap_or(u64::MAX);
        Self { inner, device, end_sectors, failed: false }
    }

    fn checked(&self, record: Record) -> Result<Record, TraceError> {
        let ours = self.device.is_none_or(|device| device == record.device);
        if !ours || record.lba < self.end_sectors {
            return Ok(record);
        }
        let facts = self.inner.facts();
        let what = format!(
            "sector {} is beyond the end of the drive, which has {} sectors of {} bytes",
            record.lba, self.end_sectors, facts.sector_bytes
        );
        Err(TraceError::new(&facts.path, self.inner.place(), what))
    }
}

impl Iterator for Within {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.inner.next()?.and_then(|record| self.checked(record));
        self.failed = record.is_err();
        Some(record)
    }
}

impl TraceReader for Within {
    fn facts(&self) -> &TraceFacts {
        self.inner.facts()
    }

    fn bytes_read(&self) -> u64 {
        self.inner.bytes_read()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.inner.bytes_total()
    }

    fn place(&self) -> Position {
        self.inner.place()
    }

    fn notes(&self) -> Notes {
        self.inner.notes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Options, Source, read};
    use std::path::Path;

    fn within(text: &str, device: Option<u32>) -> Vec<Result<u64, String>> {
        let source = Source::from_bytes(Path::new("t"), text).unwrap();
        let reader = read(source, None, &Options::default()).unwrap();
        let checked = Within::new(reader, device, 100 * 512 + 300);
        checked.map(|record| record.map(|r| r.lba).map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn the_first_address_beyond_the_end_is_named_with_its_line() {
        let found = within("0.0 0 99 8 1\n1.0 0 100 1 1\n", Some(0));
        assert_eq!(found[0], Ok(99));
        let what = "t, line 2: sector 100 is beyond the end of the drive, which has 100 sectors of \
                    512 bytes";
        assert_eq!(found[1], Err(what.to_owned()));
    }

    #[test]
    fn other_devices_have_other_ends() {
        let text = "0.0 0 99 8 1\n1.0 1 100 1 1\n";
        assert!(within(text, Some(0)).iter().all(Result::is_ok));
        assert!(within(text, None)[1].is_err());
    }
}
