//! In place of a block device by ublk, where this was built without it.

use crate::desk::Due;
use crate::nbd::Export;
use crate::shared::Shared;
use crate::told::Told;
use std::io;
use std::sync::Arc;

/// There is none.
#[derive(Debug)]
pub(crate) enum NoDevice {}

/// Whether a drive can be a block device here.
///
/// # Errors
/// It cannot.
pub(crate) fn may_be() -> io::Result<()> {
    Err(none())
}

fn none() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "this Platterlab was built without ublk; build it with the cargo feature `ublk`, or make a \
         block device by --fuse and losetup",
    )
}

impl NoDevice {
    pub(crate) fn new(_: &Export, _: &Arc<Shared>, _: Told) -> io::Result<Self> {
        Err(none())
    }

    pub(crate) fn answer(&self, _: Due) {
        match *self {}
    }

    pub(crate) fn is_idle(&self) -> bool {
        match *self {}
    }
}
