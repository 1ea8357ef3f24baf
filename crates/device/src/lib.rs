//! Block devices that answer a probe.
//!
//! A probe sees one trait, [`BlockDevice`], and cannot tell which device it drives.

mod consent;
mod device;

pub use consent::WriteConsent;
pub use device::{BlockDevice, Completion, DeviceError, DeviceInfo};
