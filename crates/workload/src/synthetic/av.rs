//! Audio and video: files that are played or recorded at a constant rate, one I/O a period each
//! (Gim 2009, Sections 2 and 5).
//!
//! A file is written continuously, but for breaks: where the file system finds its next blocks
//! taken, the rest of that I/O lies somewhere else. What an allocator may part, and what it has to
//! read to find the rest, depends on its kind.

use platterlab_units::{Operation, words};

use super::mixed::ParameterError;
use super::stream::Stream;

/// The place of one session's file, and the pieces in which it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvFile {
    /// First sector.
    pub first_lba: u64,
    /// Sectors of one I/O.
    pub io_sectors: u32,
    /// I/Os in the file.
    pub ios: u64,
    /// Played (read) or recorded (written).
    pub operation: Operation,
}

/// How files come to be in pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fragmentation {
    /// Share of I/Os within or before which the file has a break, 0 to 1.
    pub break_share: f64,
    /// The allocator, which decides what a break can divide.
    pub allocator: Allocator,
}

/// A file system's way to find room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// Blocks: a break falls between any two, and most are found through indirect blocks.
    Ext3 {
        /// Sectors in a block.
        block_sectors: u32,
        /// The instants at which those are read.
        indirect: IndirectBlocks,
    },
    /// Extents that are allocated as wholes and all found through the file's inode.
    Extent {
        /// Sectors in an extent.
        extent_sectors: u32,
    },
}

words! {
    /// The instants at which a file system reads the blocks that say where others are.
    pub enum IndirectBlocks {
        /// As ext3 has them: each maps 1,024 blocks, lies in line before them and is read with the first
        /// of them, whether or not the file breaks.
        Mapped = "mapped",
        /// One for each break, right before what lies elsewhere; none without a break.
        AtBreaks = "at-breaks",
        /// They are in memory.
        InMemory = "in-memory",
    }
}

/// Blocks that an indirect block of ext3 maps: 4-byte addresses in 4 KB.
const MAPPED_BLOCKS: u64 = 1_024;

impl Allocator {
    fn unit_sectors(self) -> u32 {
        match self {
            Self::Ext3 { block_sectors, .. } => block_sectors,
            Self::Extent { extent_sectors } => extent_sectors,
        }
    }
}

/// One command to the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvPiece {
    /// First sector.
    pub lba: u64,
    /// Length in sectors, at least 1.
    pub sectors: u32,
}

/// The commands of one I/O, in order: at most an indirect block, the part before a break, another
/// indirect block, and the part after the break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvIo {
    pieces: [AvPiece; MOST_PIECES],
    used: usize,
}

const MOST_PIECES: usize = 4;

impl AvIo {
    fn none() -> Self {
        Self { pieces: [AvPiece { lba: 0, sectors: 0 }; MOST_PIECES], used: 0 }
    }

    fn whole(lba: u64, sectors: u32) -> Self {
        let mut io = Self::none();
        io.add(lba, sectors);
        io
    }

    fn add(&mut self, lba: u64, sectors: u32) {
        if sectors > 0 {
            self.pieces[self.used] = AvPiece { lba, sectors };
            self.used += 1;
        }
    }

    /// The same, with this read first.
    fn after(self, first: Option<AvPiece>) -> Self {
        let Some(first) = first else { return self };
        let mut io = Self::whole(first.lba, first.sectors);
        self.pieces().iter().for_each(|piece| io.add(piece.lba, piece.sectors));
        io
    }

    /// The commands; at least one.
    #[must_use]
    pub fn pieces(&self) -> &[AvPiece] {
        &self.pieces[..self.used]
    }
}

/// The I/Os of one session.
#[derive(Clone, Debug)]
pub struct AvRequests {
    file: AvFile,
    fragmentation: Fragmentation,
    capacity_sectors: u64,
    breaks: Stream,
    places: Stream,
    made: u64,
}

impl AvFile {
    /// The I/Os of session `number` on a device of `capacity_sectors`.
    ///
    /// # Errors
    /// A file that does not fit the device, or a share, block or extent that cannot be.
    pub fn requests(
        self,
        number: u64,
        fragmentation: Fragmentation,
        capacity_sectors: u64,
        seed: u64,
    ) -> Result<AvRequests, ParameterError> {
        let refuse = |key, what: String| Err(ParameterError { key, what });
        let Fragmentation { break_share, allocator } = fragmentation;
        if !(0.0..=1.0).contains(&break_share) {
            return refuse(
                "break_share",
                format!("{break_share} is not a share; it must be 0 to 1"),
            );
        }
        if self.io_sectors == 0 {
            return refuse("io_sectors", "0; it must be at least 1".into());
        }
        let unit = allocator.unit_sectors();
        if unit == 0 || !self.io_sectors.is_multiple_of(unit) {
            let what = format!(
                "{} sectors are not a whole number of the file system's units of {unit}",
                self.io_sectors
            );
            return refuse("io_sectors", what);
        }
        let needed =
            u128::from(self.ios) * u128::from(self.io_sectors) + u128::from(self.first_lba);
        if needed > u128::from(capacity_sectors)
            || capacity_sectors < 2 * u64::from(self.io_sectors)
        {
            let what = format!(
                "{} I/Os of {} sectors from sector {} on end {} sectors beyond the device",
                self.ios,
                self.io_sectors,
                self.first_lba,
                needed.saturating_sub(u128::from(capacity_sectors))
            );
            return refuse("ios", what);
        }
        let stream = |name: &str| Stream::new(seed, &format!("av {name} {number}"));
        Ok(AvRequests {
            file: self,
            fragmentation,
            capacity_sectors,
            breaks: stream("breaks"),
            places: stream("places"),
            made: 0,
        })
    }
}

impl AvRequests {
    /// The I/O at `lba` whose blocks from `kept` on lie elsewhere.
    fn broken(&mut self, lba: u64, kept: u32) -> AvIo {
        let AvFile { io_sectors, .. } = self.file;
        let (unit, indirect) = match self.fragmentation.allocator {
            Allocator::Ext3 { block_sectors, indirect } => {
                let read = indirect == IndirectBlocks::AtBreaks;
                (block_sectors, if read { block_sectors } else { 0 })
            }
            Allocator::Extent { extent_sectors } => (extent_sectors, 0),
        };
        let rest = io_sectors - kept;
        let last = (self.capacity_sectors - u64::from(rest + indirect)) / u64::from(unit);
        let elsewhere = self.places.below(last + 1) * u64::from(unit);
        let mut io = AvIo::none();
        io.add(lba, kept);
        io.add(elsewhere, indirect);
        io.add(elsewhere + u64::from(indirect), rest);
        io
    }

    /// The indirect block that maps the blocks of the I/O at `lba`, where it is the first of them.
    fn mapping(&self, lba: u64) -> Option<AvPiece> {
        let Allocator::Ext3 { block_sectors, indirect: IndirectBlocks::Mapped } =
            self.fragmentation.allocator
        else {
            return None;
        };
        let AvFile { first_lba, io_sectors, .. } = self.file;
        let mapped = MAPPED_BLOCKS * u64::from(block_sectors);
        let from = lba - first_lba;
        let begins = from.next_multiple_of(mapped) < from + u64::from(io_sectors);
        // In line, so that the block before the data is the one that maps it.
        let at = lba.checked_sub(u64::from(block_sectors))?;
        begins.then_some(AvPiece { lba: at, sectors: block_sectors })
    }
}

impl Iterator for AvRequests {
    type Item = AvIo;

    fn next(&mut self) -> Option<AvIo> {
        let AvFile { first_lba, io_sectors, ios, .. } = self.file;
        if self.made == ios {
            return None;
        }
        let lba = first_lba + self.made * u64::from(io_sectors);
        self.made += 1;
        // All are drawn whether or not they are used, so that a share moves nothing but itself.
        let unit = self.fragmentation.allocator.unit_sectors();
        let broken = self.breaks.chance(self.fragmentation.break_share);
        let kept = self.breaks.below(u64::from(io_sectors / unit)) as u32 * unit;
        let io = if broken { self.broken(lba, kept) } else { AvIo::whole(lba, io_sectors) };
        Some(io.after(self.mapping(lba)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: AvFile =
        AvFile { first_lba: 4_096, io_sectors: 1_024, ios: 4_000, operation: Operation::Read };

    fn ext3(break_share: f64) -> Fragmentation {
        let allocator = Allocator::Ext3 { block_sectors: 8, indirect: IndirectBlocks::AtBreaks };
        Fragmentation { break_share, allocator }
    }

    fn extents(break_share: f64, extent_sectors: u32) -> Fragmentation {
        Fragmentation { break_share, allocator: Allocator::Extent { extent_sectors } }
    }

    fn all(fragmentation: Fragmentation) -> Vec<AvIo> {
        FILE.requests(0, fragmentation, 1 << 26, 1).unwrap().collect()
    }

    fn split(ios: &[AvIo]) -> f64 {
        ios.iter().filter(|io| io.pieces().len() > 1).count() as f64 / ios.len() as f64
    }

    #[test]
    fn a_whole_file_is_one_run() {
        for (number, io) in all(ext3(0.0)).iter().enumerate() {
            let lba = 4_096 + 1_024 * number as u64;
            assert_eq!(io.pieces(), [AvPiece { lba, sectors: 1_024 }]);
        }
    }

    #[test]
    fn blocks_break_anywhere_extents_between_them_and_whole_ios_never() {
        assert!((split(&all(ext3(0.15))) - 0.15).abs() < 0.02);
        assert!((split(&all(extents(0.15, 256))) - 0.15 * 0.75).abs() < 0.02);
        assert!(split(&all(extents(0.15, 1_024))) < f64::EPSILON);
    }

    #[test]
    fn an_indirect_block_is_read_once_in_four_megabytes_whether_or_not_the_file_breaks() {
        let allocator = Allocator::Ext3 { block_sectors: 8, indirect: IndirectBlocks::Mapped };
        for break_share in [0.0, 0.5] {
            let ios = all(Fragmentation { break_share, allocator });
            for (number, io) in ios.iter().enumerate() {
                let lba = 4_096 + 1_024 * number as u64;
                let expected = (number % 8 == 0).then_some(AvPiece { lba: lba - 8, sectors: 8 });
                let first = io.pieces()[0];
                assert_eq!((first.lba < lba && first.sectors == 8).then_some(first), expected);
                let total: u32 = io.pieces().iter().map(|piece| piece.sectors).sum();
                assert_eq!(total, 1_024 + expected.map_or(0, |piece| piece.sectors));
            }
        }
    }

    #[test]
    fn bad_parameters_are_refused_by_name() {
        let refusal =
            |file: AvFile, how| file.requests(0, how, 1 << 20, 1).err().unwrap().to_string();
        assert_eq!(refusal(FILE, ext3(2.0)), "break_share: 2 is not a share; it must be 0 to 1");
        assert_eq!(
            refusal(FILE, extents(0.1, 768)),
            "io_sectors: 1024 sectors are not a whole number of the file system's units of 768"
        );
        assert_eq!(
            refusal(FILE, ext3(0.1)),
            "ios: 4000 I/Os of 1024 sectors from sector 4096 on end 3051520 sectors beyond the device"
        );
        let none = AvFile { io_sectors: 0, ..FILE };
        assert_eq!(refusal(none, ext3(0.1)), "io_sectors: 0; it must be at least 1");
    }

    proptest! {
        #[test]
        fn every_piece_lies_on_the_device_and_they_make_up_the_io(
            share in 0.0..=1.0f64, seed: u64, blocks in 1u32..200, kind in 0usize..3,
        ) {
            let io_sectors = blocks * 8;
            let file = AvFile { io_sectors, ios: 50, ..FILE };
            let capacity = file.first_lba + 50 * u64::from(io_sectors);
            let indirect = IndirectBlocks::ALL[kind];
            let allocator = Allocator::Ext3 { block_sectors: 8, indirect };
            let how = Fragmentation { break_share: share, allocator };
            for io in file.requests(3, how, capacity, seed).unwrap() {
                let total: u32 = io.pieces().iter().map(|piece| piece.sectors).sum();
                let in_memory = indirect == IndirectBlocks::InMemory;
                prop_assert!(total == io_sectors || (!in_memory && total == io_sectors + 8));
                for piece in io.pieces() {
                    prop_assert!(piece.sectors > 0);
                    prop_assert!(piece.lba + u64::from(piece.sectors) <= capacity);
                }
            }
        }
    }
}
