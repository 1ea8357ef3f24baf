//! Checks of the passes of a listed order.

use crate::{LayoutParams, Listed, ParamError, Pass, Skew, Sparing, ZoneParams};
use platterlab_units::Angle;

/// Checks a listed order: whole groups, every track in one pass, and nothing but the passes that
/// says the same.
pub(super) fn check_listed(
    index: usize,
    zone: &ZoneParams,
    surfaces: u32,
) -> Result<(), ParamError> {
    let Some(order) = zone.listed() else { return Ok(()) };
    let refuse =
        |key: &str, what: String| Err(ParamError::new(format!("zone[{index}].{key}"), what));
    let cylinders = zone.cylinders[1].saturating_sub(zone.cylinders[0]) + 1;
    let width = order.group_cylinders;
    if width == 0 || !cylinders.is_multiple_of(width) {
        let what = format!("{cylinders} cylinders are not a whole number of groups of {width}");
        return refuse("group_cylinders", what);
    }
    let turned = [zone.track_skew, zone.cylinder_skew, zone.serpentine_skew]
        .iter()
        .any(|skew| !matches!(skew, Skew::Sectors(0)) && *skew != Skew::Turn(Angle::ZERO));
    let uneven = !zone.surface_sectors.is_empty() || !zone.surface_data_sectors.is_empty();
    if turned || uneven || zone.skew_from_data_end || zone.sparing != Sparing::None {
        let what = "listed passes state their own skews, sectors and spares; leave out the zone's";
        return refuse("order", what.into());
    }
    let sizes: Vec<Result<(), String>> =
        order.passes.iter().map(|pass| check_pass(pass, width, surfaces)).collect();
    if let Some((at, Err(what))) = sizes.into_iter().enumerate().find(|(_, it)| it.is_err()) {
        return refuse(&format!("pass[{at}]"), what);
    }
    match uncovered(order, surfaces) {
        Some((key, what)) => refuse(&key, what),
        None => Ok(()),
    }
}

fn check_pass(pass: &Pass, width: u32, surfaces: u32) -> Result<(), String> {
    let Pass { surface, cylinders: [first, last], sectors_per_track, data_sectors, .. } = *pass;
    if surface >= surfaces {
        return Err(format!("is on surface {surface} of {surfaces}"));
    }
    if first.max(last) >= width {
        return Err(format!("goes to cylinder {} of a group of {width}", first.max(last)));
    }
    if sectors_per_track == 0 || data_sectors > sectors_per_track {
        return Err(format!("has {data_sectors} data sectors among {sectors_per_track}"));
    }
    Ok(())
}

/// The first track of a group that is in no pass or in two, as the key at fault and what is wrong.
fn uncovered(order: &Listed, surfaces: u32) -> Option<(String, String)> {
    let mut spans: Vec<(u32, u32, u32, usize)> = order
        .passes
        .iter()
        .enumerate()
        .map(|(at, pass)| {
            let [first, last] = pass.cylinders;
            (pass.surface, first.min(last), first.max(last), at)
        })
        .collect();
    spans.sort_unstable();
    let mut spans = spans.into_iter().peekable();
    for surface in 0..surfaces {
        let mut next = 0;
        while let Some((_, low, high, at)) = spans.next_if(|(on, ..)| *on == surface) {
            if low < next {
                let what = format!("comes to cylinder {low} of surface {surface} a second time");
                return Some((format!("pass[{at}]"), what));
            }
            if low > next {
                return Some(("pass".to_owned(), missing(next, surface)));
            }
            next = high + 1;
        }
        if next < order.group_cylinders {
            return Some(("pass".to_owned(), missing(next, surface)));
        }
    }
    None
}

fn missing(cylinder: u32, surface: u32) -> String {
    format!(
        "no pass comes to cylinder {cylinder} of surface {surface}; list spare tracks too, with \
         `data_sectors = 0`"
    )
}

/// The first zone of listed passes that a spare region touches.
pub(super) fn has_listed(params: &LayoutParams, cylinders: [u32; 2]) -> bool {
    params.zones.iter().any(|zone| {
        zone.listed().is_some()
            && zone.cylinders[0] <= cylinders[1]
            && zone.cylinders[1] >= cylinders[0]
    })
}
