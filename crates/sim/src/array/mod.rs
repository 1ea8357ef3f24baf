//! Volumes: how a request to a volume becomes commands to devices.

mod concat;
mod options;
mod stripe;

pub use concat::Concat;
pub use options::{
    Balance, LayoutOptions, ParityOptions, ParityUpdate, ReadChoice, RebuildOptions, RebuildRate,
    Rotation, VolumeOptions,
};
pub use stripe::Stripe;

use crate::source::Request;
use platterlab_units::Operation;

/// A command to one device, part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The device, by its place in the system.
    pub device: u32,
    /// First sector on the device.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
}

/// A volume of one kind.
///
/// Contract: a request within [`Volume::sectors`] is served in phases; the commands of phase `n + 1`
/// are given once all of phase `n` are done, and a phase without commands ends the request.
#[derive(Clone, Debug)]
pub enum Volume {
    /// Devices one after the other; with one device, that device.
    Concat(Concat),
    /// Units of fixed size dealt out in turn.
    Stripe(Stripe),
}

impl Volume {
    /// Sectors it holds.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        match self {
            Self::Concat(volume) => volume.sectors(),
            Self::Stripe(volume) => volume.sectors(),
        }
    }

    /// The commands of a phase of a request.
    #[inline]
    pub fn pieces(&self, request: &Request, phase: u8, out: &mut Vec<Piece>) {
        match self {
            Self::Concat(volume) => volume.pieces(request, phase, out),
            Self::Stripe(volume) => volume.pieces(request, phase, out),
        }
    }
}
