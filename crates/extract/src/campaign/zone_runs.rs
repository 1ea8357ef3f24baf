//! Inside each zone, once its edges are known: the bandwidth of whole cylinders, SKIPPY, and the
//! angles of successive tracks.

use super::Goal;
use super::local::Known;
use super::zone_map::Found;
use crate::Estimate;
use crate::bandwidth::{Rate, rates};
use crate::clock::Turn;
use crate::sawtooth::{read, steps};
use crate::stats::mode;
use crate::tracks::{Counted, starts};
use platterlab_probe::{Plan, Samples, Skippy, Tracks, Visit, Walk, Zoned};
use std::collections::VecDeque;

/// Tracks timed at each place, at least, and the blocks in which they are read; the first block
/// pays for the way there.
const TRACKS_PER_PLACE: u64 = 40;
const BLOCKS: u32 = 6;
/// Reads that are timed at each place.
pub(crate) const READS_PER_PLACE: u32 = BLOCKS - 1;
/// Places in each zone.
const PLACES: u64 = 5;
/// Distances of SKIPPY, over 1.3 tracks.
const SKIPPY_STEPS: u64 = 96;
/// Cylinders whose tracks are visited.
const CYLINDERS: u64 = 4;

/// What was measured inside one zone.
#[derive(Clone, Debug, Default)]
pub(super) struct Inside {
    pub(super) rates: Vec<Rate>,
    pub(super) skippy_sectors: Option<Estimate>,
    pub(super) track_skew_ms: Option<Estimate>,
    pub(super) cylinder_skew_ms: Option<Estimate>,
    /// Surfaces by the tracks of this zone, where those are others than were counted at one place.
    other_surfaces: Option<u64>,
}

/// The runs that are still to be made, and what those made showed.
#[derive(Clone, Debug, Default)]
pub(super) struct ZoneRuns {
    pending: VecDeque<(usize, Plan)>,
    zones: Vec<(Option<Counted>, Inside)>,
}

impl ZoneRuns {
    pub(super) fn new(goal: &Goal, zones: &[Found], surfaces: Option<u64>) -> Self {
        let mut pending = VecDeque::new();
        let end = goal.region_lba + goal.region_sectors;
        for (index, zone) in zones.iter().enumerate() {
            let Some(track) = zone.track else { continue };
            let next = zones.get(index + 1).map_or(end, |next| next.from);
            let next = zone.until.unwrap_or(next);
            let length = track.sectors_per_track;
            // The edge may be known to a few tracks only.
            let from = if zone.from < track.first_lba { zone.from } else { track.first_lba };
            let first = track.start_near(from + 2 * length);
            let Some(room) = next.checked_sub(first + 2 * length) else { continue };
            let plans = [
                zoned(goal, (first, room), (length, surfaces), PLACES),
                skippy(goal, first, room, length),
                surfaces.and_then(|surfaces| tracks(goal, first, room, length, surfaces)),
            ];
            pending.extend(plans.into_iter().flatten().map(|plan| (index, plan)));
        }
        let zones = zones.iter().map(|zone| (zone.track, Inside::default())).collect();
        Self { pending, zones }
    }

    pub(super) fn next(&self) -> Option<Plan> {
        self.pending.front().map(|(_, plan)| plan.clone())
    }

    pub(super) fn add(&mut self, run: &Samples, known: &Known, surfaces: Option<u64>) {
        let Some((index, _)) = self.pending.pop_front() else { return };
        let Some((Some(track), inside)) = self.zones.get_mut(index) else { return };
        let turn = known.turn;
        match &run.plan {
            Plan::Zoned(_) => inside.rates = rates(run),
            Plan::Skippy(_) => inside.skippy_sectors = slope_sectors(run, turn),
            Plan::Tracks(_) => {
                let skews = starts(run, turn, track.sectors_per_track, known.grain_ms).skews;
                // Another number of surfaces would be another pattern: no skews of these tracks.
                let counted = skews.surfaces.ok().map(|count| count as u64);
                if counted == surfaces {
                    inside.track_skew_ms = Some(skews.track_skew_ms);
                    inside.cylinder_skew_ms = Some(skews.cylinder_skew_ms);
                } else {
                    inside.other_surfaces = counted;
                }
            }
            _ => {}
        }
    }

    /// Surfaces by the tracks of two zones, where those are others than were counted at one place: late completions make
    /// up a count in one, hardly the same in two.
    pub(super) fn other_surfaces(&self) -> Option<u64> {
        let counts = self.zones.iter().filter_map(|(_, inside)| inside.other_surfaces);
        mode(counts).filter(|(_, zones)| *zones > 1).map(|(count, _)| count)
    }

    pub(super) fn inside(&self, index: usize) -> Option<&Inside> {
        self.zones.get(index).map(|(_, inside)| inside)
    }
}

/// Places of ZONED, at most `points`, evenly over some sectors. What is timed at each is a whole
/// number of cylinders, where these are known: so each place holds as many skews as the others.
pub(super) fn zoned(
    goal: &Goal,
    (lba, sectors): (u64, u64),
    (sectors_per_track, surfaces): (u64, Option<u64>),
    points: u64,
) -> Option<Plan> {
    let block =
        (sectors_per_track * tracks_per_place(surfaces)).div_ceil(u64::from(READS_PER_PLACE));
    let block_sectors = u32::try_from(goal.whole_units(block).clamp(1, 1 << 20)).ok()?;
    let taken = u64::from(block_sectors) * u64::from(BLOCKS);
    let points = (sectors / taken.max(1)).min(points);
    (points > 0).then_some(Plan::Zoned(Zoned {
        lba: goal.start_of_unit(lba),
        region_sectors: goal.whole_units(sectors),
        points: u32::try_from(points).ok()?,
        block_sectors,
        blocks: BLOCKS,
    }))
}

fn tracks_per_place(surfaces: Option<u64>) -> u64 {
    let cylinder = surfaces.unwrap_or(1).max(1);
    TRACKS_PER_PLACE.div_ceil(cylinder) * cylinder
}

fn skippy(goal: &Goal, lba: u64, room: u64, sectors_per_track: u64) -> Option<Plan> {
    let units = sectors_per_track / goal.units(1);
    let stride = u32::try_from((units * 13 / 10).div_ceil(SKIPPY_STEPS)).ok()?;
    let walk = if goal.writes { Walk::Restart } else { Walk::Backwards };
    let plan = Skippy {
        lba: goal.start_of_unit(lba),
        sectors: goal.unit_sectors,
        stride: stride.max(1),
        steps: SKIPPY_STEPS as u32,
        walk,
    };
    (plan.span_sectors() <= room).then_some(Plan::Skippy(plan))
}

fn tracks(goal: &Goal, first_lba: u64, room: u64, length: u64, surfaces: u64) -> Option<Plan> {
    let count = (CYLINDERS * surfaces + 1).max(24);
    let middle = goal.whole_units(length / 2);
    let lbas = (0..count).rev().map(|i| first_lba + i * length + middle).collect();
    (count * length <= room).then_some(Plan::Tracks(Tracks::at_once(
        Visit::Starts { first_lba },
        lbas,
        goal.unit_sectors,
    )))
}

fn slope_sectors(run: &Samples, turn: Turn) -> Option<Estimate> {
    let slope = read(&steps(run), turn)?.slope;
    let count = slope.sectors_per_track(turn.period);
    let error = 1.96 * count * slope.tau_error / slope.tau;
    let found = Estimate::new(count, error, "slope of SKIPPY");
    let guessed = slope.span(turn.period) < 0.5;
    Some(if guessed {
        found.doubted("steps on one track span less than half of it")
    } else {
        found
    })
}
