//! Any device, made to fail on purpose.

use crate::{Answer, BlockDevice, DeviceError, DeviceInfo, WriteConsent};
use platterlab_units::{Span, Time};
use std::ops::Range;

/// What goes wrong, and when. Requests count from 0, failed ones included. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultPlan {
    /// Sectors that cannot be read or written: any request that touches one fails.
    pub bad_sectors: Vec<Range<u64>>,
    /// Every request from this one on fails with an input/output error.
    pub errors_from: Option<u64>,
    /// This request moves only half of its bytes.
    pub short_at: Option<u64>,
    /// The device is gone from this request on.
    pub gone_from: Option<u64>,
    /// The device loses capacity.
    pub shrink: Option<Shrink>,
}

/// A loss of capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shrink {
    /// From this request on.
    pub from: u64,
    /// Addressable sectors that are left.
    pub capacity_sectors: u64,
}

/// A device and the faults it has. The faults depend on the requests alone.
#[derive(Clone, Debug)]
pub struct Faulty<D> {
    device: D,
    plan: FaultPlan,
    requests: u64,
}

/// What the plan has for one request.
enum Fault {
    /// Before the device sees it.
    Before(DeviceError),
    /// After the device has taken its time over it.
    After(DeviceError),
    None,
}

impl<D: BlockDevice> Faulty<D> {
    /// `device` with the faults of `plan`.
    #[must_use]
    pub fn new(device: D, plan: FaultPlan) -> Self {
        Self { device, plan, requests: 0 }
    }

    /// The device without its faults.
    #[must_use]
    pub fn into_inner(self) -> D {
        self.device
    }

    fn fault(&mut self, lba: u64, sectors: u32) -> Fault {
        let number = self.requests;
        self.requests += 1;
        let DeviceInfo { name, capacity_sectors, logical_sector_bytes, .. } = self.device.info();
        let name = name.clone();
        let end = lba.saturating_add(u64::from(sectors));
        let reached = |from: Option<u64>| from.is_some_and(|from| number >= from);
        if reached(self.plan.gone_from) {
            return Fault::Before(DeviceError::Gone { name });
        }
        if let Some(shrink) = self.plan.shrink
            && number >= shrink.from
            && (shrink.capacity_sectors + 1..=*capacity_sectors).contains(&end)
        {
            let capacity_sectors = shrink.capacity_sectors;
            let was_sectors = self.device.info().capacity_sectors;
            return Fault::Before(DeviceError::Shrank { name, was_sectors, capacity_sectors });
        }
        let touches = |bad: &Range<u64>| bad.start < end && lba < bad.end;
        if reached(self.plan.errors_from) || self.plan.bad_sectors.iter().any(touches) {
            return Fault::After(DeviceError::Io { name, lba, sectors });
        }
        if self.plan.short_at == Some(number) {
            let done_bytes = u64::from(sectors) * u64::from(*logical_sector_bytes) / 2;
            return Fault::After(DeviceError::Short { name, lba, sectors, done_bytes });
        }
        Fault::None
    }

    fn serve(&mut self, lba: u64, sectors: u32, request: impl FnOnce(&mut D) -> Answer) -> Answer {
        match self.fault(lba, sectors) {
            Fault::Before(error) => Err(error),
            Fault::After(error) => request(&mut self.device).and(Err(error)),
            Fault::None => request(&mut self.device),
        }
    }
}

impl<D: BlockDevice> BlockDevice for Faulty<D> {
    fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    fn now(&mut self) -> Time {
        self.device.now()
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.serve(lba, sectors, |device| device.read(lba, sectors))
    }

    fn write(&mut self, consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.serve(lba, sectors, |device| device.write(consent, lba, sectors))
    }

    fn idle(&mut self, time: Span) {
        self.device.idle(time);
    }

    fn overhead(&self) -> Span {
        self.device.overhead()
    }
}
