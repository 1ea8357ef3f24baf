//! As the traditional order, but every second cylinder from its last surface to its first, so that
//! a cylinder boundary needs no head switch.

use super::{Place, traditional};

#[inline]
pub(super) fn place(index: u64, surfaces: u32) -> Place {
    let place = traditional::place(index, surfaces);
    Place { surface: turned(place.cylinder, place.surface, surfaces), ..place }
}

#[inline]
pub(super) fn index(cylinder: u32, surface: u32, surfaces: u32) -> u64 {
    traditional::index(cylinder, turned(cylinder, surface, surfaces), surfaces)
}

#[inline]
fn turned(cylinder: u32, surface: u32, surfaces: u32) -> u32 {
    if cylinder.is_multiple_of(2) { surface } else { surfaces - 1 - surface }
}
