//! Addresses and cylinders, from zones and surfaces.

/// Where cylinders lie in the address space; head-first orders only, as the pattern of the skews
/// says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cylinders {
    surfaces: u64,
    /// Zones: first cylinder (counted from the one that holds the region's start), first address
    /// and sectors per cylinder.
    zones: Vec<(i64, i64, i64)>,
}

impl Cylinders {
    /// `boundary_lba` is the first sector of some cylinder of the first zone; `zones` are first
    /// addresses, not exact but for the first, and sectors per track. Zones begin with cylinders.
    pub(crate) fn new(
        surfaces: u64,
        region_lba: u64,
        boundary_lba: u64,
        zones: &[(u64, u64)],
    ) -> Option<Self> {
        let mut mapped: Vec<(i64, i64, i64)> = Vec::with_capacity(zones.len());
        for (first_lba, sectors_per_track) in zones {
            let size = i64::try_from(surfaces.checked_mul(*sectors_per_track)?).ok()?;
            if size == 0 {
                return None;
            }
            let first = match mapped.last() {
                None => {
                    let before = (boundary_lba as i64 - region_lba as i64).div_euclid(size)
                        + i64::from((boundary_lba as i64 - region_lba as i64) % size != 0);
                    (0, boundary_lba as i64 - before * size)
                }
                Some((cylinder, start, previous)) => {
                    let count = (*first_lba as i64 - start + previous / 2).div_euclid(*previous);
                    (cylinder + count, start + count * previous)
                }
            };
            mapped.push((first.0, first.1, size));
        }
        (!mapped.is_empty()).then_some(Self { surfaces, zones: mapped })
    }

    /// The cylinder that holds an address.
    pub(crate) fn cylinder(&self, lba: u64) -> u32 {
        let lba = lba as i64;
        let zone = self.zones.iter().rev().find(|(_, first, _)| *first <= lba);
        let (cylinder, first, size) = zone.or(self.zones.first()).copied().unwrap_or((0, 0, 1));
        u32::try_from(cylinder + (lba - first).div_euclid(size)).unwrap_or(0)
    }

    /// Sectors per track where an address lies.
    pub(crate) fn sectors_per_track(&self, lba: u64) -> u64 {
        let zone = self.zones.iter().rev().find(|(_, first, _)| *first <= lba as i64);
        let size = zone.or(self.zones.first()).map_or(0, |(_, _, size)| *size);
        u64::try_from(size).unwrap_or(0) / self.surfaces
    }

    /// An address on the first track of a cylinder, a quarter of the track from its start.
    pub(crate) fn lba(&self, cylinder: u32) -> u64 {
        let cylinder = i64::from(cylinder);
        let zone = self.zones.iter().rev().find(|(first, _, _)| *first <= cylinder);
        let (from, first, size) = zone.or(self.zones.first()).copied().unwrap_or((0, 0, 1));
        let quarter = size / self.surfaces as i64 / 4;
        u64::try_from(first + (cylinder - from) * size + quarter).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cylinders_count_from_the_region_on() {
        // Two surfaces; cylinders of 200 sectors from address -50 on, then of 160.
        let map = Cylinders::new(2, 0, 550, &[(0, 100), (2_000, 80)]).unwrap();
        assert_eq!([0, 149, 150, 349, 350].map(|lba| map.cylinder(lba)), [0, 0, 1, 1, 2]);
        assert_eq!(map.cylinder(1_949), 9);
        assert_eq!([1_950, 2_109, 2_110].map(|lba| map.cylinder(lba)), [10, 10, 11]);
        assert_eq!([1, 10, 11].map(|cylinder| map.lba(cylinder)), [175, 1_970, 2_130]);
        assert_eq!(Cylinders::new(0, 0, 0, &[(0, 100)]), None);
    }
}
