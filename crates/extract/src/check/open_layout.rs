//! What is left of the layout where a simulation of it does not answer like the drive.

use super::Value;
use crate::{Estimate, Extraction};

const ONE_SURFACE: &str = "there is none: with one surface each track is another cylinder's";
const NOT_CERTAIN: &str = "which tracks are of one cylinder is not certain";
const PERHAPS_ONE: &str = "with one surface, which is not excluded, there is none";

/// Without surfaces it is not known which movements change heads, and in which order tracks follow; with one, no
/// track follows another of its cylinder.
pub(super) fn settle(found: &mut Extraction) {
    const WHY: &str = "the surfaces are not known";
    let surfaces = found.surfaces.ok();
    let alone = found.layout.as_ref().is_some_and(|it| it.class.value == Some("one-surface"));
    if surfaces.is_none() {
        for switch in [&mut found.head_switch_ms, &mut found.cylinder_switch_ms] {
            switch.doubt(WHY);
        }
        if let Some(layout) = &mut found.layout {
            layout.surfaces.doubt(WHY);
            layout.serpentine_cylinders.doubt(WHY);
        }
        doubt_order(found);
    }
    if is_order_open(found) && may_move(found) {
        found.head_switch_ms.doubt(NOT_CERTAIN);
    }
    let said = &found.self_check.disagreements;
    if said.iter().any(|it| it.value == Value::Surfaces.named()) {
        doubt_class(found);
    }
    let zones = found.zones.iter_mut().map(|zone| &mut zone.track_skew_ms);
    for skew in zones.chain([&mut found.track_skew_ms]) {
        match surfaces {
            Some(1.0) => *skew = Estimate::unsupported(skew.method, ONE_SURFACE),
            None if alone => skew.doubt(PERHAPS_ONE),
            _ => {}
        }
    }
    if surfaces == Some(1.0) {
        found.self_check.disagreements.retain(|it| it.value != Value::TrackSkew.named());
    }
}

/// Whether cylinders come before heads in one of several orders: each has its own tracks of a cylinder.
fn is_order_open(found: &Extraction) -> bool {
    let layout = found.layout.as_ref();
    layout.is_some_and(|it| it.class.value == Some("seek-first") && it.order.value.is_none())
}

/// Whether the arm may have moved in what another head adds: it takes no less than the least seek.
fn may_move(found: &Extraction) -> bool {
    let (head, seek) = (&found.head_switch_ms, &found.seek_min_ms);
    let open_ms = head.half_width() + seek.half_width();
    let both = head.value.zip(seek.ok());
    both.is_none_or(|(head_ms, seek_ms)| head_ms + open_ms >= seek_ms)
}

/// Movements that the drive's own cannot be by the map contradict which tracks are of one cylinder, whatever their
/// order is.
fn doubt_class(found: &mut Extraction) {
    const WHY: &str = "self-check: movements contradict which tracks are of one cylinder";
    if let Some(layout) = &mut found.layout {
        layout.doubt(WHY);
    }
    let zones = found.zones.iter_mut().map(|zone| &mut zone.cylinder_skew_ms);
    for skew in zones.chain([&mut found.cylinder_skew_ms]) {
        skew.doubt(WHY);
    }
    for seek in [&mut found.seek_min_ms, &mut found.seek_max_ms] {
        seek.doubt(WHY);
    }
}

/// Angles over many tracks come out by their order, or by none; which of them are tracks of one cylinder is not
/// certain then.
pub(super) fn doubt_order(found: &mut Extraction) {
    found.head_switch_ms.doubt(NOT_CERTAIN);
    if let Some(layout) = &mut found.layout {
        for word in [&mut layout.order, &mut layout.surface_order, &mut layout.seek_direction] {
            word.doubt();
        }
    }
}
