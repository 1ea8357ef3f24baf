//! The analytic SKIPPY drive: Equations 1 to 7 and the refined write model, to the picosecond.
//!
//! It answers reads and writes alike. Idle time between requests turns the platter on; what the
//! equations leave open (steps backwards, or over several boundaries) follows from the geometry.
#![allow(dead_code, unused_imports, unreachable_pub)] // each program of tests uses a part of it

mod model;
mod params;

pub use params::{BoundaryModel, MockParams};

use model::Last;
use platterlab_device::{Answer, BlockDevice, Completion, DeviceError, DeviceInfo, WriteConsent};
use platterlab_units::{SECTOR_BYTES_DEFAULT, Span, Time};

/// No request is submitted later than this on the virtual clock: 53 days.
const LATEST: Time = Time::from_ps(1 << 62);

/// The analytic drive in virtual time.
#[derive(Clone, Debug)]
pub struct Mock {
    info: DeviceInfo,
    params: MockParams,
    last: Option<Last>,
    now: Time,
}

impl Mock {
    /// The drive at virtual time zero, before its first request.
    ///
    /// # Errors
    /// The first parameter that makes no sense.
    pub fn new(params: MockParams) -> Result<Self, DeviceError> {
        let name = "mock disk".to_owned();
        if let Err(what) = params.check() {
            return Err(DeviceError::Other { name, what });
        }
        let info = DeviceInfo {
            name,
            capacity_sectors: params.capacity(),
            logical_sector_bytes: SECTOR_BYTES_DEFAULT,
            physical_sector_bytes: SECTOR_BYTES_DEFAULT,
            facts: vec![("kind".to_owned(), "mock".to_owned())],
        };
        Ok(Self { info, params, last: None, now: Time::ZERO })
    }

    /// The truth behind its answers.
    #[must_use]
    pub fn params(&self) -> &MockParams {
        &self.params
    }

    fn serve(&mut self, lba: u64, sectors: u32) -> Answer {
        self.info.check(lba, sectors)?;
        if self.now > LATEST {
            let what = "the virtual clock has run out; a run may last 53 days".to_owned();
            return Err(DeviceError::Other { name: self.info.name.clone(), what });
        }
        let submitted = self.now;
        let completed = submitted + self.params.latency(self.last, submitted, lba, sectors);
        self.last = Some(Last { lba: lba + u64::from(sectors) - 1, completed });
        self.now = completed;
        Ok(Completion { submitted, completed })
    }
}

impl BlockDevice for Mock {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&mut self) -> Time {
        self.now
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.serve(lba, sectors)
    }

    fn write(&mut self, _consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.serve(lba, sectors)
    }

    fn idle(&mut self, time: Span) {
        self.now = Time::from_ps(self.now.as_ps().saturating_add(time.as_ps()));
    }
}
