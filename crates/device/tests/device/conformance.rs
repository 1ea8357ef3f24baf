//! One body of tests over every kind of device: a probe cannot tell which one it drives.

use crate::common::drive;
use crate::common::mock::{Mock, MockParams};
use crate::common::recorded::Recorded;
use crate::common::recorder::Recorder;
use platterlab_device::{
    BlockDevice, DeviceError, FaultPlan, Faulty, HostModel, Simulated, WriteConsent,
};
use platterlab_units::Span;

/// A first sector that every device here lets be written.
const WRITABLE: u64 = 1024;

type Body = fn(&mut dyn BlockDevice, &WriteConsent);

fn simulated() -> Simulated {
    Simulated::new(drive(), "simulated", HostModel::typical(), 42).unwrap()
}

fn over_virtual_devices(body: Body) {
    let consent = WriteConsent::for_simulation();
    body(&mut simulated(), &consent);
    body(&mut Mock::new(MockParams::figure_3()).unwrap(), &consent);
    body(&mut Faulty::new(simulated(), FaultPlan::default()), &consent);
    let boxed: Box<dyn BlockDevice> = Box::new(simulated());
    body(&mut Faulty::new(boxed, FaultPlan::default()), &consent);
    let mut recorder = Recorder { device: simulated(), requests: Vec::new() };
    body(&mut recorder, &consent);
    let Recorder { device, requests } = recorder;
    let mut recorded = Recorded::new(device.info().clone(), device.overhead(), requests).unwrap();
    body(&mut recorded, &consent);
    assert_eq!(recorded.remaining(), 0);
}

#[cfg(target_os = "linux")]
fn over_real_devices(body: Body, loops: bool) {
    use crate::common::scratch::{Loop, Scratch};
    use platterlab_device::linux::{Region, WriteRequest, open_for_writing};

    let scratch = Scratch::new();
    let (file, content) = scratch.file();
    let run = |path: &std::path::Path| {
        let region = Region { first: WRITABLE, sectors: 64 };
        let request = WriteRequest { region, ..scratch.request(path) };
        let (mut device, consent) = open_for_writing(&request).unwrap();
        body(&mut device, &consent);
        assert_eq!(device.finish().unwrap(), platterlab_device::linux::Finished::default());
    };
    if loops {
        for sector_bytes in ["512", "4096"] {
            run(&Loop::attach(&file, &["--sector-size", sector_bytes]).0);
        }
    } else {
        run(&file);
    }
    assert!(std::fs::read(&file).unwrap() == content, "every byte is as it was");
}

#[cfg(not(target_os = "linux"))]
fn over_real_devices(_: Body, _: bool) {}

const BODIES: [Body; 5] = [
    what_is_known_of_it_fits_together,
    requests_follow_each_other_on_one_clock,
    requests_beyond_the_device_are_refused_and_do_no_harm,
    idle_time_passes,
    overhead_is_less_than_a_request,
];

#[test]
fn virtual_devices_and_files_answer_alike() {
    for body in BODIES {
        over_virtual_devices(body);
        over_real_devices(body, false);
    }
}

#[test]
#[ignore = "needs loop"]
fn loop_devices_answer_alike() {
    for body in BODIES {
        over_real_devices(body, true);
    }
}

fn what_is_known_of_it_fits_together(device: &mut dyn BlockDevice, _: &WriteConsent) {
    let info = device.info();
    assert!(!info.name.is_empty());
    assert!(info.capacity_sectors > 0);
    assert!(info.logical_sector_bytes.is_power_of_two());
    assert!(info.physical_sector_bytes.is_multiple_of(info.logical_sector_bytes));
    assert!(info.facts.iter().any(|(key, _)| key == "kind"), "{info:?}");
}

fn requests_follow_each_other_on_one_clock(device: &mut dyn BlockDevice, consent: &WriteConsent) {
    let mut latest = device.now();
    for step in 0..20 {
        let answer = if step % 2 == 0 {
            device.read(step * 3, 1)
        } else {
            device.write(consent, WRITABLE + step, 2)
        };
        let answer = answer.unwrap();
        assert!(answer.submitted >= latest && answer.completed > answer.submitted);
        latest = answer.completed;
        assert!(device.now() >= latest);
    }
}

fn requests_beyond_the_device_are_refused_and_do_no_harm(
    device: &mut dyn BlockDevice,
    consent: &WriteConsent,
) {
    let end = device.info().capacity_sectors;
    for (lba, sectors) in [(end, 1), (end - 1, 2), (u64::MAX, 1), (u64::MAX, u32::MAX)] {
        let beyond = |answer| matches!(answer, Err(DeviceError::Beyond { .. }));
        assert!(beyond(device.read(lba, sectors)), "{lba} (+{sectors})");
        assert!(beyond(device.write(consent, lba, sectors)), "{lba} (+{sectors})");
    }
    assert!(device.read(0, 0).is_err());
    assert!(device.write(consent, WRITABLE, 0).is_err());
    assert!(device.read(end - 1, 1).is_ok());
    assert!(device.write(consent, WRITABLE, 1).is_ok());
}

fn idle_time_passes(device: &mut dyn BlockDevice, _: &WriteConsent) {
    let pause = Span::from_us(300);
    let before = device.read(0, 1).unwrap().completed;
    device.idle(pause);
    assert!(device.read(9, 1).unwrap().submitted >= before + pause);
}

fn overhead_is_less_than_a_request(device: &mut dyn BlockDevice, _: &WriteConsent) {
    let quickest = (0..50).map(|i| device.read(i * 7, 1).unwrap().elapsed()).min();
    assert!(quickest.unwrap() > device.overhead());
}
