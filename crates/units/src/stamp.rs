//! Time without an end: instants and lengths of time in 128 bits of picoseconds.

use crate::time::MS;
use crate::{Span, Time};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Sub, SubAssign};

/// An instant in a trace or a run of any length: picoseconds since its start, in 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u128);

/// A length of time between two [`Stamp`]s, in picoseconds, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lapse(u128);

impl Stamp {
    /// The start.
    pub const ZERO: Self = Self(0);
    /// An instant nothing reaches.
    pub const MAX: Self = Self(u128::MAX);

    /// `ps` picoseconds after the start.
    #[must_use]
    pub const fn from_ps(ps: u128) -> Self {
        Self(ps)
    }

    /// `us` microseconds after the start.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us as u128 * 1_000_000)
    }

    /// Picoseconds since the start.
    #[must_use]
    pub const fn as_ps(self) -> u128 {
        self.0
    }

    /// Milliseconds since the start, rounded to the nearest f64.
    #[must_use]
    pub fn as_ms(self) -> f64 {
        nearest(self.0) / MS
    }

    /// The time from `earlier` to `self`, zero if `earlier` is later.
    #[must_use]
    #[inline]
    pub const fn since(self, earlier: Self) -> Lapse {
        Lapse(self.0.saturating_sub(earlier.0))
    }
}

impl Lapse {
    /// No time.
    pub const ZERO: Self = Self(0);
    /// Longer than any other.
    pub const MAX: Self = Self(u128::MAX);

    /// `ps` picoseconds.
    #[must_use]
    pub const fn from_ps(ps: u128) -> Self {
        Self(ps)
    }

    /// The lapse nearest to `ms` milliseconds; `None` if negative, not a number or above 2^90 ps,
    /// which is 39 million years.
    #[must_use]
    pub fn from_ms(ms: f64) -> Option<Self> {
        let ps = (ms * MS).round();
        (ps >= 0.0 && ps <= (1_u128 << 90) as f64).then_some(Self(ps as u128))
    }

    /// Picoseconds.
    #[must_use]
    pub const fn as_ps(self) -> u128 {
        self.0
    }

    /// Milliseconds, rounded to the nearest f64.
    #[must_use]
    pub fn as_ms(self) -> f64 {
        nearest(self.0) / MS
    }

    /// The same in 64 bits, if it is no longer than 213 days.
    #[must_use]
    #[inline]
    pub const fn span(self) -> Option<Span> {
        if self.0 >> 64 == 0 { Some(Span::from_ps(self.0 as u64)) } else { None }
    }
}

/// An instant on a clock whose origin is the start.
impl From<Time> for Stamp {
    #[inline]
    fn from(time: Time) -> Self {
        Self(u128::from(time.as_ps()))
    }
}

impl From<Span> for Lapse {
    #[inline]
    fn from(span: Span) -> Self {
        Self(u128::from(span.as_ps()))
    }
}

impl Add for Lapse {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<T: Into<Lapse>> AddAssign<T> for Lapse {
    #[inline]
    fn add_assign(&mut self, other: T) {
        self.0 += other.into().0;
    }
}

impl Sub for Lapse {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        debug_assert!(self.0 >= other.0, "a lapse would become negative");
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Lapse {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Div<u64> for Lapse {
    type Output = Self;
    #[inline]
    fn div(self, parts: u64) -> Self {
        Self(self.0 / u128::from(parts))
    }
}

impl Sum for Lapse {
    fn sum<I: Iterator<Item = Self>>(lapses: I) -> Self {
        lapses.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Lapse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.as_ms())
    }
}

impl<T: Into<Lapse>> Add<T> for Stamp {
    type Output = Self;
    #[inline]
    fn add(self, lapse: T) -> Self {
        Self(self.0 + lapse.into().0)
    }
}

impl<T: Into<Lapse>> AddAssign<T> for Stamp {
    #[inline]
    fn add_assign(&mut self, lapse: T) {
        self.0 += lapse.into().0;
    }
}

impl Sub for Stamp {
    type Output = Lapse;
    #[inline]
    #[track_caller]
    fn sub(self, earlier: Self) -> Lapse {
        debug_assert!(self.0 >= earlier.0, "time ran backwards");
        Lapse(self.0.wrapping_sub(earlier.0))
    }
}

impl<T: Into<Lapse>> Sub<T> for Stamp {
    type Output = Self;
    #[inline]
    fn sub(self, lapse: T) -> Self {
        Self(self.0 - lapse.into().0)
    }
}

/// The nearest f64.
#[inline]
fn nearest(ps: u128) -> f64 {
    u64::try_from(ps).map_or_else(|_| nearest_wide(ps), |ps| ps as f64)
}

/// Most have no more than 64 bits: the compiler would convert all 128 of those as well.
#[inline(never)]
fn nearest_wide(ps: u128) -> f64 {
    ps as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_outlives_the_clock() {
        let year = Stamp::from_us(365 * 86_400 * 1_000_000);
        assert_eq!(year.since(Stamp::ZERO).as_ms(), 365.0 * 86_400e3);
        assert_eq!(year.since(Stamp::ZERO).span(), None);
        assert_eq!((year + Span::from_us(3)).since(year).span(), Some(Span::from_us(3)));
        assert_eq!(Stamp::ZERO.since(year), Lapse::ZERO);
    }

    #[test]
    fn milliseconds_make_the_same_lapse_as_span_and_longer_ones() {
        for ms in [0.0, 0.1, 2.5, 1e6 / 3.0, 1.8e10] {
            assert_eq!(Lapse::from_ms(ms), Span::from_ms(ms).map(Lapse::from), "{ms}");
        }
        assert_eq!(Lapse::from_ms(1e12), Some(Lapse::from_ps(1_000_000_000_000_000_000_000)));
        for bad in [-0.001, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(Lapse::from_ms(bad), None, "{bad}");
        }
    }
}
