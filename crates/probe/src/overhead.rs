//! The probe of the request overhead: one sector, read again and again.

use crate::bench::Bench;
use crate::{Cost, End};
use platterlab_device::BlockDevice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the host and the interface cost: the same sector is read again and again, at once.
///
/// A drive with a cache answers all but the first from there, without its mechanism: the least
/// time is the overhead. A drive without one needs a revolution each time, which says so.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Overhead {
    /// The sector.
    pub lba: u64,
    /// Length of each request, in logical sectors: one physical sector.
    pub sectors: u32,
    /// How many requests.
    pub repeats: u32,
}

impl Overhead {
    pub(crate) fn cost(&self) -> Cost {
        Cost::accesses(u64::from(self.repeats), self.sectors, 10)
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        for _ in 0..self.repeats {
            bench.request(self.lba, self.sectors)?;
        }
        Ok(())
    }
}
