//! The analytic model of SKIPPY, in whole picoseconds (Talagala et al., §4.1.1).
//!
//! `StepSize` is in sectors. The paper's loop skips `i` sectors after the last one it wrote, so that
//! its step `i` starts `i + 1` sectors further on; with `TransferTime` one sector's pass, both ways
//! to count give the same latency.

mod refined;

pub use refined::{BoundaryTimes, true_switch_ms};

use platterlab_units::Span;

/// The terms of Equations 1 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// `RotationTime`.
    pub rotation: Span,
    /// `Sectors/Track`, at least 1.
    pub sectors_per_track: u32,
    /// `MTM`, the minimum time to media.
    pub mtm: Span,
    /// `TransferTime`.
    pub transfer: Span,
}

/// Picoseconds times the sectors of a track: every term is a whole number of it, so that a latency
/// is rounded once.
type Fine = i128;

impl Model {
    /// The mock disk of Figure 3. Its `HeadSwitchTime` is 0.7 ms, its `CylinderSwitchTime` 2.1 ms.
    #[must_use]
    pub const fn figure_3() -> Self {
        Self {
            rotation: Span::from_ps(8_333_333_333),
            sectors_per_track: 150,
            mtm: Span::from_us(2_000),
            transfer: Span::ZERO,
        }
    }

    /// Equation 1: `STM = MTM * SPT / RotationTime`, in sectors.
    #[must_use]
    pub fn stm_sectors(&self) -> f64 {
        self.mtm.as_ps() as f64 * f64::from(self.sectors_per_track) / self.rotation.as_ps() as f64
    }

    /// Whether a step is served in the same revolution: `StepSize >= STM`, exactly.
    #[must_use]
    pub fn same_revolution(&self, step: u64) -> bool {
        self.pass(step) >= self.fine(self.mtm)
    }

    /// Equations 2 and 3, or 4 and 5: a step on the same track.
    #[must_use]
    pub fn same_track(&self, step: u64) -> Span {
        self.beyond(step, Span::ZERO)
    }

    /// Equations 6 and 7: a step over one boundary, whose skew in time units is `switch`
    /// (`HeadSwitchTime` or `CylinderSwitchTime`).
    #[must_use]
    pub fn beyond(&self, step: u64, switch: Span) -> Span {
        let missed = if self.same_revolution(step) { 0 } else { self.fine(self.rotation) };
        // (StepSize - STM) * RotationTime / SPT + MTM is StepSize * RotationTime / SPT.
        self.nearest(self.pass(step) + missed + self.fine(switch) + self.fine(self.transfer))
    }

    /// The time `step` sectors take to pass.
    fn pass(&self, step: u64) -> Fine {
        Fine::from(step) * Fine::from(self.rotation.as_ps())
    }

    fn fine(&self, span: Span) -> Fine {
        Fine::from(span.as_ps()) * Fine::from(self.sectors_per_track)
    }

    fn nearest(&self, fine: Fine) -> Span {
        let whole = Fine::from(self.sectors_per_track.max(1));
        Span::from_ps(u64::try_from((fine + whole / 2) / whole).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_3_has_its_four_points() {
        let mock = Model::figure_3();
        assert_eq!(mock.stm_sectors().round() as u64, 36);
        assert_eq!(mock.same_track(0), mock.rotation, "point 1");
        assert_eq!(mock.same_track(35), Span::from_ps(10_277_777_777), "point 2");
        // Point 3: 36 sectors pass in 1.99999999992 ms, just short of MTM; 37 make it.
        assert!(!mock.same_revolution(36) && mock.same_revolution(37));
        assert_eq!(mock.same_track(37), Span::from_ps(2_055_555_555));
        let head = Span::from_us(700);
        assert_eq!(mock.beyond(100, head), mock.same_track(100) + head, "point 4");
    }
}
