//! The probe of the rotation period.

use crate::bench::Bench;
use crate::{Cost, End};
use platterlab_device::BlockDevice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rotation period, and the proof that no cache answers.
///
/// A sector comes around once a revolution, whatever the host does in between: completions lie on
/// a grid of one period, and the period's error falls with the number of requests to the power of
/// 3/2. Answers from a cache lie on no grid.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Rotation {
    /// The first sector.
    pub lba: u64,
    /// Length of each request, in logical sectors: one physical sector.
    pub sectors: u32,
    /// Requests in each pass.
    pub repeats: u32,
    /// Which sectors.
    pub pattern: Pattern,
}

/// Which sectors are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// The same one each time: the plainest grid.
    Same,
    /// Two neighbours in turn: for drives that remember the last sector only.
    TwoSectors,
    /// Every sector once, downwards one by one, then every second one: for drives with a read
    /// cache, which have no reason to hold either. The passes take a revolution less one sector
    /// and less two sectors per request; together they give the period.
    Backwards,
}

impl Rotation {
    pub(crate) fn cost(&self) -> Cost {
        let passes = if self.pattern == Pattern::Backwards { 2 } else { 1 };
        Cost::accesses(u64::from(self.repeats) * passes, self.sectors, 10)
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        let unit = u64::from(self.sectors);
        let repeats = u64::from(self.repeats);
        match self.pattern {
            Pattern::Same => self.visit(bench, (0..repeats).map(|_| self.lba)),
            Pattern::TwoSectors => {
                self.visit(bench, (0..repeats).map(|i| self.lba.saturating_add(i % 2 * unit)))
            }
            Pattern::Backwards => {
                let top = self.lba.saturating_add(3 * repeats * unit);
                self.visit(bench, (0..repeats).map(|i| top - i * unit))?;
                let top = top - repeats * unit;
                self.visit(bench, (0..repeats).map(|i| top - 2 * i * unit))
            }
        }
    }

    fn visit<D: BlockDevice + ?Sized>(
        &self,
        bench: &mut Bench<D>,
        lbas: impl Iterator<Item = u64>,
    ) -> Result<(), End> {
        for lba in lbas {
            bench.request(lba, self.sectors)?;
        }
        Ok(())
    }
}
