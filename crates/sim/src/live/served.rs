//! The subject of step-by-step requests: a device by itself, or a volume of a system.

use super::{Faults, LiveDevice, LiveDone, LiveRequest, LiveVolume};
use platterlab_units::{Span, Stamp};

/// A device by itself, or a volume of a system.
#[derive(Debug)]
pub enum Live {
    /// A device.
    Device(Box<LiveDevice>),
    /// A volume.
    Volume(Box<LiveVolume>),
}

impl Live {
    /// Bytes in its sectors.
    #[must_use]
    pub fn sector_bytes(&self) -> u32 {
        match self {
            Self::Device(device) => device.model().sector_bytes(),
            Self::Volume(volume) => volume.sector_bytes(),
        }
    }

    /// Bytes in the smallest piece it can be asked for.
    #[must_use]
    pub fn logical_sector_bytes(&self) -> u32 {
        match self {
            Self::Device(device) => device.model().logical_sector_bytes(),
            Self::Volume(volume) => volume.sector_bytes(),
        }
    }

    /// Sectors it holds.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        match self {
            Self::Device(device) => device.model().sectors(),
            Self::Volume(volume) => volume.sectors(),
        }
    }

    /// Its rotation period, if it has one and no other.
    #[must_use]
    pub fn revolution(&self) -> Span {
        match self {
            Self::Device(device) => device.model().revolution(),
            Self::Volume(_) => Span::ZERO,
        }
    }

    /// As [`LiveDevice::set_faults`]; those of a volume are its system's.
    pub fn set_faults(&mut self, faults: Option<Faults>) {
        if let Self::Device(device) = self {
            device.set_faults(faults);
        }
    }

    /// As [`LiveDevice::unwritten`]; nothing is known of that behind a volume.
    pub fn unwritten(&mut self, now: Stamp) -> Vec<(u64, u64)> {
        match self {
            Self::Device(device) => device.unwritten(now),
            Self::Volume(_) => Vec::new(),
        }
    }

    /// As [`LiveDevice::outlives_power`].
    #[must_use]
    pub fn outlives_power(&self, now: Stamp) -> bool {
        match self {
            Self::Device(device) => device.outlives_power(now),
            Self::Volume(_) => false,
        }
    }

    /// When something happens next that requests wait for; `None` if none does.
    #[must_use]
    pub fn next_event(&mut self) -> Option<Stamp> {
        match self {
            Self::Device(device) => device.next(),
            Self::Volume(volume) => volume.next(),
        }
    }

    /// As [`LiveDevice::submit`].
    pub fn submit(&mut self, at: Stamp, request: LiveRequest) {
        match self {
            Self::Device(device) => device.submit(at, request),
            Self::Volume(volume) => volume.submit(at, request),
        }
    }

    /// As [`LiveDevice::advance`].
    pub fn advance(&mut self, to: Stamp, out: &mut Vec<LiveDone>) {
        match self {
            Self::Device(device) => device.advance(to, out),
            Self::Volume(volume) => volume.advance(to, out),
        }
    }
}
