//! Everything that speaks against writing to a device is found, and said with the way out.

use crate::common::scratch::{BYTES, Loop, REGION, Scratch, Undo, run};
use platterlab_device::linux::{
    Refusal, RefusalKind, Region, WriteError, WriteRequest, dry_run, open_for_writing,
};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// What speaks against a request, by the dry run and in earnest.
fn refusals(request: &WriteRequest) -> Vec<Refusal> {
    let found = dry_run(request).unwrap().refusals;
    match open_for_writing(request) {
        Err(WriteError::Refused(refused)) => assert_eq!(refused.refusals, found),
        Ok(_) => panic!("not refused: {found:?}"),
        Err(other) => panic!("{other}"),
    }
    assert!(!request.journal_dir.exists(), "a refused request leaves nothing behind");
    found
}

fn kinds(request: &WriteRequest) -> Vec<RefusalKind> {
    refusals(request).iter().map(|refusal| refusal.kind).collect()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_dry_run_says_every_step_and_changes_nothing() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let plan = dry_run(&scratch.request(&file)).unwrap();
    assert_eq!(plan.refusals, []);
    let steps = plan.steps.join("\n");
    for word in ["read-only", "sectors 4096 to 6143", "journal", "compare", "no setting"] {
        assert!(steps.contains(word), "{word}: {steps}");
    }
    assert!(!scratch.journals().exists());
    assert!(fs::read(&file).unwrap() == content);
}

#[test]
fn another_confirmation_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    for words in ["", "yes", "scratch.img"] {
        let request = WriteRequest { confirmation: words.to_owned(), ..scratch.request(&file) };
        assert_eq!(kinds(&request), [RefusalKind::Confirmation]);
        let text = open_for_writing(&request).unwrap_err().to_string();
        assert!(text.contains(&format!("confirm with exactly `{}`", file.display())), "{text}");
    }
}

#[test]
fn a_region_outside_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let capacity = BYTES as u64 / 512;
    for (first, sectors) in [(0, 0), (0, capacity + 1), (capacity, 1), (u64::MAX, u64::MAX)] {
        let request = WriteRequest { region: Region { first, sectors }, ..scratch.request(&file) };
        assert_eq!(kinds(&request), [RefusalKind::Region]);
    }
}

#[test]
fn whatever_is_on_it_is_named() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let image = File::options().write(true).open(&file).unwrap();
    for (offset, mark, name) in [
        (1080, &b"\x53\xef"[..], "an ext2, ext3 or ext4 file system"),
        (0, b"LUKS\xba\xbe", "a LUKS volume"),
        (BYTES as u64 - 1, b"\x01", "data of an unknown kind at byte 8388607"),
    ] {
        image.write_all_at(mark, offset).unwrap();
        let found = refusals(&scratch.request(&file));
        assert_eq!(found[0].kind, RefusalKind::NotEmpty);
        assert!(found[0].reason.contains(name), "{found:?}");
        assert!(found[0].way_out.contains("wipefs --all"), "{found:?}");
        image.write_all_at(&vec![0; mark.len()], offset).unwrap();
    }
    assert_eq!(dry_run(&scratch.request(&file)).unwrap().refusals, []);
}

#[test]
fn a_second_run_on_the_same_device_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let first = open_for_writing(&scratch.request(&file)).unwrap();
    let elsewhere = WriteRequest { journal_dir: scratch.0.join("other"), ..scratch.request(&file) };
    let error = open_for_writing(&elsewhere).unwrap_err().to_string();
    assert!(error.contains("it is in use"), "{error}");
    drop(first);
    assert!(open_for_writing(&elsewhere).is_ok());
}

#[test]
fn a_journal_that_cannot_be_kept_stops_it_before_the_first_write() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let request = WriteRequest { journal_dir: file.join("under-a-file"), ..scratch.request(&file) };
    assert!(matches!(open_for_writing(&request), Err(WriteError::Folder { .. })));
    assert!(fs::read(&file).unwrap() == content);
}

#[test]
#[ignore = "needs mount"]
fn a_full_disk_under_the_journal_stops_it_before_the_first_write() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let small = scratch.0.join("small");
    fs::create_dir(&small).unwrap();
    // From not even its folder to all but its last bytes: each time nothing is left but the folder.
    for kib in [4, 8, 12, 16, 24, 256, 1024, 1032] {
        let size = format!("size={kib}k");
        run("mount", &["-t", "tmpfs", "-o", &size, "none", small.to_str().unwrap()]);
        let _undo = Undo("umount", vec!["--lazy".to_owned(), shown(&small)]);
        let journals = small.join("journals");
        let request = WriteRequest { journal_dir: journals.clone(), ..scratch.request(&file) };
        let error = open_for_writing(&request).unwrap_err().to_string();
        assert!(error.contains("No space left"), "{kib}: {error}");
        let left = fs::read_dir(&journals).into_iter().flatten().count();
        assert_eq!(left, 0, "{kib}: the half of it is removed");
        assert!(fs::read(&file).unwrap() == content);
    }
}

#[test]
#[ignore = "needs loop"]
fn a_file_attached_as_a_loop_device_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    let found = refusals(&scratch.request(&file));
    assert_eq!(found[0].kind, RefusalKind::Held);
    assert!(found[0].way_out.contains(&shown(&device.0)), "{found:?}");
}

#[test]
#[ignore = "needs loop, mount, ext4"]
fn a_mounted_device_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    let path = shown(&device.0);
    let point = scratch.0.join("mount point");
    fs::create_dir(&point).unwrap();
    run("mkfs.ext4", &["-q", "-F", &path]);
    run("mount", &[&path, point.to_str().unwrap()]);
    let _undo = Undo("umount", vec![shown(&point)]);
    let found = refusals(&scratch.request(&device.0));
    let kinds: Vec<RefusalKind> = found.iter().map(|refusal| refusal.kind).collect();
    assert_eq!(kinds, [RefusalKind::Mounted, RefusalKind::NotEmpty]);
    assert!(found[0].way_out.contains("mount point"), "{found:?}");
}

#[test]
#[ignore = "needs loop, partitions, mount, ext4"]
fn a_mounted_partition_speaks_against_the_whole_disk_and_its_neighbours() {
    let scratch = Scratch::new();
    let file = scratch.partitioned_file();
    let disk = Loop::attach_partitioned(&file);
    let (used, free) = (disk.partition(1), disk.partition(2));
    let request = |path: &Path| WriteRequest {
        region: Region { first: 2048, sectors: 64 },
        ..scratch.request(path)
    };
    assert_eq!(dry_run(&request(&free)).unwrap().refusals, []);
    let point = scratch.0.join("mount");
    fs::create_dir(&point).unwrap();
    run("mkfs.ext4", &["-q", "-F", used.to_str().unwrap()]);
    run("mount", &[used.to_str().unwrap(), point.to_str().unwrap()]);
    let _undo = Undo("umount", vec![shown(&point)]);
    assert_eq!(kinds(&request(&free)), [RefusalKind::Mounted]);
    assert_eq!(kinds(&request(&disk.0)), [RefusalKind::Mounted, RefusalKind::NotEmpty]);
}

#[test]
#[ignore = "needs loop, swap"]
fn swap_space_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    let path = shown(&device.0);
    run("mkswap", &[&path]);
    run("swapon", &[&path]);
    let _undo = Undo("swapoff", vec![path]);
    assert_eq!(kinds(&scratch.request(&device.0)), [RefusalKind::Swap, RefusalKind::NotEmpty]);
}

#[test]
#[ignore = "needs loop, dm"]
fn a_held_device_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    let name = format!("platterlab-{}", std::process::id());
    let table = format!("0 1024 linear {} 0", device.0.display());
    run("dmsetup", &["create", &name, "--table", &table]);
    let _undo = Undo("dmsetup", vec!["remove".to_owned(), name]);
    assert_eq!(kinds(&scratch.request(&device.0)), [RefusalKind::Held]);
}

#[test]
#[ignore = "needs loop"]
fn a_write_protected_device_is_refused() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &["--read-only"]);
    assert_eq!(kinds(&scratch.request(&device.0)), [RefusalKind::ReadOnly]);
}

#[test]
#[ignore = "needs root disk"]
fn the_root_disk_is_refused() {
    let number = fs::metadata("/").unwrap().dev();
    let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
    let folder = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).unwrap();
    let device = Path::new("/dev").join(folder.file_name().unwrap());
    let scratch = Scratch::new();
    let request =
        WriteRequest { confirmation: String::new(), region: REGION, ..scratch.request(&device) };
    // Only a dry run, and without the confirmation.
    let plan = dry_run(&request).unwrap();
    let kinds: Vec<RefusalKind> = plan.refusals.iter().map(|refusal| refusal.kind).collect();
    for kind in [RefusalKind::Confirmation, RefusalKind::Mounted, RefusalKind::RootDisk] {
        assert!(kinds.contains(&kind), "{kind:?}: {:?}", plan.refusals);
    }
}
