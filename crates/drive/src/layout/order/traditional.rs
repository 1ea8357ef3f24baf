//! All surfaces of a cylinder from the first, then the next cylinder from the first again.

use super::Place;

#[inline]
pub(super) fn place(index: u64, surfaces: u32) -> Place {
    let (cylinder, surface) = super::super::divide(index, surfaces);
    Place { cylinder: cylinder as u32, surface, cylinder_steps: cylinder, serpentine_steps: 0 }
}

#[inline]
pub(super) fn index(cylinder: u32, surface: u32, surfaces: u32) -> u64 {
    u64::from(cylinder) * u64::from(surfaces) + u64::from(surface)
}
