//! The source of a drive's random angles: passed in by the caller.

use platterlab_units::Angle;

/// Where the drive's randomness comes from: the simulator's named stream, never the drive itself.
pub trait Chance {
    /// An angle drawn evenly from one revolution.
    fn angle(&mut self) -> Angle;
}

/// For drives that need no chance: always the index mark.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoChance;

impl Chance for NoChance {
    fn angle(&mut self) -> Angle {
        Angle::ZERO
    }
}
