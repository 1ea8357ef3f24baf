//! SEEKER: seek times without rotational latency.

use crate::bench::Bench;
use crate::search::Search;
use crate::{Cost, End, Sample};
use platterlab_device::BlockDevice;
use platterlab_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// SEEKER: the least time from one sector to others (paper §4.3).
///
/// The paper tries all rotational offsets by address and keeps the fastest. Here the offset is
/// changed by waiting before the request, and searched by halving: the longest wait after which
/// the target is still reached in the same revolution leaves no rotational latency. That takes
/// some fifteen pairs a target in place of a whole track, and resolves less than a sector.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Seeker {
    /// Where each movement starts.
    pub anchor_lba: u64,
    /// Where they end.
    pub targets: Vec<u64>,
    /// Length of each request, in logical sectors: one physical sector.
    pub sectors: u32,
    /// The rotation period in picoseconds, as measured.
    pub rotation_ps: u64,
    /// Halvings of the period: 11 resolve 4 us at 7200 rpm.
    pub halvings: u32,
    /// Where the drive reads ahead. None if it does not, or if writes are timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past_cache: Option<PastCache>,
}

/// How a movement is timed in spite of a read cache.
///
/// The drive is left alone after the anchor until its read-ahead is done: the head then rests where
/// that ended, and the movement starts there. Other places are read before the anchor, so that the
/// cache has forgotten it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PastCache {
    /// What read-ahead needs, in picoseconds.
    pub rest_ps: u64,
    /// Sectors read before each movement, none of them near it.
    pub forget_lbas: Vec<u64>,
}

/// One search that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// What was moved to.
    pub target_lba: u64,
    /// What was waited before each movement, in picoseconds.
    pub waits_ps: Vec<u64>,
    /// The longest wait that leaves no latency, in picoseconds.
    pub threshold_ps: u64,
}

impl Seeker {
    /// Requests of one movement; the last is the one that is timed.
    #[must_use]
    pub fn requests_each(&self) -> usize {
        2 + self.past_cache.as_ref().map_or(0, |past| past.forget_lbas.len())
    }

    /// What was waited before each movement of the samples, search by search: they say it, as each wait follows
    /// from what the movements before it took. A search that is not over is left out.
    #[must_use]
    pub fn searches(&self, samples: &[Sample]) -> Vec<Searched> {
        let movements = samples.chunks_exact(self.requests_each()).filter_map(|it| it.last());
        let mut elapsed = movements.map(|it| it.elapsed().as_ps());
        let search = |target_lba: &u64| {
            let mut search = Search::new(self.rotation_ps, self.halvings);
            let mut waits_ps = Vec::new();
            while let Some(wait_ps) = search.wait_ps() {
                search.learn(elapsed.next()?);
                waits_ps.push(wait_ps);
            }
            Some(Searched {
                target_lba: *target_lba,
                waits_ps,
                threshold_ps: search.threshold_ps(),
            })
        };
        self.targets.iter().map_while(search).collect()
    }
}

impl Seeker {
    pub(crate) fn cost(&self) -> Cost {
        // A halving that fails is confirmed once, every second one does.
        let pairs = 3 + 3 * u64::from(self.halvings) / 2;
        let movements = pairs * self.targets.len() as u64;
        let mut cost = Cost::accesses(self.requests_each() as u64 * movements, self.sectors, 17);
        let rest_ps = self.past_cache.as_ref().map_or(0, |past| past.rest_ps);
        cost.rest = Span::from_ps(rest_ps.saturating_mul(movements));
        cost
    }

    pub(crate) fn run<D: BlockDevice + ?Sized>(&self, bench: &mut Bench<D>) -> Result<(), End> {
        for target in &self.targets {
            self.search(bench, *target)?;
        }
        Ok(())
    }

    fn search<D: BlockDevice + ?Sized>(
        &self,
        bench: &mut Bench<D>,
        target: u64,
    ) -> Result<(), End> {
        let mut search = Search::new(self.rotation_ps, self.halvings);
        while let Some(wait_ps) = search.wait_ps() {
            let sample = self.pair(bench, target, Span::from_ps(wait_ps))?;
            search.learn(sample.elapsed().as_ps());
        }
        Ok(())
    }

    fn pair<D: BlockDevice + ?Sized>(
        &self,
        bench: &mut Bench<D>,
        target: u64,
        wait: Span,
    ) -> Result<Sample, End> {
        let mut rest = Span::ZERO;
        if let Some(past) = &self.past_cache {
            for lba in &past.forget_lbas {
                bench.request(*lba, self.sectors)?;
            }
            rest = Span::from_ps(past.rest_ps);
        }
        bench.request(self.anchor_lba, self.sectors)?;
        bench.idle(Span::from_ps(rest.as_ps().saturating_add(wait.as_ps())));
        bench.request(target, self.sectors)
    }
}
