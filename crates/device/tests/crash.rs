//! Whatever becomes of a run that writes, no byte that anyone wrote is lost. A program of its own: it runs
//! itself as the child that is killed, and a child just begun has the files of all tests beside it open.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a test fails where it unwraps nothing

mod common;

use common::scratch::{Killed, Loop, REGION, Scratch};
use platterlab_device::BlockDevice;
use platterlab_device::linux::{
    RefusalKind, RepairOutcome, RepairRequest, WriteError, dry_run, left_behind, open_for_writing,
    repair,
};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How the tests tell their child which device to write.
const TARGET: &str = "PLATTERLAB_TEST_TARGET";
const JOURNALS: &str = "PLATTERLAB_TEST_JOURNALS";

/// Where a journal has its two slots of what is in flight, and the saved data.
const SLOTS: [u64; 2] = [8192, 10_240];
const DATA_AT: u64 = 12_288;

#[test]
#[ignore = "the other tests start it as their child"]
fn child_that_writes_until_it_is_killed() {
    let (Some(target), Some(journals)) = (std::env::var_os(TARGET), std::env::var_os(JOURNALS))
    else {
        return;
    };
    let scratch = std::mem::ManuallyDrop::new(Scratch::new());
    let mut request = scratch.request(Path::new(&target));
    request.journal_dir = journals.into();
    // The tests read the device meanwhile, and a run that is not told so stops when they do.
    request.even_if_open = true;
    fs::remove_dir_all(&scratch.0).unwrap();
    let (mut device, consent) = open_for_writing(&request).unwrap();
    for step in 0_u64.. {
        let lba = REGION.first + step * 37 % (REGION.sectors - 8);
        device.write(&consent, lba, (step % 8) as u32 + 1).unwrap();
    }
}

/// A child in the middle of writing.
fn child(scratch: &Scratch, target: &Path) -> Killed {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_writes_until_it_is_killed", "--ignored"])
        .env(TARGET, target)
        .env(JOURNALS, scratch.journals())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Killed(child);
    while !is_writing(scratch) {
        assert_eq!(child.0.try_wait().unwrap(), None, "it never wrote");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Whether a journal says that something was in flight.
fn is_writing(scratch: &Scratch) -> bool {
    let noted = |name: &String| {
        let mut slot = [0; 8];
        let journal = File::open(scratch.journals().join(name));
        journal.and_then(|it| it.read_exact_at(&mut slot, SLOTS[0])).is_ok() && slot != [0; 8]
    };
    journals(scratch).iter().any(noted)
}

/// Names of the files in the folder of journals that end in `suffix`.
fn named(scratch: &Scratch, suffix: &str) -> Vec<String> {
    let entries = fs::read_dir(scratch.journals()).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(suffix)).collect()
}

fn journals(scratch: &Scratch) -> Vec<String> {
    named(scratch, ".journal")
}

/// A journal whose run was killed.
fn stale(scratch: &Scratch, target: &Path) -> PathBuf {
    drop(child(scratch, target));
    scratch.journals().join(&journals(scratch)[0])
}

fn request(scratch: &Scratch, target: &Path) -> RepairRequest {
    RepairRequest {
        device: target.to_owned(),
        confirmation: String::new(),
        journal_dir: scratch.journals(),
        even_if_open: false,
    }
}

fn outcome(scratch: &Scratch, target: &Path) -> RepairOutcome {
    let mut repairs = repair(&request(scratch, target)).unwrap();
    assert_eq!(repairs.len(), 1, "{repairs:?}");
    repairs.remove(0).outcome
}

/// Why a repair left everything as it is.
fn kept(scratch: &Scratch, target: &Path) -> String {
    let before = fs::read(target).unwrap();
    let RepairOutcome::Kept { what } = outcome(scratch, target) else { panic!("not kept") };
    assert!(fs::read(target).unwrap() == before, "nothing is written");
    assert_eq!(journals(scratch).len(), 1, "the journal is kept");
    what
}

/// The one sentence there is on what was left.
fn told(scratch: &Scratch, measured: &Path) -> String {
    let mut left = left_behind(&scratch.journals(), measured);
    assert_eq!(left.len(), 1, "{left:?}");
    left.remove(0).what
}

/// Writes as another process would.
fn scribble(target: &Path, sector: u64, bytes: &[u8]) {
    let device = File::options().write(true).open(target).unwrap();
    device.write_all_at(bytes, sector * 512).unwrap();
    device.sync_all().unwrap();
}

/// Has a journal say that these sectors were in flight.
fn in_flight(journal: &Path, first: u64, sectors: u64) {
    let mut bytes = Vec::new();
    for number in [u64::MAX, first, sectors] {
        bytes.extend(number.to_le_bytes());
    }
    let check = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    bytes.extend(check.to_le_bytes());
    File::options().write(true).open(journal).unwrap().write_all_at(&bytes, SLOTS[0]).unwrap();
}

/// Kills a run on `target` in mid-write, several times.
fn killed_runs_leave_every_byte(scratch: &Scratch, target: &Path, content: &[u8]) {
    for round in 0..4 {
        let child = child(scratch, target);
        std::thread::sleep(Duration::from_millis(15 * round));
        assert!(kept(scratch, target).contains("still running"));
        assert_eq!(left_behind(&scratch.journals(), target), [], "its process lives");
        let journal = scratch.journals().join(&journals(scratch)[0]);
        assert_eq!(fs::metadata(&journal).unwrap().mode() & 0o777, 0o600, "for nobody else");
        assert_eq!(fs::metadata(scratch.journals()).unwrap().mode() & 0o777, 0o700);
        drop(child);
        let refusals = dry_run(&scratch.request(target)).unwrap().refusals;
        assert_eq!(refusals[0].kind, RefusalKind::Unrepaired, "{refusals:?}");
        assert!(refusals[0].way_out.contains("--repair"), "{refusals:?}");
        assert!(fs::read(target).unwrap() == content, "what was written is what was there");
        assert!(told(scratch, target).contains("every sector is as it was"));
        assert_eq!(outcome(scratch, target), RepairOutcome::Unchanged);
        assert_eq!(journals(scratch), [""; 0]);
        assert_eq!(dry_run(&scratch.request(target)).unwrap().refusals, []);
    }
}

#[test]
fn a_killed_run_on_a_file_leaves_every_byte() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    killed_runs_leave_every_byte(&scratch, &file, &content);
}

#[test]
#[ignore = "needs loop"]
fn a_killed_run_on_a_block_device_leaves_every_byte() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let device = Loop::attach(&file, &[]);
    killed_runs_leave_every_byte(&scratch, &device.0, &content);
    drop(device);
    assert!(fs::read(&file).unwrap() == content);
}

#[test]
fn only_what_was_in_flight_is_written_back_and_what_was_there_is_kept() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let journal = stale(&scratch, &file);
    let first = REGION.first + 100;
    in_flight(&journal, first, 8);
    scribble(&file, first + 2, &[0xa5; 1024]);
    let damaged = fs::read(&file).unwrap();
    let other = scratch.0.join("other.img");
    fs::write(&other, &content).unwrap();
    let shown = file.display().to_string();
    assert!(told(&scratch, &other).contains(&format!("characterize {shown} --repair")));
    let told = told(&scratch, &file);
    for words in ["sectors 4196 to 4203", "sectors 4198 to 4199 differ", "--repair"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(repair(&request(&scratch, &other)).unwrap(), [], "another device's");
    assert!(fs::read(&file).unwrap() == damaged, "no other start writes anything");
    let RepairOutcome::Repaired { sectors, replaced } = outcome(&scratch, &file) else {
        panic!("not repaired")
    };
    assert_eq!(sectors.to_string(), "sectors 4198 to 4199");
    assert!(fs::read(&file).unwrap() == content);
    assert_eq!(fs::read(replaced.unwrap()).unwrap(), [0xa5; 1024], "not lost either");
    assert_eq!(journals(&scratch), [""; 0]);
}

#[test]
fn what_somebody_wrote_since_stays() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let journal = stale(&scratch, &file);
    in_flight(&journal, REGION.first + 100, 8);
    for (sector, words) in [
        (REGION.first + 108, "sector 4204 are not what the run"),
        (REGION.first, "sector 4096 are not what the run"),
        (REGION.first - 1, "lies around the region"),
        (REGION.first + REGION.sectors, "lies around the region"),
        (2, "lies around the region"),
    ] {
        let before = fs::read(&file).unwrap();
        scribble(&file, REGION.first + 101, b"in flight");
        scribble(&file, sector, b"somebody's");
        for what in [told(&scratch, &file), kept(&scratch, &file)] {
            assert!(what.contains(words), "{words}: {what}");
            assert!(what.contains("Nothing was written"), "{what}");
            assert!(what.contains(&format!("from byte {DATA_AT} on")), "{what}");
        }
        fs::write(&file, before).unwrap();
    }
    assert_eq!(outcome(&scratch, &file), RepairOutcome::Unchanged);
}

#[test]
fn after_a_restart_nobody_knows_what_was_in_flight() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let journal = stale(&scratch, &file);
    in_flight(&journal, REGION.first + 100, 8);
    scribble(&file, REGION.first + 101, b"damage");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let mut header = fs::read(&journal).unwrap()[..8192].to_vec();
    let at = header.windows(36).position(|part| part == boot.trim().as_bytes()).unwrap();
    header[at] = b'z';
    let check = header[..8184].iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    header[8184..].copy_from_slice(&check.to_le_bytes());
    File::options().write(true).open(&journal).unwrap().write_all_at(&header, 0).unwrap();
    assert!(kept(&scratch, &file).contains("the machine was started anew"));
}

#[test]
fn a_run_that_ends_reports_what_others_changed_and_leaves_it() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let mut shared = scratch.request(&file);
    shared.even_if_open = true;
    let (device, _) = open_for_writing(&shared).unwrap();
    scribble(&file, REGION.first + 9, b"somebody's");
    let changed = fs::read(&file).unwrap();
    let finished = device.finish().unwrap();
    assert_eq!(finished.changed.to_string(), "sector 4105");
    assert!(finished.damaged.is_empty() && finished.journal.is_none());
    assert!(fs::read(&file).unwrap() == changed, "a difference is not reverted");
    let (device, _) = open_for_writing(&shared).unwrap();
    scribble(&file, REGION.first + 9, b"once more");
    let changed = fs::read(&file).unwrap();
    drop(device);
    assert!(fs::read(&file).unwrap() == changed, "dropping it does the same");
    assert_eq!(journals(&scratch), [""; 0]);
}

#[test]
fn a_damaged_journal_never_reaches_the_device() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let journal = stale(&scratch, &file);
    let image = File::options().write(true).open(&journal).unwrap();
    for (place, known) in [(100, false), (DATA_AT + 700, true)] {
        let mut byte = [0];
        File::open(&journal).unwrap().read_exact_at(&mut byte, place).unwrap();
        image.write_all_at(&[byte[0] ^ 1], place).unwrap();
        assert!(told(&scratch, &file).contains("damaged"));
        if known {
            assert!(kept(&scratch, &file).contains("damaged"));
        } else {
            assert_eq!(repair(&request(&scratch, &file)).unwrap(), []);
        }
        image.write_all_at(&byte, place).unwrap();
    }
    assert!(fs::read(&file).unwrap() == content);
    assert_eq!(outcome(&scratch, &file), RepairOutcome::Unchanged);
}

#[test]
fn only_the_device_that_was_written_is_repaired() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    stale(&scratch, &file);
    let aside = scratch.0.join("aside.img");
    fs::rename(&file, &aside).unwrap();
    assert!(repair(&request(&scratch, &file)).is_err(), "there is none");
    fs::write(&file, vec![7; content.len()]).unwrap();
    assert!(kept(&scratch, &file).contains("another device"));
    assert_eq!(repair(&request(&scratch, &aside)).unwrap(), [], "not under another name");
    fs::rename(&aside, &file).unwrap();
    assert_eq!(outcome(&scratch, &file), RepairOutcome::Unchanged);
}

/// What is told of a folder with one file that is not to be believed; the device stays as it is.
fn not_believed(scratch: &Scratch, target: &Path, words: &str) {
    let before = fs::read(target).unwrap();
    let what = told(scratch, target);
    assert!(what.contains(words), "{words}: {what}");
    match repair(&request(scratch, target)) {
        Ok(repairs) => assert_eq!(repairs, []),
        Err(error) => assert!(error.to_string().contains(words), "{error}"),
    }
    assert!(fs::read(target).unwrap() == before);
}

#[test]
fn a_journal_that_others_can_have_written_is_not_believed() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let journal = stale(&scratch, &file);
    scribble(&file, REGION.first + 1, b"somebody's");
    in_flight(&journal, REGION.first, 8);
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for (path, private) in [(&journal, 0o600), (&scratch.journals(), 0o700)] {
        for open in [private | 0o002, private | 0o020] {
            mode(path, open);
            not_believed(&scratch, &file, "other users may write");
        }
        mode(path, private);
    }
    let aside = scratch.0.join("aside");
    fs::rename(&journal, &aside).unwrap();
    std::os::unix::fs::symlink(&aside, &journal).unwrap();
    not_believed(&scratch, &file, "symbolic link");
    fs::remove_file(&journal).unwrap();
    fs::rename(scratch.journals(), aside.with_extension("folder")).unwrap();
    std::os::unix::fs::symlink(aside.with_extension("folder"), scratch.journals()).unwrap();
    not_believed(&scratch, &file, "not a folder");
    assert!(matches!(open_for_writing(&scratch.request(&file)), Err(WriteError::Folder { .. })));
}

#[test]
#[ignore = "needs root"]
fn a_journal_of_another_user_is_not_believed() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let journal = stale(&scratch, &file);
    scribble(&file, REGION.first + 1, b"somebody's");
    in_flight(&journal, REGION.first, 8);
    for path in [&journal, &scratch.journals()] {
        std::os::unix::fs::chown(path, Some(1000), None).unwrap();
        not_believed(&scratch, &file, "belongs to user 1000");
        std::os::unix::fs::chown(path, Some(0), None).unwrap();
    }
    assert!(matches!(outcome(&scratch, &file), RepairOutcome::Repaired { .. }), "now it is");
}

#[test]
fn a_pipe_in_the_folder_of_journals_is_not_waited_for() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let (device, _) = open_for_writing(&scratch.request(&file)).unwrap();
    device.finish().unwrap();
    for name in ["sdx-0-1.journal", "sdx-0-1.partial"] {
        let path = scratch.journals().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    not_believed(&scratch, &file, "not a regular file");
    assert_eq!(dry_run(&scratch.request(&file)).unwrap().refusals, []);
}

#[test]
fn a_run_that_died_before_its_first_write_leaves_nothing_to_repair() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    assert_eq!(repair(&request(&scratch, &file)).unwrap(), []);
    assert!(!scratch.journals().exists(), "a look makes no folder");
    fs::create_dir(scratch.journals()).unwrap();
    let partial = scratch.journals().join("sdx-0-1.partial");
    fs::write(&partial, b"half").unwrap();
    assert_eq!(left_behind(&scratch.journals(), &file), []);
    assert!(partial.exists());
    assert_eq!(repair(&request(&scratch, &file)).unwrap(), []);
    assert!(!partial.exists());
}
