//! Block devices and files of the host, opened read-only.

use crate::common::scratch::{BYTES, Loop, REGION, Scratch};
use platterlab_device::linux::{Scheduling, WriteRequest, open_for_writing};
use platterlab_device::{
    BlockDevice, DeviceError, DeviceInfo, FaultPlan, Faulty, LinuxDevice, WriteConsent,
};
use std::fs::{self, OpenOptions};
use std::path::Path;

fn fact<'a>(info: &'a DeviceInfo, key: &str) -> Option<&'a str> {
    info.facts.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

fn message(path: &str) -> String {
    LinuxDevice::open(Path::new(path)).expect_err("it is not a device").to_string()
}

#[test]
fn what_is_no_device_and_no_file_is_refused() {
    assert!(message("/dev/null").contains("neither a block device nor a regular file"));
    assert!(message("/").contains("neither a block device nor a regular file"));
    assert!(message("/no/such/thing").contains("there is no such device or file"));
    let scratch = Scratch::new();
    let empty = scratch.0.join("empty");
    fs::write(&empty, b"").unwrap();
    assert!(message(empty.to_str().unwrap()).contains("has no sectors"));
}

#[test]
fn an_odd_size_leaves_its_tail_alone() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    OpenOptions::new().write(true).open(&file).unwrap().set_len(BYTES as u64 + 100).unwrap();
    let device = LinuxDevice::open(&file).unwrap();
    let sector = u64::from(device.info().logical_sector_bytes);
    assert_eq!(device.info().capacity_sectors, BYTES as u64 / sector);
    assert_eq!(fact(device.info(), "unused_tail_bytes"), Some("100"));
}

#[test]
fn a_device_that_shrinks_says_so() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let mut device = LinuxDevice::open(&file).unwrap();
    let half = device.info().capacity_sectors / 2;
    OpenOptions::new().write(true).open(&file).unwrap().set_len(BYTES as u64 / 2).unwrap();
    assert!(device.read(half - 1, 1).is_ok());
    let error = device.read(half, 1).unwrap_err();
    assert!(
        matches!(error, DeviceError::Shrank { capacity_sectors, .. } if capacity_sectors == half),
        "{error}"
    );
}

#[test]
fn a_file_in_memory_is_told_as_such() {
    let name = format!("platterlab-{}", std::process::id());
    let path = Path::new("/dev/shm").join(name);
    fs::write(&path, vec![0; 1 << 20]).unwrap();
    let device = LinuxDevice::open(&path);
    fs::remove_file(&path).unwrap();
    let device = device.unwrap();
    assert!(fact(device.info(), "direct_io").unwrap().starts_with("no"));
}

#[test]
#[ignore = "needs loop"]
fn a_loop_device_tells_its_facts() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &[]);
    let device = LinuxDevice::open(&device.0).unwrap();
    let info = device.info();
    assert_eq!(info.capacity_sectors, BYTES as u64 / 512);
    assert_eq!(fact(info, "kind"), Some("block device"));
    assert_eq!(fact(info, "backing_file"), file.to_str());
    for key in ["disk", "rotational", "scheduler", "nr_requests", "write_cache", "empty_call_ns"] {
        assert!(fact(info, key).is_some(), "{key}: {info:?}");
    }
}

#[test]
#[ignore = "needs loop"]
fn sectors_of_4_kib_are_addressed_as_such() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let device = Loop::attach(&file, &["--sector-size", "4096"]);
    let device = LinuxDevice::open(&device.0).unwrap();
    assert_eq!(device.info().logical_sector_bytes, 4096);
    assert_eq!(device.info().capacity_sectors, BYTES as u64 / 4096);
}

#[test]
#[ignore = "needs loop, partitions"]
fn a_partition_has_the_facts_of_its_disk() {
    let scratch = Scratch::new();
    let file = scratch.partitioned_file();
    let disk = Loop::attach_partitioned(&file);
    let partition = disk.partition(1);
    let device = LinuxDevice::open(&partition).unwrap();
    assert_eq!(fact(device.info(), "disk"), disk.0.file_name().unwrap().to_str());
    assert_eq!(fact(device.info(), "partition_start_512_byte_units"), Some("2048"));
    assert_eq!(device.info().capacity_sectors, 4096);
}

#[test]
fn nothing_is_written_without_the_right_consent() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let other = scratch.0.join("other.img");
    fs::write(&other, &content).unwrap();
    let refused = |device: &mut LinuxDevice, consent: &WriteConsent, lba, words: &str| {
        let error = device.write(consent, lba, 1).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let simulation = WriteConsent::for_simulation();
    let mut read_only = LinuxDevice::open(&file).unwrap();
    refused(&mut read_only, &simulation, REGION.first, "opened read-only");
    // This very process has it open to read.
    let request = WriteRequest { even_if_open: true, ..scratch.request(&file) };
    let (mut one, consent) = open_for_writing(&request).unwrap();
    let (mut two, _) = open_for_writing(&scratch.request(&other)).unwrap();
    refused(&mut read_only, &consent, REGION.first, "opened read-only");
    refused(&mut one, &simulation, REGION.first, "for another device");
    refused(&mut two, &consent, REGION.first, "for another device");
    for lba in [0, REGION.first - 1, REGION.first + REGION.sectors] {
        refused(&mut one, &consent, lba, "outside the region");
    }
    assert!(one.write(&consent, REGION.first + REGION.sectors - 1, 1).is_ok());
    drop((one, two));
    assert!(fs::read(&file).unwrap() == content);
    assert_eq!(fs::read_dir(scratch.journals()).unwrap().count(), 0);
}

#[test]
fn writes_can_go_through_to_the_media() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let request = WriteRequest { write_through: true, ..scratch.request(&file) };
    let (mut device, consent) = open_for_writing(&request).unwrap();
    assert!(device.write(&consent, REGION.first, 8).is_ok());
    assert_eq!(device.finish().unwrap(), platterlab_device::linux::Finished::default());
    assert!(fs::read(&file).unwrap() == content);
}

#[test]
fn faults_come_through_on_real_devices_too() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let plan =
        FaultPlan { bad_sectors: vec![7..8, 70..80], gone_from: Some(2), ..FaultPlan::default() };
    let mut device = Faulty::new(LinuxDevice::open(&file).unwrap(), plan);
    assert!(device.read(0, 7).is_ok());
    assert!(matches!(device.read(7, 1), Err(DeviceError::Io { lba: 7, .. })));
    assert!(matches!(device.read(0, 1), Err(DeviceError::Gone { .. })));
    let mut whole = device.into_inner();
    assert!(whole.read(7, 1).is_ok());
    let error = whole.read(0, u32::MAX).unwrap_err();
    assert!(matches!(error, DeviceError::Beyond { .. }), "{error}");
}

#[test]
fn a_probing_thread_can_be_set_apart() {
    let scratch = Scratch::new();
    let (file, _) = scratch.file();
    let apart = Scheduling::set(None, false).unwrap();
    assert!(LinuxDevice::open(&file).unwrap().read(0, 1).is_ok());
    drop(apart);
}
