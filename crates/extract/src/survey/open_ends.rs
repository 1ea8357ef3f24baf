//! Short tracks between two zones, of which it is not known whose they are.
//!
//! A zone may end with a track that is short of spares, or begin with one.

use super::pieces::{Piece, SEVERAL, track_of};
use super::stretches::{Before, ZoneStretch};

/// A short track between two zones, and what it lacks to be one of either.
#[derive(Clone, Copy)]
struct Short {
    first_lba: u64,
    sectors: u64,
    of_before: u64,
    of_own: u64,
}

/// First sector and length of the track before each zone, where it is shorter than those on either side, and it is not
/// known that the zone before lacks them: as others lack as many, or as it is a usual track of its cylinders.
pub(crate) fn open_ends(stretches: &[ZoneStretch], pieces: &[Piece]) -> Vec<Option<(u64, u64)>> {
    let short = |index: usize| {
        let zone = stretches.get(index).filter(|it| it.before == Before::Short)?;
        let (usual, own) = (stretches.get(index.checked_sub(1)?)?.sectors, zone.sectors);
        let (first_lba, sectors) = track_of(pieces, zone.first_track.checked_sub(1)?)?;
        let (of_before, of_own) = (usual.saturating_sub(sectors), own.saturating_sub(sectors));
        Some(Short { first_lba, sectors, of_before, of_own })
    };
    let shorts: Vec<Option<Short>> = (0..stretches.len()).map(short).collect();
    let all = || shorts.iter().flatten();
    let open = |(index, short): (usize, &Option<Short>)| {
        let short = short.filter(|it| it.of_own > 0)?;
        let before = stretches[index - 1].first_lba..stretches[index].first_lba;
        let cylinders =
            |piece: &&Piece| piece.tracks() >= SEVERAL && before.contains(&piece.first_lba);
        let is_usual =
            pieces.iter().filter(cylinders).any(|it| it.sectors.contains(&short.sectors));
        let like_before = all().filter(|it| it.of_before == short.of_before).count();
        let like_own = all().filter(|it| it.of_own == short.of_own).count();
        let known = is_usual || like_before > like_own.max(1);
        (!known).then_some((short.first_lba, short.sectors))
    };
    shorts.iter().enumerate().map(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zones of 100 tracks and one short one, which lies before the zone of its number.
    fn open(zones: &[u64], shorts: &[u64]) -> Vec<Option<u64>> {
        let (mut pieces, mut stretches) = (Vec::new(), Vec::new());
        let (mut first_lba, mut first_track) = (0, 0);
        let mut add = |sectors: u64, cycles: u64| {
            let begin = (first_lba, first_track);
            pieces.push(Piece { first_lba, first_track, sectors: vec![sectors], cycles });
            (first_lba, first_track) = (first_lba + sectors * cycles, first_track + cycles);
            begin
        };
        for (index, sectors) in zones.iter().enumerate() {
            if index > 0 {
                add(shorts[index - 1], 1);
            }
            let (first_lba, first_track) = add(*sectors, 100);
            let before = if index > 0 { Before::Short } else { Before::Whole };
            stretches.push(ZoneStretch { first_lba, first_track, sectors: *sectors, before });
        }
        open_ends(&stretches, &pieces).into_iter().map(|it| Some(it?.1)).collect()
    }

    #[test]
    fn zones_that_lack_as_many_sectors_end_with_what_is_left() {
        assert_eq!(open(&[100, 90, 82], &[60, 50]), [None, None, None]);
        // By other spares of each, either may be.
        assert_eq!(open(&[100, 90, 82], &[60, 45]), [None, Some(60), Some(45)]);
        // Longer than those behind it.
        assert_eq!(open(&[100, 90], &[95]), [None, None]);
        // As many are short of the zone behind, or more.
        assert_eq!(open(&[100, 90, 80], &[70, 60]), [None, Some(70), Some(60)]);
        assert_eq!(open(&[100, 90, 82], &[70, 62]), [None, Some(70), Some(62)]);
    }
}
