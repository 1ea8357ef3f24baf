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
    /// All of it, from its first whole physical sector on: first sector and number of sectors.
    #[must_use]
    pub fn whole(&self) -> (u64, u64) {
        let fact = self.facts.iter().find(|(key, _)| key == "alignment_offset_bytes");
        let offset: u64 = fact.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
        let first = offset / u64::from(self.logical_sector_bytes.max(1));
        (first, self.capacity_sectors.saturating_sub(first))
    }

    /// Refuses a part of it, first sector and number of sectors, that is not on it or begins within
    /// a physical sector.
    ///
    /// # Errors
    /// [`DeviceError::Other`], which says what would be right.
    pub fn check_region(&self, first: u64, sectors: u64) -> Result<(), DeviceError> {
        let refuse = |what: String| {
            let what = format!("the region {first}:{sectors} {what}");
            Err(DeviceError::Other { name: self.name.clone(), what })
        };
        if sectors == 0 || first.saturating_add(sectors) > self.capacity_sectors {
            return refuse(format!("is not on its {} sectors", self.capacity_sectors));
        }
        let step = u64::from(self.physical_sector_bytes / self.logical_sector_bytes.max(1)).max(1);
        let origin = self.whole().0 % step;
        if (first + step - origin).is_multiple_of(step) {
            return Ok(());
        }
        let next = (first + step - origin).next_multiple_of(step) + origin - step;
        refuse(format!(
            "begins within a physical sector, which is {step} logical ones; begin at {next}, where \
             the next one does"
        ))
    }

    /// Refuses a request of no sectors, or one that does not lie on the device as a whole.
    ///
    /// # Errors
    /// Which of them it is.
    pub fn check(&self, lba: u64, sectors: u32) -> Result<(), DeviceError> {
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
        /// The error and what would be right.
        what: String,
    },
}

/// When a request was done, or why it was not.
pub type Answer = Result<Completion, DeviceError>;

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
    fn read(&mut self, lba: u64, sectors: u32) -> Answer;

    /// Writes sectors. What is written is the device's affair: real ones write back what was there.
    ///
    /// # Errors
    /// See [`DeviceError`].
    fn write(&mut self, consent: &WriteConsent, lba: u64, sectors: u32) -> Answer;

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

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        (**self).read(lba, sectors)
    }

    fn write(&mut self, consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        (**self).write(consent, lba, sectors)
    }

    fn idle(&mut self, time: Span) {
        (**self).idle(time);
    }

    fn overhead(&self) -> Span {
        (**self).overhead()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Emulates sectors of 512 bytes on such of 4096, the first whole one of which begins `offset`
    /// bytes into it.
    fn emulating(offset: &str) -> DeviceInfo {
        DeviceInfo {
            name: "sdx1".to_owned(),
            capacity_sectors: 4001,
            logical_sector_bytes: 512,
            physical_sector_bytes: 4096,
            facts: vec![("alignment_offset_bytes".to_owned(), offset.to_owned())],
        }
    }

    #[test]
    fn a_region_begins_with_a_whole_physical_sector() {
        for (offset, first, sectors, says) in [
            ("0", 0, 4001, ""),
            ("0", 8, 16, ""),
            ("0", 1, 600, "begin at 8,"),
            ("0", 15, 600, "begin at 16,"),
            ("0", 8, 3994, "is not on its 4001 sectors"),
            ("0", 8, 0, "is not on its"),
            ("0", u64::MAX, 8, "is not on its"),
            ("3584", 7, 800, ""),
            ("3584", 8, 800, "begin at 15,"),
            ("3584", 0, 800, "begin at 7,"),
        ] {
            let found = emulating(offset).check_region(first, sectors);
            let said = found.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(said.contains(says) && said.is_empty() == says.is_empty(), "{first}: {said}");
        }
        assert_eq!(emulating("3584").whole(), (7, 3994));
        assert!(emulating("3584").check_region(7, 3994).is_ok());
    }
}
