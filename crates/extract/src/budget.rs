//! The drive time that a measurement may take.

use platterlab_probe::{Cost, Plan, Samples};
use platterlab_units::Span;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

/// Drive time in seconds: what there is, and what was taken of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budget {
    /// None for as long as it takes.
    time_s: Option<f64>,
    spent_s: f64,
    /// What plans of each kind took, and what that was reckoned to be.
    paces: HashMap<Discriminant<Plan>, [f64; 2]>,
}

impl Budget {
    pub(crate) fn new(time_s: Option<f64>) -> Self {
        Self { time_s, ..Self::default() }
    }

    /// Whether there is the time for a plan that is reckoned to take so long: those like it may have
    /// been slower.
    pub(crate) fn fits(&self, plan: &Plan, reckoned_s: f64) -> bool {
        let pace = self.paces.get(&discriminant(plan));
        let slower = pace.map_or(1.0, |[took, reckoned]| (took / reckoned).max(1.0));
        self.time_s.is_none_or(|time_s| self.spent_s + slower * reckoned_s <= time_s)
    }

    /// Whether a plan of this kind was carried out.
    pub(crate) fn has_run(&self, plan: &Plan) -> bool {
        self.paces.contains_key(&discriminant(plan))
    }

    /// Drive time in seconds that was taken of it.
    pub(crate) fn spent_s(&self) -> f64 {
        self.spent_s
    }

    /// Whether so large a share of it was taken.
    pub(crate) fn is_spent(&self, share: f64) -> bool {
        self.time_s.is_some_and(|time_s| self.spent_s > share * time_s)
    }

    /// Takes in what a plan took that was reckoned to take so long; how much that was.
    pub(crate) fn spend(&mut self, run: &Samples, reckoned_s: f64) -> f64 {
        let ends = run.samples.first().zip(run.samples.last());
        let took_s =
            ends.map_or(0.0, |(first, last)| last.completed.since(first.submitted).as_ms() / 1e3);
        self.spent_s += took_s;
        let pace = self.paces.entry(discriminant(&run.plan)).or_default();
        *pace = [pace[0] + took_s, pace[1] + reckoned_s];
        took_s
    }
}

/// What a plan of this cost is reckoned to take, in seconds, by the turn as far as it is known.
pub(crate) fn reckoned_s(cost: Cost, rotation_ms: Option<f64>) -> f64 {
    Span::from_ms(rotation_ms.unwrap_or(60_000.0 / 7_200.0))
        .map_or(f64::INFINITY, |rotation| cost.drive_time(rotation).as_ms() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_probe::{End, Sample, Tracks, Visit};
    use platterlab_units::{Operation, Time};

    /// A plan of reads, and a run of it that took so many seconds.
    fn run(took_s: f64) -> Samples {
        let plan = Plan::Tracks(Tracks::at_once(Visit::Survey, vec![0; 100], 1));
        let completed = Time::ZERO + Span::from_ms(1e3 * took_s).expect("a time");
        let (submitted, operation) = (Time::ZERO, Operation::Read);
        let one =
            Sample { lba: 0, sectors: 1, operation, distance_sectors: 0, submitted, completed };
        Samples { plan, samples: vec![one], end: End::Complete }
    }

    #[test]
    fn nothing_begins_that_would_take_longer_at_the_pace_of_those_before() {
        let mut budget = Budget::new(Some(10.0));
        let plan = run(0.0).plan;
        assert!(budget.fits(&plan, 10.0) && !budget.fits(&plan, 10.1));
        assert!(!budget.is_spent(0.0) && !budget.has_run(&plan));
        assert!((budget.spend(&run(4.0), 2.0) - 4.0).abs() < 1e-9);
        assert!(budget.has_run(&plan));
        // Twice as slow as reckoned, and so are those to come.
        assert!(budget.fits(&plan, 2.9) && !budget.fits(&plan, 3.1));
        assert!(budget.is_spent(0.3) && !budget.is_spent(0.5));
        let mut endless = Budget::new(None);
        endless.spend(&run(1e6), 1.0);
        assert!(endless.fits(&plan, 1e9) && !endless.is_spent(0.1));
    }
}
