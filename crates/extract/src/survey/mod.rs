//! A map of a drive's tracks from outside (Gim 2009): every boundary, the skews, the layout.
//!
//! It only reads. Where sectors lie on the platter shows in when they pass the head, to within the
//! host's jitter and whatever the arm does; so a track is a line of angles over addresses, and
//! its end the place where the line jumps. Reads go downwards, so that no read-ahead has them.

mod angles;
mod asked;
mod asking;
mod continued;
mod contradictions;
mod cycles;
mod density;
mod elsewhere;
mod equal_passes;
mod expected;
mod falling;
mod fast_answers;
mod fillings;
mod find;
mod forgetting;
mod held;
mod in_time;
mod lateness;
mod layout;
mod leap;
mod least;
mod line;
mod lines;
mod looked_at;
mod looks;
mod map;
mod means;
mod mend;
mod movements;
mod nearly;
mod odd_track;
pub(crate) mod open_ends;
mod orders;
mod other_zones;
mod pass_width;
mod passes;
mod pattern;
mod pieces;
mod places;
mod possible;
mod reach;
mod read_pair;
mod recurrence;
mod round_leaps;
mod rounds;
mod short_groups;
pub(crate) mod stretches;
mod switches;
mod timed_movement;
mod track_movement;
mod turn;
mod two_skews;
mod visits;
mod votes;
mod walk;
mod walk_step;
mod whole_groups;
mod wider;

pub(crate) use layout::are_apart;
pub use layout::{Finding, LayoutGuess};
pub use map::{TrackMap, TrackSeek};
pub use pieces::Piece;
pub(crate) use pieces::{SEVERAL, come_back, number_of, track_of};

use crate::arm::ArmPlaces;
use crate::budget::Budget;
use crate::clock::Turn;
use crate::grain::Grain;
use crate::overhead::overhead;
use crate::scattered::Common;
use crate::{Estimate, Status};
use angles::Angles;
pub(crate) use contradictions::{Keyed, broken};
use elsewhere::Elsewhere;
use held::{Held, Platter};
use movements::Movements;
pub(crate) use orders::{BROKEN, MOST_SURFACES};
use other_zones::OtherZones;
use pattern::PatternSearch;
use platterlab_probe::{Overhead, Plan, Samples};
use reach::Strokes;
pub(crate) use timed_movement::{Still, TimedMovement};
use turn::{FEW, MANY};
use walk::Walk;

/// Requests of the overhead run.
const OVERHEAD_REPEATS: u32 = 16;
/// The part of the region behind which the end is near.
const ADVANCED: f64 = 0.7;

/// What a survey is about.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyGoal {
    /// The first sector it may read.
    pub region_lba: u64,
    /// How many sectors from there on.
    pub region_sectors: u64,
    /// Logical sectors in one physical sector.
    pub unit_sectors: u32,
    /// Whether the drive ends where they end.
    pub to_drive_end: bool,
    /// Whether tracks of known lengths are leapt over, many at a time.
    pub fast: bool,
    /// Drive time in seconds that it may take; none where others keep it.
    pub time_s: Option<f64>,
}

/// A survey under way.
#[derive(Clone, Debug)]
pub struct Survey {
    goal: SurveyGoal,
    budget: Budget,
    rotation_ms: Option<Estimate>,
    grain: Grain,
    rotation_span_ms: f64,
    turns_tried: u32,
    overhead_ms: Option<Estimate>,
    turn: Option<Turn>,
    angles: Option<Angles>,
    held: Held,
    /// What is read so that a cache forgets, once one shows.
    elsewhere: Option<Elsewhere>,
    walk: Walk,
    pattern: Option<PatternSearch>,
    /// The skews of the first tracks, where the pattern is of others.
    first: Option<PatternSearch>,
    movements: Option<Movements>,
    /// How often the orders that these left open were asked about.
    asked_more: u32,
    /// Rounds in which the width of passes of equal skews was searched.
    widths_asked: u32,
    /// Rounds in which movements were timed more exactly that nearly contradict an order.
    refined: u32,
    /// Whether the order of tracks holds in other zones than that which showed it.
    other_zones: OtherZones,
    /// The movements that time the arm past a cache, once they were asked for.
    strokes: Option<Strokes>,
    /// How often these were timed in more rounds, as they left a seek open.
    gone_on: u32,
}

impl Survey {
    /// A drive of which nothing is known.
    #[must_use]
    pub fn new(goal: SurveyGoal) -> Self {
        let walk = Self::walk(&goal);
        Self {
            budget: Budget::new(goal.time_s),
            goal,
            rotation_ms: None,
            grain: Grain::default(),
            rotation_span_ms: 0.0,
            turns_tried: 0,
            overhead_ms: None,
            turn: None,
            angles: None,
            held: Held::default(),
            elsewhere: None,
            walk,
            pattern: None,
            first: None,
            movements: None,
            asked_more: 0,
            widths_asked: 0,
            refined: 0,
            other_zones: OtherZones::default(),
            strokes: None,
            gone_on: 0,
        }
    }

    fn walk(goal: &SurveyGoal) -> Walk {
        let unit = u64::from(goal.unit_sectors.max(1));
        Walk::new((goal.region_lba, goal.region_sectors), unit, goal.fast)
    }

    /// Sectors of the longest track of late.
    pub(crate) fn track_sectors(&self) -> Option<u64> {
        self.walk.track_sectors()
    }

    /// What is known of the platter.
    pub(crate) fn turn(&self) -> Option<Turn> {
        self.turn
    }

    /// What to measure next, whatever it takes.
    fn wanted(&self) -> Option<Plan> {
        if self.turn_is_wanted() {
            let spread = if self.turns_tried == 0 { FEW } else { MANY };
            let lbas: Vec<u64> =
                spread.sequence().map(|number| self.aside(number, spread)).collect();
            return Some(self.visits(&lbas, 0));
        }
        self.turn?;
        let Some(angles) = &self.angles else {
            return Some(Plan::Overhead(Overhead {
                lba: self.aside(0, FEW),
                sectors: self.goal.unit_sectors,
                repeats: OVERHEAD_REPEATS,
            }));
        };
        if self.held.suspects_whole_tracks() {
            return Some(self.trials());
        }
        if self.held.wants_count() {
            return Some(self.counts());
        }
        if self.walk.failed.is_none()
            && let Some(lbas) = self.walk.next(angles)
        {
            return Some(self.walked_over(&lbas));
        }
        let pattern = self.pattern.as_ref()?;
        if let Some(lbas) = pattern.next(&self.walk.pieces, angles) {
            return Some(self.visits(&lbas, pattern.troubles()));
        }
        if let Some(first) = self.first.as_ref().filter(|first| !first.is_seen()) {
            let lbas = first.next(&self.walk.pieces, angles)?;
            return Some(self.visits(&lbas, first.troubles()));
        }
        self.movements.as_ref().and_then(|movements| self.moved(movements))
    }

    fn take_in(&mut self, run: &Samples) {
        match &run.plan {
            Plan::Overhead(_) => self.add_overhead(run),
            Plan::Tracks(_) => self.add_visits(run),
            Plan::Recall(_)
            | Plan::Rotation(_)
            | Plan::Seeker(_)
            | Plan::Skippy(_)
            | Plan::Zoned(_) => {}
        }
    }

    /// Sectors done with, of those of the region.
    #[must_use]
    pub fn progress(&self) -> (u64, u64) {
        (self.walk.at() - self.goal.region_lba, self.goal.region_sectors)
    }

    /// Whether most of the region is done with.
    pub(crate) fn is_advanced(&self) -> bool {
        let (done, all) = self.progress();
        self.walk.failed.is_none() && done as f64 >= ADVANCED * all as f64
    }

    /// Everything learnt so far.
    #[must_use]
    pub fn map(&self) -> TrackMap {
        self.tracks().counted()
    }

    /// Tracks between which the arm is known to move; none where the map or the order of tracks is
    /// not certain.
    pub(crate) fn arm_places(&self) -> Option<ArmPlaces> {
        let movements = self.movements.as_ref()?;
        (self.map().status == Status::Ok).then_some(())?;
        let pieces = &self.walk.pieces;
        Some(reach::strokes(self.pattern.as_ref()?, movements, pieces)?.places(pieces))
    }

    /// The least seek and the longest one, timed by pairs of reads; none where no cache shows, and
    /// what the arm takes is timed better by others.
    pub(crate) fn seeks_ms(&self) -> Option<[Estimate; 2]> {
        Some(self.strokes.as_ref()?.seeks_ms(self.movements.as_ref()?))
    }

    /// Within what the times of movements scatter, if they do.
    pub(crate) fn scatter(&self) -> Option<Common> {
        self.movements.as_ref()?.scatter
    }

    /// Whether it has gone over its region, as far as it can.
    pub(crate) fn is_walked(&self) -> bool {
        self.pattern.is_some() || self.walk.failed.is_some()
    }

    /// Whether what it asks for next are movements.
    pub(crate) fn moves(&self) -> bool {
        self.movements.is_some()
    }

    /// Answers that take no longer may come from a cache, in milliseconds.
    pub(crate) fn hit_ms(&self) -> f64 {
        self.angles.as_ref().map_or(0.0, Angles::hit_ms)
    }

    /// What the host's clock and its interrupts leave open of a time.
    pub(crate) fn grain(&self) -> &Grain {
        &self.grain
    }

    fn add_overhead(&mut self, run: &Samples) {
        let Some(turn) = self.turn else { return };
        let found = overhead(run, turn);
        // A cache's answer takes no longer; the media's may be as fast, which is a visit lost.
        let hit_ms = found.value.map_or(0.0, |time| time + 8.0 * turn.jitter);
        self.angles = Some(Angles::new(turn, hit_ms).seen_at(self.grain.ticks));
        self.overhead_ms = Some(found);
    }

    fn add_visits(&mut self, run: &Samples) {
        if self.turn_is_wanted() {
            self.add_turn(run);
            return;
        }
        let Some(turn) = self.turn else { return };
        let platter = Platter { period: turn.period, track: self.walk.track_sectors() };
        let Some(angles) = &mut self.angles else { return };
        if self.held.suspects_whole_tracks() {
            self.held.tell_whole_tracks(run, angles.hit_ms(), platter);
            return self.walk.forgets(self.held.forgetting());
        }
        if self.held.wants_count() {
            let told = places::told(run, angles.hit_ms());
            return self.held.tell_places(told, run, angles.hit_ms(), platter);
        }
        // Movements are timed by sectors that come by at once: fast answers of theirs tell of a cache
        // where too few are left.
        let lost = self.movements.as_mut().is_none_or(|movements| movements.add(run));
        if lost {
            self.held.learn(run, angles.hit_ms(), platter);
        } else {
            self.held.add(run, angles.hit_ms(), platter);
        }
        let walking = self.walk.failed.is_none() && self.walk.next(angles).is_some();
        let cut = walking && self.is_to_be_cut();
        self.learn_elsewhere(run, turn);
        let Some(angles) = &mut self.angles else { return };
        if self.movements.is_some() {
            return self.ask_for_movements();
        }
        match self.walk.is_by_track().then(|| self.walk.track_reach()) {
            Some(reach) => angles.add_tracks(run, reach),
            None => angles.add(run),
        }
        if walking {
            if !self.walked(cut) {
                return;
            }
        } else if let Some(first) = self.first.as_mut().filter(|first| !first.is_seen()) {
            first.add(angles, &self.walk.pieces);
        } else if let Some(pattern) = &mut self.pattern {
            pattern.add(angles, &self.walk.pieces);
        }
        let pieces = &self.walk.pieces;
        let (Some(pattern), Some(angles)) = (&self.pattern, &self.angles) else { return };
        if pattern.next(pieces, angles).is_some() {
            return;
        }
        if self.first.is_none() {
            self.first = PatternSearch::of_first(pieces, pattern);
        }
        if self.first.as_ref().is_none_or(PatternSearch::is_seen) {
            let asked = asked::questions(pattern, pieces, self.walk.forgetting().tracks);
            let known = (angles.hit_ms(), self.grain.clone());
            let new = Movements::new(asked, &self.walk, &self.goal, turn, known);
            self.movements = Some(new.apart(self.walk.forgetting()));
        }
    }

    /// Goes on with the walk; whether it came to its end, so that the pattern of skews is looked for.
    fn walked(&mut self, cut: bool) -> bool {
        let Some(angles) = &mut self.angles else { return false };
        self.walk.forgets(self.held.forgetting());
        self.walk.rereads = angles.looks().reads > 1;
        self.walk.add(angles, cut);
        if self.walk.failed.is_none() && self.walk.next(angles).is_some() {
            return false;
        }
        angles.forget();
        self.pattern = PatternSearch::new(&self.walk.pieces, angles, &self.grain);
        if let Some(closer) = self.closer() {
            self.walk = Self::walk(&self.goal);
            (self.angles, self.pattern) = (Some(closer), None);
            return false;
        }
        true
    }
}
