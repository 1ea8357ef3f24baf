//! What a journal says is in flight, as a run that died would leave it.

use crate::common::scratch::{REGION, Scratch};
use platterlab_device::BlockDevice;
use platterlab_device::linux::open_for_writing;
use std::fs;
use std::path::Path;

/// Sequence number, first sector and sectors of both slots, the older one first.
fn slots(journal: &Path) -> [[u64; 3]; 2] {
    let bytes = fs::read(journal).unwrap();
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let mut slots = [8192, 10_240].map(|at| [0, 8, 16].map(|part| number(at + part)));
    slots.sort_unstable();
    slots
}

#[test]
fn a_write_is_in_flight_until_it_is_done() {
    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let (mut device, consent) = open_for_writing(&scratch.request(&file)).unwrap();
    let journal = fs::read_dir(scratch.journals()).unwrap().next().unwrap().unwrap().path();
    assert_eq!(slots(&journal), [[0, 0, 0]; 2]);
    for step in 1..4 {
        let lba = REGION.first + step;
        device.write(&consent, lba, 8).unwrap();
        assert_eq!(slots(&journal), [[2 * step - 1, lba, 8], [2 * step, 0, 0]]);
    }
    device.read(REGION.first, 8).unwrap();
    assert_eq!(slots(&journal)[1], [6, 0, 0], "a read is none");
    drop(device);
    assert!(fs::read(&file).unwrap() == content);
}
