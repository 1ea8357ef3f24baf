//! The model's clock: on the host's at some speed, from request to request, or stopped.

use super::{Speed, Timeline, now_ns};
use platterlab_units::{Span, Stamp};

/// The model's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelClock {
    pace: Pace,
    speed: Speed,
}

#[derive(Clone, Copy, Debug)]
enum Pace {
    /// On the host's clock.
    Paced(Timeline),
    /// From request to request.
    Unpaced(Stamp),
    /// It stands still.
    Paused(Stamp),
}

impl ModelClock {
    /// One that begins now, at zero.
    pub(crate) fn new(speed: Speed) -> Self {
        Self { pace: Pace::from(Stamp::ZERO, speed), speed }
    }

    /// The model's present.
    pub(crate) fn now(&self) -> Stamp {
        match self.pace {
            Pace::Paced(line) => line.stamp(now_ns()),
            Pace::Unpaced(now) | Pace::Paused(now) => now,
        }
    }

    /// The model's time at the host's.
    pub(crate) fn at(&self, ns: u64) -> Stamp {
        match self.pace {
            Pace::Paced(line) => line.stamp(ns),
            Pace::Unpaced(now) | Pace::Paused(now) => now,
        }
    }

    /// Continues to an instant, where the host's clock does not say how far.
    pub(crate) fn go_to(&mut self, to: Stamp) {
        if let Pace::Unpaced(now) = &mut self.pace {
            *now = to.max(*now);
        }
    }

    /// Whether it goes from request to request.
    pub(crate) fn is_unpaced(&self) -> bool {
        matches!(self.pace, Pace::Unpaced(_))
    }

    /// The instant of the host's clock at which the model's is reached, if it ever is as things are.
    pub(crate) fn deadline_ns(&self, at: Stamp) -> Option<u64> {
        match self.pace {
            Pace::Paced(line) => Some(line.deadline_ns(at)),
            Pace::Unpaced(_) | Pace::Paused(_) => None,
        }
    }

    /// A length of the model's time in the host's, in nanoseconds.
    pub(crate) fn host_ns(&self, span: Span) -> u64 {
        match self.pace {
            Pace::Paced(line) => line.host_ns(span),
            Pace::Unpaced(_) | Pace::Paused(_) => span.as_ps() / 1000,
        }
    }

    /// How many times the host's; `None` where it goes from request to request.
    pub(crate) fn speed(&self) -> Option<f64> {
        match self.speed {
            Speed::Thousandths(thousandths) => Some(thousandths.get() as f64 / 1e3),
            Speed::Unpaced => None,
        }
    }

    /// Whether it stands still.
    pub(crate) fn is_paused(&self) -> bool {
        matches!(self.pace, Pace::Paused(_))
    }

    /// From now on it goes at another speed; one that stands still does so later.
    pub(crate) fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        if !self.is_paused() {
            self.pace = Pace::from(self.now(), speed);
        }
    }

    /// It stands still from now on.
    pub(crate) fn pause(&mut self) {
        self.pace = Pace::Paused(self.now());
    }

    /// It continues.
    pub(crate) fn resume(&mut self) {
        if let Pace::Paused(now) = self.pace {
            self.pace = Pace::from(now, self.speed);
        }
    }
}

impl Pace {
    fn from(now: Stamp, speed: Speed) -> Self {
        match speed {
            Speed::Unpaced => Self::Unpaced(now),
            Speed::Thousandths(thousandths) => {
                Self::Paced(Timeline::new(now_ns(), now, thousandths))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU64;

    #[test]
    fn it_neither_jumps_nor_goes_back_when_its_speed_changes() {
        let mut clock = ModelClock::new(Speed::REAL);
        let mut last = clock.now();
        for thousandths in [10, 5000, 1] {
            clock.set_speed(Speed::Thousandths(NonZeroU64::new(thousandths).unwrap()));
            let now = clock.now();
            assert!(now >= last && now.since(last).as_ms() < 1e3);
            last = now;
        }
        clock.pause();
        assert_eq!((clock.now(), clock.deadline_ns(Stamp::MAX)), (clock.now(), None));
        clock.set_speed(Speed::Unpaced);
        assert!(clock.is_paused() && clock.speed().is_none());
        let stood = clock.now();
        clock.resume();
        assert_eq!(clock.now(), stood);
        clock.go_to(stood + Span::from_us(7));
        assert_eq!(clock.now(), stood + Span::from_us(7));
    }
}
