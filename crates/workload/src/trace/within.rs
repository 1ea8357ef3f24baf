//! Watches the end of the drive: what lies beyond stops a reader, or is dealt with.

use super::Beyond;
use crate::Record;

/// Requests that lie on a drive: what becomes of others, [`Beyond`] says.
///
/// Requests for other devices are passed on, and so are those that are to be skipped, for the drive
/// to refuse and count.
pub struct Within {
    device: Option<u32>,
    sector_bytes: u32,
    end_sectors: u64,
    beyond: Beyond,
    wrapped: u64,
}

impl Within {
    /// Of a trace, by the bytes of its sectors and of the drive's, in the place of `device`;
    /// of all devices if `None`.
    #[must_use]
    pub fn new(
        sector_bytes: u32,
        device: Option<u32>,
        capacity_bytes: u128,
        beyond: Beyond,
    ) -> Self {
        let sectors = capacity_bytes / u128::from(sector_bytes.max(1));
        let end_sectors = u64::try_from(sectors).unwrap_or(u64::MAX);
        Self { device, sector_bytes, end_sectors, beyond, wrapped: 0 }
    }

    /// Whether a request lies on the drive as it is, as nearly all do.
    #[inline]
    pub(super) fn holds(&self, record: &Record) -> bool {
        let end = record.lba.checked_add(record.sectors.into());
        end.is_some_and(|end| end <= self.end_sectors)
    }

    /// Gives a request the place where it lies on the drive.
    ///
    /// # Errors
    /// There is none, and that stops the reader.
    pub(super) fn place(&mut self, record: &mut Record) -> Result<(), String> {
        if self.holds(record) || self.device.is_some_and(|device| device != record.device) {
            return Ok(());
        }
        let placed = self.beyond.place(record.lba, record.sectors, self.end_sectors);
        let (lba, moved) = placed.map_err(|what| self.refusal(&what))?;
        self.wrapped += u64::from(moved);
        record.lba = lba;
        Ok(())
    }

    fn refusal(&self, what: &str) -> String {
        format!(
            "{what} of the drive, which has {} sectors of {} bytes; --beyond skip, or beyond=\"skip\" in \
             Python, leaves such requests out, wrap folds them back",
            self.end_sectors, self.sector_bytes
        )
    }

    /// How many requests were given another place.
    pub(super) fn wrapped(&self) -> u64 {
        self.wrapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Options, Source, read};
    use std::path::Path;

    fn within(text: &str, device: Option<u32>, beyond: Beyond) -> Vec<Result<u64, String>> {
        let source = Source::from_bytes(Path::new("t"), text).unwrap();
        let mut reader = read(source, None, &Options::default()).unwrap();
        let mut within = Within::new(reader.facts().sector_bytes, device, 100 * 512 + 300, beyond);
        let mut records = Vec::with_capacity(8);
        let error = reader.read_within(&mut within, &mut records).err();
        let lbas = records.iter().map(|record| Ok(record.lba));
        lbas.chain(error.map(|error| Err(error.to_string()))).collect()
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
