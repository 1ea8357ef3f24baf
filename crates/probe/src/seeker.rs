//! SEEKER: seek times without rotational latency.

use crate::bench::Bench;
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

impl Seeker {
    /// Requests of one movement; the last is the one that is timed.
    #[must_use]
    pub fn requests_each(&self) -> usize {
        2 + self.past_cache.as_ref().map_or(0, |past| past.forget_lbas.len())
    }
}

/// What one wait showed.
enum Outcome {
    /// The target was reached a revolution earlier or later than the first time, or as then.
    Turns(i64),
    /// The answer fits no revolution.
    Unclear,
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
        let mut first = [Span::ZERO; 3];
        for elapsed in &mut first {
            *elapsed = self.pair(bench, target, Span::ZERO)?.elapsed();
        }
        first.sort_unstable();
        let unwaited = first[1].as_ps();
        let (mut low, mut high) = (0, self.rotation_ps.min(unwaited));
        for _ in 0..self.halvings {
            let wait = u64::midpoint(low, high);
            if self.reached(bench, target, wait, unwaited)? {
                low = wait;
            } else {
                high = wait;
            }
        }
        Ok(())
    }

    /// Whether the target is reached in the same revolution as without a wait. No disturbance
    /// makes a drive faster, so a success counts at once and a failure when confirmed.
    fn reached<D: BlockDevice + ?Sized>(
        &self,
        bench: &mut Bench<D>,
        target: u64,
        wait_ps: u64,
        unwaited_ps: u64,
    ) -> Result<bool, End> {
        let mut failures = 0;
        for _ in 0..4 {
            let sample = self.pair(bench, target, Span::from_ps(wait_ps))?;
            match self.outcome(&sample, unwaited_ps.saturating_sub(wait_ps)) {
                Outcome::Turns(0) => return Ok(true),
                Outcome::Turns(_) => failures += 1,
                Outcome::Unclear => {}
            }
            if failures == 2 {
                break;
            }
        }
        Ok(false)
    }

    fn outcome(&self, sample: &Sample, expected_ps: u64) -> Outcome {
        let rotation = self.rotation_ps.max(1) as f64;
        let turns = (sample.elapsed().as_ps() as f64 - expected_ps as f64) / rotation;
        let whole = turns.round();
        if (turns - whole).abs() < 0.25 { Outcome::Turns(whole as i64) } else { Outcome::Unclear }
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
