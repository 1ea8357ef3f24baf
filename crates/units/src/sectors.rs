//! Sector addresses and sizes: limits and defaults, and the physical sectors that a request touches.

/// The largest logical block address any reader or drive accepts: 2^63 - 1.
///
/// One bit is kept free so that the difference of two addresses fits a signed 64-bit integer.
pub const MAX_LBA: u64 = i64::MAX as u64;

/// Bytes per sector where a trace format or profile does not say otherwise.
pub const SECTOR_BYTES_DEFAULT: u32 = 512;

/// How much of the first and of the last physical sector it touches a request leaves alone, in logical
/// sectors. A write that leaves some alone is a read-modify-write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partial {
    /// At the start of the first sector.
    pub before: u8,
    /// At the end of the last sector.
    pub after: u8,
}

impl Partial {
    /// Nothing is left alone.
    pub const WHOLE: Self = Self { before: 0, after: 0 };

    /// Whether nothing is left alone.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.before == 0 && self.after == 0
    }
}

/// The physical sectors that a request touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The first of them.
    pub lba: u64,
    /// How many there are.
    pub sectors: u64,
    /// What of them the request leaves alone.
    pub partial: Partial,
}

/// The sizes of sectors between a workload and the media, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorSizes {
    /// In which the workload counts.
    pub workload: u32,
    /// In which the drive lets itself be addressed: the smallest piece that it reads or writes.
    pub logical: u32,
    /// Of the media: a whole number of logical ones, 256 at most.
    pub physical: u32,
}

impl SectorSizes {
    /// Whether requests can be expressed in the drive's sectors: of the workload's and the logical
    /// sector one is a multiple of the other.
    #[must_use]
    pub const fn fit(self) -> bool {
        self.workload > 0
            && self.logical > 0
            && (self.workload.is_multiple_of(self.logical)
                || self.logical.is_multiple_of(self.workload))
    }

    /// The physical sectors that `sectors` of the workload from `lba` on touch, where sizes
    /// [fit](Self::fit).
    ///
    /// # Errors
    /// Why the drive refuses them.
    #[inline]
    pub fn touched(self, lba: u64, sectors: u64) -> Result<Touched, &'static str> {
        const BEYOND: &str = "beyond the end of the drive";
        let Self { workload, logical, physical } = self;
        if sectors == 0 || (workload == physical && physical == logical) {
            return Ok(Touched { lba, sectors, partial: Partial::WHOLE });
        }
        let end = lba.checked_add(sectors).ok_or(BEYOND)?;
        let (first, end) = if workload >= logical {
            let each = u64::from(workload / logical);
            (lba.checked_mul(each).ok_or(BEYOND)?, end.checked_mul(each).ok_or(BEYOND)?)
        } else {
            let each = u64::from(logical / workload);
            if !lba.is_multiple_of(each) || !end.is_multiple_of(each) {
                return Err("not whole sectors of the drive");
            }
            (lba / each, end / each)
        };
        let each = u64::from(physical / logical);
        let (lba, last) = (first / each, end.div_ceil(each));
        let partial = Partial {
            before: (first % each) as u8,
            after: (last.checked_mul(each).ok_or(BEYOND)? - end) as u8,
        };
        Ok(Touched { lba, sectors: last - lba, partial })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMULATED: SectorSizes = SectorSizes { workload: 512, logical: 512, physical: 4_096 };

    fn touched(lba: u64, sectors: u64) -> (u64, u64, u8, u8) {
        let Touched { lba, sectors, partial } = EMULATED.touched(lba, sectors).expect("it fits");
        (lba, sectors, partial.before, partial.after)
    }

    #[test]
    fn the_start_is_rounded_down_and_the_end_up() {
        assert_eq!(touched(4, 16), (0, 3, 4, 4), "4..20 lies on sectors 0, 1 and 2");
        assert_eq!(touched(7, 2), (0, 2, 7, 7));
        assert_eq!(touched(8, 8), (1, 1, 0, 0));
        assert_eq!(touched(9, 1), (1, 1, 1, 6));
        assert_eq!(touched(0, 9), (0, 2, 0, 7));
    }

    #[test]
    fn a_drive_of_4096_byte_logical_sectors_takes_whole_ones_alone() {
        let native = SectorSizes { logical: 4_096, ..EMULATED };
        let whole = Touched { lba: 1, sectors: 2, partial: Partial::WHOLE };
        assert_eq!(native.touched(8, 16), Ok(whole));
        assert_eq!(native.touched(4, 16), Err("not whole sectors of the drive"));
        assert_eq!(native.touched(8, 15), Err("not whole sectors of the drive"));
    }

    #[test]
    fn every_byte_is_covered_and_none_but_the_edges_beside() {
        for workload in [256, 512, 1_024, 4_096, 8_192] {
            for (logical, physical) in [(512, 512), (512, 4_096), (1_024, 4_096), (4_096, 4_096)] {
                let sizes = SectorSizes { workload, logical, physical };
                for (lba, sectors) in (0..40).flat_map(|lba| (1..40).map(move |n| (lba, n))) {
                    let [from, to] = [lba, lba + sectors].map(|at| at * u64::from(workload));
                    let whole = [from, to].map(|at| at.is_multiple_of(u64::from(logical)));
                    let Ok(touched) = sizes.touched(lba, sectors) else {
                        assert_ne!(whole, [true; 2]);
                        continue;
                    };
                    assert_eq!(whole, [true; 2]);
                    let at = |sector: u64| sector * u64::from(physical);
                    let left = |sectors: u8| u64::from(sectors) * u64::from(logical);
                    let partial = touched.partial;
                    assert_eq!(at(touched.lba) + left(partial.before), from);
                    assert_eq!(at(touched.lba + touched.sectors) - left(partial.after), to);
                    assert!(left(partial.before.max(partial.after)) < u64::from(physical));
                }
            }
        }
    }

    #[test]
    fn what_no_number_holds_is_beyond_the_end() {
        let large = SectorSizes { workload: 4_096, logical: 512, physical: 512 };
        assert_eq!(large.touched(u64::MAX / 4, 1), Err("beyond the end of the drive"));
        assert_eq!(EMULATED.touched(u64::MAX, 1), Err("beyond the end of the drive"));
    }
}
