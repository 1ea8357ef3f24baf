//! Faults on purpose: each comes when it is to, and with its error.

use crate::common::mock::{Mock, MockParams};
use platterlab_device::faulty::Shrink;
use platterlab_device::{BlockDevice, DeviceError, FaultPlan, Faulty, WriteConsent};

fn faulty(plan: FaultPlan) -> Faulty<Mock> {
    Faulty::new(Mock::new(MockParams::figure_3()).unwrap(), plan)
}

#[test]
fn bad_sectors_fail_whatever_touches_them_and_nothing_else() {
    let mut device =
        faulty(FaultPlan { bad_sectors: vec![10..12, 90..91], ..FaultPlan::default() });
    for (lba, sectors, fails) in
        [(9, 1, false), (9, 2, true), (11, 1, true), (12, 4, false), (88, 9, true)]
    {
        let answer = device.read(lba, sectors);
        let io = matches!(answer, Err(DeviceError::Io { .. }));
        assert_eq!(io, fails, "{lba} (+{sectors}): {answer:?}");
    }
    let before = device.now();
    let consent = WriteConsent::for_simulation();
    assert!(device.write(&consent, 11, 1).is_err());
    assert!(device.now() > before, "an error takes its time");
}

#[test]
fn faults_come_with_their_request() {
    let plan = FaultPlan {
        short_at: Some(1),
        shrink: Some(Shrink { from: 2, capacity_sectors: 50 }),
        errors_from: Some(4),
        gone_from: Some(5),
        ..FaultPlan::default()
    };
    let mut device = faulty(plan);
    let name = "mock disk".to_owned();
    assert!(device.read(0, 1).is_ok());
    let short = DeviceError::Short { name: name.clone(), lba: 0, sectors: 2, done_bytes: 512 };
    assert_eq!(device.read(0, 2), Err(short));
    assert!(matches!(device.read(50, 1), Err(DeviceError::Shrank { capacity_sectors: 50, .. })));
    assert!(device.read(49, 1).is_ok());
    assert!(matches!(device.read(49, 1), Err(DeviceError::Io { .. })));
    assert_eq!(device.read(49, 1), Err(DeviceError::Gone { name: name.clone() }));
    assert_eq!(device.read(0, 1), Err(DeviceError::Gone { name }));
}
