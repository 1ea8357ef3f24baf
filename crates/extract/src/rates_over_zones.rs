//! What bandwidths of zones with tracks of other lengths tell of what limits them.

/// Rates that differ by less, in parts of each other, are the same.
pub(crate) const SAME: f64 = 0.03;

/// What rates of zones of other track lengths tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverZones {
    /// All are one: it is no turn that they lose.
    OneRate,
    /// They go with the lengths: it is no interface.
    Proportional,
    /// Nothing.
    Open,
}

impl OverZones {
    /// By the sectors around a track of each zone that is slower than its media, and its rate.
    pub(crate) fn of(slow: &[(f64, f64)]) -> Self {
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let values = slow.iter().map(of);
            values.clone().fold(0.0, f64::max) / values.fold(f64::INFINITY, f64::min)
        };
        let (lengths, rates) = (spread(|it| it.0), spread(|it| it.1));
        if slow.is_empty() || lengths <= 1.0 + 2.0 * SAME {
            Self::Open
        } else if rates - 1.0 < (lengths - 1.0) / 4.0 {
            Self::OneRate
        } else if spread(|it| it.1 / it.0) <= 1.0 + SAME {
            Self::Proportional
        } else {
            Self::Open
        }
    }
}
