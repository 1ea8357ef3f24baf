//! Block devices that answer a probe.
//!
//! A probe sees one trait, [`BlockDevice`], and cannot tell which device it drives.

pub mod mock;
pub mod simulated;

mod chance;
mod consent;
mod device;
#[cfg(test)]
mod testing;

pub use consent::WriteConsent;
pub use device::{BlockDevice, Completion, DeviceError, DeviceInfo};
pub use mock::Mock;
pub use simulated::{HostModel, Simulated};
