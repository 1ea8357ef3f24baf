//! What the ends of passes add to streaming, in orders that change cylinders before heads, and short tracks take of it.

use crate::Extraction;
use crate::rates_over_zones::SAME;
use crate::survey::{Piece, SEVERAL, TrackMap, come_back};

/// Ends of passes: there are none where heads come first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassEnds {
    /// Of all steps between tracks.
    share: f64,
    /// From the end of a pass to the next one, where that is known.
    skew_ms: Option<f64>,
    /// Whether lengths of tracks come back from pass to pass: surfaces have tracks of their own.
    lengths_come_back: bool,
    /// Of the sectors that the first tracks would have, were all as long as the longest, so many are there.
    filled: f64,
}

impl Default for PassEnds {
    fn default() -> Self {
        Self { share: 0.0, skew_ms: None, lengths_come_back: false, filled: 1.0 }
    }
}

impl PassEnds {
    pub(crate) fn of(map: &TrackMap) -> Self {
        let cylinders = map.layout.serpentine_cylinders.ok().filter(|count| *count >= 1.0);
        Self {
            share: cylinders.map_or(0.0, |count| 1.0 / count),
            skew_ms: map.other_switch_ms.ok(),
            lengths_come_back: come_back(&map.pieces),
            filled: filled(&map.pieces),
        }
    }

    /// Whether it is known which tracks the surfaces have, in the first zone.
    pub(crate) fn lengths_known(self, found: &Extraction) -> bool {
        !self.lengths_come_back || are_listed(found)
    }

    /// The share of the first zone's sectors that are there, where all its tracks are taken for as long as the longest:
    /// one of each cylinder may be short of its spares, which pass under the head as its sectors do.
    pub(crate) fn filled(self, found: &Extraction) -> f64 {
        let first = found.model.as_ref().and_then(|it| Some((it.surfaces, it.zones.first()?)));
        let used = first.map_or(1.0, |(surfaces, zone)| {
            let around = f64::from(surfaces * zone.sectors_per_track * zone.spare_cylinders);
            1.0 - f64::from(zone.cylinder_spare_sectors) / around
        });
        if are_listed(found) { used } else { used.min(self.filled) }
    }

    /// The mean of the skews between tracks, of which those within a pass have so much.
    pub(crate) fn mean_ms(self, within_ms: f64) -> f64 {
        within_ms + self.share * (self.skew_ms.unwrap_or(within_ms) - within_ms)
    }

    /// The part of a turn by which the mean skew may be another, as the skew at ends is not known.
    pub(crate) fn open_turns(self) -> f64 {
        if self.skew_ms.is_some() { 0.0 } else { self.share }
    }

    /// Whether what is not known of them is less than rates may differ by.
    pub(crate) fn are_known(self) -> bool {
        self.skew_ms.is_some() || self.share <= SAME
    }
}

/// Whether the first zone has a length for each surface.
fn are_listed(found: &Extraction) -> bool {
    found.zones.first().is_some_and(|zone| !zone.surface_sectors_per_track.is_empty())
}

fn filled(pieces: &[Piece]) -> f64 {
    let Some(Piece { sectors, .. }) = pieces.iter().find(|piece| piece.tracks() >= SEVERAL) else {
        return 1.0;
    };
    let longest = sectors.iter().max().map_or(1, |most| (*most).max(1));
    sectors.iter().sum::<u64>() as f64 / (longest * sectors.len() as u64) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_tracks_leave_a_share_of_the_sectors() {
        let piece = |sectors: &[u64]| Piece {
            first_lba: 0,
            first_track: 0,
            sectors: sectors.to_vec(),
            cycles: 40,
        };
        assert!((filled(&[piece(&[50, 29])]) - 0.79).abs() < 1e-12);
        assert!((filled(&[piece(&[50])]) - 1.0).abs() < 1e-12 && (filled(&[]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_step_of_each_pass_has_the_skew_of_its_end() {
        let ends = PassEnds { share: 0.25, skew_ms: Some(5.0), ..PassEnds::default() };
        assert!((ends.mean_ms(1.0) - 2.0).abs() < 1e-12 && ends.are_known());
        let unknown = PassEnds { skew_ms: None, ..ends };
        assert!((unknown.mean_ms(1.0) - 1.0).abs() < 1e-12 && !unknown.are_known());
        assert_eq!([ends, unknown].map(PassEnds::open_turns), [0.0, 0.25]);
        assert!(PassEnds::default().are_known());
    }
}
