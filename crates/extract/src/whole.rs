//! A whole drive: the campaign and the survey of its tracks as one measurement.
//!
//! The campaign looks at one place, the survey maps the tracks by reads alone, the campaign goes on
//! with zones and seeks; then what each found is held against the other.

use crate::agreed::doubt_surfaces;
use crate::arm::{Arm, averaged, confirmed};
use crate::budget::{Budget, reckoned_s};
use crate::check::{Evidence, Kept, Part, checked};
use crate::media_rate::{labelled, predicted};
use crate::pass_ends::PassEnds;
use crate::reconcile::reconciled;
use crate::self_check::SelfCheck;
use crate::settled_seeks::Seeks;
use crate::surface_zones::first_passes;
use crate::{Campaign, Extraction, Goal, Survey, SurveyGoal, TrackMap};
use platterlab_probe::{Plan, Samples, Zoned};
use std::cell::OnceCell;

/// The share of the time that the survey may take before the campaign is done: hardly anything that
/// the campaign finds is sure without it.
const SURVEY: f64 = 0.75;
/// The same where most of it is done by then.
const ADVANCED: f64 = 0.93;
/// A movement that takes a larger share comes after the survey.
const COSTLY: f64 = 0.02;
/// Places of ZONED without which it is left out, where there is no time for all.
const FEWEST_PLACES: u32 = 24;
/// Places that tell how long others take.
const TRIED_PLACES: u32 = 3;
/// Parts of its places that it is cut by.
const PARTS: u32 = 12;

/// Periods that differ by more, in parts of themselves, are not those of one platter.
const OTHER: f64 = 1e-3;

/// Sectors that a survey of the drive's start alone goes over: some tens of tracks of today's drives.
const START_SECTORS: u64 = 1 << 17;

/// What is wanted, and what it may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What the campaign is about.
    pub goal: Goal,
    /// Drive time in seconds that it may take; none for the campaign alone, without a survey of the
    /// tracks that confirms it. Where no whole drive is wanted, that is one of the first tracks: it confirms
    /// the turn and their length, and leaves their order open.
    pub time_s: Option<f64>,
}

/// A drive under measurement, by everything there is.
#[derive(Clone, Debug)]
pub struct Whole {
    wish: Wish,
    campaign: Campaign,
    survey: Survey,
    /// Once the survey is done.
    arm: Option<Arm>,
    /// What was measured, for the self-check.
    kept: Vec<Kept>,
    /// What it left of everything learnt, once there is no more to learn.
    concluded: OnceCell<Extraction>,
    /// Of what the survey has seen.
    map: OnceCell<TrackMap>,
    budget: Budget,
    /// Drive time in seconds for the survey.
    surveyed_s: f64,
}

/// Who asked for a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asker {
    Campaign,
    Survey,
    Arm,
    /// Nobody: a few places of ZONED tell how long all take.
    Pace,
}

impl Whole {
    /// A drive of which nothing is known.
    #[must_use]
    pub fn new(wish: Wish) -> Self {
        let goal = &wish.goal;
        let most = if goal.whole { u64::MAX } else { START_SECTORS };
        let survey = Survey::new(SurveyGoal {
            region_lba: goal.region_lba,
            region_sectors: goal.region_sectors.min(most),
            unit_sectors: goal.unit_sectors,
            to_drive_end: goal.to_drive_end && goal.region_sectors <= most,
            fast: true,
            time_s: None,
        });
        let campaign = Campaign::new(goal.clone());
        Self {
            budget: Budget::new(wish.time_s),
            wish,
            campaign,
            survey,
            arm: None,
            kept: Vec::new(),
            concluded: OnceCell::new(),
            map: OnceCell::new(),
            surveyed_s: 0.0,
        }
    }

    /// What to measure next; `None` once there is no more to learn, or no time.
    #[must_use]
    pub fn next_plan(&self) -> Option<Plan> {
        self.next().map(|(_, plan)| plan)
    }

    /// Whether there is the time for a plan.
    fn fits(&self, plan: &Plan) -> bool {
        self.budget.fits(plan, self.cost_s(plan))
    }

    /// The plan with as many places of ZONED as there is time for; first a few of them, where an interface may take
    /// longer than turns.
    fn cut(&self, plan: Plan) -> (Asker, Plan) {
        let Plan::Zoned(all) = &plan else { return (Asker::Campaign, plan) };
        if self.wish.time_s.is_some() && !self.budget.has_run(&plan) && all.points > FEWEST_PLACES {
            let few = Zoned { points: TRIED_PLACES, ..all.clone() };
            return (Asker::Pace, Plan::Zoned(few));
        }
        let points = (1..=PARTS).rev().map(|part| all.points * part / PARTS);
        let mut less = points.map(|points| Plan::Zoned(Zoned { points, ..all.clone() }));
        let enough = |plan: &Plan| matches!(plan, Plan::Zoned(it) if it.points >= FEWEST_PLACES);
        (Asker::Campaign, less.find(|plan| enough(plan) && self.fits(plan)).unwrap_or(plan))
    }

    /// What a plan takes, as reckoned, in seconds: whole blocks two turns for each of their tracks, where the
    /// survey knows the outermost of these, as skews may be too short for the head. All over a drive whose inner
    /// ones are half as long it is a third more.
    fn cost_s(&self, plan: &Plan) -> f64 {
        let mut cost = plan.cost();
        if let (Plan::Zoned(_), Some(track)) = (plan, self.survey.track_sectors()) {
            cost.revolutions = cost.requests + 2 * 4 * cost.sectors / (3 * track.max(1));
        }
        reckoned_s(cost, self.campaign.rotation_ms())
    }

    fn next(&self) -> Option<(Asker, Plan)> {
        let by_survey = |share: f64| {
            let share = if self.survey.is_advanced() { share.max(ADVANCED) } else { share };
            let time_s = self.wish.time_s.unwrap_or(0.0);
            let wanted = self.wish.goal.whole || self.is_start_open();
            (wanted && self.surveyed_s < share * time_s)
                .then(|| self.survey.next_plan())
                .flatten()
                .map(|plan| (Asker::Survey, plan))
        };
        let by_campaign = |plan: Option<Plan>| plan.map(|plan| (Asker::Campaign, plan));
        let fits = |asked: &(Asker, Plan)| self.fits(&asked.1);
        let local = by_campaign(self.campaign.next_local());
        if local.as_ref().is_some_and(|(_, plan)| !self.is_costly(plan)) {
            return local.filter(fits);
        }
        // What one has no time for leaves some for the others, and what only makes a seek narrower is last.
        (!self.survey.lingers())
            .then(|| by_survey(SURVEY))
            .flatten()
            .filter(fits)
            .or_else(|| Some((Asker::Arm, self.next_movement()?)).filter(fits))
            .or_else(|| self.campaign.next_plan().map(|it| self.cut(it)).filter(fits))
            .or_else(|| by_survey(1.0).filter(fits))
    }

    /// Whether it is a movement that takes long, as behind a cache that is waited for: hardly any is sure without the
    /// survey, and with it others may tell the same.
    fn is_costly(&self, plan: &Plan) -> bool {
        let time_s = self.wish.time_s.filter(|_| self.wish.goal.whole);
        let costly = time_s.is_some_and(|time_s| self.cost_s(plan) > COSTLY * time_s);
        costly && matches!(plan, Plan::Seeker(_))
    }

    /// Whether the survey of the drive's start alone goes on: where tracks are of many lengths, for no longer than the
    /// campaign takes there.
    fn is_start_open(&self) -> bool {
        !self.survey.is_walked() && 2.0 * self.surveyed_s <= self.budget.spent_s()
    }

    /// Whether the survey has all that it needs to tell of a whole drive.
    fn is_surveyed(&self) -> bool {
        self.wish.goal.whole && (self.survey.next_plan().is_none() || self.survey.lingers())
    }

    fn next_movement(&self) -> Option<Plan> {
        let past = self.campaign.past_cache()?;
        self.arm.as_ref()?.next(&self.wish.goal, self.campaign.turn()?, past)
    }

    /// Takes in what [`Whole::next_plan`] asked for.
    pub fn add(&mut self, run: &Samples) {
        let Some((asked, _)) = self.next() else { return };
        let took_s = self.budget.spend(run, self.cost_s(&run.plan));
        self.keep(asked, run);
        match asked {
            Asker::Pace => {}
            Asker::Campaign => {
                // The zones are looked for by what this shows.
                if matches!(run.plan, Plan::Zoned(_))
                    && self.campaign.lacks_zones()
                    && let Some(passes) = first_passes(self.map())
                {
                    self.campaign.tell_zones(passes);
                }
                self.campaign.add(run);
                let lost = self.campaign.next_local().is_none() && self.campaign.turn().is_none();
                self.go_on_by_reads(lost);
            }
            Asker::Survey => {
                self.surveyed_s += took_s;
                self.survey.add(run);
                self.map = OnceCell::new();
                let turns = self.survey.turn().zip(self.campaign.turn());
                let differ = turns.is_some_and(|(one, other)| {
                    (one.period - other.period).abs() > OTHER * one.period
                });
                self.go_on_by_reads(differ);
                if self.arm.is_none() && self.is_surveyed() {
                    let ticks_ms = self.survey.grain().unfollowed_ticks_ms;
                    let clock_ms = [self.campaign.grain_ms(), ticks_ms];
                    let arm = |places| Arm::new(places, clock_ms, self.survey.scatter());
                    self.arm = self.survey.arm_places().map(arm);
                }
            }
            Asker::Arm => {
                let known = self.campaign.turn().zip(self.campaign.past_cache());
                if let (Some(arm), Some((turn, (reach, _)))) = (&mut self.arm, known) {
                    arm.add(run, &self.wish.goal, reach, turn);
                }
            }
        }
    }

    /// Whether the next plan is to read, whatever may be written.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        !self.wish.goal.writes || self.next().is_some_and(|(asker, _)| asker == Asker::Arm)
    }

    /// Begins the campaign anew where writes showed no platter, or another one than reads.
    fn go_on_by_reads(&mut self, unfit: bool) {
        if unfit && self.wish.goal.writes && self.wish.time_s.is_some() {
            self.wish.goal.writes = false;
            self.campaign = Campaign::new(self.wish.goal.clone());
            self.kept.retain(|kept| kept.part != Part::Campaign);
        }
    }

    fn keep(&mut self, asked: Asker, run: &Samples) {
        let part = match asked {
            Asker::Pace => return,
            Asker::Campaign => Part::Campaign,
            Asker::Arm => Part::Arm,
            Asker::Survey if self.survey.moves() => Part::Movements,
            Asker::Survey => Part::Survey,
        };
        self.concluded = OnceCell::new();
        if self.confirms() {
            self.kept.push(Kept { part, run: run.clone() });
        }
    }

    /// Whether a simulation is to confirm what campaign and survey find.
    fn confirms(&self) -> bool {
        self.wish.goal.whole && self.wish.time_s.is_some()
    }

    /// Everything learnt so far, as far as both agree; once there is no more to learn, as far as a
    /// simulation of it answers like the drive.
    #[must_use]
    pub fn extraction(&self) -> Extraction {
        if self.next_plan().is_some() || !self.confirms() {
            return self.agreed();
        }
        self.concluded.get_or_init(|| self.checked(self.agreed())).clone()
    }

    fn map(&self) -> &TrackMap {
        self.map.get_or_init(|| self.survey.tracks())
    }

    /// What campaign and survey agree on.
    #[must_use]
    pub fn agreed(&self) -> Extraction {
        let mut found = self.campaign.extraction();
        if found.rates.is_empty() && self.campaign.next_plan().is_some() && self.next().is_none() {
            for rate in [&mut found.outer_mib_s, &mut found.inner_mib_s] {
                rate.note = "no place was read: there was no time left for it".into();
            }
        }
        let sector_bytes = self.wish.goal.sector_bytes;
        if self.wish.time_s.is_none() {
            return labelled(found, PassEnds::default(), sector_bytes);
        }
        let map = self.map();
        let rotation_ms = (self.campaign.widened_rotation(), self.campaign.grain_ms());
        let (seeks, writes) = (self.seeks_ms(), self.wish.goal.writes);
        let mut found = reconciled(found, rotation_ms, map, self.is_surveyed(), seeks, writes);
        doubt_surfaces(&mut found, map, self.campaign.other_surfaces());
        found.seek_scatter_ms = self.survey.scatter().map(|it| it.estimate());
        labelled(found, PassEnds::of(map), sector_bytes)
    }

    /// The least and the longest seek, each of these in both ways there are: from where the head rests
    /// after a read, and from one read at once to the next, as behind a cache that is not understood.
    fn seeks_ms(&self) -> Seeks {
        // Interrupts that are gathered make completions late, some more than others.
        let grain_ms = self.campaign.grain_ms().max(self.survey.grain().gathered_ms());
        let by_arm = self.arm.as_ref().zip(self.campaign.turn());
        let from_rest = by_arm.map(|(arm, turn)| arm.seeks_ms(&self.wish.goal, turn, grain_ms));
        let coarse_ms = self.campaign.grain_ms();
        let mut by_pairs = self.survey.seeks_ms();
        for (number, seek) in by_pairs.iter_mut().flatten().enumerate() {
            *seek = averaged(seek.clone(), coarse_ms);
            if self.survey.seeks_by_coarse_clock() {
                let rest = from_rest.as_ref().map(|rest| &rest[number]);
                *seek = confirmed(seek.clone(), rest, coarse_ms);
            }
        }
        Seeks { from_rest, by_pairs, still: self.survey.still() }
    }

    /// The same, with what a simulation of it contradicts no longer sure.
    #[must_use]
    pub fn checked(&self, mut found: Extraction) -> Extraction {
        let Some(turn) = self.campaign.turn().or(self.survey.turn()) else {
            found.self_check = SelfCheck::none("no rotation shows");
            return found;
        };
        let goal = &self.wish.goal;
        let evidence = Evidence {
            goal,
            runs: &self.kept,
            map: self.map(),
            turn,
            grain_ms: self.campaign.grain_ms(),
            ticks_ms: self.survey.grain().ticks.every_ms,
            hit_ms: self.survey.hit_ms().max(self.campaign.hit_ms()),
            // Movements are timed by pairs of reads, and so is what they take without the arm.
            still: self
                .survey
                .still()
                .or_else(|| self.arm.as_ref().and_then(|arm| arm.still(goal, turn))),
            scatter: self.survey.scatter(),
            strokes: &self.survey.strokes(),
        };
        let mut found = checked(found, &evidence);
        let ends = PassEnds::of(evidence.map);
        found.predicted_outer_mib_s = predicted(&found, ends, goal.sector_bytes);
        found
    }
}
