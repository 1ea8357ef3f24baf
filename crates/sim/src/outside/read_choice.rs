//! The choice of a mirror's copy to read.

use platterlab_units::{Span, Stamp};
use std::fmt::Debug;

/// A copy that could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MirrorCopy {
    /// The device, by its place in the system.
    pub device: u32,
    /// First sector on the device.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u64,
    /// Commands that wait for the device or are under way in it.
    pub outstanding: usize,
    /// Cylinders between its arm and the first sector.
    pub seek_cylinders: u32,
    /// How long until the first sector could be read, were the device free.
    pub positioning: Span,
}

/// Decides which copy is read.
///
/// Contract: [`ReadChooser::choose`] gives the place of one of the copies, of which there is at least
/// one; in place of what is none the first is read.
pub trait ReadChooser: Send + Debug {
    /// The place among `copies` of the one to read, at `now`.
    fn choose(&mut self, copies: &[MirrorCopy], now: Stamp) -> Option<usize>;

    /// Another one in the same state.
    fn twin(&self) -> Box<dyn ReadChooser>;
}

impl Clone for Box<dyn ReadChooser> {
    fn clone(&self) -> Self {
        self.twin()
    }
}
