//! The probe of the read cache: how far the drive reads ahead, and how much it keeps.

use crate::bench::Bench;
use crate::{Cost, End};
use platterlab_device::BlockDevice;
use platterlab_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a read cache holds: each trial reads some sectors and then asks for one that the drive may
/// have by now, by reading ahead or by keeping it.
///
/// A trial's other sectors were never read before, so that nothing but the trial itself can have
/// brought the last one into the cache.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Recall {
    /// What is asked.
    pub question: Question,
    /// What is done for it, one after the other.
    pub trials: Vec<Trial>,
    /// Length of each request, in logical sectors: one physical sector.
    pub sectors: u32,
}

/// One trial of a [`Recall`] run.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Trial {
    /// The sectors in order; whether the last is a hit is the answer.
    pub lbas: Vec<u64>,
    /// Before the last request, in picoseconds: read-ahead goes on meanwhile.
    pub rest_ps: u64,
}

/// What a [`Recall`] run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// How far beyond a sector the drive reads ahead.
    Reach,
    /// How many other places it can read without losing a sector.
    Places,
}

impl Recall {
    pub(crate) fn cost(&self) -> Cost {
        let requests = self.trials.iter().map(|trial| trial.lbas.len() as u64).sum();
        let rest_ps = self.trials.iter().fold(0, |sum: u64, one| sum.saturating_add(one.rest_ps));
        Cost { rest: Span::from_ps(rest_ps), ..Cost::accesses(requests, self.sectors, 11) }
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        for trial in &self.trials {
            for (index, lba) in trial.lbas.iter().enumerate() {
                if index > 0 && index + 1 == trial.lbas.len() {
                    bench.idle(Span::from_ps(trial.rest_ps));
                }
                bench.request(*lba, self.sectors)?;
            }
        }
        Ok(())
    }
}
