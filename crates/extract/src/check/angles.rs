//! Angles between sectors anywhere on the drive: which skews all of them have in common.
//!
//! A skew is measured over a few tracks, to a part of a sector; over thousands of tracks that part
//! adds up to any angle. Skews are whole sectors, as a drive counts them: those by which far angles
//! come out too are the drive's, and others, by which they do not, are not.

use super::replica::Replica;
use super::zone_angles::{ZoneAngles, densest, whole, without_track_spares};
use super::{Evidence, Kept};
use crate::clock::timed;
use crate::stats::fold;
use platterlab_drive::layout::Layout;
use platterlab_drive::{LayoutParams, Skew, ZoneParams};
use platterlab_probe::Samples;
use platterlab_units::Angle;

/// Angles across zones that show where one begins, and their share.
const FEW: usize = 3;
const MOSTLY: f64 = 0.6;

/// Two requests in turn.
#[derive(Clone, Copy, Debug)]
struct SeenAngle {
    from: (u64, u32),
    to: (u64, u32),
    took_ms: f64,
}

/// The layout with the skews that angles show, and how many of them it has.
pub(super) struct Fitted {
    pub(super) layout: LayoutParams,
    /// Zones whose skews angles show, and whose first sector's place.
    pub(super) skews_agree: Vec<bool>,
    /// Zones of which no other skews that were tried do nearly as well.
    pub(super) alone: Vec<bool>,
    pub(super) firsts_agree: Vec<bool>,
    pub(super) angles: usize,
    pub(super) right: usize,
}

/// A zone with the skews that most of its angles have, how many these are, and whether no other skews
/// do as well.
struct Settled {
    zone: ZoneParams,
    right: usize,
    agrees: bool,
    alone: bool,
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
    let sight = Sight {
        seen: runs.iter().flat_map(|(kept, _)| seen(&kept.run, evidence.hit_ms)).collect(),
        zones: &replica.zones,
        period_ms: evidence.turn.period,
        room_ms: evidence.noise_ms(),
    };
    let mut layout = replica.layout.clone();
    let (skews_agree, alone) = sight.settle_zones(&mut layout);
    let firsts_agree = sight.settle_firsts(&mut layout, &skews_agree);
    let right = sight.offs(&layout).iter().filter(|off| off.abs() <= sight.room_ms).count();
    Fitted { layout, skews_agree, alone, firsts_agree, angles: sight.seen.len(), right }
}

/// Requests of a run that the platter answered, each with the one before.
fn seen(run: &Samples, hit_ms: f64) -> Vec<SeenAngle> {
    let times = timed(run);
    let both = times.windows(2).filter(|pair| pair.iter().all(|it| it.elapsed() > hit_ms));
    both.map(|pair| SeenAngle {
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
    fn offs(&self, layout: &LayoutParams) -> Vec<f64> {
        let Ok(layout) = Layout::new(layout) else {
            return vec![f64::INFINITY; self.seen.len()];
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
        self.seen.iter().map(|seen| off(seen).unwrap_or(f64::INFINITY)).collect()
    }

    /// Gives each zone the skews by which most of its angles come out, with spare sectors on each track
    /// or without: a pace that is a little off looks like some. Says of which zones no other value of one skew does,
    /// and of which no others of both do.
    fn settle_zones(&self, layout: &mut LayoutParams) -> (Vec<bool>, Vec<bool>) {
        let mut settled = self.settled(layout);
        let bare = LayoutParams {
            zones: layout.zones.iter().map(without_track_spares).collect(),
            ..layout.clone()
        };
        if bare.zones != layout.zones {
            for (one, other) in settled.iter_mut().zip(self.settled(&bare)) {
                if other.right > one.right {
                    *one = other;
                }
            }
        }
        let told = settled.iter().map(|it| (it.agrees, it.alone)).unzip();
        layout.zones = settled.into_iter().map(|it| it.zone).collect();
        told
    }

    fn settled(&self, layout: &LayoutParams) -> Vec<Settled> {
        let surfaces = layout.surfaces;
        let with = |more: [i64; 2]| {
            let zones = layout.zones.iter().map(|zone| whole(zone, surfaces, more));
            LayoutParams { zones: zones.collect(), ..layout.clone() }
        };
        let nearest = with([0, 0]);
        let offs = self.offs(&nearest);
        // What a sector more of a skew moves an angle by: as many sectors as it was taken so often.
        let steps = [self.offs(&with([1, 0])), self.offs(&with([0, 1]))];
        let opened = |zone| ZoneAngles::of(zone, surfaces, (self.period_ms, self.room_ms));
        let mut zones: Vec<ZoneAngles> = nearest.zones.iter().map(opened).collect();
        for (index, seen) in self.seen.iter().enumerate() {
            let zone = self.zone(seen.from.0);
            if zone == self.zone(seen.to.0) && offs[index].is_finite() {
                let taken = |step: &Vec<f64>| fold(offs[index] - step[index], self.period_ms);
                zones[zone].add(offs[index], [taken(&steps[0]), taken(&steps[1])]);
            }
        }
        let both = layout.zones.iter().zip(zones);
        both.map(|(zone, angles)| {
            let (more, right, agrees) = angles.best();
            let alone = angles.is_alone(more);
            Settled { zone: whole(zone, surfaces, more), right, agrees, alone }
        })
        .collect()
    }

    /// Turns each zone so that angles across zones come out; says of which zones enough of them do.
    fn settle_firsts(&self, layout: &mut LayoutParams, skews_agree: &[bool]) -> Vec<bool> {
        let mut known = vec![false; self.zones.len()];
        let sure = |zone: &usize| skews_agree[*zone];
        let begin = (0..self.zones.len()).find(sure).unwrap_or(0);
        known[begin] = true;
        for zone in (0..self.zones.len()).filter(|zone| *zone != begin).filter(sure) {
            let mut off_ms: Vec<f64> = Vec::new();
            for (seen, off) in self.seen.iter().zip(self.offs(layout)) {
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
