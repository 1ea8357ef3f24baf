//! Addresses and lengths in sectors of another size, where that is exact.

use super::super::checks::extent;
use crate::Record;

/// From sectors of one size to sectors of another, where that is exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rescale {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Rescale {
    /// The record in sectors of the new size.
    pub(super) fn apply(self, record: &Record) -> Result<Record, String> {
        if self.from == self.to {
            return Ok(*record);
        }
        let lba = self.exact("starts at", record.lba)?;
        let sectors = self.exact("has a length of", u64::from(record.sectors))?;
        let (lba, sectors) = extent(lba, sectors)?;
        Ok(Record { lba, sectors, ..*record })
    }

    fn exact(self, verb: &str, sectors: u64) -> Result<u64, String> {
        let (from, to) = (u128::from(self.from), u128::from(self.to));
        let bytes = u128::from(sectors) * from;
        if bytes % to != 0 {
            return Err(format!(
                "it {verb} {sectors} sectors of {from} bytes, which is not a whole number of {to}"
            ));
        }
        u64::try_from(bytes / to).map_err(|_| format!("it {verb} more sectors than can be counted"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::{Operation, Stamp};

    #[test]
    fn only_exact_rescaling_is_done() {
        let record = |lba, sectors| Record {
            arrival: Stamp::ZERO,
            queued: None,
            service: None,
            think: None,
            lba,
            sectors,
            device: 0,
            operation: Operation::Read,
            criticality: crate::Criticality::Unknown,
        };
        let halve = Rescale { from: 256, to: 512 };
        assert_eq!(halve.apply(&record(10, 4)).unwrap(), record(5, 2));
        let error = halve.apply(&record(9, 4)).unwrap_err();
        assert_eq!(
            error,
            "it starts at 9 sectors of 256 bytes, which is not a whole number of 512"
        );
        let error = halve.apply(&record(8, 1)).unwrap_err();
        assert_eq!(
            error,
            "it has a length of 1 sectors of 256 bytes, which is not a whole number of 512"
        );
        let widen = Rescale { from: 4096, to: 512 };
        assert_eq!(widen.apply(&record(3, 1)).unwrap(), record(24, 8));
        assert!(widen.apply(&record(u64::MAX, 1)).is_err());
    }
}
