//! The platter's position from the time, and the time until an angle comes around.
//!
//! A boundary between sectors is a whole picosecond within the revolution, the same one however it
//! is reached: so a transfer that continues with the next sector never waits, not even one
//! picosecond, and never misses it by one either.

use platterlab_units::{Angle, Span, Time};

/// A platter that turns at a constant speed.
#[derive(Clone, Debug)]
pub struct Rotation {
    period: Span,
    /// Where the platter stands at time zero, as the time since the index mark passed.
    at_zero: Span,
}

impl Rotation {
    pub(crate) fn new(period: Span, phase: Angle) -> Self {
        let at_zero = Span::from_ps(phase.span(period).as_ps() % period.as_ps());
        Self { period, at_zero }
    }

    /// One revolution.
    #[must_use]
    pub fn period(&self) -> Span {
        self.period
    }

    /// From `now` until `angle` passes under the heads: less than one revolution.
    #[must_use]
    #[inline]
    pub fn wait(&self, now: Time, angle: Angle) -> Span {
        let period = self.period.as_ps();
        let position = (now.as_ps() + self.at_zero.as_ps()) % period;
        let target = angle.span(self.period).as_ps();
        let wait = if target >= position { target - position } else { target + period - position };
        // An angle just short of a revolution rounds to the whole period: that is position zero.
        Span::from_ps(if wait >= period { wait - period } else { wait })
    }

    /// From the passing of `from` to the next passing of `to`: less than one revolution.
    #[must_use]
    #[inline]
    pub fn between(&self, from: Angle, to: Angle) -> Span {
        let (from, to) = (from.span(self.period).as_ps(), to.span(self.period).as_ps());
        Span::from_ps(if to >= from { to - from } else { to + self.period.as_ps() - from })
    }

    /// Keeps the platter where it is when the clock's origin moves `by` later.
    pub(crate) fn rebase(&mut self, by: Span) {
        self.turn(by, false);
    }

    /// Turns the platter on by `by`, or back.
    pub(crate) fn turn(&mut self, by: Span, backwards: bool) {
        let period = self.period.as_ps();
        let by = by.as_ps() % period;
        let by = if backwards { period - by } else { by };
        self.at_zero = Span::from_ps((self.at_zero.as_ps() + by) % period);
    }

    /// When what was to pass at `time` passes once the platter has been turned so.
    pub(crate) fn turned(&self, time: Time, by: Span, backwards: bool) -> Time {
        let by = Span::from_ps(by.as_ps() % self.period.as_ps());
        match (backwards, time >= Time::ZERO + by) {
            (true, _) => time + by,
            (false, true) => time - by,
            (false, false) => time + (self.period - by),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_is_caught_at_its_picosecond_and_missed_one_later() {
        let rotation = Rotation::new(Span::from_ps(14_992_503_748), Angle::ZERO);
        let angle = Angle::of_slots(34, 114);
        let passes = Time::ZERO + rotation.wait(Time::ZERO, angle);
        assert_eq!(rotation.wait(passes, angle), Span::ZERO);
        assert_eq!(rotation.wait(passes - Span::from_ps(1), angle), Span::from_ps(1));
        let missed = rotation.wait(passes + Span::from_ps(1), angle);
        assert_eq!(missed, rotation.period() - Span::from_ps(1));
    }

    #[test]
    fn moving_the_origin_leaves_the_platter_alone() {
        let mut rotation = Rotation::new(Span::from_us(8_333), Angle::of_slots(1, 3));
        let (now, by) = (Time::from_ps(98_765_432_109_876), Span::from_ps(12_345_678_901_234));
        let angle = Angle::of_slots(5, 7);
        let before = rotation.wait(now, angle);
        rotation.rebase(by);
        assert_eq!(rotation.wait(now.rebased(by), angle), before);
    }
}
