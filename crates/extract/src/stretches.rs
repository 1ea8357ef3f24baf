//! Stretches of tracks that are alike, by their lengths: zones.

use crate::survey::{Piece, SEVERAL};

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
    /// With the first of the zone it makes whole tracks of its own: what is between them may lie elsewhere.
    Askew,
}

/// The zones; `None` where lengths come back, as they do when surfaces differ, or rise, or where it
/// does not show to which zone an odd track belongs.
pub(crate) fn stretches(pieces: &[Piece]) -> Option<Vec<ZoneStretch>> {
    let mut zones: Vec<ZoneStretch> = Vec::new();
    let (mut odd, mut before): (Vec<&Piece>, &[u64]) = (Vec::new(), &[]);
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
                return None;
            }
            Some(zone) if zone.sectors - most < NEARLY && few(&pieces[index..], most) => {
                return None;
            }
            _ => {
                zones.push(ZoneStretch { first_lba, first_track, sectors: most, before: before_it })
            }
        }
        odd.clear();
        before = &piece.sectors;
    }
    (!zones.is_empty()).then_some(zones)
}

/// Whether fewer tracks than a zone has follow each other until the longest ones are of another length.
fn few(pieces: &[Piece], most: u64) -> bool {
    let like = |piece: &&Piece| {
        piece.tracks() < SEVERAL || piece.sectors.iter().max().is_some_and(|it| *it == most)
    };
    pieces.iter().take_while(like).map(Piece::tracks).sum::<u64>() < 2 * SEVERAL
}

/// Puts zones that may begin a track too early in their places, if those behind a short track all
/// begin with a cylinder, and so many of them that chance does not make it so; whether it did.
pub(crate) fn of_whole_cylinders(zones: &mut [ZoneStretch], surfaces: u64) -> bool {
    let mut sure = zones.iter().filter(|zone| zone.before == Before::Short);
    let count = sure.clone().count() as i32;
    let known = surfaces > 1 && (surfaces as f64).powi(count) >= UNLIKELY;
    if !known || sure.any(|zone| zone.first_track % surfaces != 0) {
        return false;
    }
    let mut settled = true;
    for zone in zones.iter_mut().filter(|zone| zone.first_track % surfaces != 0) {
        settled &= zone.first_track % surfaces == surfaces - 1;
        zone.first_lba += zone.sectors;
        zone.first_track += 1;
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::Before::{Askew, Short, Whole};
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
            ([(0, Whole), (70, Short), (349, Whole), (700, Short)], 2),
            ([(0, Whole), (71, Short), (349, Whole), (700, Short)], 10),
            ([(0, Whole), (70, Short), (349, Whole), (700, Short)], 1),
        ] {
            assert!(!of_whole_cylinders(&mut zones(starts), surfaces), "{starts:?} {surfaces}");
        }
    }
}
