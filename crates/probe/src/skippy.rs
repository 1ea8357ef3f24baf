//! SKIPPY: the linearly increasing stride.

use crate::bench::Bench;
use crate::{Cost, End};
use platterlab_device::BlockDevice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// SKIPPY: the distance between requests grows by one step from each to the next (paper §4.1).
///
/// Writing or reading is the caller's choice. Distances run from 0 to `steps - 1` steps.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Skippy {
    /// The first sector of the region it may touch.
    pub lba: u64,
    /// Length of each request, in logical sectors: one physical sector.
    pub sectors: u32,
    /// How much a distance grows each time, in units of `sectors`.
    pub stride: u32,
    /// How many distances.
    pub steps: u32,
    /// How it moves.
    pub walk: Walk,
}

/// How SKIPPY moves through the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Walk {
    /// Onwards from each request (Figure 1): crosses tracks and cylinders, and shows their skews.
    Running,
    /// Downwards from the region's end: the same angles, and nothing for read-ahead to guess.
    Backwards,
    /// From the first sector and back to it each time: stays within the largest distance, where
    /// the running variant covers half of its square. Every second sample is the way back.
    Restart,
}

impl Skippy {
    /// Sectors from `lba` on that it may touch.
    #[must_use]
    pub fn span_sectors(&self) -> u64 {
        let largest = u64::from(self.steps.saturating_sub(1));
        let strides = match self.walk {
            Walk::Restart => largest,
            Walk::Running | Walk::Backwards => largest * (largest + 1) / 2,
        };
        (strides.saturating_mul(u64::from(self.stride)).saturating_add(1))
            .saturating_mul(u64::from(self.sectors))
    }

    pub(crate) fn cost(&self) -> Cost {
        let requests = u64::from(self.steps) * if self.walk == Walk::Restart { 2 } else { 1 };
        Cost::accesses(requests + 1, self.sectors, 9)
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        let step = u64::from(self.stride) * u64::from(self.sectors);
        let end = self.lba.saturating_add(self.span_sectors());
        let mut lba = match self.walk {
            Walk::Backwards => end.saturating_sub(u64::from(self.sectors)),
            Walk::Running | Walk::Restart => self.lba,
        };
        bench.request(lba, self.sectors)?;
        for distance in (0..u64::from(self.steps)).map(|count| count * step) {
            match self.walk {
                Walk::Running => lba = lba.saturating_add(distance),
                Walk::Backwards => lba = lba.saturating_sub(distance),
                Walk::Restart => {
                    bench.request(self.lba, self.sectors)?;
                    lba = self.lba.saturating_add(distance);
                }
            }
            bench.request(lba, self.sectors)?;
        }
        Ok(())
    }
}
