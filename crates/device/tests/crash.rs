//! Whatever becomes of a run that writes, every byte is as it was before.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a test fails where it unwraps nothing

mod common;

use common::scratch::{Loop, REGION, Scratch};
use platterlab_device::BlockDevice;
use platterlab_device::linux::{
    RefusalKind, Repair, RepairOutcome, dry_run, open_for_writing, repair,
};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How the tests tell their child which device to write.
const TARGET: &str = "PLATTERLAB_TEST_TARGET";
const JOURNALS: &str = "PLATTERLAB_TEST_JOURNALS";

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
    fs::remove_dir_all(&scratch.0).unwrap();
    let (mut device, consent) = open_for_writing(&request).unwrap();
    for step in 0_u64.. {
        let lba = REGION.first + step * 37 % (REGION.sectors - 8);
        device.write(&consent, lba, (step % 8) as u32 + 1).unwrap();
    }
}

/// A child in the middle of writing.
fn child(scratch: &Scratch, target: &Path) -> Child {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_writes_until_it_is_killed", "--ignored"])
        .env(TARGET, target)
        .env(JOURNALS, scratch.journals())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while journals(scratch).is_empty() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Names of the whole journals there are.
fn journals(scratch: &Scratch) -> Vec<String> {
    let entries = fs::read_dir(scratch.journals()).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".journal")).collect()
}

fn outcome(scratch: &Scratch) -> RepairOutcome {
    let mut repairs: Vec<Repair> = repair(&scratch.journals()).unwrap();
    assert_eq!(repairs.len(), 1, "{repairs:?}");
    repairs.remove(0).outcome
}

fn restored(scratch: &Scratch) -> u64 {
    match outcome(scratch) {
        RepairOutcome::Restored { region, sectors, .. } => {
            assert_eq!(region, REGION);
            assert_eq!(journals(scratch), [""; 0]);
            sectors
        }
        other => panic!("{other:?}"),
    }
}

fn failure(scratch: &Scratch) -> String {
    match outcome(scratch) {
        RepairOutcome::Failed { what } => what,
        other => panic!("{other:?}"),
    }
}

/// Kills a run on `target` in mid-write, several times, and repairs.
fn killed_runs_leave_every_byte(scratch: &Scratch, target: &Path, content: &[u8]) {
    let request = scratch.request(target);
    for round in 0..4 {
        let mut child = child(scratch, target);
        std::thread::sleep(Duration::from_millis(15 * round));
        assert_eq!(outcome(scratch), RepairOutcome::InUse, "its process lives");
        let journal = scratch.journals().join(&journals(scratch)[0]);
        assert_eq!(fs::metadata(&journal).unwrap().mode() & 0o077, 0, "for nobody else");
        child.kill().unwrap();
        child.wait().unwrap();
        let refusals = dry_run(&request).unwrap().refusals;
        assert_eq!(refusals[0].kind, RefusalKind::Unrepaired, "{refusals:?}");
        // What power loss in mid-write can do on top.
        let device = File::options().write(true).open(target).unwrap();
        device.write_all_at(&vec![0xa5; 1024], (REGION.first + 100 * round) * 512).unwrap();
        device.sync_all().unwrap();
        drop(device);
        assert_eq!(restored(scratch), 2);
        assert!(fs::read(target).unwrap() == content, "every byte is as it was");
        assert_eq!(dry_run(&request).unwrap().refusals, []);
    }
}

#[test]
fn a_killed_run_on_a_file_is_repaired() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    killed_runs_leave_every_byte(&scratch, &file, &content);
}

#[test]
fn a_killed_run_on_a_block_device_is_repaired() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let Some(device) = Loop::attach(&file, &[]) else { return };
    killed_runs_leave_every_byte(&scratch, &device.0, &content);
    drop(device);
    assert!(fs::read(&file).unwrap() == content);
}

#[test]
fn a_run_that_ends_puts_right_what_changed_meanwhile() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let damage = || {
        let image = File::options().write(true).open(&file).unwrap();
        image.write_all_at(b"damage", (REGION.first + 9) * 512).unwrap();
        image.sync_all().unwrap();
    };
    let (device, _) = open_for_writing(&scratch.request(&file)).unwrap();
    damage();
    assert_eq!(device.finish().unwrap().restored_sectors, 1);
    assert!(fs::read(&file).unwrap() == content);
    let (device, _) = open_for_writing(&scratch.request(&file)).unwrap();
    damage();
    drop(device);
    assert!(fs::read(&file).unwrap() == content, "dropping it does the same");
    assert_eq!(journals(&scratch), [""; 0]);
}

/// A journal whose run was killed.
fn stale(scratch: &Scratch, file: &Path) -> std::path::PathBuf {
    let mut child = child(scratch, file);
    child.kill().unwrap();
    child.wait().unwrap();
    scratch.journals().join(&journals(scratch)[0])
}

#[test]
fn a_damaged_journal_never_reaches_the_device() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let journal = stale(&scratch, &file);
    let image = File::options().write(true).open(&journal).unwrap();
    for place in [100, 9000] {
        let mut byte = [0];
        File::open(&journal).unwrap().read_exact_at(&mut byte, place).unwrap();
        image.write_all_at(&[byte[0] ^ 1], place).unwrap();
        assert!(failure(&scratch).contains("damaged"));
        image.write_all_at(&byte, place).unwrap();
    }
    assert!(fs::read(&file).unwrap() == content);
    assert_eq!(restored(&scratch), 0);
}

#[test]
fn only_the_device_that_was_written_is_repaired() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    stale(&scratch, &file);
    let aside = scratch.0.join("aside.img");
    fs::rename(&file, &aside).unwrap();
    assert!(failure(&scratch).contains("is not there"));
    let other = vec![7; content.len()];
    fs::write(&file, &other).unwrap();
    assert!(failure(&scratch).contains("is another device now"));
    assert!(fs::read(&file).unwrap() == other);
    fs::rename(&aside, &file).unwrap();
    let image = File::options().write(true).open(&file).unwrap();
    image.write_all_at(b"XFSB", 0).unwrap();
    assert!(failure(&scratch).contains("an XFS file system"), "someone uses it by now");
    image.write_all_at(&[0; 4], 0).unwrap();
    assert_eq!(restored(&scratch), 0);
}

#[test]
fn a_run_that_died_before_its_first_write_leaves_nothing_to_repair() {
    let scratch = Scratch::new();
    assert_eq!(repair(&scratch.journals()), Ok(Vec::new()));
    fs::create_dir(scratch.journals()).unwrap();
    let partial = scratch.journals().join("sdx-0-1.partial");
    fs::write(&partial, b"half").unwrap();
    assert_eq!(repair(&scratch.journals()), Ok(Vec::new()));
    assert!(!partial.exists());
}
