//! A device that fails, or is gone, in each phase of a run that writes: every byte can be had again.

use crate::common::scratch::{Loop, REGION, Scratch, Undo, run};
use platterlab_device::linux::{
    RepairOutcome, RepairRequest, WriteError, WriteRequest, left_behind, open_for_writing, repair,
};
use platterlab_device::{BlockDevice, DeviceError};
use std::fs;
use std::path::{Path, PathBuf};

/// A device that fails when told, and comes back.
struct Failing<'a> {
    path: PathBuf,
    fail: Box<dyn Fn() + 'a>,
    mend: Box<dyn Fn() + 'a>,
}

impl Failing<'_> {
    /// The tests break it from outside, which would stop the run before it fails.
    fn request(&self, scratch: &Scratch) -> WriteRequest {
        WriteRequest { even_if_open: true, ..scratch.request(&self.path) }
    }

    fn repaired(&self, scratch: &Scratch) -> RepairOutcome {
        let request = RepairRequest {
            device: self.path.clone(),
            confirmation: String::new(),
            journal_dir: scratch.journals(),
            even_if_open: false,
        };
        let mut repairs = repair(&request).unwrap();
        assert_eq!(repairs.len(), 1, "{repairs:?}");
        repairs.remove(0).outcome
    }
}

/// A loop device whose file is cut off fails all reads.
fn cut_off<'a>(device: &'a Loop, file: &'a Path, content: &'a [u8]) -> Failing<'a> {
    let fail = move || fs::File::options().write(true).open(file).unwrap().set_len(0).unwrap();
    let mend = move || {
        fs::write(file, content).unwrap();
        run("blockdev", &["--flushbufs", device.0.to_str().unwrap()]);
    };
    Failing { path: device.0.clone(), fail: Box::new(fail), mend: Box::new(mend) }
}

/// A mapped device whose table says `error`.
fn mapped(device: &Loop) -> (Failing<'static>, Undo) {
    let name = format!("platterlab-{}", std::process::id());
    let linear = format!("0 16384 linear {} 0", device.0.display());
    let uuid = format!("PLATTERLAB-{}", std::process::id());
    run("dmsetup", &["create", &name, "--uuid", &uuid, "--table", &linear]);
    let undo = Undo("dmsetup", vec!["remove".to_owned(), "--retry".to_owned(), name.clone()]);
    let path = Path::new("/dev/mapper").join(&name);
    let load = move |table: &str| {
        run("dmsetup", &["load", &name, "--table", table]);
        run("dmsetup", &["resume", &name]);
    };
    let again = load.clone();
    let fail = Box::new(move || load("0 16384 error"));
    let mend = Box::new(move || again(&linear));
    (Failing { path, fail, mend }, undo)
}

fn in_each_phase(scratch: &Scratch, device: &Failing<'_>, content: &[u8]) {
    let as_it_was = || assert!(fs::read(&device.path).unwrap() == content, "a byte is lost");
    // Before it is opened.
    (device.fail)();
    let refused = open_for_writing(&device.request(scratch)).unwrap_err();
    assert!(matches!(refused, WriteError::Device(DeviceError::Io { .. })), "{refused}");
    assert!(!scratch.journals().exists());
    (device.mend)();
    as_it_was();
    // While it is measured: a read fails, and the end cannot read it either.
    let (mut open, consent) = open_for_writing(&device.request(scratch)).unwrap();
    open.write(&consent, REGION.first, 8).unwrap();
    (device.fail)();
    let error = open.read(REGION.first, 8).unwrap_err();
    assert!(matches!(error, DeviceError::Io { .. }), "{error}");
    let finished = open.finish().unwrap();
    assert_eq!(finished.damaged.count(), REGION.sectors, "it cannot be read");
    assert!(finished.journal.unwrap().exists());
    // While it is repaired.
    let RepairOutcome::Kept { what } = device.repaired(scratch) else { panic!("not kept") };
    assert!(what.contains("Nothing was written"), "{what}");
    let left = left_behind(&scratch.journals(), &device.path);
    assert!(left[0].what.contains("Nothing was written"), "{left:?}");
    (device.mend)();
    assert_eq!(device.repaired(scratch), RepairOutcome::Unchanged);
    as_it_was();
    // Between the last request and the end.
    let (mut open, consent) = open_for_writing(&device.request(scratch)).unwrap();
    open.write(&consent, REGION.first, 8).unwrap();
    (device.fail)();
    drop(open);
    (device.mend)();
    assert_eq!(device.repaired(scratch), RepairOutcome::Unchanged);
    as_it_was();
}

#[test]
#[ignore = "needs loop"]
fn a_device_whose_file_is_cut_off() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let device = Loop::attach(&file, &[]);
    in_each_phase(&scratch, &cut_off(&device, &file, &content), &content);
}

#[test]
#[ignore = "needs loop, dm"]
fn a_mapped_device_that_fails() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let device = Loop::attach(&file, &[]);
    let (failing, _undo) = mapped(&device);
    in_each_phase(&scratch, &failing, &content);
}

#[test]
#[ignore = "needs loop, mount"]
fn a_write_that_fails_is_the_last() {
    let scratch = Scratch::new();
    let small = scratch.0.join("small");
    fs::create_dir(&small).unwrap();
    let mount = ["-t", "tmpfs", "-o", "size=64k", "none", small.to_str().unwrap()];
    run("mount", &mount);
    let _undo = Undo("umount", vec!["--lazy".to_owned(), small.display().to_string()]);
    let file = small.join("sparse.img");
    fs::File::create(&file).unwrap().set_len(8 << 20).unwrap();
    let loop_device = Loop::attach(&file, &[]);
    let (mut device, consent) = open_for_writing(&scratch.request(&loop_device.0)).unwrap();
    let failed = (0..100).find_map(|step| device.write(&consent, REGION.first + step * 8, 8).err());
    assert!(failed.is_some(), "there is no room for all");
    let error = device.write(&consent, REGION.first, 8).unwrap_err().to_string();
    assert!(error.contains("nothing more is written"), "{error}");
    let finished = device.finish().unwrap();
    assert!(finished.changed.is_empty() && finished.damaged.is_empty(), "{finished:?}");
}
