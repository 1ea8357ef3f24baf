//! Pages that are written, and who waits for them.

use super::build::{close, flow, ms, plain, run, storage, write};
use platterlab_sim::host::{Host, HostOptions, Journal, Syncer};
use platterlab_sim::scheduler::{QueueOptions, Scheduler};
use platterlab_sim::{Outcome, System};
use platterlab_units::Span;
use platterlab_workload::flow::{Event, WriteMode};
use std::convert::Infallible;

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
    // Coming back to a CPU in between delays nothing, and is not part of a wait.
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
