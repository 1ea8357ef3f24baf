//! Passes as they are listed: each goes over some cylinders on one surface, and all of them together
//! over every track of a group of cylinders once. The next group repeats them.

use super::Place;
use crate::Listed;

/// One pass, its cylinders counted from the group's first.
#[derive(Clone, Copy, Debug)]
struct Leg {
    surface: u32,
    first: u32,
    last: u32,
    /// Tracks of the group before it.
    tracks: u64,
}

/// A zone in such an order.
#[derive(Clone, Debug)]
pub(super) struct Legs {
    group_cylinders: u32,
    group_tracks: u64,
    /// By position.
    legs: Box<[Leg]>,
    /// Surface, lowest cylinder and position of each, in that order.
    by_place: Box<[(u32, u32, u32)]>,
}

impl Legs {
    pub(super) fn new(order: &Listed, surfaces: u32) -> Self {
        let mut tracks = 0;
        let mut legs = Vec::with_capacity(order.passes.len());
        let mut by_place = Vec::with_capacity(order.passes.len());
        for (position, pass) in (0u32..).zip(&order.passes) {
            let [first, last] = pass.cylinders;
            legs.push(Leg { surface: pass.surface, first, last, tracks });
            by_place.push((pass.surface, first.min(last), position));
            tracks += u64::from(first.abs_diff(last)) + 1;
        }
        by_place.sort_unstable();
        Self {
            group_cylinders: order.group_cylinders,
            group_tracks: u64::from(order.group_cylinders) * u64::from(surfaces),
            legs: legs.into(),
            by_place: by_place.into(),
        }
    }

    /// The group of a track, its number there, and the position of its pass.
    #[inline]
    fn split(&self, index: u64) -> (u64, u64, usize) {
        let (group, within) = (index / self.group_tracks, index % self.group_tracks);
        (group, within, self.legs.partition_point(|leg| leg.tracks <= within) - 1)
    }

    #[inline]
    pub(super) fn place(&self, index: u64) -> Place {
        let (group, within, position) = self.split(index);
        let leg = self.legs[position];
        let along = (within - leg.tracks) as u32;
        let cylinder = if leg.first <= leg.last { leg.first + along } else { leg.first - along };
        let serpentine_steps = group * self.legs.len() as u64 + position as u64;
        Place {
            cylinder: group as u32 * self.group_cylinders + cylinder,
            surface: leg.surface,
            cylinder_steps: index - serpentine_steps,
            serpentine_steps,
        }
    }

    #[inline]
    pub(super) fn index(&self, cylinder: u32, surface: u32) -> u64 {
        let (group, cylinder) = (cylinder / self.group_cylinders, cylinder % self.group_cylinders);
        let after =
            self.by_place.partition_point(|(on, low, _)| (*on, *low) <= (surface, cylinder));
        let leg = self.legs[self.by_place[after - 1].2 as usize];
        u64::from(group) * self.group_tracks + leg.tracks + u64::from(cylinder.abs_diff(leg.first))
    }

    pub(super) fn cycle_tracks(&self) -> u64 {
        self.group_tracks
    }

    /// Tracks from `index` to the end of its pass.
    pub(super) fn stretch(&self, index: u64) -> u64 {
        let (_, within, position) = self.split(index);
        let end = self.legs.get(position + 1).map_or(self.group_tracks, |next| next.tracks);
        end - within
    }
}
