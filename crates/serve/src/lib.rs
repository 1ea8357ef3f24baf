//! A simulated drive as a block device, in real time.
//!
//! The model ([`platterlab_sim::live`]) keeps its own timeline: a request is done when the model says
//! so, never when a thread woke up, and so no lateness adds up. Everything that has a clock, a socket
//! or a file lives here and never in the simulator:
//!
//! [`nbd`] is the protocol, `disk_file` the drive as a file by FUSE, `ublk` as a block device, `contents` the data, `pace` the host's clock, its waiting and what it is
//! late by; `service_loop` has them meet.

#![cfg(target_os = "linux")]

pub mod nbd;

#[cfg(feature = "ublk")]
mod block_answers;
mod block_device;
mod connection;
mod contents;
mod desk;
mod disk_file;
mod fault_place;
mod faults;
mod listen;
mod options;
mod pace;
mod partial_write;
mod refusal;
mod report;
mod server;
mod service_loop;
mod shared;
mod snapshot;
mod store;
mod tasks;
mod told;
#[cfg(feature = "ublk")]
mod ublk;
mod volatile;
mod waiting;
#[cfg(not(feature = "ublk"))]
mod without_ublk;

pub use disk_file::NAME as FILE_NAME;
pub use faults::{FaultPlan, FaultPlanError};
pub use listen::Listener;
pub use options::{Doors, Options};
pub use pace::Speed;
pub use report::{HostReport, Lateness, LatenessStep, PowerCut, Report, Verdict};
pub use server::{Running, StartError, start};
pub use store::{Store, StoreError};
