//! A drive as a block device of this kernel, where it has ublk; elsewhere there is nothing to try.

use platterlab_drive::Drive;
use platterlab_profile::Profile;
use platterlab_serve::nbd::Export;
use platterlab_serve::{Doors, Options, Running, Speed, Store, start};
use platterlab_sim::drive::Model;
use platterlab_sim::live::{Live, LiveDevice};
use platterlab_sim::scheduler::Scheduler;
use std::fs::{File, read_to_string};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

const BYTES: u64 = 64 << 20;
const BLOCK: usize = 4096;

fn serve(device: bool) -> Option<Running> {
    let profile = Profile::from_library("hp-97560").expect("the library has it");
    let drive = Drive::new(profile.params()).expect("the library's drives make sense");
    let live = LiveDevice::new(Model::Drive(Box::new(drive)), Scheduler::Fcfs, 1, 0);
    let export = Export {
        name: "drive".to_owned(),
        description: String::new(),
        bytes: BYTES,
        block_bytes: 512,
        preferred_bytes: 4096,
        read_only: false,
        rotational: true,
    };
    let (real_time, keep_rows, power_cuts, power_cut) = (false, false, true, None);
    let speed = Speed::Unpaced;
    let options = Options { export, speed, real_time, keep_rows, power_cuts, power_cut };
    let store = Store::memory(BYTES).expect("there is memory");
    let doors = Doors { listener: None, folder: None, device };
    match start(Live::Device(Box::new(live)), store, doors, options) {
        Ok(running) => Some(running),
        Err(error) if !Path::new("/dev/ublk-control").exists() => {
            assert!(error.to_string().contains("this kernel has no ublk"), "{error}");
            println!("not tried: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn opened(path: &Path) -> File {
    File::options().read(true).write(true).open(path).expect("its owner may")
}

/// One after another, for a kernel has so many devices and their numbers are its own.
#[test]
fn it_is_read_written_flushed_and_gone() {
    let Some(mut running) = serve(true) else { return };
    let path = running.device().expect("it says where").to_owned();
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let queue = |what: &str| {
        let told = read_to_string(format!("/sys/block/{name}/queue/{what}")).expect("it is known");
        told.trim().to_owned()
    };
    assert_eq!(queue("rotational"), "1");
    assert_eq!(queue("write_cache"), "write back");
    assert_eq!((queue("fua"), queue("logical_block_size")), ("1".to_owned(), "512".to_owned()));
    let sectors = read_to_string(format!("/sys/block/{name}/size")).expect("it is known");
    assert_eq!(sectors.trim(), (BYTES >> 9).to_string());

    let file = opened(&path);
    let many: Vec<u8> = (0..3 << 20).map(|at: u32| (at >> 9) as u8).collect();
    file.write_all_at(&many, 8 * BLOCK as u64).expect("it is written");
    file.sync_all().expect("it is flushed");
    let report = running.report().expect("it serves");
    assert!(report.writes > 0 && report.flushes > 0 && report.errors == 0, "{report:?}");
    drop(file);
    // Nothing of it is in memory any more.
    std::fs::write("/proc/sys/vm/drop_caches", "3").expect("root may");
    let mut read = vec![0; many.len()];
    opened(&path).read_exact_at(&mut read, 8 * BLOCK as u64).expect("it is read");
    assert!(read == many);
    assert!(running.report().expect("it serves").reads > 0);

    running.stop().expect("it ends");
    assert!(!path.exists() || File::open(&path).is_err(), "it is gone");
}

#[test]
fn a_power_cut_fails_what_comes_after_it() {
    let Some(running) = serve(true) else { return };
    let path = running.device().expect("it says where").to_owned();
    let file = opened(&path);
    file.write_all_at(&[7; BLOCK], 0).expect("it is written");
    running.cut_power();
    while running.serves() {
        std::thread::yield_now();
    }
    let synced = file.sync_all().map_err(|error| error.kind());
    let asked = file.write_all_at(&[8; BLOCK], 0).and_then(|()| file.sync_all());
    assert!(synced.is_err() || asked.is_err(), "{asked:?}");
    assert_ne!(synced, Err(ErrorKind::PermissionDenied));
}
