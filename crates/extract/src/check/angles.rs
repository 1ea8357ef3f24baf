//! Angles between sectors anywhere on the drive: which skews all of them have in common.
//!
//! A skew is measured over a few tracks, to a part of a sector; over thousands of tracks that part
//! adds up to any angle. Most drives count skews in whole sectors: those by which far angles come out
//! too are the drive's. Where they come out by none, skews are angles, as tracks of different lengths
//! share one: those that near angles show and farther ones refine.

use super::free_skews;
use super::replica::Replica;
use super::track_spares::{self, Misfit};
use super::zone_angles::{MORE, SHARE, ZoneAngles, densest, share, turned, whole};
use super::{Evidence, Kept};
use crate::clock::timed;
use crate::stats::fold;
use platterlab_drive::layout::Layout;
use platterlab_drive::{LayoutParams, Skew, ZoneParams};
use platterlab_probe::Samples;
use platterlab_units::Angle;
use std::collections::BTreeMap;

/// Angles across zones that show where one begins, and their share.
const FEW: usize = 3;
const MOSTLY: f64 = 0.6;

/// The share of angles that may come out by turns and not by whole sectors, though these be the drive's: such as are
/// late by about what noise explains.
const AS_MANY: f64 = 0.02;

/// Parts of a zone that each have its skews.
const PARTS: u64 = 8;

/// What a skew is lengthened by to count how often an angle has it, in turns: so little that many
/// millions are less than half a turn.
const LITTLE: f64 = 1.0 / (1_u32 << 30) as f64;

/// Two requests in turn.
#[derive(Clone, Copy, Debug)]
struct SeenAngle {
    probe: &'static str,
    from: (u64, u32),
    to: (u64, u32),
    took_ms: f64,
}

/// The layout with the skews that angles show, and how many of them it has.
pub(super) struct Fitted {
    pub(super) layout: LayoutParams,
    /// Zones whose skews angles show, and whose first sector's place.
    pub(super) skews_agree: Vec<bool>,
    /// Zones in no part of which angles over tracks come out otherwise.
    pub(super) parts_agree: Vec<bool>,
    /// Zones of which no other skews that were tried do nearly as well.
    pub(super) alone: Vec<bool>,
    /// Zones of which no other count of spares of each track does.
    pub(super) spares_agree: Vec<bool>,
    pub(super) firsts_agree: Vec<bool>,
    /// How the angles of each zone come out, by the skews they have.
    pub(super) told: Vec<CameOut>,
    /// How many of them do by each probe, and of how many.
    pub(super) by_probe: Vec<BTreeMap<&'static str, [usize; 2]>>,
    pub(super) angles: usize,
    pub(super) right: usize,
}

/// How many angles of a zone come out, and of how many: of those on one track, of those with the first
/// skew alone, and of those with the second.
pub(super) type CameOut = [[usize; 2]; 3];

/// A zone with the skews that most of its angles have, and whether no other skews do as well.
struct Settled {
    zone: ZoneParams,
    agrees: bool,
    alone: bool,
    /// Whether no other count of spares of each track does nearly as well.
    spares_agree: bool,
    /// Whether they are turns, and whether angles show them as such as far as the zone goes.
    free: bool,
    free_agrees: bool,
    told: CameOut,
    misfit: Misfit,
}

/// What a layout is compared with.
struct Sight<'a> {
    seen: Vec<SeenAngle>,
    /// First sectors of the zones.
    zones: &'a [u64],
    period_ms: f64,
    room_ms: f64,
}

/// The skews of all zones, as angles on the whole drive have them.
pub(super) fn fitted(
    replica: &Replica,
    evidence: &Evidence<'_>,
    runs: &[(&Kept, Samples)],
) -> Fitted {
    let until = replica.zoned_until();
    let within = |seen: &SeenAngle| seen.from.0.max(seen.to.0) < until;
    let all = runs.iter().flat_map(|(kept, _)| seen(&kept.run, evidence.hit_ms));
    let sight = Sight {
        seen: all.filter(within).collect(),
        zones: &replica.zones,
        period_ms: evidence.turn.period,
        room_ms: evidence.noise_ms(),
    };
    let mut layout = replica.layout.clone();
    let settled = sight.settle_zones(&layout);
    layout.zones = settled.iter().map(|it| it.zone.clone()).collect();
    let offs = sight.offs(&sight.seen, &layout);
    let parts_agree = sight.parts_agree(&offs, &layout);
    let agree =
        |(zone, parts): (&Settled, &bool)| zone.agrees && *parts && (zone.alone || zone.free);
    let skews_agree: Vec<bool> = settled.iter().zip(&parts_agree).map(agree).collect();
    let firsts_agree = sight.settle_firsts(&mut layout, &skews_agree);
    let offs = sight.offs(&sight.seen, &layout);
    let right = offs.iter().filter(|off| off.abs() <= sight.room_ms).count();
    let alone = settled.iter().map(|it| it.alone).collect();
    let misfits: Vec<Misfit> = settled.iter().map(|it| it.misfit).collect();
    let spares = settled.iter().zip(&skews_agree).map(|(zone, agree)| {
        // Of skews that may be any angle, some suit each count.
        zone.spares_agree && !zone.free && *agree && track_spares::fits(zone.misfit, &misfits)
    });
    let spares_agree = spares.collect();
    let told = settled.iter().map(|it| it.told).collect();
    let by_probe = sight.by_probe(&offs);
    let angles = sight.seen.len();
    Fitted {
        layout,
        skews_agree,
        parts_agree,
        alone,
        spares_agree,
        firsts_agree,
        told,
        by_probe,
        angles,
        right,
    }
}

/// Requests of a run that the platter answered, each with the one before.
fn seen(run: &Samples, hit_ms: f64) -> Vec<SeenAngle> {
    let times = timed(run);
    let both = times.windows(2).filter(|pair| pair.iter().all(|it| it.elapsed() > hit_ms));
    both.map(|pair| SeenAngle {
        probe: run.plan.name(),
        from: (pair[0].lba, pair[0].sectors),
        to: (pair[1].lba, pair[1].sectors),
        took_ms: pair[1].completed - pair[0].completed,
    })
    .collect()
}

impl Sight<'_> {
    fn zone(&self, lba: u64) -> usize {
        self.zones.partition_point(|first| *first <= lba).saturating_sub(1)
    }

    /// How much later than by a layout the second request of each pair is done.
    fn offs(&self, seen: &[SeenAngle], layout: &LayoutParams) -> Vec<f64> {
        let Ok(layout) = Layout::new(layout) else {
            return vec![f64::INFINITY; seen.len()];
        };
        // Where the last sector of a request has passed, in turns.
        let end = |(lba, sectors): (u64, u32)| {
            let last = lba + u64::from(sectors.saturating_sub(1));
            (last < layout.capacity()).then(|| layout.run(last, 1).angle(1).as_turns())
        };
        let off = |seen: &SeenAngle| {
            let turned = end(seen.to)? - end(seen.from)?;
            Some(fold(seen.took_ms - turned * self.period_ms, self.period_ms))
        };
        seen.iter().map(|seen| off(seen).unwrap_or(f64::INFINITY)).collect()
    }

    /// Each zone with the spares of each track, and the skews, by which its angles come out best.
    fn settle_zones(&self, layout: &LayoutParams) -> Vec<Settled> {
        let mut tried: Vec<Vec<(u32, Settled)>> = layout.zones.iter().map(|_| Vec::new()).collect();
        for (layout, spares) in track_spares::layouts(layout) {
            let settled = spares.into_iter().zip(self.settled(&layout));
            for (all, (spares, one)) in tried.iter_mut().zip(settled) {
                all.extend(spares.map(|count| (count, one)));
            }
        }
        let best = |mut all: Vec<(u32, Settled)>| {
            let misfits: Vec<(u32, Misfit)> = all.iter().map(|it| (it.0, it.1.misfit)).collect();
            let (best, spares_agree) = track_spares::best(&misfits)?;
            Some(Settled { spares_agree, ..all.swap_remove(best).1 })
        };
        let mut settled: Vec<Settled> = tried.into_iter().filter_map(best).collect();
        // Where skews are turns in one zone, near angles alone make no whole sectors of them in another.
        if settled.iter().any(|it| it.free && it.agrees) {
            settled.iter_mut().for_each(|it| it.agrees = it.free_agrees);
        }
        settled
    }

    fn settled(&self, layout: &LayoutParams) -> Vec<Settled> {
        let surfaces = layout.surfaces;
        let zones = layout.zones.iter().map(|zone| whole(zone, surfaces, [0, 0]));
        let nearest = LayoutParams { zones: zones.collect(), ..layout.clone() };
        let opened = |zone| ZoneAngles::of(zone, surfaces, (self.period_ms, self.room_ms));
        let mut zones: Vec<ZoneAngles> = nearest.zones.iter().map(opened).collect();
        for (seen, (off, often)) in self.seen.iter().zip(self.counted(&self.seen, &nearest)) {
            let zone = self.zone(seen.from.0);
            if zone == self.zone(seen.to.0) && off.is_finite() {
                zones[zone].angles.push((off, often));
            }
        }
        let ends = self.counted(&self.ends(&nearest), &nearest);
        let all = layout.zones.iter().zip(&nearest.zones).zip(zones).zip(ends);
        all.map(|(((zone, nearest), angles), (_, end))| {
            let like = |more| whole(zone, surfaces, more);
            settled(&angles, end, like, |longer| turned(nearest, surfaces, longer))
        })
        .collect()
    }

    /// From the first sector of each zone to its last.
    fn ends(&self, layout: &LayoutParams) -> Vec<SeenAngle> {
        let capacity = Layout::new(layout).map_or(1, |layout| layout.capacity());
        let ends = self.zones.iter().skip(1).copied().chain([capacity]);
        let both = self.zones.iter().zip(ends);
        both.map(|(first, end)| SeenAngle {
            probe: "",
            from: (*first, 1),
            to: (end - 1, 1),
            took_ms: 0.0,
        })
        .collect()
    }

    /// What angles are off by, and how often each has both skews: as many times as a little more of one
    /// moves it.
    fn counted(&self, seen: &[SeenAngle], layout: &LayoutParams) -> Vec<(f64, [f64; 2])> {
        let with = |longer: [f64; 2]| {
            let zones = layout.zones.iter().map(|zone| turned(zone, layout.surfaces, longer));
            self.offs(seen, &LayoutParams { zones: zones.collect(), ..layout.clone() })
        };
        let [offs, first, second] = [[0.0, 0.0], [LITTLE, 0.0], [0.0, LITTLE]].map(with);
        let often = |off: f64, moved: f64| {
            (fold(off - moved, self.period_ms) / self.period_ms / LITTLE).round()
        };
        let all = offs.into_iter().zip(first.into_iter().zip(second));
        all.map(|(off, (first, second))| (off, [often(off, first), often(off, second)])).collect()
    }

    /// Whether angles over tracks come out in each part of a zone, as far as there are some: where they do not, it is
    /// another zone, of as many sectors.
    fn parts_agree(&self, offs: &[f64], layout: &LayoutParams) -> Vec<bool> {
        let capacity = Layout::new(layout).map_or(1, |layout| layout.capacity());
        let ends = self.zones.iter().skip(1).copied().chain([capacity]);
        let extents: Vec<(u64, u64)> = self.zones.iter().copied().zip(ends).collect();
        let mut parts = vec![[[0, 0]; PARTS as usize]; self.zones.len()];
        for (seen, off) in self.seen.iter().zip(offs) {
            let zone = self.zone(seen.from.0);
            let (first, end) = extents[zone];
            let part = |lba: u64| lba.saturating_sub(first) * PARTS / (end - first).max(1);
            let part_of = part(seen.from.0).min(PARTS - 1);
            let apart = seen.from.0.abs_diff(seen.to.0);
            let over_tracks = apart >= u64::from(layout.zones[zone].sectors_per_track);
            if over_tracks && zone == self.zone(seen.to.0) && part_of == part(seen.to.0) {
                let [right, all] = &mut parts[zone][part_of as usize];
                *right += usize::from(off.abs() <= self.room_ms);
                *all += 1;
            }
        }
        let agree = |parts: &[[usize; 2]; PARTS as usize]| {
            let best = parts.iter().filter(|it| it[1] >= MORE).map(share).fold(0.0, f64::max);
            parts.iter().all(|it| it[1] < MORE || share(it) >= SHARE * best)
        };
        parts.iter().map(agree).collect()
    }

    /// How many angles within each zone come out by each probe, and of how many.
    fn by_probe(&self, offs: &[f64]) -> Vec<BTreeMap<&'static str, [usize; 2]>> {
        let mut zones = vec![BTreeMap::new(); self.zones.len()];
        for (seen, off) in self.seen.iter().zip(offs) {
            let zone = self.zone(seen.from.0);
            if zone == self.zone(seen.to.0) {
                let [right, all] = zones[zone].entry(seen.probe).or_insert([0, 0]);
                *right += usize::from(off.abs() <= self.room_ms);
                *all += 1;
            }
        }
        zones
    }

    /// Turns each zone so that angles across zones come out; says of which zones enough of them do.
    fn settle_firsts(&self, layout: &mut LayoutParams, skews_agree: &[bool]) -> Vec<bool> {
        let mut known = vec![false; self.zones.len()];
        let sure = |zone: &usize| skews_agree[*zone];
        let begin = (0..self.zones.len()).find(sure).unwrap_or(0);
        known[begin] = true;
        for zone in (0..self.zones.len()).filter(|zone| *zone != begin).filter(sure) {
            let mut off_ms: Vec<f64> = Vec::new();
            for (seen, off) in self.seen.iter().zip(self.offs(&self.seen, layout)) {
                let (from, to) = (self.zone(seen.from.0), self.zone(seen.to.0));
                if to == zone && from != zone && known[from] {
                    off_ms.push(off);
                } else if from == zone && to != zone && known[to] {
                    off_ms.push(-off);
                }
            }
            let Some((middle, alike)) = densest(&off_ms, self.period_ms, self.room_ms) else {
                continue;
            };
            if alike < FEW || (alike as f64) < MOSTLY * off_ms.len() as f64 {
                continue;
            }
            // At the index mark, unless it shows to be elsewhere.
            let turns = if middle.abs() <= self.room_ms { 0.0 } else { middle / self.period_ms };
            let first = Skew::Turn(Angle::of_turns(turns.rem_euclid(1.0)));
            layout.zones[zone].first_track_skew = first;
            known[zone] = true;
        }
        known
    }
}

/// A zone of such angles, of which the last sector has the skews so often more than the first: with whole
/// sectors, or with turns where more angles come out by these.
fn settled(
    angles: &ZoneAngles,
    end: [f64; 2],
    whole: impl Fn([i64; 2]) -> ZoneParams,
    turned: impl Fn([f64; 2]) -> ZoneParams,
) -> Settled {
    let (more, right, agrees) = angles.best();
    let found = free_skews::of(angles, end);
    let free_agrees = found.as_ref().is_some_and(|it| it.agrees);
    // Whole sectors by which near angles come out and others do not are none.
    let fewer = if agrees { MORE.max((AS_MANY * right as f64) as usize) } else { 0 };
    let Some(free) = found.filter(|it| it.right > right + fewer) else {
        let (alone, told) = (angles.is_alone(more), told(angles, angles.longer(more)));
        let misfit = angles.misfit(angles.longer(more));
        let (zone, free, spares_agree) = (whole(more), false, true);
        return Settled { zone, agrees, alone, spares_agree, free, free_agrees, told, misfit };
    };
    // Turns that are whole sectors are such, if they are farther from what near tracks showed.
    let more = free.longer_ms.map(|ms| (ms / angles.sector_ms).round() as i64);
    let counted = angles.come_out(angles.longer(more), |_| true)[0] >= free.right;
    let longer_ms = if counted { angles.longer(more) } else { free.longer_ms };
    let longer = free.longer_ms.map(|ms| ms / angles.period_ms);
    Settled {
        zone: if counted { whole(more) } else { turned(longer) },
        agrees: free_agrees,
        // Spares of each track would be a part of the turns.
        alone: false,
        spares_agree: true,
        free: !counted,
        free_agrees,
        told: told(angles, longer_ms),
        misfit: angles.misfit(longer_ms),
    }
}

fn told(angles: &ZoneAngles, longer_ms: [f64; 2]) -> CameOut {
    [
        angles.come_out(longer_ms, |often| often == [0.0, 0.0]),
        angles.come_out(longer_ms, |often| often[0] != 0.0 && often[1] == 0.0),
        angles.come_out(longer_ms, |often| often[1] != 0.0),
    ]
}
