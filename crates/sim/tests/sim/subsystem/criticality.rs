//! Two lists by criticality, and what keeps them from doing harm: promotion and anticipation.

use super::build::{open, options, record, run, simple};
use platterlab_sim::drive::{AccessLaw, Model};
use platterlab_sim::scheduler::{Queue, QueueOptions, Scheduler, Waiting};
use platterlab_units::{Moment, Operation, Span, Stamp};
use platterlab_workload::{Criticality, Record};

const SERVICE: Span = Span::from_us(5_000);
const PATIENCE: Span = Span::from_us(2_000);

fn device() -> Model {
    simple(AccessLaw::Constant { time: SERVICE }, 1)
}

fn two_lists() -> QueueOptions {
    let policy = Scheduler::Fcfs;
    QueueOptions { critical: Some(policy), ..QueueOptions::of(policy) }
}

fn waiting(sequence: u64, criticality: Criticality) -> Waiting {
    Waiting {
        id: sequence as u32,
        sequence,
        arrival: Moment::ZERO,
        lba: sequence * 100,
        sectors: 8,
        operation: Operation::Write,
        criticality,
        order: None,
        place: None,
    }
}

fn served(rule: &QueueOptions, awaited: u32) -> Vec<u64> {
    let model = device();
    let mut queue = Queue::new(rule, model.sectors(), 1);
    (0..3).for_each(|sequence| queue.push(waiting(sequence, Criticality::Noncritical)));
    queue.push(waiting(3, Criticality::Critical));
    let promoted = queue.promote(|id| id == awaited);
    assert_eq!(promoted, rule.promote);
    assert_eq!(queue.len(), 4, "whoever is promoted is still there, once");
    std::iter::from_fn(|| queue.pop(Stamp::ZERO, &model.view()))
        .map(|waiting| waiting.sequence)
        .collect()
}

#[test]
fn what_somebody_comes_to_wait_for_joins_the_critical_ones() {
    assert_eq!(served(&two_lists(), 2), [3, 0, 1, 2]);
    let rule = QueueOptions { promote: true, ..two_lists() };
    assert_eq!(served(&rule, 2), [3, 2, 0, 1]);
    // What has been served cannot be promoted any more.
    let model = device();
    let mut queue = Queue::new(&rule, model.sectors(), 1);
    queue.push(waiting(0, Criticality::Noncritical));
    assert!(queue.pop(Stamp::ZERO, &model.view()).is_some());
    assert!(!queue.promote(|id| id == 0));
    assert!(queue.is_empty());
}

/// A critical request, another that nobody waits for, and 1 ms after the first is done, a second
/// critical one.
fn one_after_the_other() -> Vec<Record> {
    let of = |at_us, lba, criticality| Record { criticality, ..record(at_us, lba, 8) };
    vec![
        of(0, 0, Criticality::Critical),
        of(1_000, 500_000, Criticality::Noncritical),
        of(6_000, 8, Criticality::Critical),
    ]
}

fn mean_response_ms(rule: QueueOptions) -> f64 {
    let mut system = options(vec![device()], Scheduler::Fcfs);
    system.driver.queue = rule;
    let report = run(system, open(one_after_the_other()));
    assert_eq!(report.served, 3);
    report.response_ms.expect("there are three").mean_ms
}

#[test]
fn the_arm_waits_for_the_next_critical_request_and_no_longer_than_it_was_told() {
    // 0 to 5, 5 to 10, 10 to 15 ms.
    assert_eq!(mean_response_ms(two_lists()), (5.0 + 9.0 + 9.0) / 3.0);
    // 0 to 5, 6 to 11, and the other after another 2 ms: 13 to 18 ms.
    let patient = QueueOptions { anticipate: PATIENCE, ..two_lists() };
    assert_eq!(mean_response_ms(patient), (5.0 + 5.0 + 17.0) / 3.0);
    // Half a millisecond is too short: 5.5 to 10.5, 10.5 to 15.5 ms.
    let short = QueueOptions { anticipate: Span::from_us(500), ..two_lists() };
    assert_eq!(mean_response_ms(short), (5.0 + 9.5 + 9.5) / 3.0);
}

#[test]
fn nothing_is_held_back_where_there_is_one_list() {
    let one = QueueOptions { anticipate: PATIENCE, ..QueueOptions::of(Scheduler::Fcfs) };
    assert_eq!(mean_response_ms(one), (5.0 + 9.0 + 9.0) / 3.0);
}
