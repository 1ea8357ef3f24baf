//! Who computes, who waits, and what interrupts it.

use super::build::{close, ms, plain, read, run};
use platterlab_sim::host::HostOptions;
use platterlab_workload::flow::Event;

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
