//! The least time from one track to others, by reads alone.
//!
//! A sector of another track is reached in the turn in which it was asked for, or a turn later:
//! all times from one completion to the next lie within one turn from the least on. Sectors spread
//! around the track show the least to a sixteenth of a turn, and three rounds, each within
//! what the one before left open, to a four-thousandth. No sector is read twice, so that no cache
//! has it.

use super::SurveyGoal;
use super::asked::{Asked, Why};
use super::forgetting::{Forgetting, far_apart};
use super::held::Visited;
use super::orders::Timing;
use super::pieces::Pieces;
use super::read_pair::{PAIRS, ReadPair, Window};
use super::track_movement::TrackMovement;
use super::walk::Walk;
use crate::clock::{Turn, timed};
use crate::grain::Grain;
use crate::scattered::{Common, Likelihoods};
use crate::stats::{median, quantile};
use platterlab_probe::Samples;
use std::collections::{BTreeMap, BTreeSet};

/// Movements in a run at most: more than any cache has places.
const MOST: usize = 200;
/// By a clock that counts in more, in milliseconds, many rounds say the same over again.
const FINE_MS: f64 = 0.02;
/// The part of them that counts as nearly all.
const NEARLY_ALL: f64 = 0.9;

/// All movements that are wanted.
#[derive(Clone, Debug)]
pub(super) struct Movements {
    unit: u64,
    to_drive_end: bool,
    turn: Turn,
    /// What is answered faster comes from a cache.
    hit_ms: f64,
    /// So many reads come between two near each other, where a cache has all of a track.
    apart: usize,
    grain: Grain,
    /// Within what the times of most scatter, if they do.
    pub(super) scatter: Option<Common>,
    pub(super) list: Vec<TrackMovement>,
}

impl Movements {
    pub(super) fn new(
        asked: Vec<Asked>,
        walk: &Walk,
        goal: &SurveyGoal,
        turn: Turn,
        (hit_ms, grain): (f64, Grain),
    ) -> Self {
        let list = Vec::new();
        let unit = u64::from(goal.unit_sectors.max(1));
        let whole = walk.end() == goal.region_lba + goal.region_sectors;
        let to_drive_end = goal.to_drive_end && whole;
        let (apart, scatter) = (0, None);
        let mut movements = Self { unit, to_drive_end, turn, hit_ms, apart, grain, scatter, list };
        movements.ask(asked, walk);
        movements
    }

    /// The same, of which those near each other have so many reads between them that a cache forgets the track,
    /// where it has whole ones.
    pub(super) fn apart(mut self, forgetting: Forgetting) -> Self {
        self.apart = if forgetting.tracks { forgetting.reads } else { 0 };
        self
    }

    /// Whether they are.
    pub(super) fn are_apart(&self) -> bool {
        self.apart > 0
    }

    /// Some more of them.
    pub(super) fn ask(&mut self, asked: Vec<Asked>, walk: &Walk) {
        let mut known: BTreeSet<(u64, u64)> = BTreeSet::new();
        let fine = self.grain.ms() <= FINE_MS;
        for movement in &mut self.list {
            let Asked { why, from, to } = movement.asked;
            let again = asked.iter().find(|asked| (asked.from, asked.to) == (from, to));
            // Begins to be wanted more exactly, perhaps.
            let seek = again.is_some_and(|again| again.why == Why::Seek);
            movement.exact |= seek;
            movement.finer |= seek && fine;
            if let Some(again) = again.filter(|_| why == Why::Order) {
                movement.asked.why = again.why;
            }
            known.insert((from, to));
        }
        let asked = asked.into_iter().filter(|asked| !known.contains(&(asked.from, asked.to)));
        let new = asked.filter_map(|asked| {
            // Where the arm rests, the whole track lies between both sectors: all of what their pace is off by.
            let period = asked.why.rests().then_some(self.turn.period);
            let track = |track| of_track(&walk.pieces, walk, track, period);
            let (from, to) = (track(asked.from)?, track(asked.to)?);
            let last = self.to_drive_end && asked.to + 1 == walk.pieces.tracks();
            // Read-ahead leaves no track where there is no cache for it, or nowhere to go.
            let mut new = TrackMovement::new(asked, (from, to), last || self.hit_ms == 0.0);
            new.finer = fine && asked.why == Why::Seek;
            // Where ticks show, the angles of all pairs have to be of one track.
            if asked.why == Why::Still && self.grain.ticks.every_ms == 0.0 {
                new.alike = alike(&walk.pieces, asked.from);
            }
            Some(if asked.why == Why::Mean { self.known(new) } else { new })
        });
        let new: Vec<TrackMovement> = new.collect();
        self.list.extend(new);
    }

    /// The same, where another movement over as many tracks of these lengths was timed: it needs the
    /// last round only.
    fn known(&self, movement: TrackMovement) -> TrackMovement {
        let tracks = |it: &TrackMovement| (it.asked.to - it.asked.from, it.from.1, it.to.1);
        let alike = self.list.iter().filter(|other| {
            other.asked.to > other.asked.from && tracks(other) == tracks(&movement)
        });
        let mut timed = alike.filter_map(|other| Some((other, self.time_of(other)?)));
        match timed.next() {
            Some((other, time)) => movement.like(other, time),
            None => movement,
        }
    }

    /// Least times of the movements that were timed.
    pub(super) fn timings(&self) -> Vec<Timing> {
        self.timings_of(|why| !why.rests() && !matches!(why, Why::Over(_)))
    }

    /// The same with those over the middle.
    pub(super) fn all_timings(&self) -> Vec<Timing> {
        self.timings_of(|why| !why.rests())
    }

    fn timings_of(&self, counts: impl Fn(Why) -> bool) -> Vec<Timing> {
        let timing = |movement: &TrackMovement| {
            counts(movement.asked.why).then_some(())?;
            let (time, width) = self.time_of(movement)?;
            let likely = movement.likely(time, width, self.turn);
            let Asked { from, to, .. } = movement.asked;
            Some(Timing { from, to, time, width, likely, again: movement.again })
        };
        self.list.iter().filter_map(timing).collect()
    }

    /// The same without the sector that is read there: in zones of other densities it takes another time.
    pub(super) fn timings_to_sectors(&self) -> Vec<Timing> {
        let mut timings = self.timings();
        for it in &mut timings {
            let there = |movement: &&TrackMovement| movement.asked.to == it.to;
            let movement = self.list.iter().find(there);
            let sector_ms = movement.map_or(0.0, |movement| movement.to.2 * self.unit as f64);
            (it.time, it.likely) = (it.time - sector_ms, it.likely - sector_ms);
        }
        timings
    }

    /// What a request takes without the arm and without its sector, at least; nothing where that was not timed.
    pub(super) fn rest_ms(&self) -> f64 {
        let still = self.list.iter().filter(|movement| movement.asked.why.rests());
        let least = still.filter_map(|movement| {
            let (time, width) = self.time_of(movement)?;
            Some(time - width - movement.to.2 * self.unit as f64)
        });
        least.reduce(f64::min).map_or(0.0, |least| least.max(0.0))
    }

    /// So many tracks from the middle on, with the least time and half the width of its interval.
    pub(super) fn profile(&self) -> impl Iterator<Item = (u64, f64, f64)> {
        self.over(|why| if let Why::Profile(tracks) = why { Some(tracks) } else { None })
    }

    /// The same of movements over the middle.
    pub(super) fn over_the_middle(&self) -> impl Iterator<Item = (u64, f64, f64)> {
        self.over(|why| if let Why::Over(tracks) = why { Some(tracks) } else { None })
    }

    fn over(&self, tracks: fn(Why) -> Option<u64>) -> impl Iterator<Item = (u64, f64, f64)> {
        self.list.iter().filter_map(move |movement| {
            let tracks = tracks(movement.asked.why)?;
            let (time, width) = self.time_of(movement)?;
            Some((tracks, time, width))
        })
    }

    /// Means of times that differ by less do not differ: by what the clock leaves open, or by a step
    /// from one pair of a round to the next.
    pub(super) fn resolution_ms(&self) -> f64 {
        let steps = self.list.iter().map(|movement| movement.step_ms);
        steps.fold(self.unread_ms(), f64::max)
    }

    /// Sectors to visit next, in this order: anchor and target in turn.
    pub(super) fn next(&self) -> Option<Vec<Visited>> {
        let visits = |(_, pair): (usize, ReadPair)| {
            let wait_ps = (pair.wait * 1e9).round() as u64;
            [Visited::at_once(pair.from), Visited { lba: pair.to, wait_ps }]
        };
        let pairs = self.wanted();
        (!pairs.is_empty()).then(|| pairs.into_iter().flat_map(visits).collect())
    }

    /// Whether a cache answered some of those that are timed next, when they were.
    pub(super) fn lost(&self) -> bool {
        let mut open = self.list.iter().filter(|movement| movement.is_open(self.turn));
        open.any(|movement| movement.lost > 0)
    }

    /// The least time from one track to another and half the width of its interval, and what the
    /// sector takes that is read there.
    pub(super) fn timed(&self, from: u64, to: u64) -> Option<(f64, f64, f64)> {
        let movement = self.list.iter().find(|it| it.asked.from == from && it.asked.to == to)?;
        let (time, width) = movement.time(self.unit, self.turn)?;
        let width = width + movement.unseen_ms(self.grain.ms()) + movement.gathered_ms(&self.grain);
        Some((time, width, movement.to.2 * self.unit as f64))
    }

    /// The pairs of a round, each with its movement: all movements in turn, so that no cache has
    /// what is wanted of one, and each from a lower sector than those before that went from the same
    /// track, so that no read-ahead has that.
    fn wanted(&self) -> Vec<(usize, ReadPair)> {
        let mut visits: BTreeMap<u64, u64> = BTreeMap::new();
        let open = self.list.iter().enumerate().filter(|(_, movement)| movement.is_open(self.turn));
        let open = open.take(MOST);
        let mut open: Vec<(usize, Window)> =
            open.map(|(number, movement)| (number, movement.window(self.turn))).collect();
        if self.are_apart() {
            open = self.far_apart(&open);
        }
        let mut pairs = Vec::with_capacity(open.len() * PAIRS as usize);
        for index in (0..PAIRS).rev() {
            for (number, window) in &open {
                let movement = &self.list[*number];
                let visit = visits.entry(movement.asked.from).or_default();
                *visit += 1;
                pairs.push((*number, movement.pair(window, (index, *visit), self.unit)));
            }
        }
        pairs
    }

    /// The same, in an order in which few come near what was read shortly before.
    fn far_apart(&self, open: &[(usize, Window)]) -> Vec<(usize, Window)> {
        /// Tracks: that of a sector, and the next.
        const NEAR: u64 = 2;
        let movement = |open: &(usize, Window)| &self.list[open.0];
        let pairs: Vec<(u64, u64)> =
            open.iter().map(movement).map(|it| (it.from.0, it.to.0)).collect();
        let track = open.iter().map(movement).map(|it| it.from.1.max(it.to.1)).max().unwrap_or(0);
        let order = far_apart(&pairs, self.apart, NEAR * track);
        order.into_iter().map(|number| open[number]).collect()
    }

    /// Least time of a movement and half the width of its interval, with the grain of the clock and all of what
    /// interrupts are gathered over: two of many times that contradict each other exclude an order.
    fn time_of(&self, movement: &TrackMovement) -> Option<(f64, f64)> {
        let (time, width) = movement.time(self.unit, self.turn)?;
        let unread_ms = movement.unseen_ms(self.grain.ms()) + self.grain.unfollowed_ms();
        Some((time, width + unread_ms + movement.scattered_ms))
    }

    /// What the host's clock leaves open of nearly all times, in milliseconds: little of its grain, where
    /// times are told by many readings; all that interrupts are gathered over.
    pub(super) fn unread_ms(&self) -> f64 {
        let grain_ms = self.grain.ms();
        let unseen: Vec<f64> = self.list.iter().map(|it| it.unseen_ms(grain_ms)).collect();
        let gathered = Some(self.grain_ms()).filter(|gathered| *gathered > grain_ms);
        quantile(&unseen, NEARLY_ALL).unwrap_or(grain_ms).max(gathered.unwrap_or(0.0))
    }

    /// What the times of all of them are multiples of, in milliseconds.
    pub(super) fn grain_ms(&self) -> f64 {
        self.grain.gathered_ms()
    }

    /// Takes in a run; whether a cache answered what was to come from another track.
    pub(super) fn add(&mut self, run: &Samples) -> bool {
        self.grain.add(run);
        let samples = timed(run);
        let wanted = self.wanted();
        let mut pairs = samples.windows(2);
        let mut told = vec![0; self.list.len()];
        for (number, wanted) in &wanted {
            // Others may have been read between them.
            let asked = (wanted.from, wanted.to);
            let Some(pair) = pairs.find(|pair| (pair[0].lba, pair[1].lba) == asked) else {
                continue;
            };
            let movement = &mut self.list[*number];
            let seen = [&pair[0], &pair[1]];
            told[*number] += u64::from(movement.take(wanted, seen, self.turn, self.hit_ms));
        }
        let open =
            self.list.iter_mut().zip(told).filter(|(movement, _)| movement.is_open(self.turn));
        let mut lost = false;
        for (movement, told) in open.take(MOST) {
            lost |= movement.end_round(told, self.turn, &self.grain);
        }
        let (turn, unit) = (self.turn, self.unit);
        let likelihoods: Vec<Likelihoods> =
            self.list.iter().filter_map(|movement| movement.likelihoods).collect();
        self.scatter = Common::of(&likelihoods, turn.period);
        for movement in &mut self.list {
            movement.scatters(self.scatter, turn, &self.grain);
            movement.settle(unit, turn);
        }
        let jitters: Vec<f64> = self.list.iter().filter_map(|movement| movement.jitter).collect();
        let usual = median(&jitters);
        self.list.iter_mut().for_each(|movement| movement.usual_jitter = usual);
        lost
    }

    /// Times these movements in so many rounds more.
    pub(super) fn go_on(&mut self, asked: &[Asked], rounds: u32) {
        let again = |it: &&mut TrackMovement| asked.contains(&it.asked);
        self.list.iter_mut().filter(again).for_each(|movement| movement.more += rounds);
    }

    /// Times these movements more exactly, by their tracks.
    pub(super) fn refine(&mut self, tracks: &[(u64, u64)]) {
        let wanted = |it: &&mut TrackMovement| tracks.contains(&(it.asked.from, it.asked.to));
        self.list.iter_mut().filter(wanted).for_each(|movement| movement.exact = true);
    }

    /// Times these movements once more, by their tracks, those that were not yet.
    pub(super) fn doubt(&mut self, doubted: &[(u64, u64)]) {
        for movement in &mut self.list {
            if doubted.contains(&(movement.asked.from, movement.asked.to)) {
                movement.begin_again();
            }
        }
    }
}

/// Tracks of one length from this one on, as far as they are needed: an odd number, of which steps of two come to
/// each.
fn alike(pieces: &Pieces, track: u64) -> u64 {
    const MOST: u64 = 1 << 10;
    let lengths = (0..MOST).map_while(|more| pieces.track(track + more));
    let Some((first, length)) = pieces.track(track) else { return 1 };
    let alike = lengths.zip(0..).take_while(|(it, more)| *it == (first + more * length, length));
    (alike.count() as u64).max(2) / 2 * 2 - 1
}

/// First sector, length, and milliseconds a sector; no track takes more than a turn, however coarse the clock
/// is by which its sectors were timed.
fn of_track(
    pieces: &Pieces,
    walk: &Walk,
    track: u64,
    turn: Option<f64>,
) -> Option<(u64, u64, f64)> {
    let (first, length) = pieces.track(track)?;
    let most = turn.map_or(f64::INFINITY, |turn| turn / length.max(1) as f64);
    Some((first, length, walk.slope(length)?.min(most)))
}
