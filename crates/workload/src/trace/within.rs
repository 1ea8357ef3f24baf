//! A reader that watches the end of the drive: what lies beyond stops it, or is dealt with.

use super::{Beyond, Notes, Position, TraceError, TraceFacts, TraceReader};
use crate::Record;

/// A reader whose requests lie on a drive: what becomes of others, [`Beyond`] says.
///
/// Requests for other devices are passed on, and so are those that are to be skipped, for the drive
/// to refuse and count.
pub struct Within {
    inner: Box<dyn TraceReader + Send>,
    device: Option<u32>,
    end_sectors: u64,
    beyond: Beyond,
    wrapped: u64,
    failed: bool,
}

impl Within {
    /// `inner` for a drive of so many bytes, in the place of `device`; of all devices if `None`.
    #[must_use]
    pub fn new(
        inner: Box<dyn TraceReader + Send>,
        device: Option<u32>,
        capacity_bytes: u128,
        beyond: Beyond,
    ) -> Self {
        let sectors = capacity_bytes / u128::from(inner.facts().sector_bytes.max(1));
        let end_sectors = u64::try_from(sectors).unwrap_or(u64::MAX);
        Self { inner, device, end_sectors, beyond, wrapped: 0, failed: false }
    }

    fn checked(&mut self, record: Record) -> Result<Record, TraceError> {
        if self.device.is_some_and(|device| device != record.device) {
            return Ok(record);
        }
        match self.beyond.place(record.lba, record.sectors, self.end_sectors) {
            Ok((lba, moved)) => {
                self.wrapped += u64::from(moved);
                Ok(Record { lba, ..record })
            }
            Err(what) => {
                let facts = self.inner.facts();
                let what = format!(
                    "{what} of the drive, which has {} sectors of {} bytes; --beyond skip leaves \
                     such requests out, --beyond wrap folds them back",
                    self.end_sectors, facts.sector_bytes
                );
                Err(TraceError::new(&facts.path, self.inner.place(), what))
            }
        }
    }
}

impl Iterator for Within {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = match self.inner.next()? {
            Ok(record) => self.checked(record),
            Err(error) => Err(error),
        };
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

    fn wrapped(&self) -> u64 {
        self.wrapped
    }

    fn device_names(&self) -> &[String] {
        self.inner.device_names()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Options, Source, read};
    use std::path::Path;

    fn within(text: &str, device: Option<u32>, beyond: Beyond) -> Vec<Result<u64, String>> {
        let source = Source::from_bytes(Path::new("t"), text).unwrap();
        let reader = read(source, None, &Options::default()).unwrap();
        let checked = Within::new(reader, device, 100 * 512 + 300, beyond);
        checked.map(|record| record.map(|r| r.lba).map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn the_first_address_beyond_the_end_is_named_with_its_line() {
        let found = within("0.0 0 92 8 1\n1.0 0 100 1 1\n", Some(0), Beyond::Stop);
        assert_eq!(found[0], Ok(92));
        let what = "t, line 2: sector 100 is beyond the end of the drive, which has 100 sectors of \
                    512 bytes";
        assert!(found[1].as_ref().unwrap_err().starts_with(what));
    }

    #[test]
    fn so_is_the_first_request_over_the_end() {
        let found = within("0.0 0 92 8 1\n1.0 0 99 8 1\n", Some(0), Beyond::Stop);
        let what = "t, line 2: 8 sectors from sector 99 on reach over the end of the drive";
        assert!(found[1].as_ref().unwrap_err().starts_with(what));
    }

    #[test]
    fn both_go_on_where_that_is_wanted() {
        let text = "0.0 0 99 8 1\n1.0 0 100 1 1\n";
        assert_eq!(within(text, Some(0), Beyond::Skip), [Ok(99), Ok(100)]);
        assert_eq!(within(text, Some(0), Beyond::Wrap), [Ok(92), Ok(0)]);
    }

    #[test]
    fn other_devices_have_other_ends() {
        let text = "0.0 0 92 8 1\n1.0 1 100 1 1\n";
        assert!(within(text, Some(0), Beyond::Stop).iter().all(Result::is_ok));
        assert!(within(text, None, Beyond::Stop)[1].is_err());
    }
}
