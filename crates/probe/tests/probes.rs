//! What every probe promises, on a device that is not a drive at all: its plan is kept, cancelling
//! and failing leave what was measured, and nothing is written without consent.

use platterlab_device::{Answer, BlockDevice, Completion, DeviceError, DeviceInfo, WriteConsent};
use platterlab_probe::{
    Access, End, Overhead, PastCache, Pattern, Plan, Question, Recall, Rotation, Seeker, Skippy,
    Tracks, Trial, Visit, Walk, Zoned, run,
};
use platterlab_units::{Operation, Span, Time};
use std::ops::ControlFlow;

/// Sectors pass one after the other, a thousand to a revolution of 10 ms; requests take 3 ms at
/// least. Fails at one address.
struct Turntable {
    info: DeviceInfo,
    now: Time,
    bad_lba: u64,
    writes: u64,
}

const SECTOR: Span = Span::from_us(10);
const TURN: Span = Span::from_us(10_000);
const LEAST: Span = Span::from_us(3_000);

impl Turntable {
    fn new(bad_lba: u64) -> Self {
        let info = DeviceInfo {
            name: "turntable".to_owned(),
            capacity_sectors: 1_000_000,
            logical_sector_bytes: 512,
            physical_sector_bytes: 512,
            facts: vec![],
        };
        Self { info, now: Time::ZERO, bad_lba, writes: 0 }
    }

    fn serve(&mut self, lba: u64, sectors: u32) -> Answer {
        if lba == self.bad_lba {
            return Err(DeviceError::Io { name: self.info.name.clone(), lba, sectors });
        }
        let submitted = self.now;
        let earliest = submitted + LEAST;
        let passes = SECTOR.as_ps() * (lba % 1_000);
        let wait = (passes + TURN.as_ps() - earliest.as_ps() % TURN.as_ps()) % TURN.as_ps();
        self.now = earliest + Span::from_ps(wait) + SECTOR * u64::from(sectors);
        Ok(Completion { submitted, completed: self.now })
    }
}

impl BlockDevice for Turntable {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&mut self) -> Time {
        self.now
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.serve(lba, sectors)
    }

    fn write(&mut self, _consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.writes += 1;
        self.serve(lba, sectors)
    }

    fn idle(&mut self, time: Span) {
        self.now += time;
    }
}

const NOWHERE: u64 = u64::MAX;

fn plans() -> Vec<Plan> {
    let skippy = |walk| Plan::Skippy(Skippy { lba: 64, sectors: 8, stride: 2, steps: 40, walk });
    let rotation = |pattern| Plan::Rotation(Rotation { lba: 64, sectors: 8, repeats: 30, pattern });
    vec![
        Plan::Overhead(Overhead { lba: 64, sectors: 8, repeats: 10 }),
        rotation(Pattern::Same),
        rotation(Pattern::TwoSectors),
        rotation(Pattern::Backwards),
        skippy(Walk::Running),
        skippy(Walk::Backwards),
        skippy(Walk::Restart),
        Plan::Tracks(Tracks {
            visit: Visit::Starts { first_lba: 100 },
            lbas: (0..40).rev().map(|i| 100 + i * 1_000).collect(),
            sectors: 8,
            waits_ps: (0..40).map(|i| i * 1_000_000).collect(),
        }),
        Plan::Seeker(Seeker {
            anchor_lba: 64,
            targets: vec![564, 64_000],
            sectors: 8,
            rotation_ps: TURN.as_ps(),
            halvings: 10,
            past_cache: None,
        }),
        Plan::Recall(Recall {
            question: Question::Reach,
            trials: (0..20)
                .map(|i| Trial {
                    lbas: vec![64 + i * 2_000, 128 + i * 2_001],
                    rest_ps: 20_000_000_000,
                })
                .collect(),
            sectors: 8,
        }),
        Plan::Zoned(Zoned {
            lba: 64,
            region_sectors: 900_000,
            points: 20,
            block_sectors: 100,
            blocks: 3,
        }),
    ]
}

fn go(device: &mut Turntable, plan: &Plan, access: Access<'_>) -> platterlab_probe::Samples {
    run(device, plan, access, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn every_probe_keeps_to_its_plan_and_its_cost() {
    for plan in plans() {
        let mut device = Turntable::new(NOWHERE);
        let samples = go(&mut device, &plan, Access::Read);
        assert_eq!(samples.end, End::Complete, "{plan:?}");
        let (requests, cost) = (samples.samples.len() as u64, plan.cost());
        assert!(requests > 0 && requests <= cost.requests, "{plan:?}: {requests} of {cost:?}");
        let (took, expected) = (device.now.as_ms(), cost.drive_time(TURN).as_ms());
        assert!(took < 1.7 * expected, "{}: took {took} ms, expected {expected}", plan.name());
        let sum: i64 = samples.samples.iter().map(|sample| sample.distance_sectors).sum();
        let (first, last) = (&samples.samples[0], &samples.samples[samples.samples.len() - 1]);
        assert_eq!(
            first.lba as i64 + sum,
            last.lba as i64,
            "{plan:?}: distances are start to start"
        );
        assert_eq!(device.writes, 0, "reading writes nothing");
    }
}

#[test]
fn skippy_grows_its_distance_by_one_stride_and_stays_in_its_span() {
    for walk in [Walk::Running, Walk::Backwards, Walk::Restart] {
        let plan = Skippy { lba: 64, sectors: 8, stride: 2, steps: 40, walk };
        let samples =
            go(&mut Turntable::new(NOWHERE), &Plan::Skippy(plan.clone()), Access::Read).samples;
        let every = if walk == Walk::Restart { 2 } else { 1 };
        let distances: Vec<i64> = samples
            .iter()
            .skip(every)
            .step_by(every)
            .map(|sample| sample.distance_sectors)
            .collect();
        let sign = if walk == Walk::Backwards { -1 } else { 1 };
        let expected: Vec<i64> = (0..40).map(|step| sign * step * 16).collect();
        assert_eq!(distances, expected, "{walk:?}");
        let end = samples.iter().map(|sample| sample.lba + 8).max().unwrap();
        assert_eq!(end, 64 + plan.span_sectors(), "{walk:?}");
        assert_eq!(samples.iter().map(|sample| sample.lba).min(), Some(64), "{walk:?}");
    }
}

#[test]
fn seeker_finds_the_last_wait_that_makes_the_revolution() {
    let plan = plans().into_iter().find(|plan| plan.name() == "seeker").unwrap();
    let samples = go(&mut Turntable::new(NOWHERE), &plan, Access::Read).samples;
    let shortest = samples.iter().skip(1).step_by(2).map(|sample| sample.elapsed()).min().unwrap();
    let least = LEAST + SECTOR * 8;
    assert!(shortest >= least && shortest < least + Span::from_us(20), "{shortest}");
    // The samples say what was waited, and where the search ended.
    let Plan::Seeker(plan) = plan else { panic!("not a seeker: {plan:?}") };
    let searches = plan.searches(&samples);
    let waits: Vec<u64> = searches.iter().flat_map(|it| it.waits_ps.iter().copied()).collect();
    let waited = samples.chunks(2).map(|pair| pair[1].submitted.since(pair[0].completed).as_ps());
    assert!(waits.iter().copied().eq(waited), "{waits:?}");
    let took: Vec<Span> = samples.chunks(2).map(|pair| pair[1].elapsed()).collect();
    let mut rest = &took[..];
    for search in &searches {
        let (mine, others) = rest.split_at(search.waits_ps.len());
        rest = others;
        let made = mine.iter().zip(&search.waits_ps).filter(|(took, _)| **took < TURN);
        let longest = made.map(|(_, wait)| *wait).max().unwrap();
        assert!(longest.abs_diff(search.threshold_ps) <= TURN.as_ps() >> 10, "{search:?}");
    }
    // One that is not over says nothing.
    assert_eq!(plan.searches(&samples[..samples.len() - 2]), searches[..1]);
}

#[test]
fn seeker_rests_and_forgets_before_each_movement() {
    let past = PastCache { rest_ps: 5 * TURN.as_ps(), forget_lbas: vec![500_000, 600_000] };
    let plan = Seeker {
        anchor_lba: 64,
        targets: vec![64_000],
        sectors: 8,
        rotation_ps: TURN.as_ps(),
        halvings: 3,
        past_cache: Some(past),
    };
    let samples =
        go(&mut Turntable::new(NOWHERE), &Plan::Seeker(plan.clone()), Access::Read).samples;
    for movement in samples.chunks(plan.requests_each()) {
        let lbas: Vec<u64> = movement.iter().map(|sample| sample.lba).collect();
        assert_eq!(lbas, [500_000, 600_000, 64, 64_000]);
        let rest = movement[3].submitted.since(movement[2].completed);
        assert!(rest >= TURN * 5 && rest < TURN * 6, "{rest}");
    }
}

#[test]
fn what_was_measured_survives_a_failure_and_a_cancellation() {
    for plan in plans() {
        let whole = go(&mut Turntable::new(NOWHERE), &plan, Access::Read).samples;
        let middle = whole[whole.len() / 2].lba;
        let kept = whole.iter().take_while(|sample| sample.lba != middle).count();
        let broken = go(&mut Turntable::new(middle), &plan, Access::Read);
        assert!(
            matches!(broken.end, End::Failed(DeviceError::Io { lba, .. }) if lba == middle),
            "{:?}",
            broken.end
        );
        assert_eq!(broken.samples, whole[..kept], "{plan:?}");

        let mut calls = 0;
        let cancelled = run(&mut Turntable::new(NOWHERE), &plan, Access::Read, &mut |progress| {
            assert_eq!(progress.done, calls);
            assert!(progress.done <= progress.requests);
            calls += 1;
            if calls > 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(cancelled.end, End::Cancelled);
        assert_eq!(cancelled.samples, whole[..5], "{plan:?}");
    }
}

#[test]
fn writing_probes_write_and_reading_ones_never_do() {
    let consent = WriteConsent::for_simulation();
    for plan in plans() {
        let mut device = Turntable::new(NOWHERE);
        let samples = go(&mut device, &plan, Access::Write(&consent)).samples;
        let reads = ["zoned", "overhead", "recall"].contains(&plan.name());
        let writes = if reads { 0 } else { samples.len() as u64 };
        assert_eq!(device.writes, writes, "{plan:?}");
        let operation = if writes == 0 { Operation::Read } else { Operation::Write };
        assert!(samples.iter().all(|sample| sample.operation == operation));
    }
}
