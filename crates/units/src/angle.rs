//! Angles as fractions of a revolution, in 64 bits.

use crate::Span;
use std::ops::{Add, Sub};

/// A fraction of a revolution, in units of 2^-64 of one.
///
/// Addition and subtraction wrap, as angles do. One unit is below 10^-9 ps at any spindle speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Angle(u64);

impl Angle {
    /// The index mark.
    pub const ZERO: Self = Self(0);

    /// `raw` units of 2^-64 turn.
    #[must_use]
    pub const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// Units of 2^-64 turn.
    #[must_use]
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// `part` of `whole` equal slots around the track, less whole revolutions; `whole` is at least
    /// 1.
    #[must_use]
    pub fn of_slots(part: u64, whole: u64) -> Self {
        let whole = u128::from(whole);
        Self((((u128::from(part) % whole) << 64) / whole) as u64)
    }

    /// The fraction `turns`, less whole revolutions; zero if it is not a number.
    #[must_use]
    pub fn of_turns(turns: f64) -> Self {
        const UNITS_PER_TURN: f64 = 18_446_744_073_709_551_616.0;
        Self(((turns - turns.floor()) * UNITS_PER_TURN) as u64)
    }

    /// The fraction as a number in `[0, 1)`.
    #[must_use]
    pub fn as_turns(self) -> f64 {
        self.0 as f64 / 18_446_744_073_709_551_616.0
    }

    /// This angle taken `times` times, less whole revolutions.
    #[must_use]
    #[inline]
    pub const fn times(self, times: u64) -> Self {
        Self(self.0.wrapping_mul(times))
    }

    /// The time the platter takes to turn by this angle, rounded to the nearest picosecond.
    #[must_use]
    #[inline]
    pub const fn span(self, rotation: Span) -> Span {
        let product = self.0 as u128 * rotation.as_ps() as u128;
        Span::from_ps(((product + (1 << 63)) >> 64) as u64)
    }
}

impl Add for Angle {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Angle {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_quarter_turn_takes_a_quarter_of_the_rotation() {
        assert_eq!(Angle::of_slots(1, 4).span(Span::from_ps(1_000)), Span::from_ps(250));
        assert_eq!(Angle::of_turns(1.25), Angle::of_slots(5, 4));
    }

    proptest! {
        #[test]
        fn slots_are_exact_to_half_a_picosecond(whole in 1u64..10_000, part in 0u64..10_000, ps in 1_000_000_000u64..30_000_000_000) {
            let part = part % whole;
            let exact = u128::from(part) * u128::from(ps);
            let ours = u128::from(Angle::of_slots(part, whole).span(Span::from_ps(ps)).as_ps()) * u128::from(whole);
            prop_assert!(ours.abs_diff(exact) <= u128::from(whole));
        }
    }
}
