//! Every policy against a plain search through the whole queue, and conservation under all of them.

use super::build::{mock, open, options, record, run};
use platterlab_sim::drive::Model;
use platterlab_sim::scheduler::{
    DeviceView, Key, Queue, QueueOptions, Scheduler, TimeoutRule, Waiting,
};
use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::{Criticality, Record};
use proptest::prelude::*;

fn all() -> Vec<Scheduler> {
    let mut all = vec![Scheduler::Fcfs, Scheduler::Sptf, Scheduler::Spctf, Scheduler::Satf];
    for by in [Key::Lba, Key::Cylinder] {
        all.extend([Scheduler::Look { by }, Scheduler::CLook { by }, Scheduler::Sstf { by }]);
        all.extend([Scheduler::VScan { by, turn_share: 0.2 }, Scheduler::Batch { by }]);
    }
    all.push(deadlines(3, 2));
    let limit = Span::from_us(50_000);
    all.extend([Scheduler::LowestFirst, Scheduler::SptfAtOnce]);
    for (cache_aware, with_transfer) in [(false, false), (true, false), (false, true)] {
        for from_last_sector in [false, true] {
            let weight = 0.1;
            all.push(Scheduler::AgedSptf {
                weight,
                cache_aware,
                with_transfer,
                from_last_sector,
                at_once: false,
            });
            let weighted = Scheduler::WeightedSptf {
                limit,
                cache_aware,
                with_transfer,
                from_last_sector,
                at_once: false,
            };
            all.push(weighted);
        }
    }
    all
}

fn deadlines(fifo_batch: u32, writes_starved: u32) -> Scheduler {
    let [read_expire, write_expire] = [30_000, 60_000].map(Span::from_us);
    Scheduler::MqDeadline { read_expire, write_expire, fifo_batch, writes_starved }
}

fn waiting(model: &Model, sequence: u64, lba: u64, arrival_us: u64) -> Waiting {
    let Model::Drive(drive) = model else { unreachable!("the mock is a drive") };
    Waiting {
        id: sequence as u32,
        sequence,
        arrival: (Stamp::ZERO + Span::from_us(arrival_us)).into(),
        lba,
        sectors: 8,
        operation: if lba.is_multiple_of(3) { Operation::Write } else { Operation::Read },
        criticality: Criticality::Unknown,
        order: None,
        place: Some(drive.layout().run(lba, 1).spot()),
    }
}

/// The number of the request that `cost` likes best, by looking at all of them.
fn search(left: &[Waiting], cost: impl Fn(&Waiting) -> i128) -> Option<u64> {
    left.iter().min_by_key(|waiting| (cost(waiting), waiting.sequence)).map(|best| best.sequence)
}

/// Pops everything at growing times and compares each choice with the search.
fn compare(
    kind: Scheduler,
    lbas: &[u64],
    cost: impl Fn(&Model, Stamp, &Waiting) -> i128,
) -> Result<(), TestCaseError> {
    let model = mock();
    let mut queue = Queue::new(&QueueOptions::of(kind), model.sectors(), model.cylinders());
    let mut left = Vec::new();
    for (sequence, lba) in (0..).zip(lbas) {
        let one = waiting(&model, sequence, lba % (model.sectors() - 8), sequence * 700);
        left.push(one);
        queue.push(one);
    }
    let mut now = Stamp::ZERO + Span::from_us(lbas.len() as u64 * 700);
    while let Some(next) = queue.pop(now, &model.view()) {
        let best = search(&left, |waiting| cost(&model, now, waiting));
        prop_assert_eq!(Some(next.sequence), best);
        left.retain(|waiting| waiting.sequence != next.sequence);
        now += Span::from_us(3_141);
    }
    prop_assert!(left.is_empty() && queue.is_empty());
    Ok(())
}

fn positioning(model: &Model, now: Stamp, waiting: &Waiting) -> i128 {
    let place = waiting.place.expect("it was given one");
    i128::from(
        model.view().positioning(&model.view().depart(now), &place, waiting.operation).as_ps(),
    )
}

proptest! {
    #[test]
    fn sptf_finds_what_a_full_search_finds(lbas in prop::collection::vec(any::<u64>(), 1..60)) {
        compare(Scheduler::Sptf, &lbas, positioning)?;
    }

    #[test]
    fn aged_and_weighted_sptf_too(lbas in prop::collection::vec(any::<u64>(), 1..60)) {
        let aged = Scheduler::AgedSptf { weight: 0.25, cache_aware: false, with_transfer: false, from_last_sector: false, at_once: false };
        compare(aged, &lbas, |model, now, waiting| {
            let waited = now.since(waiting.arrival.stamp()).as_ps() as i128;
            positioning(model, now, waiting) - waited / 4
        })?;
        let limit = Span::from_us(40_000);
        let weighted =
            Scheduler::WeightedSptf { limit, cache_aware: false, with_transfer: false, from_last_sector: false, at_once: false };
        compare(weighted, &lbas, |model, now, waiting| {
            let waited = now.since(waiting.arrival.stamp()).min(limit.into());
            let part = i128::from(limit.as_ps()) - waited.as_ps() as i128;
            positioning(model, now, waiting) * part / i128::from(limit.as_ps())
        })?;
    }

    #[test]
    fn every_policy_serves_everything_once(
        arrivals in prop::collection::vec((0_u64..400_000, any::<u64>(), 1_u32..300), 1..120),
        which in 0..all().len(),
        lists in 0..4_u32,
    ) {
        let policy = all()[which];
        let model = mock();
        let sectors = model.sectors();
        let mut options = options(vec![model], policy);
        options.driver.queue.critical = (lists & 1 > 0).then_some(Scheduler::Fcfs);
        let after = Span::from_us(30_000);
        options.driver.queue.timeout = (lists & 2 > 0).then_some(TimeoutRule { after, scheduler: policy, halves: false });
        let mut records: Vec<Record> = arrivals
            .iter()
            .map(|&(at, lba, size)| record(at, lba % (sectors + 100), size))
            .collect();
        records.sort_by_key(|record| record.arrival);
        for (index, record) in records.iter_mut().enumerate() {
            if index % 3 == 0 {
                record.criticality = Criticality::Critical;
            }
        }
        let report = run(options, open(records));
        prop_assert_eq!(report.offered, arrivals.len() as u64);
    }
}

#[test]
fn look_goes_up_and_down_and_c_look_up_only() {
    let model = mock();
    let order = |kind| {
        let mut queue = Queue::new(&QueueOptions::of(kind), model.sectors(), model.cylinders());
        let start = waiting(&model, 0, 500, 0);
        queue.push(start);
        assert_eq!(queue.pop(Stamp::ZERO, &model.view()).map(|first| first.lba), Some(500));
        for (sequence, lba) in [(1, 900), (2, 100), (3, 700), (4, 300)] {
            queue.push(waiting(&model, sequence, lba, 0));
        }
        std::iter::from_fn(|| queue.pop(Stamp::ZERO, &model.view()))
            .map(|next| next.lba)
            .collect::<Vec<_>>()
    };
    assert_eq!(order(Scheduler::Look { by: Key::Lba }), [700, 900, 300, 100]);
    assert_eq!(order(Scheduler::CLook { by: Key::Lba }), [700, 900, 100, 300]);
    assert_eq!(order(Scheduler::Sstf { by: Key::Lba }), [700, 900, 300, 100]);
    assert_eq!(order(Scheduler::Batch { by: Key::Lba }), [100, 300, 700, 900]);
}

#[test]
fn a_drive_that_chooses_once_it_has_nothing_to_do_does_not_wait_for_the_better_one() {
    let model = mock();
    let view = model.view();
    let mut both = [50_000, 90_000].map(|lba| waiting(&model, 0, lba, 0));
    both.sort_by_key(|one| {
        let place = one.place.expect("it was given one");
        view.positioning(&view.depart_at_once(Stamp::ZERO), &place, one.operation)
    });
    let [better, worse] = both.map(|one| one.lba);
    let first = |arrivals_us: [u64; 2]| {
        let options = QueueOptions::of(Scheduler::SptfAtOnce);
        let mut queue = Queue::new(&options, model.sectors(), model.cylinders());
        for (sequence, (lba, at)) in (0..).zip([worse, better].into_iter().zip(arrivals_us)) {
            queue.push(waiting(&model, sequence, lba, at));
        }
        queue.pop(Stamp::ZERO + Span::from_us(5_000), &view).map(|next| next.lba)
    };
    // It has had nothing to do since 0.
    assert_eq!(first([0, 0]), Some(better));
    assert_eq!(first([1_000, 1_001]), Some(worse));
    assert_eq!(first([0, 1_000]), Some(worse), "what comes later is not seen");
}

/// Addresses in the order in which `mq-deadline` serves them at one instant.
fn by_deadline(kind: Scheduler, now_us: u64, requests: &[(u64, Operation, u64)]) -> Vec<u64> {
    let model = mock();
    let mut queue = Queue::new(&QueueOptions::of(kind), model.sectors(), model.cylinders());
    for (sequence, &(lba, operation, arrival_us)) in (0..).zip(requests) {
        queue.push(Waiting { operation, ..waiting(&model, sequence, lba, arrival_us) });
    }
    let now = Stamp::ZERO + Span::from_us(now_us);
    std::iter::from_fn(|| queue.pop(now, &model.view())).map(|next| next.lba).collect()
}

#[test]
fn mq_deadline_serves_batches_of_reads_upwards_and_passes_writes_over_twice() {
    let (read, write) = (Operation::Read, Operation::Write);
    let mut requests: Vec<_> = (0..9).map(|number| (900 - 100 * number, read, 0)).collect();
    requests.extend([(50, write, 0), (20, write, 0), (950, write, 0), (980, write, 0)]);
    let order = by_deadline(deadlines(3, 2), 0, &requests);
    let batches: Vec<&[u64]> = order.chunks(3).collect();
    let writes: [&[u64]; 2] = [&[20, 50, 950], &[980]];
    let reads: [&[u64]; 3] = [&[100, 200, 300], &[400, 500, 600], &[700, 800, 900]];
    assert_eq!(batches, [reads[0], reads[1], writes[0], reads[2], writes[1]]);
    let eager = deadlines(3, 0);
    let order = by_deadline(eager, 0, &requests);
    assert_eq!(order.chunks(3).next(), Some(writes[0]), "with 0, writes wait for no reads");
}

#[test]
fn mq_deadline_looks_at_deadlines_between_batches_alone() {
    let read = Operation::Read;
    // The oldest lies last.
    let mut requests = vec![(900, read, 0)];
    requests.extend((1..=5).map(|number| (100 * number, read, 5_000)));
    assert_eq!(by_deadline(deadlines(3, 2), 29_999, &requests), [100, 200, 300, 400, 500, 900]);
    assert_eq!(by_deadline(deadlines(3, 2), 30_000, &requests), [900, 100, 200, 300, 400, 500]);
    // At first only the first is late, and then all: each batch begins with the oldest.
    requests.extend((6..=8).map(|number| (100 * number, read, 1_000)));
    let order = by_deadline(deadlines(3, 2), 40_000, &requests);
    assert_eq!(order, [900, 600, 700, 800, 100, 200, 300, 400, 500]);
    let one = deadlines(1, 2);
    let order = by_deadline(one, 40_000, &requests);
    assert_eq!(order, [900, 600, 700, 800, 100, 200, 300, 400, 500], "a batch of 1: as they came");
}

#[test]
fn mq_deadline_gives_writes_their_own_deadline() {
    let write = Operation::Write;
    let requests = [(900, write, 0), (100, write, 1_000), (200, write, 2_000)];
    assert_eq!(by_deadline(deadlines(3, 2), 59_999, &requests), [100, 200, 900]);
    assert_eq!(by_deadline(deadlines(3, 2), 60_000, &requests), [900, 100, 200]);
}

#[test]
fn what_has_waited_too_long_and_what_a_process_waits_for_goes_first() {
    let model = mock();
    let mut rule = QueueOptions::of(Scheduler::Sstf { by: Key::Lba });
    rule.timeout = Some(TimeoutRule {
        after: Span::from_us(10_000),
        scheduler: Scheduler::Fcfs,
        halves: false,
    });
    rule.critical = Some(Scheduler::CLook { by: Key::Lba });
    let mut queue = Queue::new(&rule, model.sectors(), model.cylinders());
    queue.push(waiting(&model, 0, 90_000, 0));
    queue.push(waiting(&model, 1, 10, 5_000));
    queue.push(waiting(&model, 2, 20, 5_000));
    let critical =
        Waiting { criticality: Criticality::Critical, ..waiting(&model, 3, 70_000, 6_000) };
    queue.push(critical);
    let mut pop =
        |us| queue.pop(Stamp::ZERO + Span::from_us(us), &model.view()).map(|next| next.sequence);
    assert_eq!(
        [pop(9_999), pop(10_000), pop(10_000), pop(10_000)],
        [Some(3), Some(0), Some(1), Some(2)]
    );
}

#[test]
fn what_passes_an_empty_queue_leaves_it_as_pushing_and_popping_would() {
    let model = mock();
    for kind in all() {
        let options = QueueOptions::of(kind);
        let new = || Queue::new(&options, model.sectors(), model.cylinders());
        let (mut passed, mut popped) = (new(), new());
        let mut state = 5_u64;
        let mut lba = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) % (model.sectors() - 8)
        };
        let mut last = 0;
        for sequence in 0..200 {
            let now = Stamp::ZERO + Span::from_us(sequence * 700);
            // Asked while nothing waits, some turn round; it shows where the next lies right there.
            for _ in 0..sequence % 3 {
                assert!(passed.has_none() || passed.pop(now, &model.view()).is_none());
                assert!(popped.pop(now, &model.view()).is_none());
            }
            let at = if sequence % 2 == 0 { last } else { lba() };
            let one = waiting(&model, sequence, at, sequence * 700);
            if !passed.pass(&one) {
                passed.push(one);
                assert!(passed.pop(now, &model.view()).is_some());
            }
            popped.push(one);
            assert!(popped.pop(now, &model.view()).is_some());
            let others =
                [waiting(&model, 1_000 + sequence, lba(), 0), waiting(&model, 2_000, lba(), 0)];
            for other in others {
                passed.push(other);
                popped.push(other);
            }
            for _ in 0..2 {
                let next = [&mut passed, &mut popped].map(|queue| queue.pop(now, &model.view()));
                let [a, b] = next.map(|next| next.map(|one| (one.sequence, one.lba)));
                assert_eq!(a, b, "{kind:?}");
                last = a.map_or(0, |(_, lba)| lba);
            }
        }
    }
}
