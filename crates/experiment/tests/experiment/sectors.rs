//! Requests in logical sectors on a drive of larger physical ones: an experiment and the replay of one
//! trace touch the same sectors at the same picosecond.

use platterlab_drive::Drive;
use platterlab_experiment::{Experiment, Run};
use platterlab_profile::Profile;
use platterlab_results::{Columns, Summary};
use platterlab_sim::{Replay, ReplayOptions, Timing};
use platterlab_workload::trace::{Options, open};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const DRIVE: &str = "toshiba-hdwe150";

/// A trace in 512-byte sectors in a file of its own, gone after the test.
struct Trace(PathBuf);

impl Trace {
    fn new(name: &str, requests: &[(u64, u32, char)]) -> Self {
        let name = format!("platterlab-sectors-{}-{name}.load", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut text = String::new();
        for (number, (lba, sectors, letter)) in requests.iter().enumerate() {
            let start = number as f64 * 0.02;
            writeln!(text, "{start:.6};{lba};{sectors};{letter};0.0;0.0").expect("it is memory");
        }
        std::fs::write(&path, text).expect("a file can be made");
        Self(path)
    }

    fn experiment(&self, geometry: &str) -> (Columns, Summary, u64) {
        let profile = Profile::from_library(DRIVE).expect("it is there");
        let file = self.0.with_extension("toml");
        let text = profile.to_toml().replace("[geometry]", &format!("[geometry]\n{geometry}"));
        std::fs::write(&file, text).expect("a file can be made");
        let text = format!(
            "[[drive]]\nprofile = {file:?}\nat_index = true\n[[workload]]\nkind = \"trace\"\nfile = {:?}\n",
            self.0
        );
        let plan = Experiment::parse(text.as_bytes(), "e.toml", Path::new(""), &[] as &[(&str, _)])
            .expect("it is right")
            .plan;
        let mut run = Run::new(&plan, 0, true).expect("it can be built");
        while run.advance().expect("the trace is right") {}
        let rows = run.take_rows().commands;
        let _ = std::fs::remove_file(file);
        let report = run.report();
        (rows, report.commands, report.refused)
    }

    fn replay(&self) -> (Columns, Summary) {
        let profile = Profile::from_library(DRIVE).expect("it is there");
        let reader = open(&self.0, None, &Options::default()).expect("it is right");
        let options = ReplayOptions {
            timing: Timing::Open,
            device: None,
            seed: 0,
            warm_up: 0,
            trace_sector_bytes: 512,
            track_phase: false,
        };
        let drive = Drive::new(profile.params()).expect("it can be built");
        let mut replay = Replay::new(reader, drive, options).expect("sectors fit");
        let mut rows = Vec::new();
        while let Some(row) = replay.next_row().expect("the trace is right") {
            rows.push(row);
        }
        let mut columns = Columns::default();
        columns.extend(&rows);
        (columns, replay.summary())
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn places(rows: &Columns) -> Vec<(u64, u32)> {
    rows.lba.iter().copied().zip(rows.sectors.iter().copied()).collect()
}

#[test]
fn a_request_touches_every_sector_that_it_has_a_byte_of() {
    let trace =
        Trace::new("few", &[(4, 16, 'R'), (7, 2, 'W'), (8, 8, 'W'), (80, 1, 'R'), (87, 1, 'W')]);
    let expected = [(0, 3), (0, 2), (1, 1), (10, 1), (10, 1)];
    let (rows, commands, refused) = trace.experiment("");
    assert_eq!(places(&rows), expected);
    assert_eq!((refused, commands.partial_writes), (0, 2));
    let (rows, summary) = trace.replay();
    assert_eq!(places(&rows), expected);
    assert_eq!((summary.refused.len(), summary.partial_writes), (0, 2));
}

#[test]
fn a_drive_of_native_sectors_refuses_what_is_no_whole_one() {
    let trace = Trace::new("native", &[(4, 16, 'R'), (8, 8, 'W'), (8, 9, 'W')]);
    let (rows, commands, refused) = trace.experiment("logical_sector_bytes = 4096");
    assert_eq!(places(&rows), [(1, 1)]);
    assert_eq!((refused, commands.partial_writes), (2, 0));
}

#[test]
fn an_experiment_and_the_replay_give_the_same_bits() {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        // Knuth's MMIX generator.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let requests: Vec<(u64, u32, char)> = (0..2_000)
        .map(|_| (next(1 << 30), next(40) as u32 + 1, if next(2) == 0 { 'R' } else { 'W' }))
        .collect();
    let trace = Trace::new("many", &requests);
    let (ours, commands, refused) = trace.experiment("");
    let (theirs, summary) = trace.replay();
    assert_eq!((ours.len(), theirs.len(), refused), (2_000, 2_000, 0));
    assert_eq!(commands.partial_writes, summary.partial_writes);
    // Every digit of every column, times that are not known included.
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
    let mut partial_writes = 0;
    for ((first, touched), (lba, sectors, letter)) in places(&ours).into_iter().zip(requests) {
        let (from, to) = (lba * 512, (lba + u64::from(sectors)) * 512);
        let [first, end] = [first, first + u64::from(touched)].map(|at| at * 4_096);
        assert!(first <= from && to <= end && from - first < 4_096 && end - to < 4_096);
        partial_writes += u64::from(letter == 'W' && (first < from || to < end));
    }
    assert_eq!(summary.partial_writes, partial_writes);
}
