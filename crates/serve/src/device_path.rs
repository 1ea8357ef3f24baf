//! How the thread of a block device says where the device is: apart from every kind of device, for all
//! of them have it.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

/// What is told once the device is there: where, or why it is not.
pub(crate) type Told = SyncSender<io::Result<PathBuf>>;
