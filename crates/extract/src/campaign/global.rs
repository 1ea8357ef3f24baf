//! The whole drive: zones, bandwidth and the seek curve.

use super::Goal;
use super::local::Known;
use super::movements::HALVINGS;
use super::zone_map::{FirstPass, Found, ZoneMap};
use super::zone_runs::{ZoneRuns, zoned};
use crate::bandwidth::{Rate, inside, rates};
use crate::cylinders::Cylinders;
use crate::positioning::{Positioning, positioning};
use crate::tracks::Counted;
use crate::zones::changes;
use platterlab_probe::{PastCache, Plan, Samples, Seeker};

/// Places at which ZONED reads.
const PLACES: u64 = 300;
/// From one distance of the arm to the next, and where a cache has so much read between any two movements that each
/// takes a second and more.
const FURTHER: f64 = 1.4;
const FURTHER_PAST_CACHE: f64 = 2.5;
/// How far the drive reads ahead, and how movements are timed past that.
pub(super) type Past = (u64, Option<PastCache>);

/// What was learnt about the whole drive.
#[derive(Clone, Debug, Default)]
pub(super) struct Global {
    zoned: bool,
    pub(super) rates: Vec<Rate>,
    map: ZoneMap,
    /// The zones, where others know them.
    passes: Option<Vec<FirstPass>>,
    /// Outermost first, once they are known.
    pub(super) zones: Vec<Found>,
    pub(super) inside: ZoneRuns,
    pub(super) cylinders: Option<Cylinders>,
    seeks_tried: bool,
    /// Where the arm starts.
    pub(super) seek_from: u64,
    /// Distances in sectors that were asked for, and the times that came out.
    pub(super) seek_targets: Vec<u64>,
    pub(super) seeks: Vec<Positioning>,
}

impl Global {
    /// Whether ZONED has not been over the drive.
    pub(super) fn lacks_zones(&self) -> bool {
        !self.zoned
    }

    /// Others know the zones by their first passes.
    pub(super) fn tell_zones(&mut self, passes: Vec<FirstPass>) {
        self.passes = Some(passes);
    }

    pub(super) fn next(
        &self,
        goal: &Goal,
        known: &Known,
        surfaces: Option<u64>,
        past: Past,
    ) -> Option<Plan> {
        if !self.zoned {
            let region = (goal.region_lba, goal.region_sectors);
            return zoned(goal, region, (known.sectors_per_track, surfaces), PLACES);
        }
        let forget = past.1.as_ref().map_or(&[][..], |past| &past.forget_lbas);
        if let Some(plan) = self.map.next(goal, forget) {
            return Some(plan);
        }
        if let Some(plan) = self.inside.next() {
            return Some(plan);
        }
        (!self.seeks_tried).then(|| self.seeker(goal, known, past)).flatten()
    }

    pub(super) fn add(
        &mut self,
        run: &Samples,
        goal: &Goal,
        known: &Known,
        surfaces: Option<(u64, u64)>,
        reach: u64,
    ) {
        let count = surfaces.map(|(count, _)| count);
        match &run.plan {
            Plan::Zoned(_) if !self.zoned => {
                self.zoned = true;
                self.rates = rates(run);
                let Known { first_lba, sectors_per_track, .. } = *known;
                let first = Counted { first_lba, sectors_per_track };
                self.map = match &self.passes {
                    Some(passes) => ZoneMap::of(passes),
                    None => ZoneMap::new(first, &self.rates, &changes(&self.rates)),
                };
            }
            Plan::Tracks(_) if self.zones.is_empty() => self.map.add(run, goal, known.turn),
            Plan::Seeker(plan) => {
                self.seeks_tried = true;
                self.seek_from = plan.anchor_lba + reach;
                let distance = |target: &u64| target.saturating_sub(self.seek_from);
                self.seek_targets = plan.targets.iter().map(distance).collect();
                self.seeks = positioning(run, known.turn, None);
            }
            _ => self.inside.add(run, known, count),
        }
        if self.zoned && self.zones.is_empty() && self.map.next(goal, &[]).is_none() {
            self.zones = self.map.found(goal.region_lba);
            self.inside = ZoneRuns::new(goal, &self.zones, count);
            self.cylinders = surfaces.and_then(|(surfaces, boundary_lba)| {
                Cylinders::new(surfaces, goal.region_lba, boundary_lba, &self.counted())
            });
        }
    }

    /// First address and sectors per track of each zone that is known.
    fn counted(&self) -> Vec<(u64, u64)> {
        let count = |zone: &Found| Some((zone.from, *zone.sectors_per_track.as_ref().ok()?));
        self.zones.iter().filter_map(count).collect()
    }

    /// The places of ZONED that lie in a zone with all their sectors.
    pub(super) fn places(&self, index: usize) -> &[Rate] {
        let bound = |index: usize| self.zones.get(index).map_or(u64::MAX, |zone| zone.from);
        inside(&self.rates, bound(index), bound(index + 1))
    }

    /// The indices of the first place in each zone but the outermost.
    pub(super) fn changes(&self) -> Vec<usize> {
        let first = |zone: &Found| self.rates.partition_point(|rate| rate.lba < zone.from);
        let mut changes: Vec<usize> = self.zones.iter().skip(1).map(first).collect();
        changes.dedup();
        changes.retain(|place| (1..self.rates.len()).contains(place));
        changes
    }

    /// From the start of the region, or from where read-ahead that began there has its end.
    fn seeker(&self, goal: &Goal, known: &Known, (reach, past_cache): Past) -> Option<Plan> {
        let last =
            goal.start_of_unit(goal.region_lba + goal.region_sectors.checked_sub(goal.units(1))?);
        let least = goal.region_lba + reach;
        let costly = past_cache.as_ref().is_some_and(|past| !past.forget_lbas.is_empty());
        let further = if costly { FURTHER_PAST_CACHE } else { FURTHER };
        let mut targets = Vec::new();
        let mut rest = least;
        if let Some(map) = &self.cylinders {
            let mut first = map.cylinder(least);
            if reach > 0 {
                first += u32::from(goal.start_of_unit(map.lba(first)) < least);
                rest = goal.start_of_unit(map.lba(first));
            }
            let full = map.cylinder(last).saturating_sub(first);
            let mut distance = 1.0_f64;
            while distance < f64::from(full) {
                targets.push(goal.start_of_unit(map.lba(first + distance as u32)));
                distance = (distance * further).max(distance + 1.0);
            }
        } else {
            let mut distance = known.sectors_per_track * 2;
            while distance < goal.region_sectors - reach.min(goal.region_sectors) {
                targets.push(goal.start_of_unit(rest + distance));
                distance = (distance as f64 * further) as u64 + 1;
            }
        }
        targets.push(last);
        targets.dedup();
        Some(Plan::Seeker(Seeker {
            anchor_lba: rest - reach,
            targets,
            sectors: goal.unit_sectors,
            rotation_ps: (known.turn.period * 1e9).round() as u64,
            halvings: HALVINGS,
            past_cache,
        }))
    }
}
