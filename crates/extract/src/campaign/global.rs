//! The whole drive: zones, bandwidth and the seek curve.

use super::Goal;
use super::local::Known;
use super::movements::HALVINGS;
use crate::Estimate;
use crate::bandwidth::{Rate, rates};
use crate::clock::Turn;
use crate::cylinders::Cylinders;
use crate::positioning::{Positioning, positioning};
use crate::tracks::{Boundaries, Search};
use crate::zones::changes;
use platterlab_probe::{PastCache, Plan, Samples, Seeker, Zoned};

/// Places at which ZONED reads.
const PLACES: u64 = 300;
/// Tracks read at each place, in blocks of eight.
const TRACKS_PER_PLACE: u64 = 48;
const BLOCKS: u32 = 6;
/// Places to look for track boundaries in each zone before giving up.
const ZONE_TRIES: usize = 3;

/// How far the drive reads ahead, and how movements are timed past that.
pub(super) type Past = (u64, Option<PastCache>);

/// What was learnt about the whole drive.
#[derive(Clone, Debug, Default)]
pub(super) struct Global {
    zoned: bool,
    pub(super) rates: Vec<Rate>,
    /// Indices of the places at which a zone begins, the first excepted.
    pub(super) changes: Vec<usize>,
    pub(super) zones: Vec<ZoneSearch>,
    pub(super) cylinders: Option<Cylinders>,
    seeks_tried: bool,
    /// Where the arm starts.
    pub(super) seek_from: u64,
    /// Distances in sectors that were asked for, and the times that came out.
    pub(super) seek_targets: Vec<u64>,
    pub(super) seeks: Vec<Positioning>,
}

/// The search for the sectors per track of one zone.
#[derive(Clone, Debug)]
pub(super) struct ZoneSearch {
    /// First and last place of ZONED in the zone, as addresses.
    from: u64,
    to: u64,
    guess: f64,
    /// The least part of the guess that is believed.
    least: f64,
    tries: usize,
    search: Option<Boundaries>,
}

impl ZoneSearch {
    /// Sectors per track, if found.
    pub(super) fn sectors_per_track(&self) -> Option<u64> {
        match self.search.as_ref().map(Boundaries::state) {
            Some(Search::Found { sectors_per_track, .. }) => Some(*sectors_per_track),
            _ => None,
        }
    }

    /// Why not, if not.
    pub(super) fn failure(&self) -> String {
        match self.search.as_ref().map(Boundaries::state) {
            Some(Search::Failed(why)) => why.clone(),
            _ => "not measured".into(),
        }
    }

    fn next(&self, goal: &Goal, forget: &[u64]) -> Option<Plan> {
        if self.sectors_per_track().is_some() {
            return None;
        }
        if let Some(plan) = self.search.as_ref().and_then(|search| search.next(forget)) {
            return Some(plan);
        }
        self.fresh(goal)?.next(&[])
    }

    /// The next place to look at: the middle of the zone, then to either side.
    fn fresh(&self, goal: &Goal) -> Option<Boundaries> {
        let quarters = [2, 1, 3];
        let quarter = *quarters.get(self.tries).filter(|_| self.tries < ZONE_TRIES)?;
        let unit = u64::from(goal.unit_sectors.max(1));
        let end = goal.region_lba + goal.region_sectors;
        let latest = end.checked_sub(Boundaries::span_sectors(self.guess))?;
        let near = (self.from + (self.to - self.from) * quarter / 4).min(latest);
        let near = near / unit * unit;
        Some(Boundaries::new(near, goal.unit_sectors, self.guess))
    }

    fn add(&mut self, run: &Samples, goal: &Goal, turn: Turn) {
        if self.search.as_ref().is_none_or(Boundaries::is_over) {
            self.search = self.fresh(goal);
            self.tries += 1;
        }
        if let Some(search) = &mut self.search {
            search.add(run, turn);
            search.expect(self.least..=1.1);
        }
    }
}

impl Global {
    pub(super) fn next(&self, goal: &Goal, known: &Known, past: Past) -> Option<Plan> {
        if !self.zoned {
            return Some(zoned(goal, known.sectors_per_track));
        }
        let forget = past.1.as_ref().map_or(&[][..], |past| &past.forget_lbas);
        if let Some(plan) = self.zones.iter().find_map(|zone| zone.next(goal, forget)) {
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
        match &run.plan {
            Plan::Zoned(_) => {
                self.zoned = true;
                self.rates = rates(run);
                self.changes = changes(&self.rates);
                self.zones = self.searches(known);
            }
            Plan::Tracks(_) => {
                let open = self.zones.iter_mut().find(|zone| zone.next(goal, &[]).is_some());
                if let Some(zone) = open {
                    zone.add(run, goal, known.turn);
                }
            }
            Plan::Seeker(plan) => {
                self.seeks_tried = true;
                self.seek_from = plan.anchor_lba + reach;
                let distance = |target: &u64| target.saturating_sub(self.seek_from);
                self.seek_targets = plan.targets.iter().map(distance).collect();
                self.seeks = positioning(run, known.turn);
            }
            _ => {}
        }
        if self.zoned && self.zones.iter().all(|zone| zone.next(goal, &[]).is_none()) {
            self.cylinders = surfaces.and_then(|(surfaces, boundary_lba)| {
                Cylinders::new(surfaces, goal.region_lba, boundary_lba, &self.zone_list(known))
            });
        }
    }

    /// One search for each stretch between changes, and one at the end of the last: a bandwidth
    /// that something else limits shows no zones.
    fn searches(&self, known: &Known) -> Vec<ZoneSearch> {
        let Some(outer) = self.rates.first() else { return Vec::new() };
        let starts: Vec<usize> = [0].into_iter().chain(self.changes.iter().copied()).collect();
        let ends = self.changes.iter().copied().chain([self.rates.len()]);
        let search = |from: u64, to: u64, rate: f64| ZoneSearch {
            from,
            to,
            guess: known.sectors_per_track as f64 * rate / outer.sectors_per_ms,
            least: 0.9,
            tries: 0,
            search: None,
        };
        let mut searches: Vec<ZoneSearch> = starts
            .into_iter()
            .zip(ends)
            .filter_map(|(start, end)| {
                let zone = self.rates.get(start..end)?;
                let rates: Vec<f64> = zone.iter().map(|rate| rate.sectors_per_ms).collect();
                let rate = crate::stats::median(&rates)?;
                Some(search(zone.first()?.lba, zone.last()?.lba, rate))
            })
            .collect();
        if let (Some(last), Some(zone)) = (self.rates.last(), searches.last()) {
            // Tracks there may be shorter by any amount that the bandwidth does not show.
            let end = ZoneSearch { from: last.lba, to: last.lba, least: 0.4, ..zone.clone() };
            searches.push(end);
        }
        searches
    }

    /// First address and sectors per track of each zone that is known.
    pub(super) fn zone_list(&self, known: &Known) -> Vec<(u64, u64)> {
        // Where SKIPPY ran is the first zone, even if it is too short for ZONED to see.
        let mut list = vec![(0, known.sectors_per_track)];
        for (index, zone) in self.zones.iter().enumerate() {
            let Some(count) = zone.sectors_per_track() else { continue };
            if list.last().is_none_or(|(_, before)| *before != count) {
                list.push((self.zone_start(index), count));
            }
        }
        list
    }

    /// Half-way between the places on either side of a change; where none shows, the place at
    /// which the zone was found.
    fn zone_start(&self, index: usize) -> u64 {
        let near = self.zones.get(index).and_then(|zone| zone.search.as_ref());
        match self.change(index) {
            Some((before, after)) => u64::midpoint(before.lba, after.lba),
            None => near.map_or(0, Boundaries::near_lba),
        }
    }

    /// The last place before a zone and the first one in it.
    fn change(&self, index: usize) -> Option<(&Rate, &Rate)> {
        let place = *self.changes.get(index.checked_sub(1)?)?;
        Some((self.rates.get(place.checked_sub(1)?)?, self.rates.get(place)?))
    }

    /// Where a zone starts, as far as that shows.
    pub(super) fn first_lba(&self, index: usize) -> Estimate {
        let method = "change point on ZONED";
        match self.change(index) {
            Some((before, after)) => {
                let (low, high) = (before.lba as f64, (after.lba + after.sectors) as f64);
                Estimate::new(f64::midpoint(low, high).round(), (high - low) / 2.0, method)
            }
            None => {
                let seen = self.zone_start(index);
                let note = format!("bandwidth does not show it; it was found at {seen}");
                Estimate::ambiguous(method, note)
            }
        }
    }

    /// The places of ZONED in a zone.
    pub(super) fn places(&self, index: usize) -> &[Rate] {
        let start = match index.checked_sub(1) {
            None => 0,
            Some(change) => self.changes.get(change).copied().unwrap_or(self.rates.len()),
        };
        let end = self.changes.get(index).copied().unwrap_or(self.rates.len());
        self.rates.get(start..end).unwrap_or_default()
    }

    /// From the start of the region, or from where read-ahead that began there has its end.
    fn seeker(&self, goal: &Goal, known: &Known, (reach, past_cache): Past) -> Option<Plan> {
        let last = goal.region_lba + goal.region_sectors.checked_sub(goal.units(1))?;
        let least = goal.region_lba + reach;
        let mut targets = Vec::new();
        let mut rest = least;
        if let Some(map) = &self.cylinders {
            let mut first = map.cylinder(least);
            if reach > 0 {
                first += u32::from(goal.whole_units(map.lba(first)) < least);
                rest = goal.whole_units(map.lba(first));
            }
            let full = map.cylinder(last).saturating_sub(first);
            let mut distance = 1.0_f64;
            while distance < f64::from(full) {
                targets.push(goal.whole_units(map.lba(first + distance as u32)));
                distance = (distance * 1.4).max(distance + 1.0);
            }
        } else {
            let mut distance = known.sectors_per_track * 2;
            while distance < goal.region_sectors - reach.min(goal.region_sectors) {
                targets.push(goal.whole_units(rest + distance));
                distance = distance * 7 / 5 + 1;
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

fn zoned(goal: &Goal, sectors_per_track: u64) -> Plan {
    let unit = u64::from(goal.unit_sectors.max(1));
    let block = (sectors_per_track * TRACKS_PER_PLACE / u64::from(BLOCKS)).div_ceil(unit) * unit;
    let block_sectors = u32::try_from(block.min(1 << 20)).unwrap_or(1 << 20);
    let taken = u64::from(block_sectors) * u64::from(BLOCKS);
    let points = (goal.region_sectors / taken.max(1)).clamp(1, PLACES) as u32;
    Plan::Zoned(Zoned {
        lba: goal.region_lba,
        region_sectors: goal.region_sectors,
        points,
        block_sectors,
        blocks: BLOCKS,
    })
}
