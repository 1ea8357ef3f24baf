//! Checks that every format needs, worded in one place.

use platterlab_units::{MAX_LBA, Span, Stamp};

use crate::devices::DeviceTable;

/// A request's length and last sector in legal range.
#[inline]
pub(super) fn extent(lba: u64, sectors: u64) -> Result<(u64, u32), String> {
    if sectors == 0 {
        return Err("a length of 0 sectors; a request has at least one".into());
    }
    let length = u32::try_from(sectors)
        .map_err(|_| format!("a length of {sectors} sectors is too large"))?;
    if lba > MAX_LBA || sectors - 1 > MAX_LBA - lba {
        return Err(format!("{sectors} sectors from {lba} reach beyond the last sector {MAX_LBA}"));
    }
    Ok((lba, length))
}

/// Puts arrivals on the trace's own clock and refuses one that comes before the last.
#[derive(Debug, Default)]
pub(super) struct ArrivalChecks {
    origin: Option<u128>,
    last: u128,
}

impl ArrivalChecks {
    /// Arrivals as the file's clock has them.
    pub(super) fn by_own_clock() -> Self {
        Self { origin: Some(0), last: 0 }
    }

    /// The arrival at `ps` of the file's clock, from the first arrival.
    #[inline]
    pub(super) fn place(&mut self, ps: u128) -> Result<Stamp, String> {
        let origin = *self.origin.get_or_insert(ps);
        if ps < self.last {
            let back_ms = Stamp::from_ps(self.last - ps).as_ms();
            return Err(format!(
                "time runs backwards: this request arrives {back_ms} ms before the one above it; sort \
                 the file by its time, or read what begins here by itself"
            ));
        }
        self.last = ps;
        Ok(Stamp::from_ps(ps - origin))
    }
}

/// The latest completion of every device, for the think time.
#[derive(Debug, Default)]
pub(super) struct Completions {
    devices: DeviceTable<Option<u128>>,
}

impl Completions {
    /// From the device's latest completion to `issue`, if the device was idle then; and notes this
    /// request's own `completion`. Both in picoseconds of one clock.
    #[inline]
    pub(super) fn think(
        &mut self,
        device: u32,
        issue: u128,
        completion: u128,
    ) -> Result<Option<Span>, String> {
        let latest = self.devices.entry(device)?;
        let idle = latest.and_then(|latest| issue.checked_sub(latest));
        *latest = Some(latest.map_or(completion, |latest| latest.max(completion)));
        Ok(idle.and_then(|ps| u64::try_from(ps).ok()).map(Span::from_ps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_bounded() {
        assert_eq!(extent(MAX_LBA, 1), Ok((MAX_LBA, 1)));
        for (lba, sectors, message) in [
            (0, 0, "a length of 0 sectors; a request has at least one"),
            (0, 1 << 32, "a length of 4294967296 sectors is too large"),
            (
                MAX_LBA,
                2,
                "2 sectors from 9223372036854775807 reach beyond the last sector \
                 9223372036854775807",
            ),
        ] {
            assert_eq!(extent(lba, sectors).unwrap_err(), message);
        }
    }

    #[test]
    fn arrivals_start_at_zero_and_never_go_back() {
        let mut arrivals = ArrivalChecks::default();
        assert_eq!(arrivals.place(5_000_000_000), Ok(Stamp::ZERO));
        assert_eq!(arrivals.place(6_000_000_000), Ok(Stamp::from_us(1_000)));
        assert_eq!(
            arrivals.place(5_500_000_000).unwrap_err(),
            "time runs backwards: this request arrives 0.5 ms before the one above it; sort the \
             file by its time, or read what begins here by itself"
        );
    }

    #[test]
    fn think_time_needs_an_idle_device() {
        let mut completions = Completions::default();
        assert_eq!(completions.think(0, 10, 20), Ok(None));
        assert_eq!(completions.think(1, 12, 13), Ok(None));
        assert_eq!(completions.think(0, 25, 40), Ok(Some(Span::from_ps(5))));
        assert_eq!(completions.think(0, 30, 35), Ok(None));
        assert_eq!(completions.think(0, 40, 41), Ok(Some(Span::ZERO)));
    }
}
