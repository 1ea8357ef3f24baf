//! Skews and surfaces from the sequence of angles between successive tracks.

use crate::Estimate;
use crate::clock::Turn;
use crate::in_turn::{InTurn, NumberedOffset, mean};
use crate::stats::{circular_median, fold, mad, median, quantile, wrap};
use crate::uneven_steps::are_uneven;

/// Track and cylinder skew, and after how many tracks they alternate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Skews {
    /// The paper's "head switch time".
    pub(crate) track_skew_ms: Estimate,
    /// The paper's "cylinder switch time".
    pub(crate) cylinder_skew_ms: Estimate,
    pub(crate) surfaces: Estimate,
    /// Which of the boundaries are cylinder boundaries, once the pattern is known: each number
    /// that leaves `phase` divided by the surfaces.
    pub(crate) phase: Option<usize>,
    /// What the clock leaves open of the track skew and of the cylinder skew.
    in_turn: [InTurn; 2],
}

impl Skews {
    /// Whether boundary `index` of the sequence leads to another cylinder.
    pub(crate) fn is_cylinder(&self, index: usize) -> Option<bool> {
        let surfaces = self.surfaces.ok()? as usize;
        self.phase.map(|phase| index % surfaces == phase)
    }

    /// Whether surfaces are known and both skews to within a relative error.
    pub(crate) fn within(&self, error: f64) -> bool {
        let narrow = |skew: &Estimate| {
            skew.ok().is_some_and(|value| skew.half_width() <= error * value.abs())
        };
        self.surfaces.ok().is_some()
            && narrow(&self.track_skew_ms)
            && narrow(&self.cylinder_skew_ms)
    }

    /// Whether surfaces are known and both skews more exactly.
    pub(crate) fn clearer_than(&self, other: &Self) -> bool {
        self.surfaces.ok().is_some()
            && self.track_skew_ms.half_width() <= other.track_skew_ms.half_width()
            && self.cylinder_skew_ms.half_width() <= other.cylinder_skew_ms.half_width()
    }

    /// Whether the usual skew is that of `other`, as far as both are known.
    pub(crate) fn goes_on(&self, other: &Self, turn: Turn) -> bool {
        let both = [&self.track_skew_ms, &other.track_skew_ms];
        let widths = both[0].half_width().hypot(both[1].half_width());
        let skews = both[0].ok().zip(both[1].ok());
        skews.is_none_or(|(one, other)| fold(one - other, turn.period).abs() <= widths)
    }

    /// The same as by a clock of this grain: of steps that leave hardly anything of it, the skew has that in
    /// its interval.
    pub(crate) fn read_by(mut self, grain_ms: f64) -> Self {
        let skews = [&mut self.track_skew_ms, &mut self.cylinder_skew_ms];
        for (skew, in_turn) in skews.into_iter().zip(&self.in_turn) {
            let width = in_turn.half_width(skew.half_width(), grain_ms);
            if let (Some(value), Some(width), METHOD) = (skew.value, width, skew.method) {
                let (status, note) = (skew.status, std::mem::take(&mut skew.note));
                *skew = Estimate { status, note, ..Estimate::new(value, width, IN_TURN) };
            }
        }
        self
    }

    /// The same as hints only.
    pub(crate) fn doubted(self, note: &str) -> Self {
        Self {
            track_skew_ms: self.track_skew_ms.doubted(note),
            cylinder_skew_ms: self.cylinder_skew_ms.doubted(note),
            surfaces: self.surfaces.doubted(note),
            phase: None,
            in_turn: self.in_turn,
        }
    }

    fn unknown(build: impl Fn() -> Estimate) -> Self {
        let (track_skew_ms, cylinder_skew_ms, surfaces) = (build(), build(), build());
        Self {
            track_skew_ms,
            cylinder_skew_ms,
            surfaces,
            phase: None,
            in_turn: [InTurn::default(), InTurn::default()],
        }
    }
}

/// Skews are whole sectors: what differs by less than this part of one is equal.
pub(crate) const LEAST: f64 = 0.6;
pub(crate) const METHOD: &str = "offsets of successive tracks";
/// The same where the host's clock is read at the ends of many steps only.
const IN_TURN: &str = "angle over many successive tracks";
/// Skews that differ by more, in parts of themselves, are different ones.
const SKEW: f64 = 0.01;
/// More surfaces than any drive had.
const MOST_SURFACES: usize = 64;
/// The difference of the skews against the jitter of their means, at least.
const CLEAREST: f64 = 8.0;
/// Standard deviations from the middle of a class beyond which an offset is a stray.
const STRAY: f64 = 4.0;

/// By how much skews of tracks of so many sectors differ that are not alike, at least, in milliseconds. By
/// a clock of that grain some of many steps that are alike seem to be a grain longer, every few tracks.
pub(crate) fn least_ms(sector_ms: f64, grain_ms: f64) -> f64 {
    /// Between one grain and two.
    const GRAINS: f64 = 1.5;
    (LEAST * sector_ms).max(GRAINS * grain_ms)
}

/// Why a skew of whole sectors is not sure.
pub(crate) const NOT_TO_THE_SECTOR: &str = "it is not known to the sector";
/// Why the mean of skews that look alike is not sure.
pub(crate) const MIXED: &str = "skews that differ by less than the host's clock tells look alike";

/// By how much the mean of skews that look alike by such a clock may be off: one of those of a cylinder, over
/// so many surfaces, may be another one.
pub(crate) fn mixed_ms(grain_ms: f64, surfaces: f64) -> f64 {
    least_ms(0.0, grain_ms) / surfaces.max(1.0)
}

/// To how much a skew is known well enough, where sectors take so much.
pub(crate) fn enough_ms(skew_ms: f64, sector_ms: f64) -> f64 {
    (SKEW * skew_ms).max(LEAST * sector_ms)
}

/// Reads skews off the angles between successive tracks, in milliseconds: most of them are the
/// track skew, one in every `surfaces` is the cylinder skew.
///
/// Every count of surfaces and every place of the first cylinder boundary is tried; the one that
/// explains most of the variance is the answer, if what it leaves is jitter and if no other explains
/// nearly as much. So skews that differ by little more than the jitter still count, but not skews
/// that differ by less than `least_ms`, such as the host's clock makes of equal ones.
pub(crate) fn skews(jumps: &[f64], turn: Turn, least_ms: f64) -> Skews {
    let Some(middle) = circular_median(jumps, turn.period) else {
        return Skews::unknown(|| Estimate::unsupported(METHOD, "no step shows a track boundary"));
    };
    let offsets: Vec<f64> = jumps.iter().map(|jump| fold(jump - middle, turn.period)).collect();
    let Some(split) = best_split(&offsets) else { return single(&offsets, middle, turn) };
    let (tracks, cylinders) = split.classes(&offsets);
    let middle_of = |class: &[NumberedOffset]| median(&offsets_of(class));
    let (Some(track), Some(cylinder)) = (middle_of(&tracks), middle_of(&cylinders)) else {
        return single(&offsets, middle, turn);
    };
    let noise = (turn.jitter * std::f64::consts::SQRT_2).max(turn.period * 1e-6);
    let weight = (tracks.len() * cylinders.len()) as f64 / offsets.len() as f64;
    let clear = (track - cylinder).abs() * weight.sqrt() / noise;
    if clear < CLEAREST || split.lead < 10.0 * noise * noise || (track - cylinder).abs() < least_ms
    {
        return single(&offsets, middle, turn);
    }
    let stray = |class: &[NumberedOffset], centre: f64| {
        class.iter().filter(|(_, offset)| (offset - centre).abs() > turn.tolerance()).count()
    };
    let strays = stray(&tracks, track) + stray(&cylinders, cylinder);
    let mut surfaces =
        Estimate::exact(split.surfaces as u64, "track boundaries between cylinder boundaries");
    if strays * 10 > offsets.len() {
        surfaces = surfaces.doubted(format!("{strays} of {} boundaries do not fit", offsets.len()));
    }
    let kinds = [kept(&tracks, turn), kept(&cylinders, turn)];
    let [mut track_skew_ms, mut cylinder_skew_ms] =
        [0, 1].map(|kind| value(&kinds[kind], middle, turn));
    let left = left(&kinds, offsets.len());
    let mut in_turn = kinds.map(|steps| InTurn::of(&steps, &left));
    let mut phase = split.phase;
    if split.surfaces == 2 && track_skew_ms.value > cylinder_skew_ms.value {
        // Both are as frequent; the one that also moves the arm is the longer.
        std::mem::swap(&mut track_skew_ms, &mut cylinder_skew_ms);
        phase = 1 - phase;
        in_turn.reverse();
    }
    if are_uneven(&offsets, (split.surfaces, split.phase), track, least_ms, CLEAREST * noise) {
        for skew in [&mut track_skew_ms, &mut cylinder_skew_ms] {
            skew.doubt("the steps between two that are longer or shorter are not alike");
        }
    }
    Skews { track_skew_ms, cylinder_skew_ms, surfaces, phase: Some(phase), in_turn }
}

/// Where all of these steps are taken for one another.
pub(crate) fn alike(jumps: &[f64], turn: Turn) -> Skews {
    let middle = circular_median(jumps, turn.period).unwrap_or(0.0);
    let offsets: Vec<f64> = jumps.iter().map(|jump| fold(jump - middle, turn.period)).collect();
    single(&offsets, middle, turn)
}

/// All boundaries look alike.
fn single(offsets: &[f64], middle: f64, turn: Turn) -> Skews {
    let note = "all track boundaries look alike: one surface, equal skews, or more surfaces than \
                tracks were seen";
    let all: Vec<NumberedOffset> = offsets.iter().copied().enumerate().collect();
    let steps = kept(&all, turn);
    let left = left(std::slice::from_ref(&steps), offsets.len());
    Skews {
        track_skew_ms: value(&steps, middle, turn).noted(note),
        cylinder_skew_ms: Estimate::ambiguous(METHOD, note),
        surfaces: Estimate::ambiguous(METHOD, note),
        phase: None,
        in_turn: [InTurn::of(&steps, &left), InTurn::default()],
    }
}

fn offsets_of(class: &[NumberedOffset]) -> Vec<f64> {
    class.iter().map(|(_, offset)| *offset).collect()
}

/// The offsets of a class without strays.
fn kept(class: &[NumberedOffset], turn: Turn) -> Vec<NumberedOffset> {
    let offsets = offsets_of(class);
    let centre = median(&offsets).unwrap_or(0.0);
    let near = (STRAY * mad(&offsets).unwrap_or(0.0)).max(turn.tolerance());
    class.iter().copied().filter(|(_, offset)| (offset - centre).abs() <= near).collect()
}

/// What is left of each of so many offsets without the mean of its kind; of strays, nothing.
fn left(kinds: &[Vec<NumberedOffset>], count: usize) -> Vec<f64> {
    let mut left = vec![0.0; count];
    for steps in kinds {
        let mean = mean(steps);
        steps.iter().for_each(|(index, offset)| left[*index] = offset - mean);
    }
    left
}

/// The mean of a class of offsets from `middle`. Where a host completes requests at ticks, offsets lie on
/// two of them, and a median on one.
fn value(steps: &[NumberedOffset], middle: f64, turn: Turn) -> Estimate {
    let (count, mean) = (steps.len().max(1) as f64, mean(steps));
    let variance = steps.iter().map(|(_, offset)| (offset - mean).powi(2)).sum::<f64>() / count;
    let error = 1.96 * variance.sqrt().max(turn.jitter) / count.sqrt();
    Estimate::new(wrap(middle + mean, turn.period), error, METHOD)
}

/// One way to tell cylinder boundaries from the others.
#[derive(Clone, Copy, Debug)]
struct Split {
    surfaces: usize,
    phase: usize,
    /// Variance it explains, times the number of boundaries.
    explained: f64,
    /// By how much more than the next best.
    lead: f64,
}

impl Split {
    /// Offsets of track boundaries and of cylinder boundaries.
    fn classes(&self, offsets: &[f64]) -> (Vec<NumberedOffset>, Vec<NumberedOffset>) {
        let (mut tracks, mut cylinders) = (Vec::new(), Vec::new());
        for (index, offset) in offsets.iter().enumerate() {
            if index % self.surfaces == self.phase {
                cylinders.push((index, *offset));
            } else {
                tracks.push((index, *offset));
            }
        }
        (tracks, cylinders)
    }
}

/// The split that explains most, of those that show at least two cylinder boundaries.
fn best_split(offsets: &[f64]) -> Option<Split> {
    // A few strays must not look like cylinder boundaries.
    let (low, high) = (quantile(offsets, 0.01)?, quantile(offsets, 0.99)?);
    let clipped: Vec<f64> = offsets.iter().map(|offset| offset.clamp(low, high)).collect();
    let (count, total) = (clipped.len() as f64, clipped.iter().sum::<f64>());
    let mut best: Option<Split> = None;
    for surfaces in 2..=(clipped.len() / 2).min(MOST_SURFACES) {
        // With two surfaces both phases are the same split.
        for phase in 0..if surfaces == 2 { 1 } else { surfaces } {
            let (mut members, mut sum) = (0.0, 0.0);
            for offset in clipped.iter().skip(phase).step_by(surfaces) {
                members += 1.0;
                sum += offset;
            }
            let between = sum / members - (total - sum) / (count - members);
            let explained = between * between * members * (count - members) / count;
            match &mut best {
                Some(old) if explained <= old.explained => {
                    old.lead = old.lead.min(old.explained - explained);
                }
                old => {
                    let before = old.map_or(0.0, |old| old.explained);
                    *old = Some(Split { surfaces, phase, explained, lead: explained - before });
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Turn = Turn { period: 8.333, error: 1e-5, jitter: 0.01 };

    #[test]
    fn surfaces_are_counted_despite_a_slip() {
        let mut jumps: Vec<f64> = (0..60)
            .map(|i| if i % 15 == 4 { 2.1 } else { 0.7 } + 0.01 * f64::from(i % 3))
            .collect();
        jumps[20] = 5.0;
        let found = skews(&jumps, TURN, 0.0);
        assert_eq!((found.surfaces.ok(), found.phase), (Some(15.0), Some(4)));
        assert!((found.track_skew_ms.ok().unwrap() - 0.71).abs() < 0.01);
        assert!((found.cylinder_skew_ms.ok().unwrap() - 2.11).abs() < 0.01);
    }

    #[test]
    fn steps_of_three_kinds_are_no_two_skews() {
        let jumps = |cycle: &[f64]| cycle.iter().copied().cycle().take(60).collect::<Vec<f64>>();
        let usual = skews(&jumps(&[0.7, 0.7, 0.7, 0.7, 2.1]), TURN, 0.05);
        assert!(usual.track_skew_ms.ok().is_some() && usual.cylinder_skew_ms.ok().is_some());
        // Heads of which two steps are longer, and cylinders of three tracks, each fourth of which is spare.
        for cycle in
            [&[1.5, 1.5, 1.9, 1.9, 2.4][..], &[0.5, 0.5, 0.7, 0.5, 0.5, 0.7, 0.5, 0.5, 2.5]]
        {
            let found = skews(&jumps(cycle), TURN, 0.05);
            let sure = [&found.track_skew_ms, &found.cylinder_skew_ms].map(|skew| skew.ok());
            assert_eq!(sure, [None, None], "{cycle:?}");
            assert_eq!(found.surfaces.value, Some(cycle.len() as f64));
        }
    }

    #[test]
    fn a_host_that_completes_at_ticks_leaves_the_mean() {
        // A skew of 1.65 ms, seen at ticks of 0.125 ms: 1.625 four times of five, 1.75 once.
        let jumps: Vec<f64> = (0..100).map(|i| if i % 5 == 0 { 1.75 } else { 1.625 }).collect();
        let jittery = Turn { jitter: 0.04, ..TURN };
        let all = alike(&jumps, jittery);
        let found = all.track_skew_ms.clone();
        assert!((found.value.unwrap() - 1.65).abs() < 0.001, "{found:?}");
        assert!(found.half_width() > 0.005, "{found:?}");
        let read = all.read_by(0.125).track_skew_ms;
        assert!((read.half_width() - found.half_width() - 0.00125).abs() < 1e-9, "{read:?}");
        // What a reading adds to one step, the next one takes away.
        let jumps: Vec<f64> = (0..400).map(|i| if i % 2 == 0 { 1.7 } else { 1.6 }).collect();
        let read = alike(&jumps, jittery).read_by(0.1).track_skew_ms;
        assert!((read.value.unwrap() - 1.65).abs() < 1e-6 && read.half_width() < 0.001, "{read:?}");
        assert_eq!((read.method, read.status), (IN_TURN, found.status));
    }

    #[test]
    fn the_clock_makes_no_cylinders() {
        // Steps of 22.8 ticks of 0.1 ms each, and skews of which every fifth is 0.3 ms less.
        let ticks = |low: f64| -> Vec<f64> {
            (0..100).map(|i| if i % 5 == 4 { low } else { 2.3 }).collect()
        };
        let surfaces =
            |jumps: &[f64], grain_ms| skews(jumps, TURN, least_ms(0.01, grain_ms)).surfaces.ok();
        assert_eq!(surfaces(&ticks(2.2), 0.1), None);
        assert_eq!(surfaces(&ticks(2.2), 0.001), Some(5.0));
        assert_eq!(surfaces(&ticks(2.0), 0.1), Some(5.0));
    }

    #[test]
    fn steps_that_are_not_in_turn_each_have_the_grain_of_the_clock() {
        // With every third left out, as one to another cylinder.
        let jumps: Vec<f64> = (0..90).map(|i| if i % 3 == 2 { 2.0 } else { 0.7 }).collect();
        let read = skews(&jumps, TURN, 0.0).read_by(0.1).track_skew_ms;
        assert_eq!(read.method, METHOD);
    }

    #[test]
    fn a_run_that_leaves_the_zone_shows_another_skew() {
        let run = |inside: usize, outside: usize| {
            let mut jumps = vec![1.5; inside];
            jumps.extend(vec![1.58; outside]);
            alike(&jumps, TURN)
        };
        assert!(run(320, 0).goes_on(&run(160, 0), TURN));
        assert!(!run(280, 360).goes_on(&run(160, 0), TURN));
    }

    #[test]
    fn two_surfaces_take_the_smaller_skew_for_the_track_skew() {
        let jumps: Vec<f64> = (0..20).map(|i| if i % 2 == 0 { 1.5 } else { 0.5 }).collect();
        let found = skews(&jumps, TURN, 0.0);
        assert!((found.track_skew_ms.ok().unwrap() - 0.5).abs() < 1e-9);
        assert_eq!((found.surfaces.ok(), found.is_cylinder(0)), (Some(2.0), Some(true)));
    }

    #[test]
    fn what_looks_alike_is_not_counted() {
        assert_eq!(skews(&[0.7; 40], TURN, 0.0).surfaces.ok(), None);
        assert_eq!(skews(&[], TURN, 0.0).track_skew_ms.ok(), None);
        let once: Vec<f64> = (0..20).map(|i| if i == 3 { 2.0 } else { 0.7 }).collect();
        assert_eq!(
            skews(&once, TURN, 0.0).surfaces.ok(),
            None,
            "one cylinder boundary proves nothing"
        );
    }
}
