//! What the ends of passes add to streaming, in orders that change cylinders before heads.

use crate::Extraction;
use crate::rates_over_zones::SAME;
use crate::survey::{TrackMap, come_back};
use crate::zones::Zone;

/// Ends of passes: there are none where heads come first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PassEnds {
    /// Of all steps between tracks.
    share: f64,
    /// From the end of a pass to the next one, where that is known.
    skew_ms: Option<f64>,
    /// Whether lengths of tracks come back from pass to pass: surfaces have tracks of their own.
    lengths_come_back: bool,
}

impl PassEnds {
    pub(crate) fn of(map: &TrackMap) -> Self {
        let cylinders = map.layout.serpentine_cylinders.ok().filter(|count| *count >= 1.0);
        Self {
            share: cylinders.map_or(0.0, |count| 1.0 / count),
            skew_ms: map.other_switch_ms.ok(),
            lengths_come_back: come_back(&map.pieces),
        }
    }

    /// Whether it is known which tracks the surfaces have, in the first zone.
    pub(crate) fn lengths_known(self, found: &Extraction) -> bool {
        let listed = |zone: &Zone| !zone.surface_sectors_per_track.is_empty();
        !self.lengths_come_back || found.zones.first().is_some_and(listed)
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

#[cfg(test)]
mod tests {
    use super::*;

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
