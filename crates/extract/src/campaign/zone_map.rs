//! Zones: tracks are counted wherever the bandwidth changes, then the edges between are searched.
//! What turns up in a search and fits neither side is counted too, so that a zone that is too
//! narrow for ZONED, or too much like its neighbours, is found all the same.

use super::Goal;
use super::counting::Counting;
use crate::Estimate;
use crate::bandwidth::Rate;
use crate::clock::Turn;
use crate::stats::median;
use crate::tracks::{Counted, Edge, Told, places};
use platterlab_probe::{Plan, Samples, Tracks, Visit};

/// More zones than any drive has.
const MOST_EDGES: usize = 250;
/// Tracks to either side of a strange place that are looked at for a count.
const AROUND: u64 = 8;
/// Counts at strange places in the search for one edge.
const MOST_STRANGE: u32 = 10;

/// All zones, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct ZoneMap {
    /// The outermost count, and the innermost of those made where bandwidth changes.
    ends: Option<(Counted, Counted)>,
    /// Stretches of even bandwidth that could not be counted.
    uncounted: Vec<Counting>,
    /// Searches still to be made; the first is under way.
    open: Vec<Counting>,
    /// By rising address; the inner side of each is the outer side of the next.
    edges: Vec<Edge>,
    /// The zones, where others know them.
    known: Option<Vec<Found>>,
}

/// The pass that a zone begins with, of surfaces that have tracks of their own length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstPass {
    pub(crate) first_lba: u64,
    pub(crate) sectors_per_track: u64,
    /// Where the next pass begins.
    pub(crate) until_lba: u64,
}

/// A zone, as found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) first_lba: Estimate,
    /// Or why it is not known.
    pub(super) sectors_per_track: Result<u64, String>,
    /// Where it begins, as far as that is known.
    pub(super) from: u64,
    /// One of its tracks.
    pub(super) track: Option<Counted>,
    /// Where tracks of another surface begin, if these have lengths of their own.
    pub(super) until: Option<u64>,
}

impl ZoneMap {
    /// Of zones that are known, by the first pass of each; surfaces that have tracks of their own length would make
    /// each pass a zone.
    pub(super) fn of(passes: &[FirstPass]) -> Self {
        let found = |pass: &FirstPass| Found {
            first_lba: Estimate::exact(pass.first_lba, PASSES),
            sectors_per_track: Ok(pass.sectors_per_track),
            from: pass.first_lba,
            track: Some(Counted {
                first_lba: pass.first_lba,
                sectors_per_track: pass.sectors_per_track,
            }),
            until: Some(pass.until_lba),
        };
        Self { known: Some(passes.iter().map(found).collect()), ..Self::default() }
    }

    /// One search for each stretch between `changes` of the rates, and one at the end of the last:
    /// a bandwidth that something else limits shows no zones.
    pub(super) fn new(first: Counted, rates: &[Rate], changes: &[usize]) -> Self {
        let mut map = Self { ends: Some((first, first)), ..Self::default() };
        let (Some(outer), Some(last)) = (rates.first(), rates.last()) else { return map };
        let starts = [0].into_iter().chain(changes.iter().copied());
        let ends = changes.iter().copied().chain([rates.len()]);
        let length = first.sectors_per_track as f64;
        for (start, end) in starts.zip(ends) {
            let Some([zone @ .., inmost]) = rates.get(start..end) else { continue };
            let from = zone.first().unwrap_or(inmost).lba;
            let speeds: Vec<f64> = rates[start..end].iter().map(|r| r.sectors_per_ms).collect();
            let Some(speed) = median(&speeds) else { continue };
            let guess = length * speed / outer.sectors_per_ms;
            map.open.push(Counting::new(from, inmost.lba, guess, 0.9..=1.1));
        }
        if let Some(zone) = map.open.last() {
            // Tracks there may be shorter by any amount that the bandwidth does not show.
            map.open.push(zone.at_end(last.lba));
        }
        map
    }

    pub(super) fn next(&self, goal: &Goal, forget: &[u64]) -> Option<Plan> {
        if let Some(plan) = self.open.iter().find_map(|open| open.next(goal, forget)) {
            return Some(plan);
        }
        let unit = goal.units(1);
        let mut lbas: Vec<u64> =
            self.edges.iter().filter_map(|edge| edge.next(unit)).flatten().collect();
        if lbas.is_empty() {
            return None;
        }
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        lbas.dedup();
        Some(Plan::Tracks(Tracks::at_once(Visit::Edges, lbas, goal.unit_sectors)))
    }

    pub(super) fn add(&mut self, run: &Samples, goal: &Goal, turn: Turn) {
        let Plan::Tracks(plan) = &run.plan else { return };
        if plan.visit == Visit::Edges {
            self.narrow(run, goal, turn);
        } else if let Some(open) = self.open.iter_mut().find(|open| open.next(goal, &[]).is_some())
        {
            open.add(run, goal, turn);
        }
        while self.open.first().is_some_and(|open| open.next(goal, &[]).is_none()) {
            let done = self.open.remove(0);
            match done.found() {
                Some(counted) => self.place(counted),
                None => self.give_up(done),
            }
        }
    }

    /// Puts a count in its place: it narrows the search for an edge, or makes two edges of one.
    fn place(&mut self, counted: Counted) {
        let beyond = |edge: &Edge| counted.first_lba > edge.low && counted.first_lba < edge.high;
        if let Some(index) = self.edges.iter().position(beyond) {
            if !self.edges[index].take(counted) && self.edges.len() < MOST_EDGES {
                let edge = self.edges[index];
                let halves = [Edge::new(edge.outer, counted), Edge::new(counted, edge.inner)];
                self.edges.splice(index..=index, halves);
            }
            return;
        }
        let Some((_, last)) = &mut self.ends else { return };
        if last.first_lba < counted.first_lba {
            if last.sectors_per_track != counted.sectors_per_track && self.edges.len() < MOST_EDGES
            {
                self.edges.push(Edge::new(*last, counted));
            }
            *last = counted;
        }
    }

    /// A stretch of even bandwidth stays without a count; the search for an edge looks elsewhere.
    fn give_up(&mut self, counting: Counting) {
        let at = counting.middle();
        if !self.edges.iter().any(|edge| edge.low < at && at < edge.high) {
            self.uncounted.push(counting);
        }
    }

    fn narrow(&mut self, run: &Samples, goal: &Goal, turn: Turn) {
        let (seen, unit) = (places(run, turn), goal.units(1));
        for edge in &mut self.edges {
            if edge.next(unit).is_none() {
                continue;
            }
            let Told::Strange(at) = edge.add(&seen, unit, turn) else {
                edge.reconsider(unit);
                continue;
            };
            edge.strange += 1;
            edge.over = edge.strange > MOST_STRANGE;
            edge.reconsider(unit);
            let lengths = [edge.outer, edge.inner].map(|side| side.sectors_per_track);
            let (least, most) = (lengths[0].min(lengths[1]), lengths[0].max(lengths[1]));
            let around = AROUND * most;
            // The first time, a late completion may be the reason; and close to the edge, the edge.
            if edge.over || edge.strange % 2 == 1 || edge.high - edge.low < 2 * around {
                continue;
            }
            let believed = 0.97 * least as f64 / most as f64..=1.03;
            let (from, to) =
                (at.saturating_sub(around).max(edge.low), (at + around).min(edge.high));
            self.open.push(Counting::new(from, to, most as f64, believed));
        }
    }

    /// All zones by rising address.
    pub(super) fn found(&self, region_lba: u64) -> Vec<Found> {
        if let Some(known) = &self.known {
            return known.clone();
        }
        let Some((first, _)) = self.ends else { return Vec::new() };
        let mut found = vec![Found {
            first_lba: Estimate::exact(region_lba, "start of the region"),
            sectors_per_track: Ok(first.sectors_per_track),
            from: region_lba,
            track: Some(first),
            until: None,
        }];
        for edge in &self.edges {
            found.push(Found {
                first_lba: first_lba(edge),
                sectors_per_track: Ok(edge.inner.sectors_per_track),
                from: edge.exact().unwrap_or(u64::midpoint(edge.low, edge.high)),
                track: Some(edge.inner),
                until: None,
            });
        }
        // What lies between two settled edges is one zone, and counted.
        let last = self.ends.map_or(0, |(_, last)| last.first_lba);
        let settled = self.edges.iter().all(|edge| edge.exact().is_some());
        let open = self.uncounted.iter().filter(|one| !settled || one.start() > last);
        for counting in open {
            found.push(Found {
                first_lba: Estimate::ambiguous(EDGE, "tracks could not be counted here"),
                sectors_per_track: Err(counting.failure()),
                from: counting.start(),
                track: None,
                until: None,
            });
        }
        found.sort_by_key(|zone| zone.from);
        found
    }
}

const PASSES: &str = "map of the tracks";
const EDGE: &str = "starts of tracks, told from either side";

fn first_lba(edge: &Edge) -> Estimate {
    if let Some(lba) = edge.exact() {
        return Estimate::exact(lba, EDGE);
    }
    let (low, high) = (edge.low as f64, edge.high as f64);
    let estimate = Estimate::new(f64::midpoint(low, high).round(), (high - low) / 2.0, EDGE);
    // Spares may lie between the zones, or a late completion was taken for an edge.
    estimate.doubted("tracks of both lengths do not meet in one place")
}
