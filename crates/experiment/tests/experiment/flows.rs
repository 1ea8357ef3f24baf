//! Process flows as workloads: three models of one file, what can be changed, and what is refused.

use platterlab_experiment::{Experiment, Job, JobReport};
use platterlab_units::{Operation, Span, Time};
use platterlab_workload::Criticality;
use platterlab_workload::flow::{
    Cause, Event, FlowRecord, FlowSummary, FlowWriter, Item, Observed, Process, Step,
};
use platterlab_workload::synthetic::Task;
use std::path::{Path, PathBuf};
use toml::Value;

/// A folder of its own for one test, gone after it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("platterlab-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// Writes a flow of processes that run from the start, with the header of a published task.
    fn write(&self, name: &str, processes: &[&[Event]], observed: &[Observed]) {
        let (header, _) = Task::Removetree.flow(1);
        let file = std::fs::File::create(self.0.join(name)).expect("a file can be made");
        let mut writer = FlowWriter::new(file, &header).expect("the header is right");
        for (id, _) in (0..).zip(processes) {
            let process = Process { id, parent: None, name: None };
            writer.put(Item::Process(process)).expect("it is right");
        }
        for (process, events) in (0..).zip(processes) {
            for event in *events {
                let step = Step { process, compute: Span::from_us(1_000), event: *event };
                writer.put(Item::Step(step)).expect("it is right");
            }
        }
        for request in observed {
            let (at, item) = (request.completion, Item::Observed(*request));
            writer.write(&FlowRecord { at, item }).expect("it is right");
        }
        writer.finish(&FlowSummary::default()).expect("the flow is whole");
    }

    fn parse(&self, overrides: &[(&str, Value)]) -> Result<Experiment, String> {
        Experiment::parse(TEXT.as_bytes(), "e.toml", &self.0, overrides).map_err(|e| e.to_string())
    }

    fn run(&self, overrides: &[(&str, Value)]) -> JobReport {
        let plan = self.parse(overrides).expect("it is right").plan;
        Job::start(plan, 1, false).finish().expect("the flow can be run")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TEXT: &str = r#"
[[drive]]
name = "small"
simple = { size = "1M", access = { kind = "constant", time_ms = 5.0 } }
[[drive]]
name = "large"
simple = { size = "4G", access = { kind = "constant", time_ms = 5.0 } }
[[workload]]
kind = "flow"
file = "run.flow"
volume = "large"
model = { kind = "system" }
"#;

fn observed(arrival_ms: u64, completion_ms: u64, lba: u64, sectors: u32) -> Observed {
    let time = |ms: u64| Time::ZERO + Span::from_us(ms * 1_000);
    Observed {
        arrival: time(arrival_ms),
        issue: time(arrival_ms),
        completion: time(completion_ms),
        lba,
        sectors,
        operation: Operation::Read,
        cause: Cause::DemandRead,
        criticality: Criticality::Critical,
        process: None,
        limit: None,
        waited: Span::ZERO,
    }
}

fn set(key: &'static str, value: impl Into<Value>) -> (&'static str, Value) {
    (key, value.into())
}

#[test]
fn one_flow_runs_under_three_models() {
    let folder = Folder::new("models");
    let read = |lba| Event::ReadBlock { lba, sectors: 8 };
    let steps = [read(0), read(64), Event::Exit];
    // The first to arrive ends last; a flush has no address.
    let traced = [observed(4, 6, 64, 8), observed(6, 8, 0, 0), observed(1, 9, 0, 8)];
    folder.write("run.flow", &[&steps], &traced);

    let system = folder.run(&[set("workload[0].model.wake_up_ms", 0.5)]);
    let host = &system.runs[0].hosts[0];
    assert_eq!((system.served, host.waits), (2, 2));
    // Three times 1 ms of computation; two requests of 5 ms, an interrupt of 1 ms and 0.5 ms each;
    // and the first switch.
    assert_eq!(host.task_elapsed_ms, Some(3.0 + 2.0 * 6.5 + 0.1));
    let faster = folder.run(&[
        set("workload[0].model.speed", 2.0),
        set("workload[0].model.interrupt_ms", 0.0),
        set("workload[0].model.context_switch_ms", 0.0),
    ]);
    assert_eq!(faster.runs[0].hosts[0].task_elapsed_ms, Some(1.5 + 10.0));

    let open = folder.run(&[set("workload[0].model.kind", "open")]);
    assert_eq!((open.served, open.runs[0].hosts.len()), (2, 0));
    let mean = |report: &JobReport| report.mean_response_ms.map(|interval| interval.mean);
    assert_eq!(mean(&open), Some((5.0 + 7.0) / 2.0), "arrivals at 1 and 4 ms");
    let closed = [set("workload[0].model.kind", "closed"), set("workload[0].model.population", 2)];
    assert_eq!(mean(&folder.run(&closed)), Some((5.0 + 10.0) / 2.0), "two at once");
    // Outstanding for 2 + 2 + 8 ms of 8: 1.5 in the mean, which are two.
    assert_eq!(mean(&folder.run(&closed[..1])), Some((5.0 + 10.0) / 2.0));
}

#[test]
fn what_does_not_fit_is_refused_with_its_key() {
    let folder = Folder::new("refusals");
    folder.write("run.flow", &[&[Event::Exit]], &[]);
    let refused = |overrides: &[(&str, Value)], wanted: &[&str]| {
        let error = folder.parse(overrides).expect_err("it is wrong");
        for part in wanted {
            assert!(error.contains(part), "{error:?} does not say {part:?}");
        }
    };
    let file = "workload[0].file";
    refused(&[set(file, "none.flow")], &["workload[0].file", "none.flow"]);
    refused(&[set("workload[0].volume", "small")], &[file, "`small` has 2048", "larger drive"]);
    refused(&[set("workload[0].volume", "lager")], &["workload[0].volume", "`large`"]);
    refused(&[set("workload[0].model.kind", "opn")], &["workload[0].model.kind", "open"]);
    refused(
        &[set("workload[0].model.kind", "open")],
        &["workload[0].model.kind", "was not captured"],
    );
    refused(&[set("workload[0].model.speed", 0.0)], &["workload[0].model.speed", "0.001"]);
    std::fs::write(folder.0.join("text"), "this is not a flow").expect("a file can be written");
    refused(&[set(file, "text")], &[file, "is not a process flow"]);
}

#[test]
fn processes_that_wait_for_each_other_are_named() {
    let folder = Folder::new("deadlock");
    let first = [Event::Wait { event: 1 }, Event::WakeUp { event: 2 }, Event::Exit];
    let second = [Event::Wait { event: 2 }, Event::WakeUp { event: 1 }, Event::Exit];
    folder.write("run.flow", &[&first, &second], &[]);
    let job = || Job::start(folder.parse(&[]).expect("each has its wake-up").plan, 1, false);
    let error = job().finish().expect_err("nothing moves").to_string();
    assert!(error.contains("process 0 waits for event 1, which process 1 would give"), "{error}");
    assert!(error.contains("process 1 waits for event 2, which process 0 would give"), "{error}");
    assert!(error.starts_with(&Path::new(&folder.0).join("run.flow").display().to_string()));
}
