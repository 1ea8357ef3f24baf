//! Whatever the samples say, the extraction ends, does not panic and claims nothing.

use crate::support::random::{self, Dice};
use platterlab_device::{BlockDevice, WriteConsent};
use platterlab_extract::{Campaign, Goal};
use platterlab_probe::{Access, End, Plan, Sample, Samples, run};
use platterlab_units::{Operation, Time};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Answers to a plan that make no sense, or hardly any.
fn nonsense(plan: &Plan, dice: &mut Dice, kind: u32, clock: &mut u64) -> Samples {
    let count = if kind == 0 { dice.whole(0, 3) } else { dice.whole(50, 500) };
    let samples = (0..count)
        .map(|_| {
            let submitted = Time::from_ps(*clock);
            let elapsed = match kind {
                1 => 0,
                2 => dice.spread(1.0, 1e15) as u64,
                3 => dice.between(2e9, 3e10) as u64,
                _ => 8_333_000_000,
            };
            *clock = if kind == 2 { dice.spread(1.0, 1e18) as u64 } else { *clock + elapsed };
            Sample {
                lba: dice.spread(1.0, 1e18) as u64 - 1,
                sectors: dice.whole(1, 8),
                operation: Operation::Write,
                distance_sectors: dice.between(-1e18, 1e18) as i64,
                submitted,
                completed: Time::from_ps(submitted.as_ps() + elapsed),
            }
        })
        .collect();
    Samples { plan: plan.clone(), samples, end: End::Complete }
}

proptest! {
    #[test]
    fn no_samples_make_it_panic_or_run_on(seed in any::<u64>(), writes in any::<bool>(), first in 0_u32..5) {
        let mut dice = Dice::new(seed);
        let mut campaign = Campaign::new(Goal {
            region_lba: 0,
            region_sectors: dice.spread(1.0, 1e15) as u64,
            to_drive_end: true,
            unit_sectors: dice.whole(1, 8),
            sector_bytes: 512,
            writes,
            whole: true,
        });
        let mut clock = 0;
        let mut rounds = 0;
        while let Some(plan) = campaign.next_plan() {
            // Sensible rotation answers let the later stages see nonsense too.
            let kind = if rounds == 0 { first } else { dice.whole(0, 4) };
            campaign.add(&nonsense(&plan, &mut dice, kind, &mut clock));
            rounds += 1;
            prop_assert!(rounds < 2_000, "no end");
        }
        prop_assert!(campaign.extraction().surfaces.ok().is_none());
    }

    #[test]
    fn spoilt_samples_make_it_neither_panic_nor_run_on(seed in any::<u64>(), share in 0.0..1.0_f64) {
        let mut dice = Dice::new(seed);
        let mut device = random::drive(&mut dice).device(random::host(&mut dice), seed);
        let mut campaign = Campaign::new(Goal {
            region_lba: 0,
            region_sectors: device.info().capacity_sectors,
            to_drive_end: true,
            unit_sectors: 1,
            sector_bytes: 512,
            writes: true,
            whole: true,
        });
        let consent = WriteConsent::for_simulation();
        let mut rounds = 0;
        while let Some(plan) = campaign.next_plan() {
            let access = Access::Write(&consent);
            let mut run = run(&mut device, &plan, access, &mut |_| ControlFlow::Continue(()));
            spoil(&mut run, &mut dice, share * share * share);
            campaign.add(&run);
            rounds += 1;
            // Up to 250 supposed edges are followed, each in a dozen plans or so.
            prop_assert!(rounds < 10_000, "no end");
        }
        let found = campaign.extraction();
        prop_assert!(found.zones.len() < 300);
    }
}

/// Drops some samples, swaps some and shifts the times of some.
fn spoil(run: &mut Samples, dice: &mut Dice, share: f64) {
    let mut kept = Vec::new();
    for mut sample in run.samples.drain(..) {
        if dice.between(0.0, 1.0) < share {
            let late = Time::from_ps(sample.completed.as_ps() + dice.spread(1.0, 1e11) as u64);
            match dice.whole(0, 3) {
                0 => continue,
                1 => sample.completed = late,
                2 => (sample.submitted, sample.completed) = (sample.completed, sample.submitted),
                _ => sample.lba = dice.spread(1.0, 1e18) as u64,
            }
        }
        kept.push(sample);
    }
    run.samples = kept;
}
