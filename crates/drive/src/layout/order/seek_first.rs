//! Groups of cylinders, passed over on one surface after another: the surface serpentine (every
//! second pass back), the hybrid serpentine (all passes the same way), and both with every second
//! group from the last surface to the first.

use super::{Place, TrackRun};
use crate::{Direction, SeekFirst};

/// A zone in such an order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    order: SeekFirst,
    surfaces: u32,
    cylinders: u32,
    /// Cylinders in every group but the last.
    width: u32,
}

impl Passes {
    pub(super) fn new(order: SeekFirst, surfaces: u32, cylinders: u32) -> Self {
        let width = order.width_cylinders.unwrap_or(cylinders).clamp(1, cylinders.max(1));
        Self { order, surfaces, cylinders, width }
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
            cylinder: group * self.width + turned(self.order.seek, pass, along, width),
            surface: turned(self.order.surfaces, group, pass, self.surfaces),
            cylinder_steps: index - serpentine_steps,
            serpentine_steps,
        }
    }

    #[inline]
    pub(super) fn index(&self, cylinder: u32, surface: u32) -> u64 {
        let group = cylinder / self.width;
        let width = self.width_of(group);
        let pass = turned(self.order.surfaces, group, surface, self.surfaces);
        let along = turned(self.order.seek, pass, cylinder % self.width, width);
        self.tracks_before(group) + u64::from(pass) * u64::from(width) + u64::from(along)
    }

    pub(super) fn cycle_tracks(&self) -> u64 {
        match self.order.surfaces {
            Direction::Forward => self.tracks_before(1),
            Direction::Alternating => self.tracks_before(2),
        }
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
fn turned(direction: Direction, pass: u32, position: u32, count: u32) -> u32 {
    match direction {
        Direction::Alternating if pass % 2 == 1 => count - 1 - position,
        _ => position,
    }
}
