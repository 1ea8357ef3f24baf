//! The rotation period, and whether a cache answered instead of the platter.

use crate::Estimate;
use crate::clock::{Timed, Turn, timed};
use crate::grain::GATHERED_MS;
use crate::stats::{Grid, fold, line, median};
use platterlab_probe::{Pattern, Plan, Samples};

/// No platter turns in less: 24,000 rpm.
const SHORTEST_MS: f64 = 2.5;
/// No platter takes longer: 1,000 rpm.
const LONGEST_MS: f64 = 60.0;
/// Jitter beyond this share of a revolution means that there is no grid.
const LARGEST_JITTER: f64 = 0.02;
/// A step from track to track is off by more than the turn divided by this.
const BOUNDARY: f64 = 50.0;
/// Steps within one track that tell its pace.
const FEWEST_STEPS: usize = 16;

/// By how much a turn that descending passes told may be off, in parts of it: they may have gone over surfaces
/// whose sectors are not as wide. Answers of a cache come at no even times for so many turns.
const ROUGH: f64 = 2e-3;

/// What a rotation run showed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rotation {
    pub(crate) rotation_ms: Estimate,
    pub(crate) turn: Option<Turn>,
    /// Answers came without the platter: a cache, or nothing that turns.
    pub(crate) cached: bool,
    /// The share of completions that tell of it what all scatter by: the others lie farther off.
    pub(crate) near: f64,
    /// Whether completions scatter by no more than from one to the next: the speed does not wander.
    pub(crate) steady: bool,
}

impl Rotation {
    fn none(cached: bool, method: &'static str, note: String) -> Self {
        Self {
            rotation_ms: Estimate::unsupported(method, note),
            turn: None,
            cached,
            near: 0.0,
            steady: true,
        }
    }

    fn of(turn: Turn, near: f64, method: &'static str) -> Self {
        let rotation_ms = Estimate::new(turn.period, 1.96 * turn.error, method);
        Self { rotation_ms, turn: Some(turn), cached: false, near, steady: true }
    }

    /// By completions on a grid.
    fn on(grid: &Grid, method: &'static str) -> Self {
        /// Times as much as from one to the next.
        const WANDERING: f64 = 2.0;
        let steady = grid.jitter <= WANDERING * grid.successive;
        Self { steady, ..Self::of(turn_of(grid), grid.share, method) }
    }
}

/// Reads the period off a run of the rotation probe; `rough` is what an earlier one gave.
pub(crate) fn rotation(run: &Samples, rough: Option<Turn>) -> Rotation {
    let Plan::Rotation(plan) = &run.plan else {
        return Rotation::none(false, "rotation", "not a rotation run".into());
    };
    let samples = timed(run);
    match plan.pattern {
        Pattern::Same => from_grid(&samples),
        Pattern::TwoSectors => refined(&samples, rough),
        Pattern::Backwards => from_passes(&samples, plan.repeats as usize),
    }
}

/// All samples are for the same sector, a revolution apart, or nearly.
fn from_grid(samples: &[Timed]) -> Rotation {
    let method = "same sector";
    let completions: Vec<f64> = samples.iter().map(|sample| sample.completed).collect();
    let between = differences(&completions);
    if let Some(none) = no_platter(&between, method) {
        return none;
    }
    match grid(&completions, median(&between).unwrap_or(0.0)) {
        Some(grid) => Rotation::on(&grid, method),
        None => Rotation::none(false, method, NO_GRID.into()),
    }
}

/// Every second sample is for the same sector. Its completions are a whole number of revolutions
/// apart, unless a cache gave the answers: then they come sooner and do not fit the period known.
fn refined(samples: &[Timed], rough: Option<Turn>) -> Rotation {
    let method = "two sectors in turn";
    /// Of a turn, in which no platter passes its sector again.
    const SOONER: f64 = 0.95;
    let completions: Vec<f64> = samples.iter().step_by(2).map(|sample| sample.completed).collect();
    let fits = |turn: &Turn, rough: Turn| {
        let limit = 5.0 * turn.error.hypot(rough.error) + ROUGH * rough.period;
        (turn.period - rough.period).abs() < limit
    };
    rough
        .and_then(|rough| {
            grid(&completions, rough.period).filter(|found| fits(&turn_of(found), rough))
        })
        .map_or_else(
            || {
                let between = median(&differences(&completions)).unwrap_or(0.0);
                let cached = rough.is_none_or(|rough| between < SOONER * rough.period);
                let why = if cached { CACHE_ANSWERED } else { NO_GRID };
                Rotation::none(cached, method, why.into())
            },
            |grid| Rotation::on(&grid, method),
        )
}

const CACHE_ANSWERED: &str = "a cache answered when two sectors were read in turn";
const NO_GRID: &str = "completions lie on no grid of one period";

/// The grid instants lie on, if they do.
fn grid(instants: &[f64], rough: f64) -> Option<Grid> {
    let grid = Grid::fit(instants, rough)?;
    (grid.jitter < LARGEST_JITTER * grid.period && grid.share > 0.8).then_some(grid)
}

fn turn_of(grid: &Grid) -> Turn {
    Turn { period: grid.period, error: grid.period_error, jitter: grid.jitter }
}

/// Two descending passes take a revolution less one sector and less two sectors per request.
fn from_passes(samples: &[Timed], repeats: usize) -> Rotation {
    let method = "two descending passes";
    let completions: Vec<f64> = samples.iter().map(|sample| sample.completed).collect();
    let (first, second) = completions.split_at(repeats.min(completions.len()));
    let (between_first, between_second) = (differences(first), differences(second));
    let both: Vec<f64> = between_first.iter().chain(&between_second).copied().collect();
    if let Some(none) = no_platter(&both, method) {
        return none;
    }
    let rough =
        2.0 * median(&between_first).unwrap_or(0.0) - median(&between_second).unwrap_or(0.0);
    let passes =
        DescendingPass::of(&between_first, rough).zip(DescendingPass::of(&between_second, rough));
    let longest = passes.as_ref().and_then(|(one, two)| {
        Some(by_paces(one.pace(one.longest()?)?, two.pace(two.longest()?)?))
    });
    let Some((turn, shorter)) = longest else {
        return Rotation::none(false, method, NO_GRID.into());
    };
    let meeting = passes.and_then(|(one, two)| meeting(&one, &two));
    let (turn, shorter) = meeting.filter(|it| differ(&it.0, &turn)).unwrap_or((turn, shorter));
    if turn.period < shorter || turn.jitter > LARGEST_JITTER * turn.period {
        return Rotation::none(false, method, "the passes do not differ by one sector".into());
    }
    Rotation::of(turn, 1.0, method)
}

/// The turn by the paces of both passes, and what the first takes for a request.
fn by_paces(one: Turn, two: Turn) -> (Turn, f64) {
    let turn = Turn {
        period: 2.0 * one.period - two.period,
        error: (4.0 * one.error * one.error + two.error * two.error).sqrt(),
        jitter: one.jitter.max(two.jitter),
    };
    (turn, one.period)
}

/// The same where they meet: the first ends on the track that the second begins on, whatever the sectors of
/// others are wide.
fn meeting(one: &DescendingPass, two: &DescendingPass) -> Option<(Turn, f64)> {
    let long = |stretch: &&Vec<(f64, f64)>| stretch.len() >= FEWEST_STEPS;
    let (last, first) = (one.stretches.last().filter(long)?, two.stretches.first().filter(long)?);
    Some(by_paces(one.pace(last)?, two.pace(first)?))
}

/// Whether two turns are not the same one.
fn differ(one: &Turn, other: &Turn) -> bool {
    (one.period - other.period).abs() > 5.0 * one.error.hypot(other.error)
}

/// The steps of a descending pass.
struct DescendingPass {
    typical: f64,
    tick: f64,
    /// Those between track boundaries: how many there were, and what all of them were off by.
    stretches: Vec<Vec<(f64, f64)>>,
}

impl DescendingPass {
    fn of(between: &[f64], turn: f64) -> Option<Self> {
        let typical = median(between)?;
        let tick = tick(between, typical, turn);
        let limit = (turn / BOUNDARY).max(1.2 * tick);
        let mut stretches: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut sum = 0.0;
        for delta in between {
            let off = fold(delta - typical, turn);
            let begins = off.abs() > limit;
            sum = if begins { 0.0 } else { sum + off };
            match stretches.last_mut().filter(|_| !begins) {
                Some(stretch) => stretch.push((stretch.len() as f64, sum)),
                None => stretches.push(vec![(0.0, sum)]),
            }
        }
        Some(Self { typical, tick, stretches })
    }

    /// The first of the longest stretches.
    fn longest(&self) -> Option<&Vec<(f64, f64)>> {
        self.stretches.iter().rev().max_by_key(|stretch| stretch.len())
    }

    /// The time per request of a stretch.
    fn pace(&self, stretch: &[(f64, f64)]) -> Option<Turn> {
        let fitted = line(stretch)?;
        // All steps together may be off by a tick.
        let error = fitted.slope_error.max(self.tick / stretch.len() as f64);
        Some(Turn { period: self.typical + fitted.slope, error, jitter: fitted.residual })
    }
}

/// At what ticks the host sees completions, at most; nothing where that does not show. Steps that are off
/// lead over the ends of tracks, unless they are more than tracks can end.
fn tick(between: &[f64], typical: f64, turn: f64) -> f64 {
    /// No track has fewer sectors.
    const SHORTEST_TRACK: usize = 10;
    let off = |delta: &&f64| fold(*delta - typical, turn).abs() > turn / BOUNDARY;
    let often = between.iter().filter(off).count() * SHORTEST_TRACK > between.len();
    if often { GATHERED_MS } else { 0.0 }
}

/// Whether answers came too fast, or too slowly, for a platter.
fn no_platter(between: &[f64], method: &'static str) -> Option<Rotation> {
    let Some(typical) = median(between) else {
        return Some(Rotation::none(false, method, "too few samples".into()));
    };
    if typical < SHORTEST_MS {
        let note = format!("answers come every {typical:.3} ms: from a cache, or nothing turns");
        return Some(Rotation::none(true, method, note));
    }
    let fast = between.iter().filter(|delta| **delta < 0.3 * typical).count();
    if fast * 100 > between.len() {
        let note = format!("a cache answered {fast} of {} requests", between.len());
        return Some(Rotation::none(true, method, note));
    }
    (typical > LONGEST_MS).then(|| {
        Rotation::none(false, method, format!("{typical:.1} ms a request is no revolution"))
    })
}

fn differences(values: &[f64]) -> Vec<f64> {
    values.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two descending passes over a track of so many sectors that turns in 11.1093 ms, completions seen at
    /// ticks.
    fn passes(sectors: f64, tick: f64) -> Rotation {
        const REPEATS: usize = 160;
        let turn = 11.1093;
        let mut now = 3.7;
        let mut samples = Vec::new();
        for back in [1.0, 2.0] {
            for _ in 0..REPEATS {
                let submitted = now;
                now += turn * (1.0 - back / sectors);
                let completed = (now / tick).ceil() * tick;
                samples.push(Timed { lba: 0, sectors: 1, submitted, completed });
            }
        }
        from_passes(&samples, REPEATS)
    }

    #[test]
    fn ticks_of_the_host_end_no_tracks() {
        for tick in [1e-6, 0.02, 0.25] {
            let found = passes(3_011.0, tick).rotation_ms;
            let off = (found.value.expect("a period") - 11.1093).abs();
            assert!(off < 0.004 && off <= 1e-5 + found.half_width(), "{tick}: {off} {found:?}");
        }
    }

    #[test]
    fn a_turn_is_told_whatever_the_tracks_of_each_surface_are_long() {
        // Both passes go downwards from track to track, each of its own length, and one of a single length.
        for tracks in [[198_u32, 192, 188, 195], [198; 4]] {
            let (turn, mut ends) = (11.13, Vec::new());
            for track in tracks {
                ends.push(ends.last().unwrap_or(&0) + track);
            }
            let at = |lba: u32| {
                let track = ends.iter().take_while(|end| **end <= lba).count();
                let first = ends[track] - tracks[track];
                let turns = f64::from(lba - first) / f64::from(tracks[track]) + 0.15 * track as f64;
                turn * turns
            };
            let mut now = at(480);
            let lbas = (0..160).map(|i| 480 - i).chain((0..160).map(|i| 320 - 2 * i));
            let samples: Vec<Timed> = lbas
                .enumerate()
                .map(|(number, lba)| {
                    let submitted = now;
                    // The next time that its sector passes, after what a request takes.
                    now += 0.7 + (at(lba) - now - 0.7).rem_euclid(turn);
                    let completed = now + 0.001 * (number % 7) as f64;
                    Timed { lba: u64::from(lba), sectors: 1, submitted, completed }
                })
                .collect();
            let found = from_passes(&samples, 160).rotation_ms;
            let off = (found.value.expect("a period") - turn).abs();
            assert!(off < 1e-3, "{tracks:?}: {off} {found:?}");
        }
    }

    #[test]
    fn a_turn_that_passes_told_a_little_off_is_told_by_two_sectors() {
        // Every second completion is of the same sector: a platter's, or a cache's that takes as long for each, with
        // what the host adds.
        let turn = 3.9976;
        let rough = Turn { period: turn * (1.0 - 5e-4), error: 1e-4, jitter: 0.04 };
        let found = |step: f64, adds_up: bool| {
            let mut now = 0.0;
            let samples: Vec<Timed> = (0..2_000_u32)
                .map(|number| {
                    let late = 0.001 * f64::from(number.wrapping_mul(0x9e37_79b1) >> 26) * step;
                    let submitted = now;
                    now += step + if adds_up { late } else { 0.0 };
                    let completed = if adds_up { now } else { now + late };
                    Timed { lba: u64::from(number % 2), sectors: 1, submitted, completed }
                })
                .collect();
            refined(&samples, Some(rough))
        };
        let platter = found(turn / 2.0, false);
        let off = platter.rotation_ms.ok().expect("a period") - turn;
        assert!(!platter.cached && off.abs() < 1e-5, "{off}");
        assert!(found(0.15, true).cached);
        assert!(found(turn / 2.0 * 0.9, true).cached);
        // Late as these are, they come no sooner than the platter's.
        let late = found(turn / 2.0 * 1.2, true);
        assert!(!late.cached && late.turn.is_none(), "{late:?}");
    }

    #[test]
    fn steps_from_track_to_track_are_no_ticks() {
        let between: Vec<f64> = (0..160).map(|i| if i % 40 == 9 { 9.5 } else { 8.2 }).collect();
        assert_eq!(tick(&between, 8.2, 8.3), 0.0);
    }
}
