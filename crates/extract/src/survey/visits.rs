//! What is read for a survey: the sectors that are wanted, and those that make a cache forget others.

use super::Survey;
use super::angles::Angles;
use super::elsewhere::{self, Elsewhere};
use super::forgetting::one_of_each_track;
use super::held::{self, Held, Platter, Visited};
use super::movements::Movements;
use super::places;
use super::turn::{FEW, MANY, Spread};
use crate::clock::Turn;
use platterlab_probe::{Plan, Samples, Tracks, Visit};

/// Sectors far away that are read for each visit that failed before.
const FLUSH: usize = 12;
/// Sectors that are read several times, all of them in turn: a platter keeps its speed for so long.
const TOGETHER: usize = 12;
/// From one of them to the next: no read-ahead of one has the other.
const SCATTER: u64 = 50;
/// Sectors between reads that make a cache forget: more than any drive reads ahead.
const APART: u64 = 2 * held::AHEAD;
/// The part of a region behind which what is near is chosen anew.
const FAR: u64 = 16;
/// So many of them have room, and some between the walk and the first.
const ROOM: u64 = elsewhere::PLACES + 2;

impl Survey {
    /// A sector far from where the walk is, a different one for each small number.
    pub(super) fn aside(&self, number: u64, spread: Spread) -> u64 {
        let unit = u64::from(self.goal.unit_sectors.max(1));
        let room = self.goal.region_sectors.saturating_sub(unit);
        let room = room.max(1);
        let from = self.walk.at() - self.goal.region_lba;
        // From a quarter of the region beyond the walk to three quarters.
        let places = spread.places;
        let place = from + room / 4 + number % places * (room / (2 * places));
        self.goal.region_lba + place % room / unit * unit
    }

    /// A sector to read so that a cache forgets others.
    fn near(&self, number: u64) -> u64 {
        match &self.elsewhere {
            Some(elsewhere) => elsewhere.lba(number),
            None => self.around(number),
        }
    }

    /// The same before it is known when it comes by: near the walk, as the arm is to come back soon, and no
    /// read-ahead of one has the next. In the middle of the region where there is no room.
    pub(super) fn around(&self, number: u64) -> u64 {
        let unit = u64::from(self.goal.unit_sectors.max(1));
        let (at, first) = (self.walk.at(), self.goal.region_lba);
        let (behind, ahead) = ((at - first) / APART, (self.goal.region_sectors / APART) / 4);
        let place = (number % elsewhere::PLACES + 2) * APART;
        let start_of_unit = |lba: u64| first + (lba - first) / unit * unit;
        if behind >= ROOM {
            start_of_unit(at - place)
        } else if ahead >= 2 * ROOM {
            start_of_unit(at + ROOM * APART + place)
        } else {
            self.aside(1 + number * SCATTER, MANY)
        }
    }

    /// The sectors, in groups of so many, and one far away, so that read-ahead has something else to do
    /// until the next run. What a cache may hold is made to be forgotten first, and by so many reads before
    /// all, whatever is known of it.
    fn visited(&self, visits: &[Visited], (group, before): (usize, usize), held: &Held) -> Plan {
        let near = |number: u64| self.near(number);
        // Those that are read before what may be held are of the same sectors as these. With others, drives
        // were lost: fast answers to what was read before can tell how many places a cache keeps.
        let flush = (0..before).map(|number| Visited::at_once(near(held.number(number))));
        let apart = held.apart(visits, group, self.walk.track_sectors(), near);
        let mut all: Vec<Visited> = flush.chain(apart).collect();
        let last = if held.shows() { near(held.number(all.len())) } else { self.aside(0, FEW) };
        all.push(Visited::at_once(last));
        let waits = all.iter().any(|visit| visit.wait_ps > 0);
        Plan::Tracks(Tracks {
            visit: Visit::Survey,
            lbas: all.iter().map(|visit| visit.lba).collect(),
            sectors: self.goal.unit_sectors,
            waits_ps: all.iter().filter(|_| waits).map(|visit| visit.wait_ps).collect(),
        })
    }

    pub(super) fn visits(&self, lbas: &[u64], troubles: u32) -> Plan {
        let reads = self.angles.as_ref().map_or(1, |angles| angles.looks().reads);
        let together = if self.rereads() { 1 } else { TOGETHER };
        let lbas: Vec<u64> = lbas.chunks(together).flat_map(|few| few.repeat(reads)).collect();
        let track = self.walk.track_sectors().filter(|_| self.held.holds_tracks());
        let lbas = track.map_or_else(|| lbas.clone(), |track| one_of_each_track(&lbas, track));
        let before = std::iter::once(None).chain(lbas.iter().copied().map(Some));
        let visits: Vec<Visited> =
            before.zip(&lbas).map(|(before, lba)| self.visit(before, *lba)).collect();
        self.visited(&visits, (1, troubles as usize * FLUSH), &self.held)
    }

    /// Learns when the sectors come by that make a cache forget; chooses others once the walk is far away.
    pub(super) fn learn_elsewhere(&mut self, run: &Samples, turn: Turn) {
        let far = self.goal.region_sectors / FAR;
        let at = self.walk.at();
        let near = |it: &&mut Elsewhere| at.abs_diff(it.around) <= far;
        if let Some(elsewhere) = self.elsewhere.as_mut().filter(|it| near(it)) {
            let unit = u64::from(self.goal.unit_sectors.max(1));
            if let Some(track) = self.walk.track_sectors() {
                elsewhere.add(run, turn, (track, unit));
            }
        } else if self.held.shows() {
            let lbas: Vec<u64> = (0..elsewhere::PLACES).map(|number| self.around(number)).collect();
            let before = self.elsewhere.as_ref();
            self.elsewhere = Some(Elsewhere::new(self.walk.at(), &lbas, before, turn.period));
        }
    }

    /// What the walk looks at.
    pub(super) fn walked_over(&self, lbas: &[u64]) -> Plan {
        let troubles = self.walk.troubles();
        if self.walk.is_by_track() {
            self.in_turn(lbas, troubles)
        } else {
            self.visits(lbas, troubles)
        }
    }

    /// The same in rising order, where a cache has all of a track that was read: behind the first of a track it is waited
    /// for the rest, so that others come at once if they are on that track.
    fn in_turn(&self, lbas: &[u64], troubles: u32) -> Plan {
        let unit = u64::from(self.goal.unit_sectors.max(1));
        let near = unit + 1..self.walk.track_reach();
        let track_ps = held::track_ps(self.turn.map_or(0.0, |turn| turn.period));
        let mut lbas = lbas.to_vec();
        lbas.sort_unstable();
        let mut visits: Vec<Visited> = Vec::with_capacity(lbas.len());
        let mut is_read = false;
        for lba in lbas {
            let on = visits.last().map_or(0, |before| lba - before.lba);
            let waits = near.contains(&on) && !is_read;
            is_read = near.contains(&on);
            visits.push(Visited { lba, wait_ps: if waits { track_ps } else { 0 } });
        }
        self.visited(&visits, (visits.len().max(1), troubles as usize * FLUSH), &self.held)
    }

    /// Whether a sector may be read again at once: no cache has it.
    fn rereads(&self) -> bool {
        !self.held.shows() && self.hit_ms() == 0.0
    }

    /// The angles of closer looks, where the walk failed and a skew of a sector may hide in what completions
    /// scatter by. Where a cache shows, nothing tells when reads come between two ticks.
    pub(super) fn closer(&self) -> Option<Angles> {
        let angles = self.angles.as_ref()?;
        let turn = self.turn.filter(|_| self.walk.failed.is_some() && self.walk.hidden > 0)?;
        let length = self.walk.track_sectors()?;
        let sector_ms = f64::from(self.goal.unit_sectors.max(1)) * self.walk.slope(length)?;
        let gathered_ms = self.grain.gathered_ms();
        (self.rereads() || gathered_ms <= turn.jitter).then_some(())?;
        Some(angles.looked_at(angles.looks().more(turn, sector_ms, gathered_ms)?))
    }

    /// A sector to read behind another one. The same one comes by again whole turns later. The first of a track comes by soon after the last one, where a gap is
    /// between them: as fast as a cache has it, each time. So the gap is waited for, and a turn for the sector.
    fn visit(&self, before: Option<u64>, lba: u64) -> Visited {
        let hit_ms = self.hit_ms();
        let period = self.turn.map_or(0.0, |turn| turn.period);
        if before == Some(lba) && self.rereads() {
            let turns = self.angles.as_ref().map_or(1, |angles| angles.looks().turns);
            return Visited { lba, wait_ps: (f64::from(turns - 1) * period * 1e9) as u64 };
        }
        let gap_ms = before.and_then(|last| {
            let sectors = last.checked_sub(lba)? + u64::from(self.goal.unit_sectors.max(1));
            Some(period - sectors as f64 * self.walk.slope(sectors)?)
        });
        let soon = self.held.shows() && gap_ms.is_some_and(|gap| (0.0..hit_ms).contains(&gap));
        Visited { lba, wait_ps: if soon { (hit_ms * 1e9) as u64 } else { 0 } }
    }

    /// The movements that are timed next.
    pub(super) fn moved(&self, movements: &Movements) -> Option<Plan> {
        let pairs = movements.next()?;
        // Of many movements in turn no cache has the next one, but perhaps what was read before them all, and each
        // answer of a cache makes it keep that longer.
        let many = self.strokes.is_none() && pairs.len() > self.held.places();
        // Unless it has all of a track that many of them begin on.
        let many = many && !movements.are_apart();
        let before = match (movements.lost(), many) {
            (true, _) => held::MOST,
            (false, true) => self.held.missing(&pairs, self.walk.track_sectors()),
            (false, false) => 0,
        };
        let held = if many { Held::default() } else { self.held.clone() };
        Some(self.visited(&pairs, (2, before), &held))
    }

    /// How many places a cache keeps.
    pub(super) fn counts(&self) -> Plan {
        let visits = places::visits(self.held.number(0), |number| self.near(number));
        self.visited(&visits, (1, 0), &Held::default())
    }

    /// Whether whole tracks are held.
    pub(super) fn trials(&self) -> Plan {
        let unit = u64::from(self.goal.unit_sectors.max(1));
        let period = self.turn.map_or(0.0, |turn| turn.period);
        let platter = Platter { period, track: self.walk.track_sectors() };
        let trials = self.held.trials(unit, platter, |number| self.near(number));
        self.visited(&trials, (2, 0), &Held::default())
    }
}
