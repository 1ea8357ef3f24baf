//! Zones of the map, with what the campaign knows of each.

use crate::agreed::{Agreed, Class};
use crate::surface_zones::{SurfaceZone, is_mixed, surface_zones};
use crate::survey::open_ends::open_ends;
use crate::survey::stretches::{
    Before, FirstTrack, ZoneStretch, of_densities, of_whole_cylinders, stretches,
};
use crate::survey::{TrackMap, track_of};
use crate::zones::Zone;
use crate::{Estimate, Extraction};

/// The part of what two lengths of tracks differ by that their densities differ by at least.
const SAME_DENSITY: f64 = 0.5;
const MAP: &str = "map of the tracks";

/// Zones whose cylinders' tracks are not alike, where a whole map shows them.
pub(crate) fn by_surface(map: &TrackMap, known: &Agreed) -> Option<Vec<SurfaceZone>> {
    let several = matches!(known.class, Some(Class::SeekFirst | Class::HeadFirst));
    let zones = if known.mapped && several { surface_zones(map) } else { None };
    // Passes that hold no data make some zones seem to differ, and surfaces of their own make most.
    zones.filter(|zones| {
        let other = |(index, zone): &(usize, &SurfaceZone)| {
            zone.spares > 0 || zone.differs() && !is_mixed(zones, *index)
        };
        2 * zones.iter().enumerate().filter(other).count() > zones.len()
    })
}

/// The zones of the map, where there is a whole one, with what the campaign knows of each.
pub(crate) fn zones(
    found: &Extraction,
    map: &TrackMap,
    known: &Agreed,
    by_surface: Option<Vec<SurfaceZone>>,
) -> Vec<Zone> {
    if let Some(by_surface) = by_surface {
        let with_surfaces = |it: SurfaceZone| {
            let mut zone = zone(it.first_lba, it.sectors[0], &found.zones);
            if it.spares == 0 {
                zone.surface_sectors_per_track = it.sectors;
            }
            zone
        };
        return by_surface.into_iter().map(with_surfaces).collect();
    }
    let Some(mut stretches) = stretches(&map.pieces).filter(|_| known.mapped) else {
        let note = "no whole map of the tracks confirms it, or surfaces differ";
        let mut zones = found.zones.clone();
        for zone in &mut zones {
            zone.first_lba.doubt(note);
            zone.sectors_per_track.doubt(note);
        }
        return zones;
    };
    of_densities(&mut stretches, &map.first_tracks);
    // Where other zones end with a track that is short of spares, that of one that does not may look
    // like a track of the next.
    let spared = stretches.iter().any(|zone| zone.before == Before::Short);
    let surfaces = map.layout.surfaces.ok().map_or(1, |count| count as u64);
    let settled = of_whole_cylinders(&mut stretches, surfaces);
    let density = Density::of(map);
    let open = open_ends(&stretches, &map.pieces);
    let zones = stretches.iter().enumerate().map(|(index, stretch)| {
        let mut zone = zone(stretch.first_lba, stretch.sectors, &found.zones);
        let sectors = stretch.sectors;
        if let Some(outer) = index.checked_sub(1).map(|outer| stretches[outer].sectors) {
            density.doubt(&mut zone, map, outer, stretch);
        }
        match stretch.before {
            _ if settled || index == 0 => {}
            Before::Short if let Some((first_lba, odd)) = open[index] => {
                match map.first_tracks.get(&first_lba) {
                    Some(FirstTrack::OfZoneBefore) => {}
                    Some(FirstTrack::Own) => zone.first_lba = Estimate::exact(first_lba, MAP),
                    None => zone.first_lba.doubt(format!(
                        "the track before, of {odd} sectors, may be the first of the zone, short of spares"
                    )),
                }
            }
            Before::Whole if spared => zone.first_lba.doubt(format!(
                "the last track before may be one of {sectors} sectors by its spares"
            )),
            Before::Askew => zone.first_lba.doubt(format!(
                "the last track before and the first of {sectors} sectors may be tracks of the zone \
                 before"
            )),
            Before::Whole | Before::Short | Before::Denser => {}
        }
        zone
    });
    zones.collect()
}

/// How many sectors pass in a turn on tracks of each length.
struct Density(Vec<(u64, f64)>);

impl Density {
    fn of(map: &TrackMap) -> Self {
        let turn_ms = map.rotation_ms.value.unwrap_or(f64::NAN);
        Self(map.paces.iter().map(|(length, pace)| (*length, turn_ms / pace)).collect())
    }

    fn around(&self, sectors: u64) -> Option<f64> {
        self.0.iter().find(|(length, _)| *length == sectors).map(|(_, around)| *around)
    }

    /// Without known surfaces doubts a zone that is as dense as the one before, whose tracks have so many sectors: its
    /// own may be those of another surface, short of spares. And where it begins behind a track that is short of
    /// spares: that is the last of the zone before, unless it is as dense as those behind it.
    fn doubt(&self, zone: &mut Zone, map: &TrackMap, outer: u64, stretch: &ZoneStretch) {
        const SPARES: &str = "as many sectors pass in a turn as before: some may be spares";
        let open = map.layout.surfaces.ok().is_none();
        let own = stretch.sectors;
        let (Some(before), Some(behind)) = (self.around(outer), self.around(own)) else { return };
        if open && (before - behind).abs() < SAME_DENSITY * outer.abs_diff(own) as f64 {
            zone.first_lba.doubt(SPARES);
            zone.sectors_per_track.doubt(SPARES);
        }
        let last = track_of(&map.pieces, stretch.first_track.saturating_sub(1));
        let short = last.map(|(_, sectors)| sectors).filter(|sectors| open && *sectors < own);
        if let Some(odd) = short.and_then(|odd| self.around(odd))
            && (odd - behind).abs() < (odd - before).abs()
        {
            zone.first_lba.doubt("the track before is as dense as those behind it");
        }
    }
}

fn zone(first: u64, sectors: u64, campaign: &[Zone]) -> Zone {
    let none = || Estimate::unsupported(MAP, "not measured in this zone");
    let near = |zone: &&Zone| {
        let apart = zone.first_lba.value.map(|lba| (lba - first as f64).abs());
        zone.sectors_per_track.value == Some(sectors as f64)
            && apart.is_some_and(|apart| apart <= 64.0 * sectors as f64)
    };
    let same = campaign.iter().find(near);
    let or_none = |of: fn(&Zone) -> &Estimate| same.map_or_else(none, |zone| of(zone).clone());
    Zone {
        first_lba: Estimate::exact(first, MAP),
        sectors_per_track: Estimate::exact(sectors, MAP),
        surface_sectors_per_track: Vec::new(),
        skippy_sectors_per_track: or_none(|zone| &zone.skippy_sectors_per_track),
        track_skew_ms: or_none(|zone| &zone.track_skew_ms),
        cylinder_skew_ms: or_none(|zone| &zone.cylinder_skew_ms),
        mib_s: or_none(|zone| &zone.mib_s),
    }
}
