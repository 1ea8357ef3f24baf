//! However long a flow is, a run of it takes the same memory: measured as the system counts it, each
//! run in a process of its own.
#![cfg(target_os = "linux")]
#![expect(clippy::print_stdout, reason = "figures, from one process to the other and for people")]

use platterlab_experiment::{Experiment, Job};
use platterlab_units::{Operation, Span, Time};
use platterlab_workload::Criticality;
use platterlab_workload::flow::{
    Cause, Event, Extent, FlowRecord, FlowSummary, FlowWriter, Item, Observed, Process, Step,
};
use platterlab_workload::synthetic::Task;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the flow, in pages, of which a hundredth fits into memory.
const PAGES: u32 = 50_000;
const ROUNDS: u32 = 2_000;
/// What ten times the rounds may add. Their requests alone would be three times as much.
const MORE_KIB: u64 = 1_024;

/// Reads of one process that wake another, which writes and sometimes syncs; a child now and then;
/// and the requests and waits of the traced system.
fn write_flow(path: &Path, rounds: u32) {
    let (mut header, _) = Task::Removetree.flow(1);
    header.machine.memory_pages = u64::from(PAGES / 100);
    let file = BufWriter::new(File::create(path).expect("a file can be made"));
    let mut writer = FlowWriter::new(file, &header).expect("the header is right");
    let mut at = Time::ZERO;
    let mut put = |item| {
        at += Span::from_us(500);
        let item = match item {
            Item::Observed(request) => {
                let arrival = Time::from_ps(at.as_ps() - Span::from_us(500).as_ps());
                Item::Observed(Observed { arrival, issue: arrival, completion: at, ..request })
            }
            other => other,
        };
        writer.write(&FlowRecord { at, item }).expect("it is right");
    };
    let process = |id, parent| Item::Process(Process { id, parent, name: None });
    let step = |process, event| Item::Step(Step { process, compute: Span::from_us(100), event });
    put(process(0, None));
    put(process(1, None));
    for file in 0..2 {
        let lba = u64::from(file * PAGES * header.machine.page_bytes / header.device.sector_bytes);
        put(Item::Extent(Extent { file, page: 0, pages: PAGES, lba }));
    }
    let mut child = 1;
    for round in 0..rounds {
        let page = u64::from(round.wrapping_mul(7_919) % PAGES);
        put(step(0, Event::Read { file: 0, page, pages: 1 }));
        for part in 0..5 {
            put(Item::Observed(read(page * 8 + part)));
        }
        put(step(0, Event::WakeUp { event: round }));
        put(step(1, Event::Wait { event: round }));
        put(step(1, Event::Write { file: 1, page, pages: 1 }));
        if round % 50 == 0 {
            put(step(1, Event::Sync { file: 1 }));
        }
        if round % 1_000 == 0 {
            child += 1;
            put(process(child, Some(0)));
            put(step(0, Event::Fork { child }));
            put(step(child, Event::Exit));
        }
    }
    put(step(0, Event::Exit));
    put(step(1, Event::Exit));
    writer.finish(&FlowSummary::default()).expect("the flow is whole");
}

fn read(lba: u64) -> Observed {
    Observed {
        arrival: Time::ZERO,
        issue: Time::ZERO,
        completion: Time::ZERO,
        lba,
        sectors: 1,
        operation: Operation::Read,
        cause: Cause::DemandRead,
        criticality: Criticality::Critical,
        process: Some(0),
        limit: None,
        waited: Span::ZERO,
    }
}

/// A run of this test program that does nothing but run one flow under one model.
fn peak_kib(flow: &Path, model: &str) -> (u64, u64) {
    let ran = Command::new(std::env::current_exe().expect("this program is a file"))
        .args(["--ignored", "--exact", "memory::a_run_of_its_own", "--nocapture"])
        .envs([("FLOW", flow.as_os_str()), ("MODEL", model.as_ref())])
        .output()
        .expect("this program runs");
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    let number = |name: &str| {
        let after = out.split_once(name).map(|(_, after)| after.split_whitespace().next());
        let text = after.flatten().unwrap_or_else(|| panic!("no {name} in {out}"));
        text.parse().expect("a number")
    };
    (number("served"), number("peak"))
}

#[test]
#[ignore = "a part of the test below, in a process of its own"]
fn a_run_of_its_own() {
    let value = |name| std::env::var(name).expect("the test below sets it");
    let text = format!(
        "[[drive]]\nsimple = {{ size = \"4G\", access = {{ kind = \"constant\", time_ms = 0.3 }} }}\n\
         [[workload]]\nkind = \"flow\"\nfile = {:?}\nmodel = {{ kind = {:?} }}\n",
        value("FLOW"),
        value("MODEL")
    );
    let experiment = Experiment::parse::<&str>(text.as_bytes(), "e.toml", Path::new("/"), &[]);
    let report = Job::start(experiment.expect("it is right").plan, 1, false).finish();
    let status = std::fs::read_to_string("/proc/self/status").expect("the system has it");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is there");
    println!("served {} peak {peak}", report.expect("it runs").served);
}

#[test]
fn ten_times_the_flow_takes_the_memory_of_one() {
    let folder = Folder::new();
    let flow = |name: &str, rounds| {
        let path = folder.0.join(name);
        write_flow(&path, rounds);
        path
    };
    let (short, long) = (flow("short.flow", ROUNDS), flow("long.flow", 10 * ROUNDS));
    for model in ["system", "open", "closed"] {
        let (few, before) = peak_kib(&short, model);
        let (many, after) = peak_kib(&long, model);
        println!("{model}: {few} requests {before} KiB, {many} requests {after} KiB");
        assert!(many > 9 * few, "{model}: {few} and {many} requests");
        assert!(after < before + MORE_KIB, "{model}: {before} KiB became {after} KiB");
    }
}

/// A folder of its own, gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("platterlab-memory-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
