//! The drive as a block device of this kernel: by ublk where that is built in, and not at all elsewhere.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

#[cfg(feature = "ublk")]
pub(crate) use crate::ublk::{BlockDevice, may_be};
#[cfg(not(feature = "ublk"))]
pub(crate) use crate::without_ublk::{NoDevice as BlockDevice, may_be};

/// What is told once the device is there: where, or why it is not.
pub(crate) type Told = SyncSender<io::Result<PathBuf>>;
