//! Who waits for a device to be there.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

/// What is told once the device is there: where, or why it is not.
pub(crate) type Told = SyncSender<io::Result<PathBuf>>;
