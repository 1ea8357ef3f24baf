//! Audio and video: files that are played or recorded at a constant rate, one I/O a period each
//! (Gim 2009, Sections 2 and 5).
//!
//! A file is written continuously, but for breaks: where the file system finds its next blocks
//! taken, the rest of that I/O lies somewhere else. What an allocator may part, and what it has to
//! read to find the rest, depends on its kind.

use platterlab_units::Operation;

use super::mixed::ParameterError;
use super::stream::Stream;

/// Where one session's file lies, and in what pieces it is asked for.
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
    /// What a break can part.
    pub allocator: Allocator,
}

/// A file system's way to find room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// Blocks: a break falls between any two, and the blocks after it are found through an
    /// indirect block that lies before them.
    Ext3 {
        /// Sectors in a block.
        block_sectors: u32,
        /// Whether the indirect block has to be read from the drive.
        indirect_block: bool,
    },
    /// Extents that are allocated as wholes and all found through the file's inode.
    Extent {
        /// Sectors in an extent.
        extent_sectors: u32,
    },
}

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

/// The commands of one I/O, in order: at most the part before a break, an indirect block, and the
/// part after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvIo {
    pieces: [AvPiece; 3],
    used: usize,
}

impl AvIo {
    fn whole(lba: u64, sectors: u32) -> Self {
        Self { pieces: [AvPiece { lba, sectors }; 3], used: 1 }
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
            return refuse("break_share", format!("{break_share} is no share; it must be 0 to 1"));
        }
        if self.io_sectors == 0 {
            return refuse("io_sectors", "0; it must be at least 1".into());
        }
        let unit = allocator.unit_sectors();
        if unit == 0 || !self.io_sectors.is_multiple_of(unit) {
            let what = format!(
                "{} sectors are no whole number of the file system's units of {unit}",
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
            Allocator::Ext3 { block_sectors, indirect_block } => {
                (block_sectors, if indirect_block { block_sectors } else { 0 })
            }
            Allocator::Extent { extent_sectors } => (extent_sectors, 0),
        };
        let rest = io_sectors - kept;
        let last = (self.capacity_sectors - u64::from(rest + indirect)) / u64::from(unit);
        let elsewhere = self.places.below(last + 1) * u64::from(unit);
        let mut io = AvIo::whole(lba, kept);
        io.used = usize::from(kept > 0);
        let mut add = |lba, sectors| {
            if sectors > 0 {
                io.pieces[io.used] = AvPiece { lba, sectors };
                io.used += 1;
            }
        };
        add(elsewhere, indirect);
        add(elsewhere + u64::from(indirect), rest);
        io
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
        Some(if broken { self.broken(lba, kept) } else { AvIo::whole(lba, io_sectors) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: AvFile =
        AvFile { first_lba: 4_096, io_sectors: 1_024, ios: 4_000, operation: Operation::Read };

    fn ext3(break_share: f64) -> Fragmentation {
        let allocator = Allocator::Ext3 { block_sectors: 8, indirect_block: true };
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
    fn bad_parameters_are_refused_by_name() {
        let refusal =
            |file: AvFile, how| file.requests(0, how, 1 << 20, 1).err().unwrap().to_string();
        assert_eq!(refusal(FILE, ext3(2.0)), "break_share: 2 is no share; it must be 0 to 1");
        assert_eq!(
            refusal(FILE, extents(0.1, 768)),
            "io_sectors: 1024 sectors are no whole number of the file system's units of 768"
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
            share in 0.0..=1.0f64, seed: u64, blocks in 1u32..200, indirect_block: bool,
        ) {
            let io_sectors = blocks * 8;
            let file = AvFile { io_sectors, ios: 50, ..FILE };
            let capacity = file.first_lba + 50 * u64::from(io_sectors);
            let allocator = Allocator::Ext3 { block_sectors: 8, indirect_block };
            let how = Fragmentation { break_share: share, allocator };
            for io in file.requests(3, how, capacity, seed).unwrap() {
                let total: u32 = io.pieces().iter().map(|piece| piece.sectors).sum();
                prop_assert!(total == io_sectors || (indirect_block && total == io_sectors + 8));
                for piece in io.pieces() {
                    prop_assert!(piece.sectors > 0);
                    prop_assert!(piece.lba + u64::from(piece.sectors) <= capacity);
                }
            }
        }
    }
}
