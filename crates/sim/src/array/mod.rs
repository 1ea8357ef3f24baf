//! Volumes: how a request to a volume becomes commands to devices, and what is left when one fails.
//!
//! One file per kind of layout. A layout knows members, numbered from 0; `members` knows which
//! device stands for a member just now, and whether it can be read and written there.

mod balanced;
mod check;
mod concat;
mod error;
mod members;
mod mirror;
mod options;
mod parity;
mod piece;
mod rebuild;
mod stripe;
#[cfg(test)]
mod tests;
mod volume;

pub use check::Capacity;
pub use error::ArrayError;
pub use options::{
    Balance, LayoutOptions, ParityOptions, ParityUpdate, ReadChoice, RebuildOptions, RebuildRate,
    Rotation, VolumeOptions,
};
pub use piece::{Fleet, Piece};
pub(crate) use rebuild::Next;
pub use rebuild::RebuildReport;
pub use volume::Volume;
