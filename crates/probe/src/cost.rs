//! What a plan costs, known before anything moves.

use platterlab_units::Span;

/// What a plan takes, known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Requests, at most.
    pub requests: u64,
    /// Revolutions the drive needs for them, roughly.
    pub revolutions: u64,
    /// Sectors transferred, at most.
    pub sectors: u64,
    /// Time in which nothing is asked of the drive.
    pub rest: Span,
}

impl Cost {
    /// The drive time to expect at a rotation period; 8.3 ms (7200 rpm) is a fair guess.
    #[must_use]
    pub fn drive_time(&self, rotation: Span) -> Span {
        let turns_ps = rotation.as_ps().saturating_mul(self.revolutions);
        Span::from_ps(turns_ps.saturating_add(self.rest.as_ps()))
    }

    /// `requests` single accesses that take `tenths` of a revolution each.
    pub(crate) fn accesses(requests: u64, sectors_each: u32, tenths: u64) -> Self {
        Self {
            requests,
            revolutions: requests.saturating_mul(tenths).div_ceil(10),
            sectors: requests.saturating_mul(u64::from(sectors_each)),
            rest: Span::ZERO,
        }
    }
}
