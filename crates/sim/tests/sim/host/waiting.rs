//! Processes that wait for each other.

use super::build::{flow, plain, run, storage};
use platterlab_sim::System;
use platterlab_sim::host::{Host, HostOptions};
use platterlab_workload::flow::{Event, Item, ProcessId};
use std::convert::Infallible;

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
