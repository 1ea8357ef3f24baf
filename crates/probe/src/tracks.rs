//! The probe of track boundaries and skews: the angles of chosen sectors.

use crate::bench::Bench;
use crate::{Cost, End};
use platterlab_device::BlockDevice;
use platterlab_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The angles of chosen sectors: each is visited once, in the order given.
///
/// From one completion to the next the platter turns by the angle between the two sectors and by
/// whole revolutions, so that angles follow to within the host's jitter, and track boundaries from
/// them: that is where the angle jumps by a skew. Descending order keeps read-ahead out of it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Tracks {
    /// What the sectors were chosen for.
    pub visit: Visit,
    /// The sectors.
    pub lbas: Vec<u64>,
    /// Length of each request, in logical sectors: one physical sector.
    pub sectors: u32,
    /// What is waited before each of them, in picoseconds; empty where nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_ps: Vec<u64>,
}

/// What sectors are visited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "for")]
pub enum Visit {
    /// To find track boundaries near an address.
    Boundaries {
        /// That address.
        near_lba: u64,
    },
    /// Sectors to either side of where tracks may begin: to find the edges of zones.
    Edges,
    /// One sector of each of many tracks, in sequence: to find the skews and their pattern.
    Starts {
        /// The first sector of the first track.
        first_lba: u64,
    },
    /// To map tracks, whichever sectors that takes; read in any case.
    Survey,
}

impl Tracks {
    /// These sectors, one right after the other.
    #[must_use]
    pub fn at_once(visit: Visit, lbas: Vec<u64>, sectors: u32) -> Self {
        Self { visit, lbas, sectors, waits_ps: Vec::new() }
    }

    pub(crate) fn cost(&self) -> Cost {
        let mut cost = Cost::accesses(self.lbas.len() as u64, self.sectors, 11);
        cost.rest =
            Span::from_ps(self.waits_ps.iter().fold(0, |all, one| all.saturating_add(*one)));
        cost
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        for (index, lba) in self.lbas.iter().enumerate() {
            bench.idle(Span::from_ps(self.waits_ps.get(index).copied().unwrap_or(0)));
            bench.request(*lba, self.sectors)?;
        }
        Ok(())
    }
}
