//! The trait `BlockDevice`: what a probe sees of any device, its completions and its errors.

use crate::WriteConsent;
use platterlab_units::{Span, Time};

/// What is known of a device before anything is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// What to call it in messages: a path or a profile name.
    pub name: String,
    /// Addressable logical sectors.
    pub capacity_sectors: u64,
    /// Bytes in a sector as addresses count them.
    pub logical_sector_bytes: u32,
    /// Bytes in a sector as the media has them, where the device says so.
    pub physical_sector_bytes: u32,
    /// Other facts, as key and value, in a fixed order: model, serial, firmware, queue settings.
    pub facts: Vec<(String, String)>,
}

impl DeviceInfo {
    /// Refuses a request of no sectors, or one that does not lie on the device as a whole.
    pub(crate) fn check(&self, lba: u64, sectors: u32) -> Result<(), DeviceError> {
        if sectors == 0 {
            let what = format!("the request at sector {lba} is of no sectors; ask for at least 1");
            return Err(DeviceError::Other { name: self.name.clone(), what });
        }
        let capacity_sectors = self.capacity_sectors;
        if lba.checked_add(u64::from(sectors)).is_some_and(|end| end <= capacity_sectors) {
            return Ok(());
        }
        Err(DeviceError::Beyond { name: self.name.clone(), lba, sectors, capacity_sectors })
    }
}

/// One request's times on the device's own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// When it was submitted.
    pub submitted: Time,
    /// When it was complete.
    pub completed: Time,
}

impl Completion {
    /// From submission to completion.
    #[must_use]
    pub fn elapsed(&self) -> Span {
        self.completed - self.submitted
    }
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The device answered with an error for these sectors.
    #[error("{name}: input/output error at sector {lba} (+{sectors})")]
    Io {
        /// Device.
        name: String,
        /// First sector.
        lba: u64,
        /// Length.
        sectors: u32,
    },
    /// The device is not there any more.
    #[error("{name}: the device is gone")]
    Gone {
        /// Device.
        name: String,
    },
    /// The request does not fit the device.
    #[error("{name}: sectors {lba} (+{sectors}) lie beyond its {capacity_sectors}")]
    Beyond {
        /// Device.
        name: String,
        /// First sector.
        lba: u64,
        /// Length.
        sectors: u32,
        /// Addressable sectors.
        capacity_sectors: u64,
    },
    /// The device moved fewer bytes than asked for, without an error.
    #[error("{name}: only {done_bytes} bytes moved at sector {lba} (+{sectors})")]
    Short {
        /// Device.
        name: String,
        /// First sector.
        lba: u64,
        /// Length.
        sectors: u32,
        /// Bytes that did move.
        done_bytes: u64,
    },
    /// The device lost capacity since it was opened.
    #[error("{name}: it shrank from {was_sectors} sectors to {capacity_sectors} while in use")]
    Shrank {
        /// Device.
        name: String,
        /// Addressable sectors before.
        was_sectors: u64,
        /// Addressable sectors now.
        capacity_sectors: u64,
    },
    /// A transfer failed in another way.
    #[error("{name}: {what}")]
    Failed {
        /// Device.
        name: String,
        /// What the system says.
        what: String,
    },
    /// Anything else, in words.
    #[error("{name}: {what}")]
    Other {
        /// Device.
        name: String,
        /// What is wrong and what would be right.
        what: String,
    },
}

/// A device that serves one request at a time.
///
/// Contract: calls block until the request is complete; times come from one monotonic clock per
/// device (virtual for simulated devices, so a probe never asks the operating system for the
/// time); a request outside the device is refused, never clipped.
pub trait BlockDevice {
    /// What is known of it.
    fn info(&self) -> &DeviceInfo;

    /// The device's clock.
    fn now(&mut self) -> Time;

    /// Reads sectors and throws the data away.
    ///
    /// # Errors
    /// See [`DeviceError`].
    fn read(&mut self, lba: u64, sectors: u32) -> Result<Completion, DeviceError>;

    /// Writes sectors. What is written is the device's affair: real ones write back what was there.
    ///
    /// # Errors
    /// See [`DeviceError`].
    fn write(
        &mut self,
        consent: &WriteConsent,
        lba: u64,
        sectors: u32,
    ) -> Result<Completion, DeviceError>;

    /// Lets time pass without a request.
    fn idle(&mut self, time: Span);

    /// The host's own part in every elapsed time, as calibrated; zero if unknown.
    fn overhead(&self) -> Span {
        Span::ZERO
    }
}

/// A device whose kind is chosen at run time.
impl<D: BlockDevice + ?Sized> BlockDevice for Box<D> {
    fn info(&self) -> &DeviceInfo {
        (**self).info()
    }

    fn now(&mut self) -> Time {
        (**self).now()
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Result<Completion, DeviceError> {
        (**self).read(lba, sectors)
    }

    fn write(
        &mut self,
        consent: &WriteConsent,
        lba: u64,
        sectors: u32,
    ) -> Result<Completion, DeviceError> {
        (**self).write(consent, lba, sectors)
    }

    fn idle(&mut self, time: Span) {
        (**self).idle(time);
    }

    fn overhead(&self) -> Span {
        (**self).overhead()
    }
}
