//! ImportedDrive drives against DiskSim's own answers, request by request.
//!
//! The files are not part of the project; without them these tests skip, and say so.

#![allow(clippy::print_stderr, reason = "figures and skips are for people to read")]

use crate::files::and_back;
use flate2::read::GzDecoder;
use platterlab_disksim::drive::{DriveImportOptions, load};
use platterlab_drive::{CacheOutcome, Command, Drive, NoChance, ReadAhead};
use platterlab_units::{Operation, Partial, Span, Time};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a read's difference can be and still be taken for the platter's.
const LARGEST_STEP_MS: f64 = 0.01;

/// DiskSim rounds the angle of a sector down to a whole number of these, of which a turn has so many.
const ANGLE_UNITS: u32 = 1 << 20;

/// One request as DiskSim served it.
struct Served {
    issue: Time,
    command: Command,
    response_ms: f64,
}

fn folder() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let root = std::env::var_os("PLATTERLAB_DATA").map_or(default, PathBuf::from);
    let folder = root.join("disksim");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "skipped: no DiskSim files in {} (PLATTERLAB_DATA names the folder)",
        folder.display()
    );
    None
}

/// Files that DiskSim has no parameters for in all they become: buses with another block time in
/// each direction stand above the drive.
const NOT_WRITTEN: [&str; 1] = ["hp_c2247a.parv"];

/// A drive written for DiskSim and read again.
fn again(path: &Path, options: &DriveImportOptions) -> Result<(), String> {
    let profile = load(path, options).map_err(|error| error.to_string())?.profile;
    let again = and_back(&profile)?;
    let (again, before) = (again.params(), profile.params());
    // A model says nothing of buses, of which a drive has one.
    let model = path.extension().is_some_and(|end| end == "model");
    let same = (&again.layout, &again.mechanism) == (&before.layout, &before.mechanism)
        && (model || again == before);
    if same { Ok(()) } else { Err("another drive".to_owned()) }
}

#[test]
fn every_drive_survives_being_written_for_disksim() {
    let Some(folder) = folder() else { return };
    let mut tried = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let described = ["parv", "diskspecs", "model"].iter().any(|end| name.ends_with(end));
        if !described || NOT_WRITTEN.contains(&name.as_str()) {
            continue;
        }
        let found = again(&path, &DriveImportOptions::default());
        // Some systems have drives of several kinds, or none.
        let several = |error: &String| {
            error.contains("describes several drives") || error.contains("describes no drive")
        };
        assert!(found.as_ref().err().is_none_or(several), "{name}: {found:?}");
        tried += usize::from(found.is_ok());
    }
    assert!(tried >= 20, "{tried} drives");
}

/// The lines of a reference, its head left out.
fn rows(folder: &Path, name: &str) -> Vec<String> {
    let path = folder.join("reference-output").join(name);
    let mut text = String::new();
    let file = std::fs::File::open(&path).expect("the reference is there");
    GzDecoder::new(file).read_to_string(&mut text).expect("the reference is text");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// The cross-check requests: `idx arrival device lba sectors flags completion response order`.
fn cross_check(folder: &Path, name: &str) -> Vec<Served> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words[index].parse::<f64>().expect("a number");
        let flags = u32::from_str_radix(words[5], 16).expect("flags");
        let response_ms = number(7);
        response_ms.is_finite().then(|| Served {
            issue: Time::ZERO + Span::from_ms(number(1)).expect("a time"),
            command: Command {
                lba: number(3) as u64,
                sectors: number(4) as u32,
                operation: if flags & 1 == 1 { Operation::Read } else { Operation::Write },
                may_report_early: true,
                partial: Partial::WHOLE,
            },
            response_ms,
        })
    };
    rows(folder, name).iter().filter_map(|line| row(line)).collect()
}

/// The measured requests as DiskSim served them: `idx issue rw lba sectors tag completion response`.
fn validated(folder: &Path, name: &str) -> Vec<Served> {
    let row = |words: &[&str]| {
        let number = |index: usize| words[index].parse::<f64>().expect("a number");
        Served {
            issue: Time::ZERO + Span::from_ms(number(1)).expect("a time"),
            command: Command {
                lba: number(3) as u64,
                sectors: number(4) as u32,
                operation: if words[2] == "R" { Operation::Read } else { Operation::Write },
                may_report_early: true,
                partial: Partial::WHOLE,
            },
            response_ms: number(7),
        }
    };
    rows(folder, name)
        .iter()
        .map(|line| row(&line.split_whitespace().collect::<Vec<_>>()))
        .collect()
}

fn drive(folder: &Path, file: &str, options: &DriveImportOptions) -> Drive {
    let imported = load(&folder.join(file), options).unwrap_or_else(|error| panic!("{error}"));
    Drive::new(imported.profile.params()).expect("the drive is legal")
}

/// The drive as [`drive`] makes it, but one that reads on through another track as DiskSim does, not
/// as its manual says.
fn reading_on_as_disksim(folder: &Path, file: &str) -> Drive {
    let imported = load(&folder.join(file), &DriveImportOptions::default());
    let mut params = imported.unwrap_or_else(|error| panic!("{error}")).profile.params().clone();
    if params.cache.read_ahead_next_track {
        params.cache.read_ahead = ReadAhead::TrackOrNext;
    }
    Drive::new(&params).expect("the drive is legal")
}

/// How the platter is kept with DiskSim's, which loses a little of its phase with each sector.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// Not at all.
    Free,
    /// By what earlier reads were early or late.
    Tracked,
}

/// One request as both served it.
struct Compared {
    /// Ours less DiskSim's, in milliseconds.
    difference_ms: f64,
    /// What of that DiskSim's rounding explains: it counts a turn that a write waits for its data
    /// in sectors, each rounded down. No more turns are taken than pass during the command.
    rounding_ms: f64,
    outcome: CacheOutcome,
    operation: Operation,
}

fn compare(mut drive: Drive, served: &[Served], phase: Phase) -> Vec<Compared> {
    let turn = drive.mechanism().rotation().period();
    let mut compared = Vec::new();
    let mut done = Time::ZERO;
    for request in served {
        // One at a time, in the order of arrival; the response counts from the arrival.
        let service = drive.serve(request.issue.max(done), request.command, &mut NoChance);
        done = service.completion;
        let ours = (service.completion - request.issue).as_ms();
        let difference_ms = ours - request.response_ms;
        let operation = request.command.operation;
        let per_track = drive.layout().run(request.command.lba, 1).sectors_per_track;
        let short = f64::from(ANGLE_UNITS % per_track) / f64::from(ANGLE_UNITS) * turn.as_ms();
        let most = ((service.rotation + service.transfer).as_ps() / turn.as_ps()) as f64;
        let waited = (difference_ms / short).round().clamp(0.0, most);
        let rounding_ms = if short > 0.0 { short * waited } else { 0.0 };
        compared.push(Compared { difference_ms, rounding_ms, outcome: service.cache, operation });
        let is_phase = operation.is_read() && difference_ms.abs() < LARGEST_STEP_MS;
        if phase == Phase::Tracked && is_phase {
            let step = Span::from_ms(difference_ms.abs()).unwrap_or_default();
            drive.turn(step, difference_ms < 0.0);
        }
    }
    compared
}

fn differences(compared: &[Compared]) -> Vec<f64> {
    compared.iter().map(|it| it.difference_ms).collect()
}

fn unexplained(compared: &[Compared]) -> Vec<f64> {
    compared.iter().map(|it| it.difference_ms - it.rounding_ms).collect()
}

fn share_within(differences: &[f64], ms: f64) -> f64 {
    differences.iter().filter(|d| d.abs() <= ms).count() as f64 / differences.len() as f64
}

fn print_shares(name: &str, differences: &[f64]) {
    let shares = [0.0001, 0.001, 0.003, 0.1, 1.0].map(|ms| (ms, share_within(differences, ms)));
    eprintln!("{name}: {} requests; within ms: {shares:?}", differences.len());
}

#[test]
fn the_atlas_10k_without_its_cache_answers_as_disksim_does() {
    let Some(folder) = folder() else { return };
    let options = DriveImportOptions {
        overrides: vec![("Enable caching in buffer".to_owned(), 0.0)],
        ..DriveImportOptions::default()
    };
    let drive = drive(&folder, "atlas10k.parv", &options);
    let served = cross_check(&folder, "atlas10k_xc_single_FCFS_nocache.perreq.txt.gz");
    let free = compare(drive.clone(), &served, Phase::Free);
    print_shares("atlas 10k, no cache, free", &differences(&free));
    let tracked = compare(drive, &served, Phase::Tracked);
    print_shares("atlas 10k, no cache, tracked", &differences(&tracked));
    print_shares("atlas 10k, no cache, unexplained", &unexplained(&tracked));
    assert!(share_within(&unexplained(&tracked), 0.001) >= 0.999);
}

#[test]
fn the_cross_check_drives_with_their_caches_answer_as_disksim_does() {
    let Some(folder) = folder() else { return };
    for name in ["atlas10k", "cheetah9LP"] {
        let drive = drive(&folder, &format!("{name}.parv"), &DriveImportOptions::default());
        let served = cross_check(&folder, &format!("{name}_xc_single_FCFS.perreq.txt.gz"));
        let tracked = compare(drive, &served, Phase::Tracked);
        print_shares(&format!("{name}, cache"), &differences(&tracked));
        assert!(share_within(&differences(&tracked), 0.1) >= 0.95, "{name}");
        let drive = reading_on_as_disksim(&folder, &format!("{name}.parv"));
        let tracked = compare(drive, &served, Phase::Tracked);
        print_shares(&format!("{name}, cache, reading on as DiskSim"), &differences(&tracked));
        assert!(share_within(&differences(&tracked), 0.1) >= 0.999, "{name}");
    }
}

#[test]
fn the_drives_with_measured_traces_answer_as_disksim_does() {
    let Some(folder) = folder() else { return };
    for name in ["hp_c2247a", "hp_c3323a", "atlas10k", "atlas_III", "barracuda", "cheetah9LP"] {
        let drive = drive(&folder, &format!("{name}.parv"), &DriveImportOptions::default());
        let served = validated(&folder, &format!("{name}.perreq.txt.gz"));
        let tracked = compare(drive, &served, Phase::Tracked);
        print_shares(name, &differences(&tracked));
        for outcome in CacheOutcome::ALL {
            for operation in [Operation::Read, Operation::Write] {
                let of = |it: &&Compared| it.outcome == outcome && it.operation == operation;
                let some: Vec<f64> = tracked.iter().filter(of).map(|it| it.difference_ms).collect();
                if !some.is_empty() {
                    print_shares(&format!("{name} {} {operation:?}", outcome.name()), &some);
                }
            }
        }
        assert!(share_within(&differences(&tracked), 0.001) >= 0.99, "{name}");
        let drive = reading_on_as_disksim(&folder, &format!("{name}.parv"));
        let tracked = compare(drive, &served, Phase::Tracked);
        print_shares(&format!("{name}, reading on as DiskSim"), &differences(&tracked));
        assert!(share_within(&differences(&tracked), 0.001) >= 0.999, "{name}");
    }
}
