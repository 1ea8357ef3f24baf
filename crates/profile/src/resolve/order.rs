//! Track orders: which keys of a zone belong to its order, and the passes of a list.

use crate::Zone;
use crate::error::Fault;
use crate::key::KeyPath;
use platterlab_drive::{Listed, Pass, TrackOrder};
use platterlab_units::Angle;

/// Checks that the zone's order has a use for the skews, the width and the passes that are stated.
pub(super) fn check_keys(zone: &Zone, at: &KeyPath) -> Result<(), Fault> {
    let track = [
        ("track_skew_sectors", zone.track_skew_sectors.is_some()),
        ("track_skew_turns", zone.track_skew_turns.is_some()),
        ("track_skew_deg", zone.track_skew_deg.is_some()),
    ];
    let cylinder = [
        ("cylinder_skew_sectors", zone.cylinder_skew_sectors.is_some()),
        ("cylinder_skew_turns", zone.cylinder_skew_turns.is_some()),
        ("cylinder_skew_deg", zone.cylinder_skew_deg.is_some()),
    ];
    let serpentine = [
        ("serpentine_cylinders", zone.serpentine_cylinders.is_some()),
        ("serpentine_skew_sectors", zone.serpentine_skew_sectors.is_some()),
        ("serpentine_skew_turns", zone.serpentine_skew_turns.is_some()),
        ("serpentine_skew_deg", zone.serpentine_skew_deg.is_some()),
    ];
    let group = [
        ("group_cylinders", zone.group_cylinders.is_some()),
        ("group_skew_turns", zone.group_skew_turns.is_some()),
        ("pass", !zone.pass.is_empty()),
    ];
    let serpentines_only = "belongs to an order that seeks first, such as \"hybrid-serpentine\"";
    let listed_only = "belongs to `order = \"listed\"`";
    let own_skews = "listed passes state their own skews";
    let no_steps = "an order that seeks first has no steps within a cylinder; state the cylinder skew \
                    along a pass and the serpentine skew between passes";
    let unused: &[(&[(&str, bool)], &str)] = match zone.order {
        TrackOrder::Listed => {
            &[(&track, own_skews), (&cylinder, own_skews), (&serpentine, serpentines_only)]
        }
        order if order.seeks_first() => &[(&track, no_steps), (&group, listed_only)],
        _ => &[(&serpentine, serpentines_only), (&group, listed_only)],
    };
    for (keys, instead) in unused {
        if let Some((key, _)) = keys.iter().find(|(_, stated)| *stated) {
            return Err(Fault::new(at.key(key), *instead));
        }
    }
    Ok(())
}

/// The passes of a listed order; none in another.
pub(super) fn passes(zone: &Zone, at: &KeyPath) -> Result<Listed, Fault> {
    if zone.order != TrackOrder::Listed {
        return Ok(Listed::default());
    }
    let Some(group_cylinders) = zone.group_cylinders else {
        let what = "must be stated: the cylinders that the passes go over before they repeat";
        return Err(Fault::new(at.key("group_cylinders"), what));
    };
    let pass = |pass: &crate::Pass| {
        let sectors_per_track = pass.sectors_per_track.unwrap_or(zone.sectors_per_track);
        Pass {
            surface: pass.surface,
            cylinders: pass.cylinders,
            sectors_per_track,
            data_sectors: pass.data_sectors.unwrap_or(sectors_per_track),
            first_angle: Angle::of_turns(pass.first_track_skew_turns),
            skew: Angle::of_turns(pass.track_skew_turns),
        }
    };
    Ok(Listed {
        group_cylinders,
        group_skew: Angle::of_turns(zone.group_skew_turns.unwrap_or(0.0)),
        passes: zone.pass.iter().map(pass).collect(),
    })
}
