//! Receivers of the message that a device is there.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

/// The message once the device is there: where, or why it is not.
pub(crate) type Told = SyncSender<io::Result<PathBuf>>;
