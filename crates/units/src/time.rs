//! Time in whole picoseconds: instants, spans, and stamps of long traces.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// Picoseconds in a microsecond.
pub const PS_PER_US: u64 = 1_000_000;

/// Picoseconds in a millisecond.
pub const PS_PER_MS: u64 = 1_000_000_000;

/// The same, for times that are not whole.
pub(crate) const MS: f64 = PS_PER_MS as f64;

/// An instant on a drive's clock: picoseconds since the clock's origin.
///
/// 64 bits hold 213 days. What lasts longer goes by [`Stamp`]s; a drive's clock follows them by moving
/// its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A length of time in picoseconds, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

impl Time {
    /// The clock's origin.
    pub const ZERO: Self = Self(0);
    /// An instant no simulation reaches.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `ps` picoseconds after the origin.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Picoseconds since the origin.
    #[must_use]
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Milliseconds since the origin, rounded to the nearest f64.
    #[must_use]
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / MS
    }

    /// The time from `earlier` to `self`, zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// The same instant on a clock whose origin lies `by` later; instants before it become zero.
    #[must_use]
    pub const fn rebased(self, by: Span) -> Self {
        Self(self.0.saturating_sub(by.0))
    }
}

impl Span {
    /// No time.
    pub const ZERO: Self = Self(0);
    /// Longer than any simulation.
    pub const MAX: Self = Self(u64::MAX);

    /// `ps` picoseconds.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// `ns` nanoseconds.
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns * 1_000)
    }

    /// `us` microseconds.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000_000)
    }

    /// The span nearest to `ms` milliseconds; `None` if negative, not a number or above 213 days.
    #[must_use]
    pub fn from_ms(ms: f64) -> Option<Self> {
        let ps = (ms * MS).round();
        (ps >= 0.0 && ps < u64::MAX as f64).then_some(Self(ps as u64))
    }

    /// Picoseconds.
    #[must_use]
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Milliseconds, rounded to the nearest f64.
    #[must_use]
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / MS
    }

    /// What is left of it after `other`: nothing if `other` is longer.
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Self;
    #[inline]
    fn add(self, span: Span) -> Self {
        Self(self.0 + span.0)
    }
}

impl AddAssign<Span> for Time {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Sub<Span> for Time {
    type Output = Self;
    #[inline]
    fn sub(self, span: Span) -> Self {
        Self(self.0 - span.0)
    }
}

impl Sub for Time {
    type Output = Span;
    #[inline]
    #[track_caller]
    fn sub(self, earlier: Self) -> Span {
        debug_assert!(self.0 >= earlier.0, "time ran backwards");
        Span(self.0.wrapping_sub(earlier.0))
    }
}

impl Add for Span {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Span {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        debug_assert!(self.0 >= other.0, "a span would become negative");
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Span {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<u64> for Span {
    type Output = Self;
    #[inline]
    fn mul(self, times: u64) -> Self {
        Self(self.0 * times)
    }
}

impl Div<u64> for Span {
    type Output = Self;
    #[inline]
    fn div(self, parts: u64) -> Self {
        Self(self.0 / parts)
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Self>>(spans: I) -> Self {
        spans.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.as_ms())
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.as_ms())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_round_to_the_picosecond() {
        assert_eq!(Span::from_ms(2.5), Some(Span::from_ps(2_500_000_000)));
        assert_eq!(Span::from_ms(0.597), Some(Span::from_ps(597_000_000)));
        for bad in [-0.001, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(Span::from_ms(bad), None, "{bad}");
        }
    }
}
