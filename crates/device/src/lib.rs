//! Block devices that answer a probe.
//!
//! A probe sees one trait, [`BlockDevice`], and cannot distinguish the devices it drives.

pub mod faulty;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod simulated;

mod chance;
mod consent;
mod device;
#[cfg(test)]
mod testing;

pub use consent::WriteConsent;
pub use device::{Answer, BlockDevice, Completion, DeviceError, DeviceInfo};
pub use faulty::{FaultPlan, Faulty};
#[cfg(target_os = "linux")]
pub use linux::LinuxDevice;
pub use simulated::{HostModel, Simulated};
