//! As the traditional order, but every second cylinder from its last surface to its first, so that
//! a cylinder boundary needs no head switch. Reversed, the zone's first cylinder is one of these.

use super::{Place, traditional};

#[inline]
pub(super) fn place(index: u64, surfaces: u32, reversed: bool) -> Place {
    let place = traditional::place(index, surfaces);
    Place { surface: turned(place.cylinder, place.surface, surfaces, reversed), ..place }
}

#[inline]
pub(super) fn index(cylinder: u32, surface: u32, surfaces: u32, reversed: bool) -> u64 {
    traditional::index(cylinder, turned(cylinder, surface, surfaces, reversed), surfaces)
}

#[inline]
fn turned(cylinder: u32, surface: u32, surfaces: u32, reversed: bool) -> u32 {
    if cylinder.is_multiple_of(2) == reversed { surfaces - 1 - surface } else { surface }
}
