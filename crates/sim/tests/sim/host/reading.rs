//! Pages that are read ahead.

use super::build::{close, plain, read, run};
use platterlab_sim::host::{FileReadAhead, HostOptions};
use platterlab_workload::flow::Event;

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
