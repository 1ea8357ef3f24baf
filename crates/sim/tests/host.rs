//! Computers over storage: small flows whose times can be worked out by hand.

use platterlab_sim::drive::{AccessLaw, Model, SimpleDevice, SimpleParams};
use platterlab_sim::host::{FileReadAhead, Host, HostOptions, HostReport, Journal, Syncer};
use platterlab_sim::scheduler::{QueueOptions, Scheduler};
use platterlab_sim::system::DeviceOptions;
use platterlab_sim::{Outcome, Report, System, SystemOptions};
use platterlab_units::{Span, Time};
use platterlab_workload::flow::{
    Event, Extent, FlowRecord, Item, Process, ProcessId, Step, WriteMode,
};
use std::convert::Infallible;

const SECTORS: u64 = 1_000_000;

fn ms(ms: f64) -> Span {
    Span::from_ms(ms).expect("a time")
}

/// One device that takes 5 ms for everything.
fn storage() -> SystemOptions {
    let params = SimpleParams {
        sectors: SECTORS,
        sector_bytes: 512,
        overhead: Span::ZERO,
        access: AccessLaw::Constant { time: ms(5.0) },
        sector_time: Span::ZERO,
    };
    let model = Model::Simple(Box::new(SimpleDevice::new(params, 1)));
    SystemOptions::of(vec![DeviceOptions::of(model)], QueueOptions::of(Scheduler::Fcfs))
}

/// A computer that does nothing of its own.
fn plain() -> HostOptions {
    HostOptions {
        cpus: 1,
        speed: 1.0,
        quantum: ms(100.0),
        context_switch: Span::ZERO,
        wake_up: Span::ZERO,
        issue_to_sleep: Span::ZERO,
        interrupt: Span::ZERO,
        clock: None,
        tick: Span::ZERO,
        syncer_request: Span::ZERO,
        memory_pages: 1_000,
        page_sectors: 8,
        request_pages: 1,
        read_ahead: FileReadAhead::Off,
        syncer: Syncer::Burst { interval: ms(30_000.0) },
        dirty_limit_pages: None,
        sync_in_turn: false,
        journal: None,
        flush: Span::ZERO,
        volume: 0,
        unplaced_lba: 500_000,
    }
}

/// A flow of one file at sector 1000 and of processes with these steps (computation in ms).
fn flow(processes: &[&[(f64, Event)]]) -> Vec<FlowRecord> {
    let record = |item| FlowRecord { at: Time::ZERO, item };
    let process =
        |(id, _): (u32, _)| record(Item::Process(Process { id, parent: None, name: None }));
    let mut records: Vec<FlowRecord> = (0..).zip(processes).map(process).collect();
    let extent = Extent { file: 1, page: 0, pages: 10_000, lba: 1_000 };
    records.push(record(Item::Extent(extent)));
    let longest = processes.iter().map(|steps| steps.len()).max().unwrap_or(0);
    for index in 0..longest {
        for (process, steps) in (0..).zip(processes) {
            if let Some(&(compute, event)) = steps.get(index) {
                let step = Step { process, compute: ms(compute), event };
                records.push(record(Item::Step(step)));
            }
        }
    }
    records
}

fn read(page: u64) -> Event {
    Event::Read { file: 1, page, pages: 1 }
}

fn write(page: u64) -> Event {
    Event::Write { file: 1, page, pages: 1 }
}

fn run(options: HostOptions, processes: &[&[(f64, Event)]]) -> (Report, HostReport) {
    let records = flow(processes).into_iter().map(Ok::<_, Infallible>);
    let mut system = System::new(storage(), Host::new(options, records)).expect("it makes sense");
    assert_eq!(system.run().expect("the flow can be read"), Outcome::Finished);
    let report = system.report();
    assert_eq!((report.in_flight, report.refused), (0, 0), "requests are conserved");
    assert_eq!(system.source_mut().deadlock(), Ok(None));
    (report, system.source().report())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn a_process_that_waits_makes_false_idle_time() {
    let steps = [(10.0, read(0)), (7.0, read(0)), (3.0, Event::Exit)];
    let (report, host) = run(plain(), &[&steps]);
    assert_eq!((report.served, host.waits, host.events), (1, 1, 2));
    assert_eq!(host.task_elapsed_ms, Some(25.0));
    let times = host.task_times.expect("the task ended");
    assert!(close(times.process_ms, 20.0) && close(times.false_idle_ms, 5.0), "{times:?}");
    assert!(close(times.idle_ms, 0.0) && close(times.other_ms, 0.0), "{times:?}");
    assert!(close(host.wait_ms, 5.0));
}

#[test]
fn a_process_computes_on_between_issuing_a_read_and_its_sleep() {
    let steps = [(10.0, read(0)), (5.0, read(1)), (9.0, Event::Exit)];
    let figures = |issue_to_sleep| {
        let options = HostOptions { issue_to_sleep: ms(issue_to_sleep), ..plain() };
        let (_, host) = run(options, &[&steps]);
        let times = host.task_times.expect("the task ended");
        assert!(close(times.process_ms, 24.0), "all of its computation, once: {times:?}");
        (host.waits, host.task_elapsed_ms, host.wait_ms)
    };
    assert_eq!(figures(0.0), (2, Some(10.0 + 5.0 + 5.0 + 5.0 + 9.0), 10.0));
    assert_eq!(figures(2.0), (2, Some(10.0 + 5.0 + 3.0 + 5.0 + 7.0), 6.0));
    // A read that ends sooner is not slept for; what was computed beyond a step is of the next.
    assert_eq!(figures(6.0), (0, Some(24.0), 0.0));
}

#[test]
fn sleep_is_regular_idle_time_and_speed_does_not_change_it() {
    let steps = [(10.0, Event::Sleep { span: ms(50.0) }), (10.0, Event::Exit)];
    let (_, host) = run(HostOptions { speed: 2.0, ..plain() }, &[&steps]);
    let times = host.task_times.expect("the task ended");
    assert_eq!(host.task_elapsed_ms, Some(60.0));
    assert!(close(times.process_ms, 10.0) && close(times.idle_ms, 50.0), "{times:?}");
}

#[test]
fn a_clock_takes_its_time_from_whoever_computes() {
    let steps = [(10.0, Event::Sleep { span: ms(50.0) }), (10.0, Event::Exit)];
    let clock = HostOptions { clock: Some(ms(4.0)), tick: ms(1.0), ..plain() };
    let (_, host) = run(clock, &[&steps]);
    let times = host.task_times.expect("the task ended");
    // It computes until 12 ms, when the clock is first; sleeps from 13 to 63, and is done at 76,
    // when the clock is first again. The clock ticks once more than it had to.
    assert_eq!((host.task_elapsed_ms, host.interrupts), (Some(77.0), 20));
    assert!(close(times.process_ms, 20.0) && close(times.other_ms, 19.0), "{times:?}");
    let (_, host) = run(HostOptions { clock: Some(ms(4.0)), ..plain() }, &[&steps]);
    assert_eq!((host.task_elapsed_ms, host.interrupts), (Some(70.0), 18));
}

#[test]
fn another_process_uses_the_time_of_one_that_waits() {
    let waiting = [(1.0, read(0)), (1.0, Event::Exit)];
    let computing = [(20.0, Event::Exit)];
    let (_, host) = run(plain(), &[&waiting, &computing]);
    // The reader's page is there at 6 ms, but the other keeps the CPU until 21 ms.
    assert_eq!(host.task_elapsed_ms, Some(22.0));
    assert!(close(host.times.false_idle_ms, 0.0));
    assert_eq!(host.context_switches, 3);
    // With a turn of 4 ms the reader gets the CPU at 9 ms.
    let (_, host) = run(HostOptions { quantum: ms(4.0), ..plain() }, &[&waiting, &computing]);
    assert_eq!(host.task_elapsed_ms, Some(10.0));
    // With two CPUs nobody waits for one.
    let (_, host) = run(HostOptions { cpus: 2, ..plain() }, &[&waiting, &computing]);
    assert_eq!(host.task_elapsed_ms, Some(7.0));
}

#[test]
fn interrupts_stack_on_computation_and_are_charged() {
    let options = HostOptions { interrupt: ms(2.0), context_switch: ms(0.5), ..plain() };
    let waiting = [(1.0, read(0)), (1.0, Event::Exit)];
    let computing = [(20.0, Event::Exit)];
    let (_, host) = run(options, &[&waiting, &computing]);
    // Switch 0.5, compute 1; switch 0.5 and 20 with the interrupt's 2 within; switch 0.5, compute 1.
    assert_eq!(host.task_elapsed_ms, Some(25.5));
    assert_eq!((host.interrupts, host.context_switches), (1, 3));
    assert!(close(host.times.other_ms, 3.5), "{:?}", host.times);
}

#[test]
fn reading_ahead_hides_the_disk_behind_computation() {
    let steps: Vec<_> = (0..10).map(|page| (8.0, read(page))).chain([(8.0, Event::Exit)]).collect();
    let next = HostOptions { read_ahead: FileReadAhead::Next { cluster_pages: 1_000 }, ..plain() };
    let (report, host) = run(next, &[&steps]);
    // One demand read of 5 ms, then page N + 1 comes during the 8 ms on page N; page 10 for nothing.
    assert_eq!((report.served, host.waits), (11, 1));
    assert_eq!(host.task_elapsed_ms, Some(11.0 * 8.0 + 5.0));
    let limits = host.limits.expect("pages were read ahead");
    assert_eq!((limits.needed, limits.met_share), (9, 1.0));
    // Page 1 was asked for with page 0 and needed 5 + 8 ms later, the others 8 ms later.
    assert!(close(limits.mean_limit_ms, (13.0 + 8.0 * 8.0) / 9.0), "{limits:?}");

    let window =
        HostOptions { read_ahead: FileReadAhead::Window(32), request_pages: 32, ..plain() };
    let (report, host) = run(window, &[&steps]);
    assert!(report.served < 6, "pages come in windows: {}", report.served);
    assert_eq!(host.waits, 1);
}

#[test]
fn pages_too_slow_are_waited_for_and_break_their_limit() {
    let steps: Vec<_> = (0..4).map(|page| (1.0, read(page))).chain([(1.0, Event::Exit)]).collect();
    let next = HostOptions { read_ahead: FileReadAhead::Next { cluster_pages: 1_000 }, ..plain() };
    let (_, host) = run(next, &[&steps]);
    let limits = host.limits.expect("pages were read ahead");
    assert_eq!((limits.needed, limits.met_share, host.waits), (3, 0.0, 4));
}

#[test]
fn every_syncer_writes_what_is_dirty_in_the_end() {
    let steps: Vec<_> =
        (0..50).map(|page| (1.0, write(page))).chain([(1.0, Event::Exit)]).collect();
    for syncer in [
        Syncer::Burst { interval: ms(30_000.0) },
        Syncer::Sweep { interval: ms(1_000.0), cycle: ms(10_000.0), stride_thousandths: 618 },
        Syncer::Expire { interval: ms(5_000.0), expire: ms(30_000.0), background_pages: 400 },
    ] {
        let (report, host) = run(HostOptions { syncer, ..plain() }, &[&steps]);
        assert_eq!(report.served, 50, "{syncer:?}");
        assert_eq!(host.task_elapsed_ms, Some(51.0), "{syncer:?}: nobody waits for the daemon");
        assert_eq!(host.classes[2].requests, 50, "{syncer:?}");
    }
    let together = HostOptions { request_pages: 16, ..plain() };
    assert_eq!(run(together, &[&steps]).0.served, 4, "50 pages in requests of 16");
}

#[test]
fn full_memory_makes_writers_wait() {
    let steps: Vec<_> =
        (0..50).map(|page| (1.0, write(page))).chain([(1.0, Event::Exit)]).collect();
    for options in [
        HostOptions { memory_pages: 10, ..plain() },
        HostOptions { dirty_limit_pages: Some(10), ..plain() },
    ] {
        let (report, host) = run(options, &[&steps]);
        assert_eq!(report.served, 50);
        assert!(host.waits > 0 && host.task_elapsed_ms.is_some_and(|elapsed| elapsed > 200.0));
    }
    // An event of more pages than memory holds goes on in parts.
    let long = [(1.0, Event::Read { file: 1, page: 0, pages: 30 }), (1.0, Event::Exit)];
    let (report, _) = run(HostOptions { memory_pages: 4, ..plain() }, &[&long]);
    assert_eq!(report.served, 30);
}

#[test]
fn a_sync_waits_for_its_data() {
    let sync = Event::Sync { file: 1 };
    let steps = [(1.0, write(0)), (1.0, write(5)), (1.0, sync), (1.0, sync), (1.0, Event::Exit)];
    let (_, host) = run(plain(), &[&steps]);
    assert_eq!(host.task_elapsed_ms, Some(15.0), "two pages at 5 ms each, the second sync is free");
    assert_eq!(host.classes[0].requests, 2);
}

#[test]
fn a_sync_sleeps_once_for_all_or_for_one_after_the_other() {
    let sync = Event::Sync { file: 1 };
    let two = [(1.0, write(0)), (1.0, write(5)), (1.0, sync), (1.0, Event::Exit)];
    let one = [(1.0, write(0)), (1.0, write(0)), (1.0, sync), (1.0, Event::Exit)];
    let in_turn = HostOptions { sync_in_turn: true, wake_up: ms(0.25), ..plain() };
    let together = HostOptions { sync_in_turn: false, ..in_turn.clone() };
    let figures = |options: &HostOptions, steps: &[(f64, Event)]| {
        let (_, host) = run(options.clone(), &[steps]);
        (host.waits, host.task_elapsed_ms, host.wait_ms)
    };
    // Coming back to a CPU in between delays nothing, and is no part of a wait.
    assert_eq!(figures(&together, &two), (1, Some(3.0 + 10.0 + 0.25 + 1.0), 10.0));
    assert_eq!(figures(&in_turn, &two), (2, Some(3.0 + 10.0 + 0.25 + 1.0), 9.75));
    for options in [&together, &in_turn] {
        assert_eq!(figures(options, &one), (1, Some(3.0 + 5.0 + 0.25 + 1.0), 5.0));
    }
}

#[test]
fn a_page_written_again_while_a_sync_waits_is_not_waited_for_again() {
    let sync = Event::Sync { file: 1 };
    let syncing = [(1.0, write(0)), (0.0, write(5)), (0.0, sync), (1.0, Event::Exit)];
    let writing = [(3.0, write(0)), (1.0, Event::Exit)];
    let options = HostOptions { cpus: 2, sync_in_turn: true, ..plain() };
    let (_, host) = run(options, &[&syncing, &writing]);
    assert_eq!(host.task_elapsed_ms, Some(1.0 + 10.0 + 1.0));
}

#[test]
fn a_commit_goes_through_its_stages_and_the_next_one_waits() {
    let log =
        Journal { lba: 900_000, sectors: 64, record_sectors: 8, flushes: true, thread: ms(0.5) };
    let options = HostOptions { cpus: 2, journal: Some(log), flush: ms(2.0), ..plain() };
    let commit = |sectors| Event::Commit { sectors };
    let alone = [(1.0, commit(8)), (1.0, Event::Flush), (1.0, Event::Exit)];
    let (report, host) = run(options.clone(), &[&alone]);
    // Thread, changes, flush, record, flush; then a flush of the process's own.
    assert_eq!(host.task_elapsed_ms, Some(1.0 + 0.5 + 5.0 + 2.0 + 5.0 + 2.0 + 1.0 + 2.0 + 1.0));
    assert_eq!((report.served, host.waits), (2, 2));
    assert_eq!(host.causes, [("journal", 2), ("flush", 3)]);
    assert_eq!(host.classes[0].requests, 5, "somebody waits for all of it");

    let log = Journal { flushes: false, thread: Span::ZERO, ..log };
    let options = HostOptions { journal: Some(log), ..options };
    let first = [(1.0, commit(0)), (1.0, Event::Exit)];
    let second = [(2.0, commit(4)), (1.0, Event::Exit)];
    let third = [(3.0, commit(4)), (1.0, Event::Exit)];
    let (report, host) = run(HostOptions { cpus: 3, ..options }, &[&first, &second, &third]);
    assert_eq!(host.task_elapsed_ms, Some(7.0), "nothing but its record");
    assert_eq!(report.served, 3, "the others share the next commit");
    assert_eq!(host.wait_ms, 5.0 + 14.0 + 13.0);
    let unlogged = run(plain(), &[&first]).1;
    assert_eq!((unlogged.task_elapsed_ms, unlogged.waits), (Some(2.0), 0), "there is no log");
}

#[test]
fn metadata_is_waited_for_as_its_mode_says() {
    let block = |mode| Event::WriteBlock { lba: 64, sectors: 2, mode };
    let elapsed = |mode| {
        let steps = [(1.0, block(mode)), (1.0, block(mode)), (1.0, Event::Exit)];
        run(plain(), &[&steps]).1.task_elapsed_ms
    };
    assert_eq!(elapsed(WriteMode::Synchronous), Some(13.0));
    // The second change waits for the first one's write, which ends at 6 ms.
    assert_eq!(elapsed(WriteMode::Asynchronous), Some(7.0));
    assert_eq!(elapsed(WriteMode::Delayed), Some(3.0));
}

#[test]
fn processes_fork_wake_each_other_and_wait() {
    let parent =
        [(1.0, Event::WakeUp { event: 7 }), (1.0, Event::Wait { event: 8 }), (1.0, Event::Exit)];
    let child =
        [(5.0, Event::Wait { event: 7 }), (2.0, Event::WakeUp { event: 8 }), (1.0, Event::Exit)];
    let (_, host) = run(HostOptions { cpus: 2, ..plain() }, &[&parent, &child]);
    assert_eq!(host.task_elapsed_ms, Some(8.0));
    assert_eq!((host.waits, host.cut_processes), (0, 0));
}

/// What is said of processes that each wait for one event and then wake or fork another.
fn deadlock(processes: &[[Event; 2]]) -> String {
    let steps: Vec<Vec<(f64, Event)>> = processes
        .iter()
        .map(|events| events.iter().chain([&Event::Exit]).map(|event| (1.0, *event)).collect())
        .collect();
    let borrowed: Vec<&[(f64, Event)]> = steps.iter().map(Vec::as_slice).collect();
    let mut records = flow(&borrowed);
    let forked =
        |child: ProcessId| processes.iter().any(|[_, then]| *then == Event::Fork { child });
    for record in &mut records {
        if let Item::Process(process) = &mut record.item {
            process.parent = forked(process.id).then_some(0);
        }
    }
    let records = records.into_iter().map(Ok::<_, Infallible>);
    let mut system = System::new(storage(), Host::new(plain(), records)).expect("it makes sense");
    system.run().expect("the flow can be read");
    let Ok(said) = system.source_mut().deadlock();
    said.expect("it stops")
}

#[test]
fn a_deadlock_is_told_with_its_cycle() {
    let wait = |event| Event::Wait { event };
    let wake = |event| Event::WakeUp { event };
    let cycle = "2 processes wait for each other: process 0 waits for event 1, which process 1 \
                 would give; process 1 waits for event 2, which process 0 would give";
    let two = [[wait(1), wake(2)], [wait(2), wake(1)]];
    assert_eq!(deadlock(&two), cycle);
    let waiter = [wait(1), wake(9)];
    assert_eq!(
        deadlock(&[two[0], two[1], waiter, waiter]),
        format!("{cycle}; 2 more processes wait")
    );
    assert_eq!(
        deadlock(&[[wait(1), wake(1)]]),
        "process 0 waits for event 1, which process 0 would give"
    );
    assert_eq!(deadlock(&[[wait(1), wake(2)]]), "process 0 waits for event 1, which nothing gives");
    assert_eq!(
        deadlock(&[[wait(1), Event::Fork { child: 1 }], [wake(1), wait(3)]]),
        "2 processes wait for each other: process 0 waits for event 1, which process 1 would give; \
         process 1 waits for process 0 to fork it"
    );
}

#[test]
fn of_a_long_cycle_a_few_links_are_told() {
    let ring =
        (0..300).map(|id| [Event::Wait { event: id }, Event::WakeUp { event: (id + 1) % 300 }]);
    let said = deadlock(&ring.collect::<Vec<_>>());
    let begin = "300 processes wait for each other: process 0 waits for event 0, which process 299 \
                 would give; process 299 waits";
    assert!(said.starts_with(begin), "{said}");
    let end = "; 294 more; process 1 waits for event 1, which process 0 would give";
    assert!(said.ends_with(end), "{said}");
}

#[test]
fn a_write_that_a_process_comes_to_wait_for_is_promoted() {
    // Forty pages and a block are dirty when the syncer wakes; then the process changes the block.
    let block = Event::WriteBlock { lba: 900_000, sectors: 8, mode: WriteMode::Delayed };
    let mut steps: Vec<_> = (0..40).map(|page| (0.0, write(page))).collect();
    steps.extend([(0.0, block), (30_001.0, block), (0.0, Event::Exit)]);
    let elapsed_ms = |promote| {
        let policy = Scheduler::Fcfs;
        let mut storage = storage();
        storage.driver.queue =
            QueueOptions { critical: Some(policy), promote, ..QueueOptions::of(policy) };
        let records = flow(&[&steps]).into_iter().map(Ok::<_, Infallible>);
        let mut system = System::new(storage, Host::new(plain(), records)).expect("it makes sense");
        assert_eq!(system.run().expect("the flow can be read"), Outcome::Finished);
        let report = system.report();
        assert_eq!((report.served, report.in_flight), (42, 0), "nothing is lost or done twice");
        system.source().report().task_elapsed_ms.expect("the task ended")
    };
    // It is the last of 41 writes of 5 ms, or the next after the one under way.
    assert!(close(elapsed_ms(false), 30_000.0 + 41.0 * 5.0), "{}", elapsed_ms(false));
    assert!(close(elapsed_ms(true), 30_000.0 + 2.0 * 5.0), "{}", elapsed_ms(true));
}
