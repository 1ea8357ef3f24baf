//! Zones of a drive whose surfaces have tracks of their own length; or that changes cylinders before heads
//! and whose cylinders keep spares on their last track.

use crate::campaign::FirstPass;
use crate::survey::{Piece, SEVERAL, TrackMap, are_apart, track_of};

/// Zones that tell by their densities whether one shorter track is of a surface of its own.
const FEWEST: usize = 3;
/// Sectors that a surface of its own would lack less of in the last zone than in the first, at least.
const OTHERS: f64 = 1.5;

/// Groups of cylinders that go through the surfaces forwards and backwards.
const BOTH_WAYS: u64 = 2;

/// Groups of cylinders that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SurfaceZone {
    pub(crate) first_lba: u64,
    /// Sectors around the tracks of each surface, the first of which the zone begins with.
    pub(crate) sectors: Vec<u64>,
    /// Those of each cylinder without an address, all on its last track.
    pub(crate) spares: u64,
    /// Cylinders, the last of which may be short of tracks that are spares.
    pub(crate) cylinders: u64,
}

impl SurfaceZone {
    fn cylinder_sectors(&self) -> u64 {
        self.sectors.iter().sum()
    }

    /// Its cylinders, and what they leave behind so many sectors: more than a cylinder, where whole tracks are spares.
    pub(crate) fn extent(&self, sectors: u64) -> Option<(u64, u64)> {
        let left = (self.cylinders * self.cylinder_sectors()).checked_sub(sectors)?;
        Some((self.cylinders, left))
    }

    /// Whether its tracks are of several lengths.
    pub(crate) fn differs(&self) -> bool {
        self.sectors.iter().any(|count| *count != self.sectors[0])
    }

    /// How many of its tracks are shorter than the longest.
    fn shorter(&self) -> usize {
        let most = self.sectors.iter().max();
        self.sectors.iter().filter(|count| Some(*count) != most).count()
    }

    /// Whether the shortest tracks are as dense as the longest, as such short of spares are: fewer sectors
    /// around the whole of a track are wider.
    fn is_dense(&self, map: &TrackMap) -> Option<bool> {
        let pace = |length: u64| map.paces.iter().find(|pace| pace.0 == length).map(|pace| pace.1);
        let (most, least) = (*self.sectors.iter().max()?, *self.sectors.iter().min()?);
        let wider = pace(least)? / pace(most)?;
        are_apart(most, least).then_some(wider < f64::midpoint(1.0, most as f64 / least as f64))
    }

    /// Sectors of all tracks and those of the last one of a cylinder, where only that one is shorter.
    fn short_last(&self) -> Option<(u64, u64)> {
        let (last, others) = self.sectors.split_last()?;
        let most = *others.first()?;
        (last < &most && others.iter().all(|count| *count == most)).then_some((most, *last))
    }
}

/// Whether some surfaces have tracks as in the zone before and all others as in the one behind: such a zone is made up
/// where passes at a zone's end hold no data, as those behind them are counted to its groups.
pub(crate) fn is_mixed(zones: &[SurfaceZone], index: usize) -> bool {
    let at = |index: usize| zones.get(index).map(|zone| &zone.sectors[..]);
    let (Some(before), Some(own), Some(behind)) =
        (index.checked_sub(1).and_then(at), at(index), at(index + 1))
    else {
        return false;
    };
    let mut both = own.iter().zip(before.iter().zip(behind));
    both.all(|(own, (before, behind))| own == before || own == behind)
}

/// The zones; `None` where passes over the surfaces do not make whole groups of cylinders, or where one
/// has tracks of several lengths; and where heads come first and surfaces are not known to differ.
pub(crate) fn surface_zones(map: &TrackMap) -> Option<Vec<SurfaceZone>> {
    let Some(width) = map.layout.serpentine_cylinders.ok().map(|width| width as u64) else {
        return of_cylinders(map);
    };
    // Spares come last in whichever order a cylinder goes through the surfaces.
    let last = zones(map, width, false);
    let last = last.filter(|zones| zones.iter().all(|it| it.short_last().is_some()));
    let Some(mut zones) = last else {
        return of_groups(map, width);
    };
    if !is_spared(&zones, map) {
        return is_own(&zones, map).then(|| of_groups(map, width))?;
    }
    for zone in &mut zones {
        let (most, least) = zone.short_last()?;
        zone.spares = most - least;
        zone.sectors.fill(most);
    }
    Some(zones)
}

/// The passes that zones begin with, where stretches of tracks come back as surfaces have their own: the drive's first
/// one alone, where no others are known.
pub(crate) fn first_passes(map: &TrackMap) -> Option<Vec<FirstPass>> {
    let zones = surface_zones(map).unwrap_or_default();
    (zones.iter().all(SurfaceZone::differs) && rise_again(&map.pieces)).then_some(())?;
    let starts = zones.iter().skip(1).map(|zone| zone.first_lba);
    let pass = |first_lba: u64| {
        let behind = map.pieces.partition_point(|piece| piece.first_lba <= first_lba);
        let piece = &map.pieces[behind.checked_sub(1)?];
        let sectors_per_track = piece.sectors[0];
        let until_lba = piece.first_lba + piece.cycles * sectors_per_track;
        Some(FirstPass { first_lba, sectors_per_track, until_lba })
    };
    let first = map.pieces.iter().find(|piece| piece.tracks() >= SEVERAL)?.first_lba;
    Some([first].into_iter().chain(starts).filter_map(pass).collect())
}

/// Whether one stretch in a few is of longer tracks than that before, as where each surface has its own: in zones
/// alone a track that is short of spares makes one so here and there.
fn rise_again(pieces: &[Piece]) -> bool {
    const FEW: usize = 8;
    const PART: usize = 4;
    let long = pieces.iter().filter(|piece| piece.tracks() >= SEVERAL);
    let mut lengths: Vec<u64> = long.map(|piece| piece.sectors[0]).collect();
    lengths.dedup();
    let rises = lengths.windows(2).filter(|pair| pair[1] > pair[0]).count();
    rises >= FEW && PART * rises >= lengths.len()
}

/// The zones of a drive that changes heads first: where cylinders are of other tracks than the one before.
/// Surfaces differ if they do in all zones, and if shorter tracks have wider sectors.
fn of_cylinders(map: &TrackMap) -> Option<Vec<SurfaceZone>> {
    (map.layout.class.value == Some("head-first")).then_some(())?;
    let zones = of_groups(map, 1)?;
    (zones.iter().all(|zone| zone.shorter() > 1) || are_wider(&zones, map)).then_some(())?;
    let wider = zones.iter().filter(|zone| zone.is_dense(map) == Some(false)).count();
    (2 * wider > zones.len()).then_some(())?;
    // A boundary between tracks that was seen a sector off at a zone's end makes zones of one cylinder.
    let last = map.pieces.last()?;
    let end = last.first_lba + last.cycles * last.sectors.iter().sum::<u64>();
    let next = zones.iter().skip(1).map(|zone| zone.first_lba).chain([end]);
    let single =
        |(zone, next): (&SurfaceZone, u64)| next - zone.first_lba <= zone.cylinder_sectors();
    (!zones.iter().zip(next).any(single)).then_some(zones)
}

/// Whether the one track of each cylinder that is shorter than the others is of a surface of its own: it may
/// be short of the cylinder's spares, and is as dense as the others then. What is known of a length that
/// tracks of another zone have may be of those.
fn are_wider(zones: &[SurfaceZone], map: &TrackMap) -> bool {
    let alone = |zone: &&SurfaceZone| {
        let least = zone.sectors.iter().min();
        let mut others = zones.iter().filter(|other| other.first_lba != zone.first_lba);
        zone.differs() && !others.any(|other| other.sectors.iter().any(|it| Some(it) == least))
    };
    let told: Vec<bool> =
        zones.iter().filter(alone).filter_map(|zone| zone.is_dense(map)).collect();
    zones.iter().all(SurfaceZone::differs) && told.len() >= FEWEST && !told.contains(&true)
}

/// Whether the last tracks of cylinders are as dense as the others, in most of the zones: a surface of
/// fewer sectors would have wider ones. Or whether as many are missing in all zones, of which a surface would lack as
/// large a part.
fn is_spared(zones: &[SurfaceZone], map: &TrackMap) -> bool {
    let missing: Vec<(u64, u64)> = zones.iter().filter_map(SurfaceZone::short_last).collect();
    if let [(outer, least), .., (inner, last)] = missing[..] {
        let part = (outer - least) as f64 / outer as f64;
        let same = missing.iter().all(|(most, short)| most - short == outer - least);
        let others = part * (outer - inner) as f64;
        if same && missing.len() >= FEWEST && inner - last == outer - least && others >= OTHERS {
            return true;
        }
    }
    let told: Vec<bool> = zones.iter().filter_map(|zone| zone.is_dense(map)).collect();
    // Where nothing is told, no surface is known to be another.
    2 * told.iter().filter(|dense| **dense).count() > told.len() || told.is_empty()
}

/// Whether the last tracks of cylinders are a surface's of its own: they lack not the same in all zones, and in no zone
/// are as dense as the others. Few zones tell it no better than chance.
fn is_own(zones: &[SurfaceZone], map: &TrackMap) -> bool {
    let missing = zones.iter().filter_map(SurfaceZone::short_last).map(|(most, last)| most - last);
    let mut missing: Vec<u64> = missing.collect();
    missing.dedup();
    let told: Vec<bool> = zones.iter().filter_map(|zone| zone.is_dense(map)).collect();
    missing.len() > 1 && told.len() >= FEWEST && !told.contains(&true)
}

/// The zones by groups of so many cylinders. Where movements leave open whether every second one goes through the
/// surfaces backwards, lengths may tell: no surface has longer tracks further in. Where neither does, both count
/// if they make the same zones.
fn of_groups(map: &TrackMap, width: u64) -> Option<Vec<SurfaceZone>> {
    let ways: &[bool] = match map.layout.surface_order.value {
        Some("alternating") => &[true],
        Some(_) => &[false],
        None => &[false, true],
    };
    let mut fitting = ways.iter().filter_map(|back| zones(map, width, *back));
    let first = fitting.next()?;
    fitting.all(|other| other == first).then_some(first)
}

/// The zones by groups of so many cylinders, of which every second goes through the surfaces `back`.
fn zones(map: &TrackMap, width: u64, back: bool) -> Option<Vec<SurfaceZone>> {
    let surfaces = map.layout.surfaces.ok()? as u64;
    let first = map.pieces.first()?;
    (first.first_lba == 0 && surfaces > 1).then_some(())?;
    let mut zones: Vec<SurfaceZone> = Vec::new();
    let (mut turned, mut from, mut alike) = (false, 0, 0);
    let mut ended = false;
    while from < map.tracks {
        // The last cylinders may be fewer.
        let fitting = width.min((map.tracks - from) / surfaces);
        turned = back && !turned;
        let Some(mut group) = group(&map.pieces, from, surfaces, fitting) else {
            let zone = zones.last_mut().filter(|_| !ended)?;
            let lengths =
                if back && !turned { reversed(&zone.sectors) } else { zone.sectors.clone() };
            let (tracks, cylinders) = last_group(&map.pieces, from, &lengths, width)?;
            (from, ended) = (from + tracks, true);
            zone.cylinders += cylinders;
            continue;
        };
        let begins = group.clone();
        if back && !turned {
            group.sectors.reverse();
        }
        if ended || zones.last().is_none_or(|zone| zone.sectors != group.sectors) {
            let shorter = |zone: &SurfaceZone| {
                let mut both = zone.sectors.iter().zip(&begins.sectors);
                both.all(|(outer, inner)| inner <= outer) && zone.sectors != begins.sectors
            };
            zones.last().is_none_or(shorter).then_some(())?;
            zones.push(begins);
            (turned, alike, ended) = (back, 0, false);
        }
        let mut tracks = surfaces * fitting;
        alike += 1;
        if alike > BOTH_WAYS {
            // There and back, what follows is the same again.
            tracks += recurring(&map.pieces, from + tracks, BOTH_WAYS * tracks);
        }
        from += tracks;
        zones.last_mut()?.cylinders += tracks / surfaces;
    }
    Some(zones)
}

fn reversed(lengths: &[u64]) -> Vec<u64> {
    lengths.iter().rev().copied().collect()
}

/// Tracks and cylinders of a zone's last group, from a track on, with tracks of these lengths: passes over fewer
/// cylinders than others, or short of tracks that are spares; none where these are so many that it does not show how
/// wide it is.
fn last_group(pieces: &[Piece], from: u64, lengths: &[u64], width: u64) -> Option<(u64, u64)> {
    let alike = |track: u64, length: u64| {
        let behind = pieces.partition_point(|piece| piece.first_track <= track);
        let piece = pieces[..behind].last().filter(|piece| piece.sectors == [length]);
        piece.map_or(0, |piece| (piece.first_track + piece.tracks()).saturating_sub(track))
    };
    let width = width.min(alike(from, lengths[0]));
    let passes = lengths.iter().scan(from, |at, length| {
        let tracks = alike(*at, *length).min(width);
        *at += tracks;
        Some(tracks)
    });
    let mut passes: Vec<u64> = passes.collect();
    let whole = passes.iter().take_while(|tracks| **tracks == width).count();
    passes.truncate(whole + 1);
    (whole > 1).then(|| (passes.iter().sum(), width))
}

/// Tracks from this one on that are as in the group of so many before it, group by group, but for the last one.
fn recurring(pieces: &[Piece], from: u64, group: u64) -> u64 {
    let behind = pieces.partition_point(|piece| piece.first_track <= from);
    let piece = behind.checked_sub(1).and_then(|index| pieces.get(index));
    let whole = piece.filter(|piece| {
        let within = piece.first_track + group <= from;
        within && group.is_multiple_of((piece.sectors.len() as u64).max(1))
    });
    let left = whole.map_or(0, |piece| (piece.first_track + piece.tracks()).saturating_sub(from));
    (left / group.max(1)).saturating_sub(1) * group
}

/// The passes of a group of cylinders, by which surface comes first.
fn group(pieces: &[Piece], from: u64, surfaces: u64, width: u64) -> Option<SurfaceZone> {
    (width > 0).then_some(())?;
    let pass = |number: u64| {
        let (first, last) = (from + number * width, from + (number + 1) * width - 1);
        let (lba, length) = track_of(pieces, first)?;
        let (end, same) = track_of(pieces, last)?;
        (length == same && end - lba == (width - 1) * length).then_some((lba, length))
    };
    let passes = (0..surfaces).map(pass).collect::<Option<Vec<_>>>()?;
    let sectors = passes.iter().map(|(_, length)| *length).collect();
    Some(SurfaceZone { first_lba: passes.first()?.0, sectors, spares: 0, cylinders: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_a_piece_recur_up_to_its_last_one() {
        let piece = |first_track, sectors: &[u64], cycles| Piece {
            first_lba: 0,
            first_track,
            sectors: sectors.to_vec(),
            cycles,
        };
        let pieces = [piece(0, &[50], 100), piece(100, &[49, 48], 50)];
        // 84 tracks are left behind the first 16: ten groups of eight, nine of which are passed over.
        assert_eq!(recurring(&pieces, 16, 8), 72);
        // The group before is of the other piece, or goes over its edge.
        assert_eq!(recurring(&pieces, 100, 8), 0);
        assert_eq!(recurring(&pieces, 108, 8), 80);
        // Groups of an odd number of tracks are not alike where lengths come in pairs.
        assert_eq!(recurring(&pieces, 121, 7), 0);
        assert_eq!(recurring(&pieces, 200, 8), 0);
    }
}
