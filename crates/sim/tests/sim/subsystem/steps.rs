//! A system on the caller's clock gives what a run of the same requests gives.

use super::build::{SECTORS, mock, options, plain, simple};
use platterlab_sim::array::{LayoutOptions, ReadChoice, VolumeOptions};
use platterlab_sim::drive::AccessLaw;
use platterlab_sim::scheduler::Scheduler;
use platterlab_sim::source::{Closed, Ended, Open};
use platterlab_sim::system::{Asked, Fault, FaultOptions, StepError, Stepper};
use platterlab_sim::{Outcome, System, SystemOptions};
use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::Record;
use proptest::prelude::*;
use std::convert::Infallible;

fn two_way_mirror(models: usize) -> SystemOptions {
    let mut options = options((0..models).map(|_| mock()).collect(), Scheduler::Sptf);
    options.volumes = vec![VolumeOptions {
        layout: LayoutOptions::Mirror {
            copies: 2,
            unit_sectors: None,
            read_choice: ReadChoice::Random,
        },
        ..plain((0..models as u32).collect())
    }];
    options.keep_rows = true;
    options
}

fn asked(record: &Record) -> Asked {
    let &Record { device: volume, lba, sectors, operation, .. } = record;
    Asked { volume, lba, sectors, operation }
}

/// What a run makes of the records: completion by request.
fn by_a_run(options: SystemOptions, records: &[Record]) -> (Vec<Stamp>, u64) {
    let source = Open::new(records.iter().copied().map(Ok::<_, Infallible>), 1.0);
    let mut system = System::new(options, source).expect("it makes sense");
    system.run().expect("the source cannot fail");
    let rows = system.take_requests();
    let mut all = vec![Stamp::ZERO; records.len()];
    for (request, ms) in rows.request.iter().zip(&rows.completion_ms) {
        all[*request as usize] = exact(*ms);
    }
    (all, system.report().events)
}

/// The picosecond of a row: below two hours an f64 of milliseconds tells each from its neighbours.
fn exact(ms: f64) -> Stamp {
    Stamp::from_ps((ms * 1e9).round() as u128)
}

fn sorted(over: &[Ended]) -> Vec<Stamp> {
    let mut all = over.to_vec();
    all.sort_by_key(|one| one.request.tag);
    all.iter().map(|one| one.completion).collect()
}

prop_compose! {
    fn some_records()(
        all in prop::collection::vec((0_u64..40_000, 0_u64..1_000_000, 1_u32..64, any::<bool>()), 1..80),
    ) -> Vec<Record> {
        let mut arrival = Stamp::ZERO;
        all.into_iter().map(|(gap_us, lba, sectors, reads)| {
            // Some arrive together.
            arrival += Span::from_us(gap_us.saturating_sub(8_000));
            let operation = if reads { Operation::Read } else { Operation::Write };
            Record { arrival, lba, operation, ..super::build::record(0, lba, sectors) }
        }).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn handed_in_requests_are_served_as_in_a_run(
        records in some_records(),
        strides in prop::collection::vec(1_u64..30_000, 1..9),
        at_once in any::<bool>(),
    ) {
        let mut stepper = Stepper::new(two_way_mirror(4)).expect("it makes sense");
        let (mut over, mut next) = (Vec::new(), 0);
        for stride in strides.iter().cycle() {
            let to = stepper.now() + Span::from_us(*stride);
            while next < records.len() && (at_once || records[next].arrival <= to) {
                let number = stepper.submit(records[next].arrival, asked(&records[next]));
                prop_assert_eq!(number, Ok(next as u64));
                next += 1;
            }
            stepper.advance(to).expect("it goes on");
            over.append(stepper.completions());
            if over.len() == records.len() {
                break;
            }
        }
        prop_assert_eq!((stepper.in_flight(), stepper.next_event()), (0, None));
        let (run, events) = by_a_run(two_way_mirror(4), &records);
        prop_assert_eq!(sorted(&over), run);
        prop_assert_eq!(stepper.report().events, events);
        prop_assert!(over.iter().zip(&over[1..]).all(|(one, two)| one.completion <= two.completion));
        prop_assert!(over.iter().all(|one| one.arrival == records[one.request.tag as usize].arrival));
    }

    #[test]
    fn an_estimate_comes_true_where_nothing_comes_after_it_and_changes_nothing(
        records in some_records(),
        late_us in 0_u64..200_000,
    ) {
        let mut stepper = Stepper::new(two_way_mirror(2)).expect("it makes sense");
        for record in &records {
            stepper.submit(record.arrival, asked(record)).expect("it fits");
        }
        let last = records.last().expect("there are some").arrival;
        stepper.advance(last + Span::from_us(late_us)).expect("it goes on");
        let one = Asked { volume: 0, lba: 77_777, sectors: 9, operation: Operation::Read };
        let told = stepper.estimate(one).expect("it fits");
        prop_assert_eq!(stepper.estimate(one), Ok(told));
        let number = stepper.submit(stepper.now(), one).expect("it fits");
        while stepper.in_flight() > 0 {
            let next = stepper.next_event().expect("requests are under way");
            stepper.advance(next).expect("it goes on");
        }
        let over = stepper.completions();
        let found = over.iter().find(|one| one.request.tag == number).expect("it is over");
        prop_assert_eq!(found.completion, told);
    }
}

#[test]
fn a_caller_who_waits_for_each_is_a_closed_source() {
    let records: Vec<Record> =
        (0..200).map(|n| super::build::record(0, n * 7919 % 900_000, 16)).collect();
    let mut closed = options(vec![mock()], Scheduler::Fcfs);
    closed.keep_rows = true;
    let source = Closed::new(records.iter().copied().map(Ok::<_, Infallible>), 1);
    let mut system = System::new(closed.clone(), source).expect("it makes sense");
    system.run().expect("the source cannot fail");
    let rows = system.take_requests();
    let mut stepper = Stepper::new(closed).expect("it makes sense");
    for (index, record) in records.iter().enumerate() {
        stepper.submit(stepper.now(), asked(record)).expect("it fits");
        while stepper.completions().is_empty() {
            let next = stepper.next_event().expect("one is under way");
            stepper.advance(next).expect("it goes on");
        }
        let over = stepper.completions().pop().expect("one is over");
        assert_eq!(over.completion, exact(rows.completion_ms[index]));
    }
}

#[test]
fn what_cannot_be_is_told_and_changes_nothing() {
    let mut stepper = Stepper::new(options(vec![mock()], Scheduler::Fcfs)).expect("it makes sense");
    let sectors = stepper.sectors(0);
    let one = Asked { volume: 0, lba: sectors - 8, sectors: 8, operation: Operation::Write };
    assert_eq!((stepper.volumes(), stepper.sectors(1), stepper.sector_bytes()), (1, 0, 512));
    stepper.advance(Stamp::from_us(5)).expect("it goes on");
    let now = stepper.now();
    let past = StepError::Past { at: Stamp::ZERO, now };
    assert_eq!(stepper.submit(Stamp::ZERO, one), Err(past));
    assert_eq!(stepper.advance(Stamp::ZERO), Err(past));
    let beyond = Asked { lba: sectors - 7, ..one };
    let error = StepError::Beyond { lba: sectors - 7, sectors: 8, of: sectors };
    assert_eq!(stepper.submit(now, beyond), Err(error));
    assert_eq!(stepper.estimate(beyond), Err(error));
    let nowhere = StepError::NoVolume { volume: 1, volumes: 1 };
    assert_eq!(stepper.submit(now, Asked { volume: 1, ..one }), Err(nowhere));
    assert!(stepper.submit(now, Asked { sectors: 0, ..one }).is_err());
    let never = StepError::Over(Outcome::ClockFull);
    assert_eq!(stepper.submit(Stamp::MAX, one), Err(never));
    assert_eq!(stepper.submit(now, one), Ok(0));
    assert_eq!((stepper.in_flight(), stepper.next_event()), (1, Some(now)));
}

#[test]
fn a_request_that_no_device_can_serve_is_lost_and_told() {
    let mut broken = options(vec![mock()], Scheduler::Fcfs);
    broken.faults = vec![FaultOptions { at: Stamp::from_us(10), fault: Fault::Device(0) }];
    let mut stepper = Stepper::new(broken).expect("it makes sense");
    let one = Asked { volume: 0, lba: 0, sectors: 8, operation: Operation::Read };
    stepper.submit(Stamp::from_us(20), one).expect("it fits");
    stepper.advance(Stamp::from_us(20)).expect("it goes on");
    let over = stepper.completions().pop().expect("it is over");
    assert_eq!((over.lost, over.completion), (true, Stamp::from_us(20)));
}

#[test]
fn a_full_queue_ends_it_with_the_reason() {
    let constant = AccessLaw::Constant { time: Span::from_us(1_000) };
    let mut short = options(vec![simple(constant, 1)], Scheduler::Fcfs);
    short.queue_limit = 3;
    let mut stepper = Stepper::new(short).expect("it makes sense");
    let one = Asked { volume: 0, lba: SECTORS - 1, sectors: 1, operation: Operation::Read };
    for _ in 0..9 {
        stepper.submit(Stamp::ZERO, one).expect("it fits");
    }
    let full = Err(StepError::Over(Outcome::QueueFull { device: 0 }));
    assert_eq!(stepper.advance(Stamp::ZERO), full);
    assert_eq!(stepper.next_event(), None);
    assert_eq!(stepper.submit(stepper.now(), one).map(|_| ()), full);
}
