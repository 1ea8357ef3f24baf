//! ZONED: bandwidth over position.

use crate::bench::Bench;
use crate::{Cost, End};
use platterlab_device::BlockDevice;
use platterlab_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// ZONED: bandwidth over position (paper §4.2), by reading in large blocks one after the other.
///
/// At each of `points` places, spread evenly over the region, it reads `blocks` blocks in sequence.
/// The first of them pays for the way there; with enough points there is no way and the whole
/// region is read, as in the paper.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Zoned {
    /// The first sector of the region.
    pub lba: u64,
    /// Length of the region in logical sectors.
    pub region_sectors: u64,
    /// How many places.
    pub points: u32,
    /// Length of one read in logical sectors.
    pub block_sectors: u32,
    /// Reads at each place.
    pub blocks: u32,
}

impl Zoned {
    /// The first sector of a place, or `None` beyond the last.
    #[must_use]
    pub fn place(&self, point: u32) -> Option<u64> {
        let taken = u64::from(self.block_sectors) * u64::from(self.blocks);
        let room = self.region_sectors.checked_sub(taken)?;
        let last = self.points.saturating_sub(1);
        if point > last || self.points == 0 {
            return None;
        }
        let share = u128::from(room) * u128::from(point) / u128::from(last.max(1));
        self.lba.checked_add(u64::try_from(share).ok()?)
    }

    /// Whether an address lies in the region.
    #[must_use]
    pub fn holds(&self, lba: u64) -> bool {
        lba.checked_sub(self.lba).is_some_and(|offset| offset < self.region_sectors)
    }

    pub(crate) fn cost(&self) -> Cost {
        // A track of an era drive holds some 200 sectors.
        let requests = u64::from(self.points) * u64::from(self.blocks);
        let sectors = requests.saturating_mul(u64::from(self.block_sectors));
        let revolutions = requests.saturating_add(sectors / 200);
        Cost { requests, revolutions, sectors, rest: Span::ZERO }
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        for place in (0..self.points).map_while(|point| self.place(point)) {
            for block in 0..u64::from(self.blocks) {
                let lba = place.saturating_add(block * u64::from(self.block_sectors));
                bench.request(lba, self.block_sectors)?;
            }
        }
        Ok(())
    }
}
