//! Whether the platter turns, or tracks begin, otherwise than simulated, by what many steps have in common.

use super::{Evidence, differs};
use crate::clock::timed;
use crate::stats::{MEDIAN_ERROR, fold, line, mad, median};
use platterlab_probe::{Pattern, Plan, Samples};

/// Interrupts may be gathered for so long, in milliseconds.
const GATHERED_MS: f64 = 0.25;
/// A period that differs by more, in parts of itself, is another one.
const ROTATION: f64 = 6e-5;
/// One that differs by more shows in all angles.
const ANOTHER: f64 = 0.03;
/// The share of steps that have to have the same in common.
const COMMON: f64 = 0.7;

/// Whether the platter turns at another speed: what it turned more adds up, from request to request.
/// Less than the clock and gathered interrupts leave open is nothing, nor what the rotation's interval has.
pub(super) fn drift(
    measured: &Samples,
    simulated: &Samples,
    evidence: &Evidence<'_>,
    rotation_open_ms: f64,
) -> Option<String> {
    let Plan::Rotation(plan) = &measured.plan else { return None };
    let step = if plan.pattern == Pattern::TwoSectors { 2 } else { 1 };
    let period = evidence.turn.period;
    let (measured, simulated) = (timed(measured), timed(simulated));
    let both: Vec<_> = measured.iter().step_by(step).zip(simulated.iter().step_by(step)).collect();
    // What a buffer answers does not wait for the platter.
    let steps: Vec<(f64, f64)> = both
        .windows(2)
        .filter(|pair| pair.iter().all(|(seen, _)| seen.elapsed() > evidence.hit_ms))
        .map(|pair| {
            let took = pair[1].0.completed - pair[0].0.completed;
            let off = fold(took - (pair[1].1.completed - pair[0].1.completed), period);
            ((took / period).round(), off)
        })
        .filter(|(turned, _)| *turned > 0.0)
        .collect();
    let seen = HostView {
        period,
        // Steps in turn come earlier within a tick, each by as much, and then one comes a whole tick later.
        room: evidence.noise_ms() + evidence.ticks_ms,
        ticks: evidence.ticks_ms,
        grain: evidence.grain_ms,
        ends: GATHERED_MS + 2.0 * evidence.grain_ms + 6.0 * evidence.turn.jitter,
        least: (ROTATION * period).max(rotation_open_ms),
    };
    let more = more_each_turn(&steps, seen)?;
    Some(format!("each turn takes {} than simulated with it", differs(more, 6, ["more", "less"])))
}

/// How the host sees completions, in milliseconds: the turn, what two of them in a row are off by at most, the ticks
/// at which interrupts come, what its clock counts in, what both ends of a run leave open, and what each turn does.
#[derive(Clone, Copy, Debug)]
struct HostView {
    period: f64,
    room: f64,
    ticks: f64,
    grain: f64,
    ends: f64,
    least: f64,
}

/// By how much each turn takes more than it should, where steps of so many turns are off by so much; none where
/// that is nothing, or not the platter's.
fn more_each_turn(steps: &[(f64, f64)], seen: HostView) -> Option<f64> {
    let each: Vec<f64> = steps.iter().map(|(turned, off)| off / turned).collect();
    // What nearly all steps have in common is the platter's; what a few have is a late completion.
    let near =
        |common: f64| move |step: &&(f64, f64)| (step.1 - step.0 * common).abs() <= seen.room;
    let common = median(&each)?;
    let shared = |common: f64| {
        steps.iter().filter(near(common)).count() as f64 > COMMON * steps.len() as f64
    };
    let mut candidates = [0.0, common].into_iter().filter(|it| it.abs() < ANOTHER * seen.period);
    // Where the steps have nothing in common, they do not follow the platter.
    let common = candidates.find(|it| shared(*it))?;
    let (mut turns, mut more) = (0.0, 0.0);
    let (mut points, mut kept) = (Vec::new(), Vec::new());
    for (turned, off) in steps.iter().filter(near(common)) {
        turns += turned;
        more += off;
        points.push((turns, more));
        kept.push(*off);
    }
    let fitted = line(&points)?;
    // Lateness of one completion is made good by the next, unless that step is left out; where interrupts are
    // gathered, both are off by ticks, and one more of these than the other. By a coarse clock most steps are off
    // by the same, and those about a late one by a reading.
    let left_out = (steps.len() - kept.len() + 1) as f64;
    let one = (1.5 * std::f64::consts::SQRT_2 * mad(&kept)?).hypot(seen.ticks).hypot(seen.grain);
    let walked = one * left_out.sqrt() / turns;
    let limit = seen.least.max(4.0 * fitted.slope_error).max(4.0 * walked);
    let shows = fitted.slope.abs() > limit && fitted.slope.abs() * turns > seen.ends;
    shows.then_some(fitted.slope)
}

/// The middle of what angles are off by, and its standard error. Between two ticks of gathered interrupts passes a
/// tick more or less than between the sectors, nearly always the same one: the mean is nothing, and no quantile is.
fn middle(offs: &[f64], ticks_ms: f64) -> Option<(f64, f64)> {
    let (middle, spread, count) = (median(offs)?, 1.5 * mad(offs)?, offs.len() as f64);
    if ticks_ms <= 0.0 {
        return Some((middle, MEDIAN_ERROR * spread / count.sqrt()));
    }
    let near = |off: &&f64| (**off - middle).abs() <= ticks_ms + 4.0 * spread;
    let near: Vec<f64> = offs.iter().filter(near).copied().collect();
    let mean = near.iter().sum::<f64>() / near.len() as f64;
    let squares = near.iter().map(|off| (off - mean).powi(2)).sum::<f64>();
    Some((mean, squares.sqrt() / near.len() as f64))
}

/// Whether a skew is another one.
pub(super) fn shifted(single: &[f64], least_ms: f64, ticks_ms: f64) -> Option<String> {
    let (middle, error) = middle(single, ticks_ms)?;
    let limit = least_ms.max(5.0 * error);
    let lie = differs(middle, 5, ["later", "earlier"]);
    (single.len() > 3 && middle.abs() > limit)
        .then(|| format!("boundaries lie {lie} than simulated with it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When completions at these times are seen by a host that gathers them over so much.
    fn seen_at(time: f64, ticks: f64) -> f64 {
        if ticks > 0.0 { (time / ticks).ceil() * ticks } else { time }
    }

    /// A number from 0 to 1, another one for each number.
    fn chance(number: u32) -> f64 {
        f64::from(number.wrapping_mul(0x9e37_79b1) >> 8) / f64::from(1 << 24)
    }

    /// What each turn of a run of reads seems to take more, where it takes so much more than 4 ms, one completion in
    /// twenty comes late, and interrupts are gathered.
    fn more(truth: f64, ticks: f64) -> Option<f64> {
        let at = |number: u32| {
            let late = if number % 20 == 7 { 0.1 + 0.8 * chance(number) } else { 0.0 };
            seen_at(f64::from(number) * (4.0 + truth - 0.0052) + late, ticks)
        };
        let steps: Vec<(f64, f64)> =
            (0..320).map(|number| (1.0, at(number + 1) - at(number) - 4.0 + 0.0052)).collect();
        let room = 0.1 + ticks;
        more_each_turn(
            &steps,
            HostView { period: 4.0, room, ticks, grain: 0.0, ends: 0.3, least: 2.4e-4 },
        )
    }

    #[test]
    fn ticks_of_late_completions_are_no_longer_turns() {
        for ticks in [0.0, 0.125] {
            assert_eq!(more(0.0, ticks), None, "{ticks}");
            let found = more(0.02, ticks).expect("another turn");
            assert!((found - 0.02).abs() < 0.005, "{ticks}: {found}");
        }
    }

    #[test]
    fn what_a_coarse_clock_leaves_of_late_completions_is_no_longer_turn() {
        let more = |truth: f64| {
            let at = |number: u32| {
                let late = if number % 20 == 7 { 0.05 + 0.3 * chance(number) } else { 0.0 };
                seen_at(f64::from(number) * (4.0 + truth - 0.003) + late, 0.1)
            };
            let steps: Vec<(f64, f64)> =
                (0..1_000).map(|number| (1.0, at(number + 1) - at(number) - 4.0 + 0.003)).collect();
            let seen = HostView {
                period: 4.0,
                room: 0.25,
                ticks: 0.0,
                grain: 0.1,
                ends: 0.5,
                least: 2.4e-4,
            };
            more_each_turn(&steps, seen)
        };
        assert_eq!(more(0.0), None);
        let found = more(0.02).expect("another turn");
        assert!((found - 0.02).abs() < 0.002, "{found}");
    }

    #[test]
    fn a_skew_between_ticks_is_no_other_one() {
        // A skew of 1.29 ms, as found, and of 1.39 ms, wherever within a tick its first sector passes.
        for (truth, ticks) in [(1.29, 0.125), (1.29, 0.0), (1.39, 0.125)] {
            let offs: Vec<f64> = (0..200)
                .map(|number| 10.0 + 7.0 * chance(number))
                .map(|from| seen_at(from + truth, ticks) - seen_at(from, ticks) - 1.29)
                .collect();
            let found = shifted(&offs, 0.026, ticks);
            assert_eq!(found.is_some(), truth > 1.3, "{truth} {ticks}: {found:?}");
        }
    }
}
