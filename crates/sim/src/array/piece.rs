//! Commands to devices as parts of a volume's request, and what a volume may ask of the devices.

use platterlab_units::{Operation, Partial, Span, Stamp};
use std::ops::Range;

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
    /// It begins when all pieces of earlier stages are done, or have read what they rewrite.
    pub stage: u8,
    /// Whether the same sectors are written as soon as they have been read.
    pub rewrite: bool,
    /// What a write leaves alone of its first and its last sector.
    pub partial: Partial,
    /// Of a read and of what is made of it, 1 or 2: that begins once all reads of the part are done,
    /// whatever else of earlier stages is not. 0: of no part.
    pub part: u8,
}

impl Piece {
    /// A command for these sectors of a device, as a whole and of no part.
    pub(crate) fn new(device: u32, sectors: Range<u64>, operation: Operation, stage: u8) -> Self {
        Self {
            device,
            lba: sectors.start,
            sectors: (sectors.end - sectors.start) as u32,
            operation,
            stage,
            rewrite: false,
            partial: Partial::WHOLE,
            part: 0,
        }
    }

    pub(super) fn end(&self) -> u64 {
        self.lba + u64::from(self.sectors)
    }
}

/// What of a request lies together on one member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dealt {
    pub(super) member: usize,
    /// On the member.
    pub(super) from: u64,
    pub(super) to: u64,
    /// What of it is left alone.
    pub(super) partial: Partial,
}

/// Adds a command to a plan; if it touches one like it, it becomes part of that.
pub(super) fn add(out: &mut Vec<Piece>, new: Piece) {
    let kind = |piece: &Piece| (piece.operation, piece.stage, piece.rewrite);
    let touches = |held: &&mut Piece| {
        held.device == new.device
            && kind(held) == kind(&new)
            && new.lba <= held.end()
            && held.lba <= new.end()
    };
    let Some(held) = out.iter_mut().find(touches) else { return out.push(new) };
    let end = held.end().max(new.end());
    if new.lba <= held.lba {
        held.partial.before = new.partial.before;
    }
    if new.end() >= held.end() {
        held.partial.after = new.partial.after;
    }
    held.lba = held.lba.min(new.lba);
    held.sectors = (end - held.lba) as u32;
}

/// What a volume may ask about the devices when it has a choice.
pub trait Fleet {
    /// When it chooses.
    fn now(&self) -> Stamp;

    /// Commands that wait for a device or are under way in it.
    fn outstanding(&self, device: u32) -> usize;

    /// Cylinders between the arm of a device and a sector of it.
    fn seek_distance(&self, device: u32, lba: u64) -> u32;

    /// How long until a sector of a device could be read.
    fn positioning(&self, device: u32, lba: u64) -> Span;
}
