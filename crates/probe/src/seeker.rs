use crate::bench::Bench;
use crate::{Cost, End, Sample};
use platterlab_device::BlockDevice;
use platterlab_units::Span;
use serde::{Deserialize, Serialize};

/// SEEKER: the least time from one sector to others (paper §4.3).
///
/// The paper tries all rotational offsets by address and keeps the fastest. Here the offset is
/// changed by waiting before the request, and searched by halving: the longest wait after which
/// the target is still reached in the same revolution leaves no rotational latency. That takes
/// some fifteen pairs a target in place of a whole track, and resolves less than a sector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        Cost::accesses(2 * pairs * self.targets.len() as u64, self.sectors, 17)
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
        bench.request(self.anchor_lba, self.sectors)?;
        bench.idle(wait);
        bench.request(target, self.sectors)
    }
}
