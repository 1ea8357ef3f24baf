//! Groups of cylinders, passed over on one surface after another: the surface serpentine (every
//! second pass back), the hybrid serpentine (all passes the same way), and both with every second
//! group from the last surface to the first.

use super::{Place, TrackRun};
use crate::ZoneParams;

/// A zone in such an order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    /// Whether every second pass over a group goes back.
    passes_alternate: bool,
    /// Whether every second group goes from the last surface to the first.
    groups_alternate: bool,
    surfaces: u32,
    cylinders: u32,
    /// Cylinders in every group but the last.
    width: u32,
}

impl Passes {
    pub(super) fn new(zone: &ZoneParams, surfaces: u32, cylinders: u32) -> Self {
        let [passes_alternate, groups_alternate] = zone.order.turns_back().unwrap_or_default();
        let width = zone.serpentine_cylinders.unwrap_or(cylinders).clamp(1, cylinders.max(1));
        Self { passes_alternate, groups_alternate, surfaces, cylinders, width }
    }

    /// Cylinders in group `group`.
    #[inline]
    fn width_of(&self, group: u32) -> u32 {
        self.width.min(self.cylinders - group * self.width)
    }

    /// Tracks before group `group`.
    #[inline]
    fn tracks_before(&self, group: u32) -> u64 {
        u64::from(group) * u64::from(self.width) * u64::from(self.surfaces)
    }

    #[inline]
    pub(super) fn place(&self, index: u64) -> Place {
        let group = (index / self.tracks_before(1)) as u32;
        let width = self.width_of(group);
        let (pass, along) = super::super::divide(index - self.tracks_before(group), width);
        let pass = pass as u32;
        let serpentine_steps = u64::from(group) * u64::from(self.surfaces) + u64::from(pass);
        Place {
            cylinder: group * self.width + turned(self.passes_alternate, pass, along, width),
            surface: turned(self.groups_alternate, group, pass, self.surfaces),
            cylinder_steps: index - serpentine_steps,
            serpentine_steps,
        }
    }

    #[inline]
    pub(super) fn index(&self, cylinder: u32, surface: u32) -> u64 {
        let group = cylinder / self.width;
        let width = self.width_of(group);
        let pass = turned(self.groups_alternate, group, surface, self.surfaces);
        let along = turned(self.passes_alternate, pass, cylinder % self.width, width);
        self.tracks_before(group) + u64::from(pass) * u64::from(width) + u64::from(along)
    }

    pub(super) fn cycle_tracks(&self) -> u64 {
        self.tracks_before(if self.groups_alternate { 2 } else { 1 })
    }

    pub(super) fn stretch(&self, index: u64) -> (u64, bool) {
        let group = (index / self.tracks_before(1)) as u32;
        let width = u64::from(self.width_of(group));
        let within = index - self.tracks_before(group);
        (width - within % width, within / width + 1 == u64::from(self.surfaces))
    }

    /// Where the tracks of cylinders `first..=last` stand in the sequence: one run if they are
    /// whole groups, else one for each pass over the groups they cut.
    pub(super) fn runs(&self, first: u32, last: u32) -> Vec<TrackRun> {
        let mut runs = Vec::new();
        let mut next = first;
        while next <= last {
            let group = next / self.width;
            let start = group * self.width;
            let end = start + self.width_of(group) - 1;
            if next == start && end <= last {
                let whole = (last + 1) / self.width;
                let after =
                    if last + 1 == self.cylinders { self.cylinders } else { whole * self.width };
                let tracks = |cylinders: u32| u64::from(cylinders) * u64::from(self.surfaces);
                runs.push(TrackRun { first: tracks(start), last: tracks(after) - 1 });
                next = after;
            } else {
                let cut = end.min(last);
                for surface in 0..self.surfaces {
                    let (a, b) = (self.index(next, surface), self.index(cut, surface));
                    runs.push(TrackRun { first: a.min(b), last: a.max(b) });
                }
                next = cut + 1;
            }
        }
        runs
    }
}

/// `position` among `count`, counted from the other end in every second pass of an alternating
/// order. It is its own inverse.
#[inline]
fn turned(alternating: bool, pass: u32, position: u32, count: u32) -> u32 {
    if alternating && pass % 2 == 1 { count - 1 - position } else { position }
}
