//! Movements of the arm between tracks whose cylinders a survey made certain. They are timed by
//! reads: a write's data comes over the interface while the arm moves, and hides some of it.

use crate::clock::Turn;
use crate::positioning::{Positioning, positioning};
use crate::{Estimate, Goal};
use platterlab_probe::{PastCache, Plan, Samples, Seeker};
use std::cmp::Ordering;

/// Times each movement is searched.
const REPEATS: usize = 4;
/// Halvings of the period in SEEKER: a four thousandth of a revolution.
const HALVINGS: u32 = 12;
/// A seek whose interval is wider, in parts of itself and to either side, is a hint.
const WIDEST: f64 = 0.02;

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
    found: Option<Option<Positioning>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// On the track that the next ones begin on: what they take without the arm.
    Still,
    Next,
    End,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arm {
    list: Vec<Stroke>,
}

impl Arm {
    pub(crate) fn new(places: ArmPlaces) -> Self {
        let mut list = Vec::new();
        let open = |what, from, to| Stroke { what, from, to, found: None };
        list.extend(places.next.first().map(|(from, _)| open(What::Still, *from, *from)));
        list.extend(places.next.into_iter().map(|(from, to)| open(What::Next, from, to)));
        list.extend(places.ends.into_iter().map(|(from, to)| open(What::End, from, to)));
        Self { list }
    }

    /// What to measure next; `past` is how far the drive reads ahead, and how that is waited out.
    pub(crate) fn next(
        &self,
        goal: &Goal,
        turn: Turn,
        (reach, past_cache): (u64, Option<PastCache>),
    ) -> Option<Plan> {
        let movement = self.list.iter().find(|movement| movement.found.is_none())?;
        let unit = u64::from(goal.unit_sectors.max(1));
        let part =
            |(first, sectors): Bounds, quarters| first + sectors * quarters / 4 / unit * unit;
        let rest = part(movement.from, 1);
        Some(Plan::Seeker(Seeker {
            anchor_lba: rest.checked_sub(reach).filter(|lba| *lba >= goal.region_lba)?,
            targets: vec![part(movement.to, 3); REPEATS],
            sectors: goal.unit_sectors,
            rotation_ps: (turn.period * 1e9).round() as u64,
            halvings: HALVINGS,
            past_cache,
        }))
    }

    pub(crate) fn add(&mut self, run: &Samples, turn: Turn) {
        if let Some(movement) = self.list.iter_mut().find(|movement| movement.found.is_none()) {
            movement.found = Some(positioning(run, turn).first().copied());
        }
    }

    /// The seek to the next cylinder.
    pub(crate) fn next_ms(&self, goal: &Goal, turn: Turn) -> Estimate {
        let shortest = |a: &f64, b: &f64| b.total_cmp(a);
        self.extreme(What::Next, shortest, goal, turn, "movement to the next cylinder")
    }

    /// The seek from one end of the drive to the other.
    pub(crate) fn full_ms(&self, goal: &Goal, turn: Turn) -> Estimate {
        let method = "movement from the first cylinder to the last";
        self.extreme(What::End, f64::total_cmp, goal, turn, method)
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
            mine.map(|movement| Some((movement.found.flatten()?, transfer(movement.to))))
        };
        let Some(Some((still, still_transfer))) = found(What::Still).next() else {
            return Estimate::unsupported(method, "a request without a movement was not timed");
        };
        let Some(all) = found(what).collect::<Option<Vec<_>>>() else {
            return Estimate::unsupported(method, "the movement could not be timed");
        };
        let most = all.into_iter().max_by(|a, b| by(&a.0.time, &b.0.time));
        let Some((there, there_transfer)) = most else {
            return Estimate::unsupported(method, "no such movement is known");
        };
        let seek_ms = there.time - there_transfer - (still.time - still_transfer);
        let half_width = there.half_width.hypot(still.half_width);
        let estimate = Estimate::new(seek_ms, half_width, method);
        if half_width > WIDEST * seek_ms {
            return estimate.doubted("the host's jitter leaves it open");
        }
        estimate
    }
}
