//! Long times as they are kept where there are many of them.

use crate::{Lapse, Stamp};

/// Picoseconds below 2^96, which are two billion years, in twelve bytes where a [`Stamp`] or a
/// [`Lapse`] takes sixteen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The lowest first.
    words: [u32; 3],
}

impl Moment {
    /// None.
    pub const ZERO: Self = Self { words: [0; 3] };

    #[inline]
    fn of(ps: u128) -> Self {
        debug_assert!(ps >> 96 == 0, "{ps} ps are more than 96 bits");
        Self { words: [ps as u32, (ps >> 32) as u32, (ps >> 64) as u32] }
    }

    #[inline]
    fn ps(self) -> u128 {
        let [low, middle, high] = self.words.map(u128::from);
        low | middle << 32 | high << 64
    }

    /// As an instant.
    #[must_use]
    #[inline]
    pub fn stamp(self) -> Stamp {
        Stamp::from_ps(self.ps())
    }

    /// As a length of time.
    #[must_use]
    #[inline]
    pub fn lapse(self) -> Lapse {
        Lapse::from_ps(self.ps())
    }
}

impl From<Stamp> for Moment {
    #[inline]
    fn from(stamp: Stamp) -> Self {
        Self::of(stamp.as_ps())
    }
}

impl From<Lapse> for Moment {
    #[inline]
    fn from(lapse: Lapse) -> Self {
        Self::of(lapse.as_ps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_as_they_were() {
        for ps in [0, 1, u128::from(u32::MAX) + 1, u128::from(u64::MAX), (1 << 96) - 1] {
            assert_eq!(Moment::from(Stamp::from_ps(ps)).stamp().as_ps(), ps);
            assert_eq!(Moment::from(Lapse::from_ps(ps)).lapse().as_ps(), ps);
        }
        assert_eq!(size_of::<Moment>(), 12);
    }
}
