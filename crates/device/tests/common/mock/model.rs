//! The latency of a request by the equations of SKIPPY's analytic model.

use super::params::{BoundaryModel, MockParams};
use platterlab_units::{Span, Time};

/// Where the last request ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    /// Its last sector.
    pub(super) lba: u64,
    /// When it was complete.
    pub(super) completed: Time,
}

/// Picoseconds times the sectors of a track: every term of the equations is a whole number of it.
type Fine = i128;

/// What lies between two tracks.
struct Crossing {
    /// All skews on the way; negative backwards.
    skew: Fine,
    /// The true switch time of the refined model.
    switch: Fine,
    /// Whether Equations 6 and 7 are about it: one boundary, forwards.
    single: bool,
}

impl MockParams {
    /// The latency of a request of `sectors` from `lba` submitted at `now`, rounded to the nearest
    /// picosecond once, at the end.
    pub(super) fn latency(&self, last: Option<Last>, now: Time, lba: u64, sectors: u32) -> Span {
        let transfer = self.transfer * u64::from(sectors);
        let Some(last) = last else { return self.mtm + transfer };
        let step = Fine::from(lba) - Fine::from(last.lba);
        let waited = self.fine(now.since(last.completed));
        let along = step * Fine::from(self.rotation.as_ps()) - waited;
        let Crossing { skew, switch, single } = self.crossing(last.lba, lba);
        let mtm = self.fine(self.mtm);
        let latency = match self.boundary {
            BoundaryModel::Published if single => self.next_pass(along, mtm) + skew,
            BoundaryModel::Published | BoundaryModel::Refined { .. } => {
                self.next_pass(along + skew, mtm + switch)
            }
        };
        transfer + self.nearest(latency)
    }

    /// The first instant not before `earliest` at which a place `ahead` of the head comes by.
    fn next_pass(&self, ahead: Fine, earliest: Fine) -> Fine {
        earliest + (ahead - earliest).rem_euclid(self.fine(self.rotation))
    }

    fn crossing(&self, from: u64, to: u64) -> Crossing {
        let track = |lba| lba / u64::from(self.sectors_per_track);
        let cylinder = |lba| track(lba) / u64::from(self.surfaces);
        let cylinders = Fine::from(cylinder(to)) - Fine::from(cylinder(from));
        let tracks = Fine::from(track(to)) - Fine::from(track(from));
        let switch = match self.boundary {
            BoundaryModel::Refined { cylinder_switch, .. } if cylinders != 0 => cylinder_switch,
            BoundaryModel::Refined { head_switch, .. } if tracks != 0 => head_switch,
            _ => Span::ZERO,
        };
        Crossing {
            skew: (tracks - cylinders) * self.fine(self.track_skew)
                + cylinders * self.fine(self.cylinder_skew),
            switch: self.fine(switch),
            single: tracks == 1,
        }
    }

    fn fine(&self, span: Span) -> Fine {
        Fine::from(span.as_ps()) * Fine::from(self.sectors_per_track)
    }

    fn nearest(&self, fine: Fine) -> Span {
        let whole = Fine::from(self.sectors_per_track);
        Span::from_ps(u64::try_from((fine + whole / 2) / whole).unwrap_or(u64::MAX))
    }
}
