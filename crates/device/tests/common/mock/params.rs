//! The parameters of the mock drive and their checks.

use platterlab_units::{MAX_LBA, Span};

/// The drive of the SKIPPY paper's analytic model (Talagala et al., §4.1.1).
///
/// The paper's "head switch time" and "cylinder switch time" are the skews, in time units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MockParams {
    /// One revolution, not zero.
    pub rotation: Span,
    /// Sectors around every track, at least 1.
    pub sectors_per_track: u32,
    /// Recording surfaces, at least 1.
    pub surfaces: u32,
    /// Cylinders, at least 1.
    pub cylinders: u32,
    /// Minimum time to media: less than a revolution.
    pub mtm: Span,
    /// Extra delay on crossing to the next track (`HeadSwitchTime`): less than a revolution.
    pub track_skew: Span,
    /// Extra delay on crossing to the next cylinder (`CylinderSwitchTime`): less than a revolution.
    pub cylinder_skew: Span,
    /// Time of one sector's transfer (`TransferTime`).
    pub transfer: Span,
    /// What decides whether a revolution is missed at a boundary.
    pub boundary: BoundaryModel,
}

/// What decides whether a request beyond a track boundary is served in the same revolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundaryModel {
    /// Equations 6 and 7: the step against STM, as on the same track.
    Published,
    /// §4.1.4: the skew gives the head extra time, the true switch takes some of it. Steps from
    /// `STM - (skew - switch)` sectors on make it, as downward spikes left of the MTM point.
    Refined {
        /// Switching heads within a cylinder: less than a revolution.
        head_switch: Span,
        /// Moving to the next cylinder: less than a revolution.
        cylinder_switch: Span,
    },
}

impl MockParams {
    /// The mock disk of Figure 3: 7200 rpm, 15 surfaces, 150 sectors per track, MTM 2.0 ms, head
    /// and cylinder switch 0.7 and 2.1 ms. The paper calls its transfer time negligible: it is 0.
    #[must_use]
    pub const fn figure_3() -> Self {
        Self {
            rotation: Span::from_ps(8_333_333_333),
            sectors_per_track: 150,
            surfaces: 15,
            cylinders: 2_000,
            mtm: Span::from_us(2_000),
            track_skew: Span::from_us(700),
            cylinder_skew: Span::from_us(2_100),
            transfer: Span::ZERO,
            boundary: BoundaryModel::Published,
        }
    }

    /// Addressable sectors.
    pub(super) fn capacity(&self) -> u64 {
        let tracks = u64::from(self.surfaces) * u64::from(self.cylinders);
        tracks.saturating_mul(u64::from(self.sectors_per_track))
    }

    /// The first parameter that makes no sense, and what would be right.
    pub(super) fn check(&self) -> Result<(), String> {
        const LONGEST: Span = Span::from_us(3_600_000_000);
        if self.sectors_per_track == 0 || self.surfaces == 0 || self.cylinders == 0 {
            return Err("sectors_per_track, surfaces and cylinders must be at least 1".into());
        }
        if self.capacity() > MAX_LBA {
            return Err(format!("the drive has more than {MAX_LBA} sectors"));
        }
        if self.rotation == Span::ZERO || self.rotation > LONGEST {
            return Err(format!("rotation is {}; it must be above 0, at most 1 h", self.rotation));
        }
        if self.transfer > self.rotation {
            return Err("transfer is longer than a revolution".into());
        }
        let mut waits = vec![
            ("mtm", self.mtm),
            ("track_skew", self.track_skew),
            ("cylinder_skew", self.cylinder_skew),
        ];
        if let BoundaryModel::Refined { head_switch, cylinder_switch } = self.boundary {
            waits.extend([("head_switch", head_switch), ("cylinder_switch", cylinder_switch)]);
        }
        match waits.iter().find(|(_, wait)| *wait >= self.rotation) {
            Some((name, wait)) => {
                Err(format!("{name} is {wait}; it must be below one revolution, {}", self.rotation))
            }
            None => Ok(()),
        }
    }
}
