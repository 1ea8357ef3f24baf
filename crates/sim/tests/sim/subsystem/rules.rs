//! The rules that go before policies: combining, streams, overlaps, time-outs in two steps, tags.

use super::build::{mock, open, options, record, run, simple};
use platterlab_sim::drive::{AccessLaw, Model};
use platterlab_sim::scheduler::{
    Combine, Key, Overlap, Queue, QueueOptions, Rules, Scheduler, Tag, TagRule, TimeoutRule,
    Together, Waiting,
};
use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::{Criticality, Record};
use proptest::prelude::*;

fn by(rules: Rules, scheduler: Scheduler) -> QueueOptions {
    QueueOptions { rules, ..QueueOptions::of(scheduler) }
}

const EVERY: Combine = Combine { reads: true, writes: true, max_sectors: 64 };

fn device() -> Model {
    simple(AccessLaw::Constant { time: Span::from_us(10) }, 1)
}

fn waiting(sequence: u64, lba: u64, sectors: u32, operation: Operation) -> Waiting {
    Waiting {
        id: sequence as u32,
        sequence,
        arrival: (Stamp::ZERO + Span::from_us(sequence)).into(),
        lba,
        sectors,
        operation,
        criticality: Criticality::Unknown,
        order: None,
        place: None,
    }
}

fn reads(lbas: &[(u64, u32)]) -> Vec<Waiting> {
    (0..).zip(lbas).map(|(n, &(lba, sectors))| waiting(n, lba, sectors, Operation::Read)).collect()
}

/// Every command the queue gives: its first sector, its length, and who is served by it.
fn commands(options: &QueueOptions, all: &[Waiting]) -> Vec<(u64, u32, Vec<u64>)> {
    let model = device();
    let mut queue = Queue::new(options, model.sectors(), 1);
    all.iter().for_each(|one| queue.push(*one));
    let now = Stamp::ZERO + Span::from_us(1_000);
    std::iter::from_fn(|| {
        let next = queue.pop(now, &model.view())?;
        let mut served = vec![next.sequence];
        served.extend(queue.riders().drain(..).map(|rider| rider.sequence));
        served.sort_unstable();
        Some((next.lba, next.sectors, served))
    })
    .collect()
}

#[test]
fn requests_that_continue_each_other_become_one_command_of_limited_length() {
    let rule = by(Rules { combine: Some(EVERY), ..Rules::default() }, Scheduler::Fcfs);
    let all = reads(&[(100, 8), (500, 40), (108, 8), (92, 8), (540, 24), (564, 8)]);
    let expected = [(92, 24, vec![0, 2, 3]), (500, 64, vec![1, 4]), (564, 8, vec![5])];
    assert_eq!(commands(&rule, &all), expected);
    let mixed = [waiting(0, 0, 8, Operation::Read), waiting(1, 8, 8, Operation::Write)];
    assert_eq!(commands(&rule, &mixed).len(), 2, "a read does not become part of a write");
}

#[test]
fn requests_of_a_stream_come_one_after_the_other() {
    let together =
        Together { reads: true, writes: false, mixed: false, max_gap_sectors: 4, in_turn: false };
    let rule = by(Rules { together: Some(together), ..Rules::default() }, Scheduler::Fcfs);
    let all = reads(&[(100, 8), (900, 8), (110, 8), (123, 8)]);
    let order: Vec<u64> = commands(&rule, &all).iter().map(|one| one.0).collect();
    assert_eq!(order, [100, 110, 900, 123], "a gap of 2 sectors is within the rule, one of 5 not");
}

#[test]
fn a_request_that_continues_another_is_not_thought_of_before_it() {
    let order = |together: Option<Together>| {
        let rule = by(Rules { together, ..Rules::default() }, Scheduler::Look { by: Key::Lba });
        let model = device();
        let mut queue = Queue::new(&rule, model.sectors(), 1);
        let pop = |queue: &mut Queue| queue.pop(Stamp::ZERO, &model.view()).map(|one| one.lba);
        queue.push(waiting(0, 900, 8, Operation::Read));
        assert_eq!(pop(&mut queue), Some(900));
        reads(&[(500, 8), (508, 8), (700, 8), (516, 8)]).iter().for_each(|one| queue.push(*one));
        std::iter::from_fn(|| pop(&mut queue)).collect::<Vec<_>>()
    };
    let downwards = [700, 516, 508, 500];
    assert_eq!(order(None), downwards);
    let reads_only = Together { reads: true, in_turn: true, ..Together::default() };
    assert_eq!(
        order(Some(reads_only)),
        [700, 500, 508, 516],
        "those that continue come on the way up"
    );
    let writes_only = Together { reads: false, writes: true, ..reads_only };
    assert_eq!(order(Some(writes_only)), downwards);
}

#[test]
fn reads_inside_a_read_are_answered_with_it() {
    let rule = by(Rules { overlap: Overlap::Answered, ..Rules::default() }, Scheduler::Fcfs);
    let mut all = reads(&[(100, 64), (110, 8), (160, 8), (100, 8)]);
    assert_eq!(commands(&rule, &all), [(100, 64, vec![0, 1, 3]), (160, 8, vec![2])]);
    all[0].operation = Operation::Write;
    assert_eq!(commands(&rule, &all)[0], (100, 64, vec![0]), "no read is answered by a write");
}

#[test]
fn after_half_the_time_a_request_is_late_and_after_all_of_it_it_is_first() {
    let rule = TimeoutRule { after: Span::from_us(100), scheduler: Scheduler::Fcfs, halves: true };
    let mut options = QueueOptions::of(Scheduler::Look { by: Key::Lba });
    options.timeout = Some(rule);
    options.critical = Some(Scheduler::Fcfs);
    let model = device();
    let order = |now_us: u64| {
        let mut queue = Queue::new(&options, model.sectors(), 1);
        let mut urgent = waiting(60, 300, 8, Operation::Read);
        urgent.criticality = Criticality::Critical;
        for one in
            [waiting(0, 900, 8, Operation::Read), waiting(50, 100, 8, Operation::Read), urgent]
        {
            queue.push(one);
        }
        let now = Stamp::ZERO + Span::from_us(now_us);
        let first = queue.pop(now, &model.view()).map(|one| one.lba);
        (first, queue.pop(now, &model.view()).map(|one| one.lba))
    };
    assert_eq!(order(49), (Some(300), Some(100)), "nothing is late: LOOK after the critical one");
    assert_eq!(order(51), (Some(300), Some(900)), "late goes before LOOK's choice");
    let mut queue = Queue::new(&options, model.sectors(), 1);
    queue.push(waiting(0, 900, 8, Operation::Read));
    queue.push(waiting(1, 800, 8, Operation::Read));
    let mut urgent = waiting(90, 300, 8, Operation::Read);
    urgent.criticality = Criticality::Critical;
    let at = |us| Stamp::ZERO + Span::from_us(us);
    assert_eq!(queue.pop(at(60), &model.view()).map(|one| one.lba), Some(900));
    queue.push(urgent);
    urgent.sequence = 91;
    queue.push(urgent);
    assert_eq!(queue.pop(at(99), &model.view()).map(|one| one.lba), Some(300), "800 is only late");
    assert_eq!(
        queue.pop(at(101), &model.view()).map(|one| one.lba),
        Some(300),
        "FCFS among the first"
    );
    assert_eq!(queue.pop(at(101), &model.view()).map(|one| one.lba), Some(800));
}

#[test]
fn ordered_commands_are_barriers_and_head_of_queue_goes_first() {
    let rule = TagRule { critical: Tag::HeadOfQueue, reads: Tag::Simple, writes: Tag::Ordered };
    let mut options = QueueOptions::of(Scheduler::CLook { by: Key::Lba });
    options.tags = Some(rule);
    let mut all = reads(&[(500, 8), (100, 8), (300, 8), (50, 8), (40, 8), (700, 8)]);
    all[2].operation = Operation::Write;
    all[5].criticality = Criticality::Critical;
    let order: Vec<u64> = commands(&options, &all).iter().map(|one| one.0).collect();
    assert_eq!(order, [700, 100, 500, 300, 40, 50]);
}

/// Whether a later request has passed an earlier one for some of its sectors, one being a write.
fn passed(order: &[Waiting]) -> bool {
    let conflict = |first: &Waiting, second: &Waiting| {
        first.sequence > second.sequence
            && first.lba < second.end()
            && second.lba < first.end()
            && !(first.operation.is_read() && second.operation.is_read())
    };
    (0..order.len()).any(|at| order[at + 1..].iter().any(|later| conflict(&order[at], later)))
}

proptest! {
    #[test]
    fn nothing_passes_a_write_to_its_own_sectors_and_all_is_served(
        all in prop::collection::vec((0_u64..200, 1_u32..40, any::<bool>()), 1..60),
        pops in prop::collection::vec(any::<bool>(), 0..60),
    ) {
        let rules =
            Rules { overlap: Overlap::InOrder, combine: Some(EVERY), ..Rules::default() };
        let rule = by(rules, Scheduler::Sstf { by: Key::Lba });
        let model = device();
        let mut queue = Queue::new(&rule, model.sectors(), 1);
        let mut order = Vec::new();
        let mut pop = |queue: &mut Queue| {
            let Some(next) = queue.pop(Stamp::ZERO, &model.view()) else { return };
            let mut group = queue.riders().clone();
            queue.riders().clear();
            let first = group.iter().map(|one| one.lba).chain([next.lba]).min();
            assert_eq!(first, Some(next.lba), "a command begins with its first request");
            // The chosen request's own sectors are what the riders leave.
            group.sort_by_key(|one| one.sequence);
            let riders: u32 = group.iter().map(|one| one.sectors).sum();
            order.push((next.sequence, next.sectors - riders));
            order.extend(group.iter().map(|one| (one.sequence, one.sectors)));
        };
        let all: Vec<Waiting> = (0..).zip(&all).map(|(n, &(lba, sectors, write))| {
            waiting(n, lba, sectors, if write { Operation::Write } else { Operation::Read })
        }).collect();
        for (at, one) in all.iter().enumerate() {
            queue.push(*one);
            if pops.get(at) == Some(&true) {
                pop(&mut queue);
            }
        }
        while !queue.is_empty() {
            pop(&mut queue);
        }
        let served: Vec<Waiting> = order.iter().map(|&(n, _)| all[n as usize]).collect();
        prop_assert_eq!(served.len(), all.len());
        prop_assert!(!passed(&served));
        for (one, &(_, sectors)) in served.iter().zip(&order) {
            prop_assert_eq!(one.sectors, sectors, "every sector is asked for once");
        }
    }

    #[test]
    fn a_system_serves_all_that_is_combined(
        arrivals in prop::collection::vec((0_u64..50_000, 0_u64..400, 1_u32..60), 1..100),
        depth in 1_u32..5,
        which in 0..4_usize,
    ) {
        let overlap = [Overlap::Free, Overlap::InOrder, Overlap::Answered, Overlap::Free][which];
        let policy = [Scheduler::Fcfs, Scheduler::Look { by: Key::Lba }, Scheduler::Sptf][which % 3];
        let queue = by(Rules { overlap, combine: Some(EVERY), ..Rules::default() }, policy);
        let mut options = options(vec![mock()], policy);
        options.driver.queue = queue;
        options.devices[0].queue = queue;
        options.devices[0].depth = depth;
        let mut records: Vec<Record> =
            arrivals.iter().map(|&(at, lba, size)| record(at, lba, size)).collect();
        records.sort_by_key(|record| record.arrival);
        for (index, record) in records.iter_mut().enumerate() {
            if index % 3 == 0 {
                record.operation = Operation::Write;
            }
        }
        let report = run(options, open(records));
        prop_assert_eq!(report.served, arrivals.len() as u64);
        prop_assert!(report.commands.served <= report.served);
    }
}
