//! What to measure next, given what has been measured: from nothing to a whole drive.
//!
//! No device is opened here. A caller asks for the next plan, has it run, and hands the samples
//! in; after a restart it hands in those it kept, in their order, and goes on where it stopped.

mod counting;
mod geometry;
mod global;
mod local;
mod movement;
mod movements;
mod read_cache;
mod result;
mod zone_map;
mod zone_runs;

use crate::clock::Turn;
use crate::{Estimate, Extraction};
use global::Global;
use local::Local;
use platterlab_probe::{PastCache, Plan, Samples};

pub(crate) use result::WANDERS;
pub(crate) use zone_map::FirstPass;
pub(crate) use zone_runs::READS_PER_PLACE;

/// What a campaign is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The first sector it may touch, with which a physical sector begins.
    pub region_lba: u64,
    /// How many sectors from there on.
    pub region_sectors: u64,
    /// Whether the drive ends where they end.
    pub to_drive_end: bool,
    /// Logical sectors in one physical sector: requests and steps are multiples of it.
    pub unit_sectors: u32,
    /// Bytes in a logical sector.
    pub sector_bytes: u32,
    /// Whether the probes may write.
    pub writes: bool,
    /// Whether zones and the seek curve are wanted too, which means the whole region.
    pub whole: bool,
}

impl Goal {
    /// Whole physical sectors, in logical ones.
    fn units(&self, count: u64) -> u64 {
        count.saturating_mul(u64::from(self.unit_sectors.max(1)))
    }

    /// The start of the physical sector that an address of the region lies in; these begin where the
    /// region does, which on a partition may be at no multiple of their length.
    fn start_of_unit(&self, lba: u64) -> u64 {
        self.region_lba + self.whole_units(lba.saturating_sub(self.region_lba))
    }

    /// The physical sectors that fit, in logical ones.
    fn whole_units(&self, sectors: u64) -> u64 {
        self.units(sectors / u64::from(self.unit_sectors.max(1)))
    }
}

/// A drive under measurement.
#[derive(Clone, Debug)]
pub struct Campaign {
    goal: Goal,
    local: Local,
    global: Global,
}

impl Campaign {
    /// A drive of which nothing is known.
    #[must_use]
    pub fn new(goal: Goal) -> Self {
        Self { goal, local: Local::default(), global: Global::default() }
    }

    /// What to measure next; `None` once there is no more to learn.
    #[must_use]
    pub fn next_plan(&self) -> Option<Plan> {
        if let Some(plan) = self.local.next(&self.goal) {
            return Some(plan);
        }
        let known = self.local.known().filter(|_| self.goal.whole)?;
        self.global.next(
            &self.goal,
            known,
            self.local.surfaces(),
            self.local.past_cache(&self.goal),
        )
    }

    /// What to measure next at the place where the campaign begins; `None` when that is known.
    pub(crate) fn next_local(&self) -> Option<Plan> {
        self.local.next(&self.goal)
    }

    /// The period with what the host's clock leaves open of it.
    pub(crate) fn widened_rotation(&self) -> Estimate {
        let found = result::rotation(&self.local);
        self.local.grain.widened(found, self.local.rotation_span_ms)
    }

    /// What the host's clock counts in, in milliseconds.
    pub(crate) fn grain_ms(&self) -> f64 {
        self.local.grain.ms()
    }

    /// What is known of the platter.
    pub(crate) fn turn(&self) -> Option<Turn> {
        self.local.turn()
    }

    /// Sectors that the drive reads ahead, and how movements are timed by reads past that; none
    /// where there is a read cache that is not understood.
    pub(crate) fn past_cache(&self) -> Option<(u64, Option<PastCache>)> {
        let past = self.local.past_cache(&self.goal);
        (past.1.is_some() || self.local.hit_ms().is_none()).then_some(past)
    }

    /// Answers that take no longer may come from a cache, in milliseconds.
    pub(crate) fn hit_ms(&self) -> f64 {
        let jitter = self.turn().map_or(0.0, |turn| turn.jitter);
        self.local.hit_ms().map_or(0.0, |time| time + 8.0 * jitter)
    }

    /// One revolution in milliseconds, as far as it is known.
    pub(crate) fn rotation_ms(&self) -> Option<f64> {
        self.local.turn().map(|turn| turn.period)
    }

    /// Surfaces by the tracks of some zone, where those are others than were counted at one place.
    pub(crate) fn other_surfaces(&self) -> Option<u64> {
        self.global.inside.other_surfaces()
    }

    /// Whether zones are still to be looked for.
    pub(crate) fn lacks_zones(&self) -> bool {
        self.global.lacks_zones()
    }

    /// Where surfaces have tracks of their own length, the passes that zones begin with as far as they are known: each
    /// pass would be a zone else.
    pub(crate) fn tell_zones(&mut self, passes: Vec<FirstPass>) {
        self.global.tell_zones(passes);
    }

    /// Takes in what [`Campaign::next_plan`] asked for.
    pub fn add(&mut self, run: &Samples) {
        if self.local.next(&self.goal).is_some() {
            self.local.add(run, &self.goal);
        } else if let Some(known) = self.local.known() {
            let known = known.clone();
            let surfaces = self.local.surfaces().zip(self.local.cylinder_lba());
            let (reach, _) = self.local.past_cache(&self.goal);
            self.global.add(run, &self.goal, &known, surfaces, reach);
        }
    }

    /// Everything learnt so far.
    #[must_use]
    pub fn extraction(&self) -> Extraction {
        result::extraction(&self.goal, &self.local, &self.global)
    }
}
