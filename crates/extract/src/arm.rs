//! Movements of the arm between tracks whose cylinders a survey made certain. They are timed by
//! reads: a write's data comes over the interface while the arm moves, and hides some of it.

use crate::clock::Turn;
use crate::positioning::{Positioning, by_waits, positioning};
use crate::scattered::Common;
use crate::survey::Still;
use crate::{Estimate, Goal};
use platterlab_probe::{PastCache, Plan, Samples, Seeker};
use std::cmp::Ordering;

/// Times each movement is searched.
const REPEATS: usize = 4;
/// By a clock that is too coarse for single readings: rounds at most, and times in each.
const ROUNDS: usize = 4;
const OF_ROUND: usize = 12;
/// Searches end by a fine clock at a thousandth of a revolution; this one is coarser, in milliseconds.
const COARSE_MS: f64 = 0.02;
/// By such a clock a movement is searched on while its interval is wider, in parts of the least seek and to either side.
const NARROW: f64 = 0.01;
/// Halvings of the period in SEEKER: a four thousandth of a revolution.
const HALVINGS: u32 = 12;
/// A seek whose interval is wider, in parts of itself and to either side, is a hint.
const WIDEST: f64 = 0.04;

/// A seek, doubted where its interval and the grain of the host's clock are too wide for it.
fn narrow(seek: Estimate, grain_ms: f64) -> Estimate {
    match seek.value {
        Some(value) if seek.ok().is_some() && seek.half_width() + grain_ms > WIDEST * value => {
            seek.doubted("the host's jitter or the grain of its clock leaves it open")
        }
        _ => seek,
    }
}

/// The same of a seek that is the mean of many readings of the clock, which share what they are off by, in part.
pub(crate) fn averaged(seek: Estimate, grain_ms: f64) -> Estimate {
    narrow(seek, grain_ms / 8.0)
}

/// What such seeks share by a clock that is too coarse for one reading may be more than that, however many tell
/// them: a movement from rest has to take the same.
pub(crate) fn confirmed(seek: Estimate, from_rest: Option<&Estimate>, grain_ms: f64) -> Estimate {
    /// Parts of a seek.
    const SAME: f64 = 0.03;
    let values = seek.value.zip(from_rest.and_then(|rest| rest.value));
    let same = values.is_some_and(|(one, other)| (one - other).abs() <= SAME * one);
    if same || narrow(seek.clone(), grain_ms).ok().is_some() {
        return seek;
    }
    // Up to half a grain is shared.
    seek.widened(grain_ms / 2.0)
        .doubted("the host's clock is too coarse for it, and no movement from rest confirms it")
}

/// A track: its first sector, its sectors.
pub(crate) type Bounds = (u64, u64);

/// Tracks between which the arm is known to move over one cylinder, or over all of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArmPlaces {
    /// To the next cylinder; one of two or more under the same head.
    pub(crate) next: Vec<(Bounds, Bounds)>,
    /// Of two or more ends, the furthest is the other end of the drive.
    pub(crate) ends: Vec<(Bounds, Bounds)>,
}

/// A movement, and what came out.
#[derive(Clone, Debug)]
struct Stroke {
    what: What,
    from: Bounds,
    to: Bounds,
    /// Of each round.
    found: Vec<Option<Positioning>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// On the track that the next ones begin on: what they take without the arm.
    Still,
    Next,
    End,
}

impl Stroke {
    fn target(&self, goal: &Goal) -> u64 {
        part(self.to, 3, goal)
    }

    /// What all rounds say; `None` where one of them says nothing.
    fn found(&self) -> Option<Positioning> {
        let rounds: Vec<Positioning> = self.found.iter().copied().collect::<Option<_>>()?;
        let count = rounds.len() as f64;
        let time = rounds.iter().map(|it| it.time).sum::<f64>() / count;
        let widths: f64 = rounds.iter().map(|it| it.half_width.powi(2)).sum();
        rounds.first().map(|first| Positioning {
            time,
            half_width: widths.sqrt() / count,
            ..*first
        })
    }
}

/// The sector after so many quarters of a track.
fn part((first, sectors): Bounds, quarters: u64, goal: &Goal) -> u64 {
    let unit = u64::from(goal.unit_sectors.max(1));
    first + sectors * quarters / 4 / unit * unit
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arm {
    list: Vec<Stroke>,
    /// Of the host's clock, and what interrupts are gathered over that it does not follow.
    grain_ms: f64,
    ticks_ms: f64,
    /// How movements of the survey scatter.
    scatter: Option<Common>,
}

impl Arm {
    pub(crate) fn new(
        places: ArmPlaces,
        [grain_ms, ticks_ms]: [f64; 2],
        scatter: Option<Common>,
    ) -> Self {
        let mut list = Vec::new();
        let open = |what, from, to| Stroke { what, from, to, found: Vec::new() };
        list.extend(places.next.first().map(|(from, _)| open(What::Still, *from, *from)));
        list.extend(places.next.into_iter().map(|(from, to)| open(What::Next, from, to)));
        list.extend(places.ends.into_iter().map(|(from, to)| open(What::End, from, to)));
        Self { list, grain_ms, ticks_ms, scatter }
    }

    /// What to measure next; `past` is how far the drive reads ahead, and how that is waited out.
    pub(crate) fn next(
        &self,
        goal: &Goal,
        turn: Turn,
        (reach, past_cache): (u64, Option<PastCache>),
    ) -> Option<Plan> {
        let (movement, anchor_lba) = self.open(goal, reach)?;
        let movement = &self.list[movement];
        Some(Plan::Seeker(Seeker {
            anchor_lba,
            targets: vec![movement.target(goal); if self.is_coarse() { OF_ROUND } else { REPEATS }],
            sectors: goal.unit_sectors,
            rotation_ps: (turn.period * 1e9).round() as u64,
            halvings: HALVINGS,
            past_cache,
        }))
    }

    /// The first movement that is still to be timed, and what is read before it. What the drive reads
    /// on by itself ends on that track: it may stop where the track or the cylinder does.
    fn open(&self, goal: &Goal, reach: u64) -> Option<(usize, u64)> {
        let open = self.list.iter().enumerate().filter(|(_, movement)| self.is_open(movement));
        open.filter_map(|(index, movement)| {
            let (first, sectors) = movement.from;
            let room = sectors.checked_sub(reach + u64::from(goal.unit_sectors.max(1)));
            let anchor =
                room.map(|room| part(movement.from, 1, goal).min(part((first, room), 4, goal)));
            // From a little behind the first cylinder on, a way over all of them is not shorter.
            let start = (movement.what == What::End).then_some(goal.region_lba);
            Some((index, anchor.or(start)?))
        })
        .next()
    }

    fn is_coarse(&self) -> bool {
        self.grain_ms > COARSE_MS
    }

    /// Whether a movement is still to be timed, or once more.
    fn is_open(&self, movement: &Stroke) -> bool {
        if !self.is_coarse() || movement.found.is_empty() {
            return movement.found.is_empty();
        }
        let of = |what: What| self.list.iter().filter(move |it| it.what == what);
        let still = of(What::Still).find_map(Stroke::found);
        let next = of(What::Next).filter_map(Stroke::found).map(|it| it.time).reduce(f64::min);
        let (Some(still), Some(next), Some(mine)) = (still, next, movement.found()) else {
            return false;
        };
        movement.found.len() < ROUNDS && mine.half_width > NARROW * (next - still.time)
    }

    pub(crate) fn add(&mut self, run: &Samples, goal: &Goal, reach: u64, turn: Turn) {
        if let Some((index, _)) = self.open(goal, reach) {
            let found = if self.is_coarse() {
                by_waits(run, turn, [self.grain_ms, self.ticks_ms])
            } else {
                positioning(run, turn, self.scatter).first().copied()
            };
            self.list[index].found.push(found);
        }
    }

    /// The seek to the next cylinder, and that from one end of the drive to the other. No time is
    /// better known than to what `grain_ms` leaves open of each reading, but for those that many waits tell.
    pub(crate) fn seeks_ms(&self, goal: &Goal, turn: Turn, grain_ms: f64) -> [Estimate; 2] {
        let grain_ms = if self.is_coarse() { 0.0 } else { grain_ms };
        let shortest = |a: &f64, b: &f64| b.total_cmp(a);
        let next = "movement to the next cylinder";
        let full = "movement from the first cylinder to the last";
        let all = [
            self.extreme(What::Next, shortest, goal, turn, next),
            self.extreme(What::End, f64::total_cmp, goal, turn, full),
        ];
        all.map(|seek| narrow(seek, grain_ms))
    }

    /// A request on the track that the head is on, without latency and without its sector.
    pub(crate) fn still(&self, goal: &Goal, turn: Turn) -> Option<Still> {
        let still = self.list.iter().find(|movement| movement.what == What::Still)?;
        let transfer = f64::from(goal.unit_sectors) * turn.period / still.to.1.max(1) as f64;
        let found = still.found()?;
        Some(Still { time_ms: found.time - transfer, width_ms: found.half_width })
    }

    fn extreme(
        &self,
        what: What,
        by: impl Fn(&f64, &f64) -> Ordering,
        goal: &Goal,
        turn: Turn,
        method: &'static str,
    ) -> Estimate {
        let unit = f64::from(goal.unit_sectors);
        let transfer = |(_, sectors): Bounds| unit * turn.period / sectors.max(1) as f64;
        let found = |what: What| {
            let mine = self.list.iter().filter(move |movement| movement.what == what);
            mine.map(|movement| Some((movement.found()?, transfer(movement.to))))
        };
        let Some(Some((still, still_transfer))) = found(What::Still).next() else {
            return Estimate::unsupported(method, "a request without a movement was not timed");
        };
        let Some(all) = found(what).collect::<Option<Vec<_>>>() else {
            return Estimate::unsupported(method, "the movement could not be timed");
        };
        let most = all.iter().max_by(|a, b| by(&a.0.time, &b.0.time));
        let Some((there, _)) = most else {
            return Estimate::unsupported(method, "no such movement is known");
        };
        // Of times that scatter, the extreme one is so by chance: those that may be the same tell it together.
        let alike = |it: &&(Positioning, f64)| {
            let open = it.0.half_width + there.half_width;
            it.0 == *there || self.scatter.is_some() && (it.0.time - there.time).abs() <= open
        };
        let alike: Vec<f64> =
            all.iter().filter(alike).map(|(it, sector)| it.time - sector).collect();
        let time_ms = alike.iter().sum::<f64>() / alike.len() as f64;
        let seek_ms = time_ms - (still.time - still_transfer);
        let half_width = there.half_width.hypot(still.half_width);
        Estimate::new(seek_ms, half_width, method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seek_that_one_reading_of_the_clock_does_not_tell_is_confirmed_from_rest() {
        let told = |seek: f64, rest: Option<f64>, grain_ms| {
            let of = |value| Estimate::new(value, 0.01, "pairs of reads");
            confirmed(of(seek), rest.map(of).as_ref(), grain_ms).ok()
        };
        assert_eq!(told(0.633, Some(0.688), 0.1), None);
        assert_eq!(told(0.688, Some(0.678), 0.1), Some(0.688));
        assert_eq!(told(0.688, None, 0.1), None);
        // A few readings tell a long one, or one by a fine clock.
        assert_eq!(told(17.0, None, 0.1), Some(17.0));
        assert_eq!(told(0.633, Some(0.688), 0.001), Some(0.633));
    }
}
