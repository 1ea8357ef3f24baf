//! Other processes that use what is being written: none of what they write is undone. A program of its own: a
//! process just begun has the files of all tests beside it open, which they would take for somebody's use.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a test fails where it unwraps nothing

mod common;

use common::scratch::{Killed, Loop, REGION, Scratch};
use platterlab_device::linux::{RefusalKind, dry_run, open_for_writing};
use platterlab_device::{BlockDevice, WriteConsent};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Another process that has a file open, until it is told to go.
struct Other(Killed);

impl Other {
    /// `way` is the shell's: `<` to read, `<>` to read and write.
    fn opens(path: &Path, way: &str) -> Self {
        let script = format!("exec 3{way}\"$0\"; echo open; read line");
        let child = Command::new("sh")
            .args(["-c", &script])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut child = Killed(child);
        let mut said = [0; 5];
        std::io::Read::read_exact(child.0.stdout.as_mut().unwrap(), &mut said).unwrap();
        Self(child)
    }

    fn goes(mut self) {
        self.0.0.stdin.take().unwrap().write_all(b"\n").unwrap();
        self.0.0.wait().unwrap();
    }
}

fn who_has_it_open_is_named(scratch: &Scratch, target: &Path) {
    for way in ["<", "<>"] {
        let other = Other::opens(target, way);
        let refusals = dry_run(&scratch.request(target)).unwrap().refusals;
        assert_eq!(refusals.len(), 1, "{refusals:?}");
        assert_eq!(refusals[0].kind, RefusalKind::Open);
        let who = format!("process {} (sh)", other.0.0.id());
        assert!(refusals[0].reason.contains(&who), "{refusals:?}");
        assert!(refusals[0].way_out.contains("--even-if-open"), "{refusals:?}");
        let error = open_for_writing(&scratch.request(target)).unwrap_err().to_string();
        assert!(error.contains(&who), "{error}");
        let mut told_otherwise = scratch.request(target);
        told_otherwise.even_if_open = true;
        assert!(open_for_writing(&told_otherwise).is_ok());
        other.goes();
        assert_eq!(dry_run(&scratch.request(target)).unwrap().refusals, []);
    }
}

/// A process that is just being started holds copies of all handles until it reaches its program.
#[test]
fn a_run_that_is_over_holds_nothing_though_processes_are_being_started() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let mut request = scratch.request(&file);
    request.even_if_open = true;
    let over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                assert!(Command::new("true").status().unwrap().success());
            }
        });
        let opened = (0..60).map(|_| open_for_writing(&request).map(drop)).find(Result::is_err);
        over.store(true, Ordering::Relaxed);
        assert!(opened.is_none(), "{opened:?}");
    });
}

#[test]
fn a_file_that_another_process_has_open_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    who_has_it_open_is_named(&scratch, &file);
}

#[test]
#[ignore = "needs loop"]
fn a_device_that_another_process_has_open_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    who_has_it_open_is_named(&scratch, &device.0);
    let other = Other::opens(&file, "<>");
    let refusals = dry_run(&scratch.request(&device.0)).unwrap().refusals;
    assert_eq!(refusals[0].kind, RefusalKind::Open, "what is behind it is open: {refusals:?}");
    other.goes();
}

/// Writes everywhere in the region until it fails; the message.
fn until_it_fails(device: &mut impl BlockDevice, consent: &WriteConsent) -> String {
    for step in 0..2_000_000_u64 {
        let lba = REGION.first + step * 37 % (REGION.sectors - 8);
        if let Err(error) = device.write(consent, lba, 8) {
            return error.to_string();
        }
    }
    panic!("nobody came")
}

/// Another process writes to `target` while a run does: it is stopped, and keeps what was written.
fn a_writer_stops_the_run(scratch: &Scratch, target: &Path) {
    let (mut device, consent) = open_for_writing(&scratch.request(target)).unwrap();
    let path = target.to_owned();
    let mark = b"acknowledged".repeat(1000);
    let bytes = mark.clone();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        let other = File::options().write(true).open(path).unwrap();
        other.write_all_at(&bytes, (REGION.first + 500) * 512).unwrap();
        other.sync_all().unwrap();
    });
    let error = until_it_fails(&mut device, &consent);
    assert!(error.contains("opened it to write while it was measured"), "{error}");
    assert!(device.write(&consent, REGION.first, 1).is_err(), "nor is there another");
    writer.join().unwrap();
    let finished = device.finish().unwrap();
    assert!(finished.changed.count() >= 23, "{finished:?}");
    let there = fs::read(target).unwrap();
    let at = (REGION.first as usize + 500) * 512;
    assert!(there[at..at + mark.len()] == mark[..], "an acknowledged write is kept");
}

#[test]
fn a_writer_to_a_file_stops_the_run() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    a_writer_stops_the_run(&scratch, &file);
}

#[test]
#[ignore = "needs loop"]
fn a_writer_to_a_block_device_stops_the_run() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    a_writer_stops_the_run(&scratch, &device.0);
}

#[test]
#[ignore = "needs loop"]
fn a_reader_of_a_block_device_does_not_stop_the_run() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let loop_device = Loop::attach(&file, &[]);
    let (mut device, consent) = open_for_writing(&scratch.request(&loop_device.0)).unwrap();
    let write = |device: &mut platterlab_device::LinuxDevice| {
        for step in 0..50 {
            device.write(&consent, REGION.first + step, 8).unwrap();
        }
    };
    write(&mut device);
    let other = Other::opens(&loop_device.0, "<");
    write(&mut device);
    other.goes();
    write(&mut device);
    assert!(fs::read(&loop_device.0).unwrap() == content);
    write(&mut device);
    assert!(device.finish().unwrap().changed.is_empty());
}
