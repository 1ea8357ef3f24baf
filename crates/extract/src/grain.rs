//! What the host's clock counts in, and what that leaves open of a period.

use crate::Estimate;
use crate::clock::timed;
use crate::stats::{resultant, resultants};
use platterlab_probe::Samples;
use std::f64::consts::TAU;

/// Interrupts may be gathered for so long without a sign of it, in milliseconds.
pub(crate) const GATHERED_MS: f64 = 0.25;
/// By a clock that counts in more, nothing tells which tick a completion came at, in milliseconds.
const FOLLOWED_MS: f64 = 0.02;
/// An interval wider than this part of a period, to either side, leaves the period open.
const WIDEST: f64 = 8e-5;
/// Requests looked at.
const ENOUGH: usize = 2_048;

/// From the first submission of a run to its last completion, in milliseconds.
pub(crate) fn span_ms(run: &Samples) -> f64 {
    let ends = run.samples.first().zip(run.samples.last());
    ends.map_or(0.0, |(first, last)| last.completed.since(first.submitted).as_ms())
}

/// The grain of the host's clock, as far as it shows.
///
/// On a fine clock, some of many requests take nearly the same time; on a coarse one, they take the
/// same time or one grain more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grain {
    /// Elapsed times in picoseconds, sorted, each once.
    elapsed: Vec<u64>,
    /// Times from one completion to the next, the same way.
    between: Vec<u64>,
    /// As far as they show.
    pub(crate) ticks: Ticks,
    /// What interrupts are gathered over that the clock is too coarse to follow, in milliseconds; 0 where none show.
    pub(crate) unfollowed_ticks_ms: f64,
}

/// The moments at which gathered interrupts come; none where all is 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ticks {
    /// From one to the next, in milliseconds.
    pub(crate) every_ms: f64,
    /// Standard deviation of when one is seen, as if all of it were normal, in milliseconds.
    scatter_ms: f64,
}

impl Ticks {
    /// By how much completions may differ that are late by less than so many ticks, and scatter by so many
    /// standard deviations beside, in milliseconds; none where no ticks show.
    pub(crate) fn apart_ms(&self, ticks: f64, deviations: f64) -> Option<f64> {
        (self.every_ms > 0.0).then_some(ticks * self.every_ms + deviations * self.scatter_ms)
    }
}

/// The least step between times, in milliseconds. Of a host without noise few times differ, and by as much as
/// the drive makes them: what they are no multiples of, no clock counts in.
fn least_ms(times: &[u64]) -> f64 {
    /// What times are rounded to, in picoseconds.
    const ROUNDED: u64 = 1_000;
    /// A part of the step, by which a multiple may be off.
    const PART: u64 = 10;
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let least = steps.chain(times.first().copied()).filter(|step| *step > 0).min().unwrap_or(0);
    let no_multiple = |time: &u64| {
        let off = (time % least).min(least - time % least);
        let tells = time / least * ROUNDED < least / PART;
        tells && off > least / PART
    };
    let counted = least == 0 || !times.iter().any(no_multiple);
    let grain = if counted { least } else { times.iter().copied().fold(0, common) };
    grain as f64 / 1e9
}

/// The greatest common divisor.
fn common(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common(other, one % other) }
}

/// What completions are gathered over, in milliseconds: the period, of those that interrupts are gathered over, of
/// which most nearly all times of completions are multiples, and the longest of those of which they are as much so;
/// 0 where none shows.
///
/// Each completion is a unit vector at its phase; they add up where the period is theirs. The platter
/// makes periods of its own, parts of its turn, and a coarse clock hides what is shorter than two of its grains. Completions are taken from all
/// of the run, as requests in turn come in even steps. Of so many periods some seem to be theirs, as few places
/// are read again and again: by those that were left out, they are not.
fn ticks(completed: &[f64], grain_ms: f64, turn_ms: f64) -> Ticks {
    /// Completions that are looked at, and the share of them that has to add up.
    const FEW: usize = 96;
    const TOGETHER: f64 = 0.6;
    /// How much less of all has to add up than by another period.
    const NEARLY: f64 = 0.05;
    /// Per millisecond: from the longest period to the shortest that could matter.
    const FREQUENCIES: [f64; 2] = [1.0, 50.0];
    /// Periods a grain: at a half, the clock makes one of its own.
    const HIDDEN: f64 = 0.49;
    let every = (completed.len() / FEW).max(1);
    let times: Vec<f64> = completed.iter().copied().step_by(every).take(FEW).collect();
    let span = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    if times.len() < FEW || span <= 0.0 {
        return Ticks::default();
    }
    let step = 1.0 / (4.0 * span);
    let shortest = FREQUENCIES[1].min(HIDDEN / grain_ms.max(f64::MIN_POSITIVE));
    let count = ((shortest - FREQUENCIES[0]) / step).ceil().max(0.0) as usize;
    // The platter's turn is not a whole number of the periods that are looked for.
    let apart = |frequency: f64| (frequency * turn_ms - (frequency * turn_ms).round()).abs();
    let seen: Vec<(f64, f64)> = resultants(&times, FREQUENCIES[0], step)
        .take(count)
        .filter(|(frequency, found)| {
            *found >= TOGETHER && apart(*frequency) >= 2.0 * turn_ms / span
        })
        .map(|(frequency, _)| (frequency, resultant(completed, frequency)))
        .filter(|(_, found)| *found >= TOGETHER)
        .collect();
    let most = seen.iter().map(|(_, found)| *found).fold(0.0, f64::max);
    let longest = seen.iter().find(|(_, found)| *found + NEARLY >= most);
    longest.map_or_else(Ticks::default, |(frequency, found)| Ticks {
        every_ms: 1.0 / frequency,
        scatter_ms: (-2.0 * found.ln()).max(0.0).sqrt() / (TAU * frequency),
    })
}

impl Grain {
    /// Takes the times of a run in.
    pub(crate) fn add(&mut self, run: &Samples) {
        let room = ENOUGH.saturating_sub(self.elapsed.len());
        self.elapsed.extend(run.samples.iter().take(room).map(|it| it.elapsed().as_ps()));
        self.elapsed.sort_unstable();
        self.elapsed.dedup();
        let room = ENOUGH.saturating_sub(self.between.len());
        let pairs = run.samples.windows(2).take(room);
        self.between.extend(pairs.map(|pair| pair[1].completed.since(pair[0].completed).as_ps()));
        self.between.sort_unstable();
        self.between.dedup();
    }

    /// What a run over places all around the platter shows of interrupts that are gathered.
    pub(crate) fn add_spread(&mut self, run: &Samples, turn_ms: f64) {
        let completed: Vec<f64> = timed(run).iter().map(|sample| sample.completed).collect();
        let ticks = ticks(&completed, self.ms(), turn_ms);
        if self.ms() > FOLLOWED_MS {
            self.unfollowed_ticks_ms = ticks.every_ms;
        } else {
            self.ticks = ticks;
        }
    }

    /// The grain, in milliseconds.
    pub(crate) fn ms(&self) -> f64 {
        least_ms(&self.elapsed)
    }

    /// The same, or what completions are gathered over where that is more.
    pub(crate) fn gathered_ms(&self) -> f64 {
        self.ms().max(least_ms(&self.between)).max(self.ticks.every_ms)
    }

    /// What gathered interrupts leave open of a movement: when one comes depends on those before it, the same
    /// in each round.
    pub(crate) fn unfollowed_ms(&self) -> f64 {
        self.ticks.every_ms / 2.0
    }

    /// How far a completion may be from when it seems to be.
    pub(crate) fn unseen_ms(&self) -> f64 {
        self.ms() + GATHERED_MS
    }

    /// A period from a run of `span_ms`, with what grain and interrupts leave open at its ends.
    pub(crate) fn widened(&self, period: Estimate, span_ms: f64) -> Estimate {
        let (Some(value), Some([low, high])) = (period.value, period.ci95) else { return period };
        let more = value * self.unseen_ms() / span_ms.max(value);
        let wide = Estimate { ci95: Some([low - more, high + more]), ..period };
        if wide.half_width() <= WIDEST * value {
            return wide;
        }
        let note = format!(
            "the host's clock counts in {:.3} ms, and interrupts may be gathered for {GATHERED_MS} \
             ms: that leaves the period open",
            self.ms()
        );
        wide.doubted(note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN_MS: f64 = 8.347;

    /// From 0 to 1, without an order.
    fn scattered(number: u32) -> f64 {
        f64::from(
            (number ^ 0x5bd1).wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca6b),
        ) / f64::from(u32::MAX)
    }

    /// Completions of reads all around a platter, in an order that is another one each round, seen at the
    /// next multiple of a period, or at once where that is 0, and a little later.
    fn completed(gathered_ms: f64) -> Vec<f64> {
        let mut turns = 0.0;
        let mut all = Vec::new();
        for round in 0..14_u32 {
            for place in (0..31_u32).map(|it| it * (round + 1) % 31) {
                turns += 1.0 + (3.0 * scattered(100 * round + place)).floor();
                let passed = TURN_MS * (turns + scattered(1_000_000 + place));
                let seen = if gathered_ms > 0.0 {
                    (passed / gathered_ms).ceil() * gathered_ms
                } else {
                    passed
                };
                all.push(seen + 1e-3 * f64::from((place * 7 + round * 3) % 5));
            }
        }
        all
    }

    #[test]
    fn gathered_interrupts_show_and_the_platter_is_none() {
        for gathered_ms in [0.25, 0.125, 0.05] {
            let found = ticks(&completed(gathered_ms), 0.001, TURN_MS).every_ms;
            assert!((found - gathered_ms).abs() < 1e-3 * gathered_ms, "{found} for {gathered_ms}");
        }
        assert_eq!(ticks(&completed(0.0), 0.001, TURN_MS).every_ms, 0.0);
        assert_eq!(ticks(&completed(0.25), 0.3, TURN_MS).every_ms, 0.0, "hidden by the clock");
        assert_eq!(ticks(&completed(0.25)[..50], 0.001, TURN_MS).every_ms, 0.0, "too few");
    }

    #[test]
    fn gathered_interrupts_show_by_a_clock_of_less_than_half_of_them() {
        let read = |gathered_ms: f64| -> Vec<f64> {
            completed(gathered_ms).iter().map(|at| (at / 0.1).floor() * 0.1).collect()
        };
        let found = ticks(&read(0.25), 0.1, TURN_MS).every_ms;
        assert!((found - 0.25).abs() < 1e-3, "{found}");
        assert_eq!(ticks(&read(0.0), 0.1, TURN_MS).every_ms, 0.0);
    }

    #[test]
    fn what_times_are_no_multiples_of_is_no_clocks() {
        let (turn, other) = (16_666_666_667, 11_803_500_333);
        assert!(least_ms(&[other, turn]) < 1e-6);
        assert_eq!(least_ms(&[11_800_000_000, 16_700_000_000, 16_800_000_000]), 0.1);
        // A clock of a third of a microsecond, read to the nanosecond.
        assert_eq!(least_ms(&[11_803_333_000, 16_666_667_000, 16_667_000_000]), 333e-6);
    }

    #[test]
    fn requests_in_even_steps_make_no_ticks() {
        // Every fourth completion comes about 25 ms after the one before, 1 ms being a part of that; the others
        // come all over, at ticks or at any time.
        let completed = |tick: f64| -> Vec<f64> {
            let seen = |at: f64| if tick > 0.0 { (at / tick).ceil() * tick } else { at };
            let fourth = |lot: u32| 25.0 * f64::from(lot) + 0.25 * f64::from(lot % 2);
            let others = |lot: u32| {
                (1..4_u32).map(move |it| {
                    fourth(lot) + 6.0 * f64::from(it) + 4.0 * scattered(7 * lot + it)
                })
            };
            (0..110)
                .flat_map(|lot| std::iter::once(fourth(lot)).chain(others(lot)))
                .map(seen)
                .collect()
        };
        assert_eq!(ticks(&completed(0.0), 0.001, TURN_MS).every_ms, 0.0);
        let found = ticks(&completed(0.25), 0.001, TURN_MS);
        assert!((found.every_ms - 0.25).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn completions_at_ticks_differ_by_less_than_one_and_what_they_scatter() {
        let found = ticks(&completed(0.25), 0.001, TURN_MS);
        let [one, two] = [1.0, 2.0].map(|it| found.apart_ms(it, 12.0).expect("ticks"));
        assert!((0.25..0.3).contains(&one) && (two - one - 0.25).abs() < 1e-4, "{one} {two}");
        assert_eq!(Ticks::default().apart_ms(1.0, 12.0), None);
    }
}
