//! Movements that take another time each time, evenly within some bounds, as seeks of some drives do.
//!
//! The sector that comes by after a time `x` is reached at once or a revolution later. Where the movement takes the same
//! time `T` each time, it is reached at once from `T` on; where that scatters, the share of those that are reached rises
//! from none to all between two times, and `T` is the middle of these.

use crate::Estimate;
use crate::stats::wrap;

/// The middle of the times, its standard error, and by how much most of them are longer or shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scattered {
    pub(crate) time: f64,
    pub(crate) error: f64,
    pub(crate) within: f64,
}

/// One sector that was asked for: after what time it came by, and whether it was reached then.
type Reached = (f64, bool);

/// What is missed for another reason, and what seems to be reached too early, in parts of all. Of a host by which much is
/// late, that explains more.
const RARELY: Host = Host { late: 0.05, early: 0.001 };
const OFTEN: [Host; 3] =
    [RARELY, Host { late: 0.2, early: 0.001 }, Host { late: 0.2, early: 0.05 }];
/// By so much the logarithm of the likelihood has to be more than that of one time alone: what the host does to many is
/// neither of both.
const SURELY: f64 = 50.0;
/// So much of it one movement tells in full, and more in part: some are disturbed.
const MOST_OF_ONE: f64 = 4.0;
const FROM_THERE: f64 = 0.1;
/// Parts of all movements whose times may scatter: with another head alone, they do not.
const SHARES: [f64; 3] = [0.1, 0.4, 0.9];
/// Times that scatter by less than so many times what the host leaves open are as good as one.
const CLEAR: f64 = 2.0;
/// The part of a turn within which times scatter, at most; widths that are tried, and from one to the next.
const MOST: f64 = 0.125;
const WIDTHS: usize = 18;
const NARROWER: f64 = 0.77;
/// Parts of a width from one time to the next.
const STEPS: i32 = 8;

/// By which part of all a host misleads.
#[derive(Clone, Copy)]
struct Host {
    late: f64,
    early: f64,
}

fn width(index: usize, period: f64) -> f64 {
    MOST * period * NARROWER.powi(index as i32)
}

/// Pairs about the end of a movement.
pub(crate) struct Pairs {
    near: Vec<Reached>,
    about: f64,
    period: f64,
    /// What the host leaves open of a single one, to either side.
    sharp: f64,
}

/// How likely a movement is by one time, and by such that scatter within each width, in logarithms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likelihoods {
    one: f64,
    within: [f64; WIDTHS],
}

impl Pairs {
    /// What `times` tell, the least of which are about `about`.
    pub(crate) fn of(times: &[f64], about: f64, period: f64, sharp: f64) -> Self {
        let reached = |time: &f64| {
            let after = about - period / 4.0 + wrap(time - about + period / 4.0, period);
            (after, time - after < period / 2.0)
        };
        let near = times.iter().map(reached);
        let near = near.filter(|(after, _)| (after - about).abs() <= period / 4.0).collect();
        Self { near, about, period, sharp }
    }

    /// The middle of times that scatter within so much to either side.
    pub(crate) fn within(&self, within: f64) -> Option<Scattered> {
        let (_, time) = self.best(within)?;
        let inside = self.near.iter().filter(|(after, _)| (after - time).abs() <= within).count();
        // Between the bounds, a third of the most that one of two can vary by.
        let error = 2.0 * within / (6.0 * inside.max(1) as f64).sqrt();
        Some(Scattered { time, error, within })
    }

    pub(crate) fn likelihoods(&self) -> Likelihoods {
        // What lies between the last that is missed and the first that is reached is one time.
        if self.missed_last() < self.reached_first() {
            return Likelihoods { one: 0.0, within: [f64::MIN; WIDTHS] };
        }
        let by_one = |host: Host| {
            let ends = self.near.iter().map(|it| it.0 - self.sharp);
            ends.map(|time| self.likelihood(time, self.sharp, host)).fold(f64::MIN, f64::max)
        };
        let of = |index: usize| {
            let within = Some(width(index, self.period)).filter(|it| *it >= CLEAR * self.sharp);
            within.and_then(|it| self.best(it)).map_or(f64::MIN, |it| it.0)
        };
        let one = OFTEN.map(by_one).into_iter().fold(f64::MIN, f64::max);
        Likelihoods { one, within: std::array::from_fn(of) }
    }

    fn reached_first(&self) -> f64 {
        self.near.iter().filter(|it| it.1).map(|it| it.0).fold(f64::MAX, f64::min)
    }

    fn missed_last(&self) -> f64 {
        self.near.iter().filter(|it| !it.1).map(|it| it.0).fold(f64::MIN, f64::max)
    }

    /// The logarithm of the likelihood of the time about which they are reached within so much to either side, and that
    /// time. The ends are steps of that width about those that were asked for.
    fn best(&self, within: f64) -> Option<(f64, f64)> {
        const MOST_STEPS: i32 = 1 << 10;
        let step = within / f64::from(STEPS);
        let low = self.reached_first().min(self.about);
        let high = self.missed_last().max(self.about);
        let count = (((high - low) / step).ceil() as i32 + STEPS).min(MOST_STEPS);
        let times = (-STEPS..=count).map(|number| low + f64::from(number) * step);
        times
            .map(|time| (self.likelihood(time, within, RARELY), time))
            .max_by(|one, other| one.0.total_cmp(&other.0))
    }

    fn likelihood(&self, time: f64, within: f64, host: Host) -> f64 {
        self.near.iter().map(|it| likelihood(*it, time, within, host)).sum()
    }
}

/// Within what the times of movements scatter, and of which part of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    width: usize,
    share: f64,
    pub(crate) within: f64,
}

impl Common {
    /// Of these movements, if they do.
    pub(crate) fn of(all: &[Likelihoods], period: f64) -> Option<Self> {
        let more = |(width, share): (usize, f64)| -> f64 {
            let more = |it: &Likelihoods| {
                let more = it.more(width);
                more.min(MOST_OF_ONE + FROM_THERE * (more - MOST_OF_ONE))
            };
            all.iter().map(|it| (1.0 - share + share * more(it).exp()).ln()).sum()
        };
        let each = (0..WIDTHS).flat_map(|width| SHARES.map(|share| (width, share)));
        let (_, (index, share)) = each
            .map(|it| (more(it), it))
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .filter(|(more, _)| *more > SURELY)?;
        let found = Self { width: index, share, within: width(index, period) };
        // Those that may have one time alone make it narrower.
        let mine: Vec<&Likelihoods> = all.iter().filter(|it| found.has(it)).collect();
        let sum = |index: usize| mine.iter().map(|it| it.within[index]).sum::<f64>();
        let best = (0..WIDTHS).max_by(|one, other| sum(*one).total_cmp(&sum(*other)))?;
        Some(Self { within: width(best, period), ..found })
    }

    /// Whether it is more likely than not that a movement's times do.
    pub(crate) fn has(&self, movement: &Likelihoods) -> bool {
        self.odds(movement) > 1.0
    }

    /// Whether they surely do not.
    pub(crate) fn lacks(&self, movement: &Likelihoods) -> bool {
        const UNLIKELY: f64 = 0.01;
        self.odds(movement) < UNLIKELY
    }

    pub(crate) fn estimate(&self) -> Estimate {
        // The ends of what comes evenly are seldom met: from a width narrower to two wider ones, of those that are tried.
        let (low, high) = (self.within * NARROWER, self.within / NARROWER.powi(2));
        Estimate::new(
            f64::midpoint(low, high),
            (high - low) / 2.0,
            "pairs of reads about the least time",
        )
    }

    fn odds(&self, movement: &Likelihoods) -> f64 {
        self.share * movement.more(self.width).exp() / (1.0 - self.share)
    }
}

impl Likelihoods {
    fn more(&self, width: usize) -> f64 {
        self.within[width] - self.one
    }
}

fn likelihood((after, at_once): Reached, time: f64, within: f64, host: Host) -> f64 {
    let share = ((after - time + within) / (2.0 * within)).clamp(0.0, 1.0);
    let reached = host.early + (1.0 - host.early - host.late) * share;
    if at_once { reached.ln() } else { (1.0 - reached).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of pairs around a turn of 8 ms, and then within some tenths about the end, of a movement that takes 3 ms,
    /// `within` ms more or less; every 14th is late.
    fn times(within: f64) -> Vec<f64> {
        let chance =
            |number: u32| f64::from(number.wrapping_mul(0x9e37_79b1) >> 8) / f64::from(1 << 24);
        let after = |number: u32| match number {
            0..16 => 3.0 + 0.5 * f64::from(number) - 0.2,
            _ => 2.6 + 0.01 * f64::from(number - 16),
        };
        let time = |number: u32| {
            let takes = 3.0 + within * (2.0 * chance(number) - 1.0);
            let late = if number % 14 == 3 { 0.4 } else { 0.0 };
            let after = after(number);
            if after >= takes + late { after } else { after + 8.0 }
        };
        (0..96).map(time).collect()
    }

    #[test]
    fn times_that_scatter_are_told_from_one() {
        let pairs = |within: f64| Pairs::of(&times(within), 3.1, 8.0, 0.02);
        let common = |within: f64| Common::of(&[pairs(within).likelihoods(); 200], 8.0);
        assert!(common(0.0).is_none());
        let common = common(0.25).expect("they scatter");
        assert!(common.has(&pairs(0.25).likelihoods()) && !common.has(&pairs(0.0).likelihoods()));
        let found = pairs(0.25).within(common.within).expect("a time");
        assert!((found.time - 3.0).abs() < 2.0 * found.error, "{found:?}");
        assert!(found.error < 0.1 && (0.15..0.4).contains(&found.within), "{found:?}");
    }
}
