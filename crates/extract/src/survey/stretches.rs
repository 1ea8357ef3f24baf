//! Stretches of tracks that are alike, by their lengths: zones.

use super::pieces::{Piece, SEVERAL, track_of};
use std::collections::{BTreeMap, BTreeSet};

/// A zone's first track, by its density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstTrack {
    /// It is as dense as those behind it.
    Own,
    /// It is as dense as those before: the last of these.
    OfZoneBefore,
}

/// Sectors that defects take from a track.
const NEARLY: u64 = 4;
/// So many to one against it, chance did not make zones begin with cylinders.
const UNLIKELY: f64 = 100.0;

/// A zone, as the lengths of tracks tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ZoneStretch {
    pub(crate) first_lba: u64,
    pub(crate) first_track: u64,
    /// Around its longest tracks.
    pub(crate) sectors: u64,
    pub(crate) before: Before,
}

/// The last track before a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// There is none, or it is as long as the others of its own zone.
    Whole,
    /// It is short of spares.
    Short,
    /// It is no track of the zone behind it, by how dense that one's first track is.
    Denser,
    /// With the first of the zone it makes whole tracks of its own: what is between them may lie elsewhere.
    Askew,
}

/// The zones; `None` where lengths come back, as they do when surfaces differ, or rise, or where it
/// does not show to which zone an odd track belongs.
pub(crate) fn stretches(pieces: &[Piece]) -> Option<Vec<ZoneStretch>> {
    let mut zones: Vec<ZoneStretch> = Vec::new();
    let (mut odd, mut before): (Vec<&Piece>, &[u64]) = (Vec::new(), &[]);
    let mut outer: Option<&Piece> = None;
    for (index, piece) in pieces.iter().enumerate() {
        if piece.tracks() < SEVERAL {
            odd.push(piece);
            continue;
        }
        let most = *piece.sectors.iter().max()?;
        // Of a cylinder, one track may be short of the spares of all.
        let mut lengths = piece.sectors.clone();
        lengths.sort_unstable();
        lengths.dedup();
        if lengths.len() > 2 || piece.sectors.iter().filter(|count| **count != most).count() > 1 {
            return None;
        }
        let mine = |piece: &&&Piece| piece.sectors.iter().all(|count| lengths.contains(count));
        let lead = odd.iter().rev().take_while(mine).last();
        let Piece { first_lba, first_track, .. } = **lead.unwrap_or(&piece);
        let last = odd.iter().rfind(|piece| piece.first_lba < first_lba);
        let last = last.map_or(before, |piece| &piece.sectors).last();
        let usual = zones.last().map(|zone| zone.sectors);
        let before_it = match last.zip(usual) {
            Some((last, usual)) if *last == usual => Before::Whole,
            Some((last, usual)) if *last > usual || (last + most).is_multiple_of(usual) => {
                Before::Askew
            }
            Some(_) => Before::Short,
            None => Before::Whole,
        };
        match zones.last() {
            // What begins with odd tracks is one zone if they are tracks of it.
            None if first_lba > pieces.first()?.first_lba => return None,
            Some(zone) if most > zone.sectors => return None,
            Some(zone) if zone.sectors == most => {}
            Some(_)
                if lead.is_some_and(|lead| lead.sectors.iter().any(|it| before.contains(it))) =>
            {
                let (first_lba, first_track) = meeting(pieces, outer?, piece)?;
                let before = Before::Short;
                zones.push(ZoneStretch { first_lba, first_track, sectors: most, before });
            }
            Some(zone) if zone.sectors - most < NEARLY && few(&pieces[index..], most) => {
                return None;
            }
            _ => {
                zones.push(ZoneStretch { first_lba, first_track, sectors: most, before: before_it })
            }
        }
        odd.clear();
        (before, outer) = (&piece.sectors, Some(piece));
    }
    (!zones.is_empty()).then_some(zones)
}

/// Sector and track up to which the cylinders of one stretch go on, where those of the next begin there;
/// none where they are not told from each other, or do not fill all between.
fn meeting(pieces: &[Piece], outer: &Piece, inner: &Piece) -> Option<(u64, u64)> {
    let (from, to) = (outer.first_track + outer.tracks(), inner.first_track);
    let goes_on = |cylinders: &Piece, track: u64| {
        let count = cylinders.sectors.len() as i64;
        let place = (track as i64 - cylinders.first_track as i64).rem_euclid(count);
        track_of(pieces, track).is_some_and(|it| it.1 == cylinders.sectors[place as usize])
    };
    let until = (from..to).find(|track| !goes_on(outer, *track)).unwrap_or(to);
    let since = (from..to).rev().find(|track| !goes_on(inner, *track));
    let since = since.map_or(from, |track| track + 1);
    let short = |piece: &Piece| piece.sectors.len() > 1;
    (until == since && short(outer) && short(inner)).then_some(())?;
    Some((track_of(pieces, since)?.0, since))
}

/// Whether fewer tracks than a zone has follow each other until the longest ones are of another length.
fn few(pieces: &[Piece], most: u64) -> bool {
    let like = |piece: &&Piece| {
        piece.tracks() < SEVERAL || piece.sectors.iter().max().is_some_and(|it| *it == most)
    };
    pieces.iter().take_while(like).map(Piece::tracks).sum::<u64>() < 2 * SEVERAL
}

/// Takes in which zones' first tracks are their own; one that is not is the last of the zone before.
pub(crate) fn of_densities(zones: &mut [ZoneStretch], told: &BTreeMap<u64, FirstTrack>) {
    for zone in zones.iter_mut().filter(|zone| zone.before == Before::Whole) {
        match told.get(&zone.first_lba) {
            Some(FirstTrack::Own) => zone.before = Before::Denser,
            Some(FirstTrack::OfZoneBefore) => {
                zone.first_lba += zone.sectors;
                zone.first_track += 1;
                zone.before = Before::Short;
            }
            None => {}
        }
    }
}

/// Puts zones that may begin a track too early in their places, if those that are told to begin there all
/// begin with a cylinder, so many of them that chance does not make it so, and no zone begins elsewhere within
/// one; whether it did.
pub(crate) fn of_whole_cylinders(zones: &mut [ZoneStretch], surfaces: u64) -> bool {
    let mut sure = zones.iter().filter(|it| matches!(it.before, Before::Short | Before::Denser));
    let count = sure.clone().count() as i32;
    let known = surfaces > 1 && (surfaces as f64).powi(count) >= UNLIKELY;
    if !known || sure.any(|zone| zone.first_track % surfaces != 0) {
        return false;
    }
    let early = |zone: &ZoneStretch| zone.first_track % surfaces == surfaces - 1;
    if !zones.iter().all(|zone| zone.first_track % surfaces == 0 || early(zone)) {
        return false;
    }
    for zone in zones.iter_mut().filter(|zone| early(zone)) {
        zone.first_lba += zone.sectors;
        zone.first_track += 1;
    }
    true
}

/// The first sector of a zone before which one track may be two: a last one that is short of as many spares
/// as those of other zones, and the first of the zone, which make a whole one together; of some it is known.
pub(crate) fn two_in_one(
    pieces: &[Piece],
    told: &BTreeMap<u64, FirstTrack>,
    known: &BTreeSet<u64>,
    surfaces: u64,
) -> Option<u64> {
    /// Whole tracks of spares that a zone has besides at most.
    const MOST: u64 = 4;
    let mut zones = stretches(pieces)?;
    of_densities(&mut zones, told);
    let edges = |before: Before| {
        let pairs = zones.windows(2).filter(move |pair| pair[1].before == before);
        pairs.map(|pair| (pair[0].sectors, pair[1]))
    };
    let missing = |(usual, zone): (u64, ZoneStretch)| {
        let (_, last) = track_of(pieces, zone.first_track.checked_sub(1)?)?;
        usual.checked_sub(last).map(|spares| (usual, spares))
    };
    let shorts = edges(Before::Short).map(missing).collect::<Option<Vec<_>>>()?;
    let alike =
        |spares: u64| shorts.iter().all(|(usual, missing)| spares % usual == missing % usual);
    let two = |(usual, zone): &(u64, ZoneStretch)| {
        !shorts.is_empty() && (0..=MOST).any(|tracks| alike(zone.sectors + tracks * usual))
    };
    let whole = edges(Before::Whole).chain(edges(Before::Denser));
    let mut open = whole.filter(|(_, zone)| !known.contains(&zone.first_lba));
    let first = open.find(two).map(|(_, zone)| zone.first_lba)?;
    (!of_whole_cylinders(&mut zones, surfaces)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::Before::{Askew, Denser, Short, Whole};
    use super::*;

    fn zones(starts: [(u64, Before); 4]) -> Vec<ZoneStretch> {
        let zone = |(first_track, before): (u64, Before)| ZoneStretch {
            first_lba: first_track * 100,
            first_track,
            sectors: 90,
            before,
        };
        starts.map(zone).to_vec()
    }

    #[test]
    fn a_zone_begins_with_a_cylinder_where_others_do() {
        let mut found = zones([(0, Whole), (70, Short), (349, Whole), (700, Short)]);
        assert!(of_whole_cylinders(&mut found, 10));
        assert_eq!([found[2].first_track, found[2].first_lba], [350, 34_990]);
        // Of another phase, of too few certain ones, of certain ones that do not, of one surface.
        for (starts, surfaces) in [
            ([(0, Whole), (70, Short), (348, Askew), (700, Short)], 10),
            ([(0, Denser), (70, Denser), (345, Whole), (700, Denser)], 10),
            ([(0, Whole), (70, Short), (349, Whole), (700, Short)], 2),
            ([(0, Whole), (71, Short), (349, Whole), (700, Short)], 10),
            ([(0, Whole), (70, Short), (349, Whole), (700, Short)], 1),
        ] {
            let mut found = zones(starts);
            assert!(!of_whole_cylinders(&mut found, surfaces), "{starts:?} {surfaces}");
            assert_eq!(found, zones(starts), "nothing is moved");
        }
    }

    #[test]
    fn a_whole_track_may_be_two_where_others_are_short_of_as_many_spares() {
        // 32 spares of each zone: tracks of 2 of 34, of 1 of 33 (with the next 32 a whole one), of 30 of 31.
        let map = |odd: u64| {
            let lengths =
                [(34, 100), (odd, 1), (33, 100), (32, 100), (31, 100), (30, 1), (28, 100)];
            let mut at = (0, 0);
            lengths
                .map(|(sectors, cycles)| {
                    let (first_lba, first_track) = at;
                    at = (first_lba + sectors * cycles, first_track + cycles);
                    Piece { first_lba, first_track, sectors: vec![sectors], cycles }
                })
                .to_vec()
        };
        let edge = 34 * 100 + 2 + 33 * 100;
        let (none, known) = (BTreeSet::new(), BTreeSet::from([edge]));
        let found = |odd, known| two_in_one(&map(odd), &BTreeMap::new(), known, 5);
        assert_eq!(found(2, &none), Some(edge));
        assert_eq!(found(2, &known), None);
        assert_eq!(found(7, &none), None, "27 spares are not 32");
    }

    #[test]
    fn a_track_as_dense_as_those_before_is_the_last_of_them() {
        let mut found = zones([(0, Whole), (69, Whole), (349, Whole), (500, Whole)]);
        let told = BTreeMap::from([(6_900, FirstTrack::OfZoneBefore), (34_900, FirstTrack::Own)]);
        of_densities(&mut found, &told);
        assert_eq!((found[1].first_track, found[1].first_lba), (70, 6_990));
        assert_eq!([found[1].before, found[2].before, found[3].before], [Short, Denser, Whole]);
        assert_eq!(found[2].first_track, 349);
    }
    #[test]
    fn cylinders_with_spares_meet_where_both_go_on() {
        let starts = |tracks: &[(&[u64], u64)]| {
            let mut pieces: Vec<Piece> = Vec::new();
            let (mut first_lba, mut first_track) = (0, 0);
            for (sectors, cycles) in tracks {
                let piece =
                    Piece { first_lba, first_track, sectors: sectors.to_vec(), cycles: *cycles };
                first_track += piece.tracks();
                first_lba += cycles * sectors.iter().sum::<u64>();
                pieces.push(piece);
            }
            let zones = stretches(&pieces)?;
            Some(zones.iter().map(|it| (it.first_track, it.sectors)).collect::<Vec<_>>())
        };
        // Of two surfaces, with one sector of each cylinder spare: 58, 57, then 57, 56.
        let met = starts(&[(&[58], 1), (&[57, 58], 36), (&[57], 2), (&[56], 1), (&[57, 56], 90)]);
        assert_eq!(met, Some(vec![(0, 58), (74, 57)]));
        // What lies between goes on with neither.
        let odd: &[(&[u64], u64)] = &[(&[58, 57], 36), (&[57], 2), (&[57, 56], 90)];
        assert_eq!(starts(odd), None);
    }
}
