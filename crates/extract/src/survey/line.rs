//! Where angles leave a line: predict, verify, bisect.
//!
//! Sectors of one track lie on a line, angle over address, until the track ends; so do the first
//! sectors of successive tracks until a serpentine ends. The slope is learnt on the way: every
//! place that fits, twice as far as the one before, halves its error, whatever it was at the start.

use crate::stats::fold;

/// Places between the bounds that one run looks at, unless each look costs much.
const INSIDE: u64 = 7;
/// The same where a look costs hardly anything.
const MANY_INSIDE: u64 = 32;
/// Places at growing distances that one run looks at.
const AHEAD: u32 = 4;
const MANY_AHEAD: u32 = 17;

/// Where a line is looked at first that ends near others, in hundredths.
const NEAR: std::ops::Range<u64> = 80..120;
/// The same where it is known better, in units.
const ABOUT: std::ops::Range<i64> = -3..3;
/// How far a slope may be off that of another place, in parts of it.
const HINT: f64 = 0.4;

/// A line from distance 0 on, and how far it is known to go.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoundedLine {
    /// Distances are multiples of it.
    unit: u64,
    /// Milliseconds for each one.
    pub(super) slope: f64,
    /// The line holds up to here.
    pub(super) good: u64,
    /// It does not hold here any more.
    pub(super) bad: Option<u64>,
    /// What the line has jumped so far, at sectors that were slipped.
    shift: f64,
    /// Places that belong to no line: remapped, or a moment's disturbance.
    ignored: Vec<u64>,
    /// No further than this.
    pub(super) end: u64,
    /// Nothing is looked for beyond this.
    horizon: u64,
    /// Places at which it is looked at first, as lines near it end there.
    near: Vec<u64>,
    /// Places between the bounds that one run looks at.
    inside: u64,
    /// Places at growing distances.
    ahead: u32,
}

impl BoundedLine {
    /// From distance 0 to `end`, a multiple of `unit`, with a slope near `slope` unless that is 0.
    pub(super) fn new(unit: u64, end: u64, slope: f64) -> Self {
        let (shift, ignored) = (0.0, Vec::new());
        Self {
            unit,
            slope,
            good: 0,
            bad: None,
            shift,
            ignored,
            end,
            horizon: end,
            near: Vec::new(),
            inside: INSIDE,
            ahead: AHEAD,
        }
    }

    /// Each look costs as much as any other: halves where the end may lie tell most for it.
    pub(super) fn halve(&mut self) {
        (self.inside, self.ahead) = (1, AHEAD);
    }

    /// A look costs hardly anything.
    pub(super) fn look_at_many(&mut self) {
        (self.inside, self.ahead) = (MANY_INSIDE, MANY_AHEAD);
    }

    /// It ends about where others do.
    pub(super) fn ends_near(&mut self, distance: u64) {
        self.near = NEAR.step_by(5).map(|part| distance * part / 100).collect();
    }

    /// It ends there, but for a few places.
    pub(super) fn ends_about(&mut self, distance: u64) {
        let about = ABOUT.map(|units| distance.saturating_add_signed(units * self.unit as i64));
        let far = [NEAR.start, NEAR.end].map(|part| distance * part / 100);
        self.near = about.chain(far).collect();
        self.near.sort_unstable();
    }

    /// No line goes on for longer than this distance.
    pub(super) fn look_no_further(&mut self, distance: u64) {
        self.horizon = self.end.min(distance.div_ceil(self.unit) * self.unit);
    }

    /// Takes back the furthest place that fitted: by chance, perhaps.
    pub(super) fn step_back(&mut self) {
        self.ignored.push(self.good);
        self.good = self.good / 2 / self.unit * self.unit;
    }

    /// Whether the end of the line lies between two neighbours, or beyond all that was to be seen.
    pub(super) fn is_found(&self) -> bool {
        match self.bad {
            Some(bad) => self.between(bad).next().is_none(),
            None => self.good >= self.end,
        }
    }

    /// Distances to look at next, rising.
    pub(super) fn places(&self) -> Vec<u64> {
        let mut places: Vec<u64> = match self.bad {
            Some(bad) => self.few_between(bad),
            None if self.good == 0 && !self.near.is_empty() => {
                self.near.iter().map(|place| (*place).min(self.horizon)).collect()
            }
            None => {
                let from = self.good.max(self.unit / 2).max(1);
                let ahead =
                    (0..self.ahead).map(|doubling| (from << (doubling + 1)).min(self.horizon));
                let first = (self.good == 0).then_some(self.unit.min(self.horizon));
                first.into_iter().chain(ahead).collect()
            }
        };
        places.retain(|place| *place > self.good && !self.ignored.contains(place));
        for place in &mut places {
            *place = place.div_ceil(self.unit) * self.unit;
        }
        places.dedup();
        places
    }

    /// Multiples of the unit between the line's known part and `bad` that are worth a look.
    fn between(&self, bad: u64) -> impl Iterator<Item = u64> + '_ {
        let first = self.good + self.unit;
        (first..bad)
            .step_by(self.unit.max(1) as usize)
            .filter(|place| !self.ignored.contains(place))
    }

    fn few_between(&self, bad: u64) -> Vec<u64> {
        let units = (bad - self.good) / self.unit;
        if units <= self.inside + 1 {
            return self.between(bad).collect();
        }
        let place = |part| self.good + units * part / (self.inside + 1) * self.unit;
        (1..=self.inside).map(place).collect()
    }

    /// Takes in the angles at rising distances, each less the angle at 0. Whether that was of use.
    pub(super) fn add(&mut self, seen: &[(u64, f64)], tolerance: f64, period: f64) -> bool {
        let before = (self.good, self.bad);
        for (place, angle) in seen {
            if *place <= self.good || self.bad.is_some_and(|bad| *place >= bad) {
                continue;
            }
            let off = self.off(*place, *angle, period);
            // The first place sets the slope; near what it is elsewhere, where that is known.
            let unknown = match (self.good, self.slope == 0.0) {
                (0, true) => period,
                (0, false) => HINT * self.slope.abs() * *place as f64,
                _ => 0.0,
            };
            if off.abs() > tolerance + unknown {
                // One disturbance looks like this too: whoever searches confirms it in the end.
                self.bad = Some(*place);
                break;
            }
            self.slope += off / *place as f64;
            self.good = *place;
        }
        before != (self.good, self.bad)
    }

    /// Takes in, at rising distances, whether these places belong to what begins at 0. Whether that was of use.
    pub(super) fn told(&mut self, belong: &[(u64, bool)]) -> bool {
        let before = (self.good, self.bad);
        for (place, belongs) in belong {
            if *place <= self.good || self.bad.is_some_and(|bad| *place >= bad) {
                continue;
            }
            if !belongs {
                self.bad = Some(*place);
                break;
            }
            self.good = *place;
        }
        before != (self.good, self.bad)
    }

    /// How far an angle is off the line.
    pub(super) fn off(&self, place: u64, angle: f64, period: f64) -> f64 {
        fold(angle - place as f64 * self.slope - self.shift, period)
    }

    /// The line goes on from the bound, turned by `jump`: a sector is left out there.
    pub(super) fn slip(&mut self, jump: f64) {
        if let Some(bad) = self.bad.take() {
            self.good = bad;
            self.shift += jump;
        }
    }

    /// Begins at distance 0 once more, with a slope near that unless it is 0; places that belong to no line stay
    /// so.
    pub(super) fn begin_again(&mut self, slope: f64) {
        (self.slope, self.good, self.bad, self.shift) = (slope, 0, None, 0.0);
    }

    /// Takes the bound back: what was seen there is no end of the line.
    pub(super) fn reject(&mut self) {
        self.ignored.extend(self.bad.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of 3 us a sector that jumps by 1 ms at `end`.
    fn found(end: u64, unit: u64, jitter: impl Fn(u64) -> f64) -> (u64, Option<u64>) {
        let mut line = BoundedLine::new(unit, 4_096, 0.0);
        let mut runs = 0;
        while !line.is_found() && runs < 40 {
            let seen: Vec<(u64, f64)> = line
                .places()
                .into_iter()
                .map(|at| {
                    let skew = if at >= end { 1.0 } else { 0.0 };
                    (at, fold(at as f64 * 0.003 + skew + jitter(at), 8.0))
                })
                .collect();
            line.add(&seen, 0.04, 8.0);
            runs += 1;
        }
        (line.good, line.bad)
    }

    #[test]
    fn it_is_left_at_the_sector() {
        // A line of one place has no slope to be told by: two is the least.
        for end in [2, 6, 7, 63, 64, 65, 1_000, 2_665] {
            assert_eq!(found(end, 1, |_| 0.0), (end - 1, Some(end)));
            let jitter = |at: u64| ((at * 7_919) % 13) as f64 * 0.001 - 0.006;
            assert_eq!(found(end, 1, jitter), (end - 1, Some(end)));
        }
        assert_eq!(found(1_600, 8, |_| 0.0), (1_592, Some(1_600)));
        assert_eq!(found(9_999, 1, |_| 0.0), (4_096, None));
    }
}
