//! Commands to devices as parts of a volume's request, and what a volume may ask of the devices.

use platterlab_units::{Operation, Partial, Span, Stamp};

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
    pub(super) fn end(&self) -> u64 {
        self.lba + u64::from(self.sectors)
    }
}

/// Adds sectors `from..to` of a device to a plan; what touches a command like it becomes part of
/// that.
pub(super) fn add(
    out: &mut Vec<Piece>,
    device: u32,
    range: (u64, u64),
    kind: (Operation, u8, bool),
) {
    add_partial(out, device, range, kind, Partial::WHOLE);
}

/// As [`add`], of sectors of which `partial` is left alone.
pub(super) fn add_partial(
    out: &mut Vec<Piece>,
    device: u32,
    (from, to): (u64, u64),
    (operation, stage, rewrite): (Operation, u8, bool),
    partial: Partial,
) {
    let touches = |held: &&mut Piece| {
        held.device == device
            && (held.operation, held.stage, held.rewrite) == (operation, stage, rewrite)
            && from <= held.end()
            && held.lba <= to
    };
    if let Some(held) = out.iter_mut().find(touches) {
        let end = held.end().max(to);
        if from <= held.lba {
            held.partial.before = partial.before;
        }
        if to >= held.end() {
            held.partial.after = partial.after;
        }
        held.lba = held.lba.min(from);
        held.sectors = (end - held.lba) as u32;
    } else {
        let sectors = (to - from) as u32;
        let part = 0;
        out.push(Piece { device, lba: from, sectors, operation, stage, rewrite, partial, part });
    }
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
