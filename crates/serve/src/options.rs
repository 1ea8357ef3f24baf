//! What a drive is served as, and where clients come in.

use crate::listen::Listener;
use crate::nbd::Export;
use crate::pace::Speed;
use platterlab_units::Stamp;
use std::path::PathBuf;

/// A drive to be served.
#[derive(Debug)]
pub struct Options {
    /// What clients see.
    pub export: Export,
    /// How fast time passes.
    pub speed: Speed,
    /// Whether to ask the host for real-time scheduling, locked memory and exact timers.
    pub real_time: bool,
    /// Whether rows are kept until they are taken.
    pub keep_rows: bool,
    /// Whether the power may be cut: the store then holds no more than the drive's media.
    pub power_cuts: bool,
    /// When it is, by the drive's own clock.
    pub power_cut: Option<Stamp>,
}

/// Where clients come in.
#[derive(Debug, Default)]
pub struct Doors {
    /// By NBD.
    pub listener: Option<Listener>,
    /// By a file that is mounted in this folder.
    pub folder: Option<PathBuf>,
    /// By a block device of this kernel.
    pub device: bool,
}
