//! Zones of listed passes for DiskSim: track patterns, and an index of two levels, one node for the
//! passes of each zone and the root.

use super::zones::is_spare;
use platterlab_drive::layout::Layout;
use platterlab_drive::{Defect, Listed, Pass, Physical, Skew, ZoneParams};
use platterlab_profile::Profile;
use platterlab_units::Angle;
use std::collections::BTreeMap;

/// A zone's own parameters and its passes.
type OfZone<'a> = (usize, &'a ZoneParams, &'a Listed);

/// Whether every zone with data lists its passes.
pub(super) fn fits(profile: &Profile) -> bool {
    let zones = &profile.params().layout.zones;
    let data = zones.iter().enumerate().filter(|(index, _)| !is_spare(profile, *index));
    let mut data = data.map(|(_, zone)| zone).peekable();
    data.peek().is_some() && data.all(|zone| zone.listed().is_some())
}

fn zones(profile: &Profile) -> Vec<OfZone<'_>> {
    let mut list = Vec::new();
    for (index, zone) in profile.params().layout.zones.iter().enumerate() {
        if let Some(order) = zone.listed() {
            list.push((index, zone, order));
        }
    }
    list
}

/// The `dm_layout_g4` block.
pub(super) fn layout(profile: &Profile, lost: &mut Vec<String>) -> Vec<String> {
    let zones = zones(profile);
    if profile.params().layout.surface_offsets.iter().any(|offset| *offset != Angle::ZERO) {
        let what = "geometry.surface_offset_turns: DiskSim's surfaces are not turned by themselves";
        lost.push(what.to_owned());
    }
    for (index, zone, _) in &zones {
        for (key, sectors) in [
            ("skip_first_sectors", zone.skip_first_sectors),
            ("skip_last_sectors", zone.skip_last_sectors),
        ] {
            if sectors > 0 {
                lost.push(format!("zone[{index}].{key}: DiskSim's index leaves out no sectors"));
            }
        }
    }
    let mut patterns: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for pass in zones.iter().flat_map(|(_, _, order)| with_data(order)) {
        let next = patterns.len();
        patterns.entry((pass.data_sectors, pass.sectors_per_track)).or_insert(next);
    }
    let mut by_number: Vec<_> = patterns.iter().collect();
    by_number.sort_unstable_by_key(|(_, number)| **number);
    let tracks: Vec<String> =
        by_number.iter().map(|((data, around), _)| format!("0, {}, {around}", data - 1)).collect();
    let mut nodes: Vec<String> = zones.iter().map(|(_, _, order)| node(order, &patterns)).collect();
    nodes.push(root(&zones));
    let [slips, remaps] = defects(profile, lost);
    vec![
        "      Layout Model = dm_layout_g4 {".to_owned(),
        format!("         TP = [ {} ],", tracks.join(", ")),
        format!("         IDX = [ {} ],", nodes.join(",\n            ")),
        format!("         Slips = [ {slips} ],"),
        format!("         Remaps = [ {remaps} ]"),
        "      }".to_owned(),
    ]
}

fn with_data(order: &Listed) -> impl Iterator<Item = &Pass> {
    order.passes.iter().filter(|pass| pass.data_sectors > 0)
}

fn tracks(pass: &Pass) -> u64 {
    u64::from(pass.cylinders[0].abs_diff(pass.cylinders[1])) + 1
}

fn blocks(pass: &Pass) -> u64 {
    tracks(pass) * u64::from(pass.data_sectors)
}

/// The passes of a group.
fn node(order: &Listed, patterns: &BTreeMap<(u32, u32), usize>) -> String {
    let mut lbn = 0;
    let mut entries = Vec::new();
    for pass in with_data(order) {
        let [first, last] = pass.cylinders;
        let back = if first > last { "-" } else { "" };
        entries.push(format!(
            "{lbn}, {first}, {:?}, {}, 1, {:?}, {}, {back}{}, TRACK, {}, {}",
            pass.first_angle.as_turns(),
            pass.data_sectors,
            pass.skew.as_turns(),
            blocks(pass),
            tracks(pass),
            patterns[&(pass.data_sectors, pass.sectors_per_track)],
            pass.surface,
        ));
        lbn += blocks(pass);
    }
    format!("[ {} ]", entries.join(",\n              "))
}

/// The zones.
fn root(zones: &[OfZone<'_>]) -> String {
    let mut lbn = 0;
    let mut entries = Vec::new();
    for (number, (_, zone, order)) in zones.iter().enumerate() {
        let cylinders = zone.cylinders[1] - zone.cylinders[0] + 1;
        let group: u64 = with_data(order).map(blocks).sum();
        let run = group * u64::from(cylinders / order.group_cylinders);
        let first = match zone.first_track_skew {
            Skew::Sectors(sectors) => {
                Angle::of_slots(sectors.into(), zone.sectors_per_track.into())
            }
            Skew::Turn(angle) => angle,
        };
        entries.push(format!(
            "{lbn}, {}, {:?}, {group}, {}, {:?}, {run}, {cylinders}, IDX, {number}",
            zone.cylinders[0],
            first.as_turns(),
            order.group_cylinders,
            order.group_skew.as_turns(),
        ));
        lbn += run;
    }
    format!("[ {} ]", entries.join(",\n              "))
}

/// Slips and remaps by the numbers of their blocks, which count slipped ones.
fn defects(profile: &Profile, lost: &mut Vec<String>) -> [String; 2] {
    let mut whole = profile.params().layout.clone();
    whole.defects.clear();
    let layout = Layout::new(&whole).ok();
    let block = |at: Physical| layout.as_ref().and_then(|layout| layout.lba_at(at));
    let mut slips: Vec<u64> = Vec::new();
    let mut remaps: Vec<(u64, Physical)> = Vec::new();
    for defect in &profile.params().layout.defects {
        match *defect {
            Defect::Slipped(at) => slips.extend(block(at)),
            Defect::Remapped { from, to } => remaps.extend(block(from).map(|lbn| (lbn, to))),
        }
    }
    slips.sort_unstable();
    remaps.sort_unstable_by_key(|(lbn, _)| *lbn);
    if remaps.iter().any(|(lbn, _)| slips.first().is_some_and(|slip| slip < lbn)) {
        let what =
            "defect: DiskSim does not say how it counts a remapped block with slips before it";
        lost.push(what.to_owned());
    }
    let runs = slips.chunk_by(|a, b| a + 1 == *b);
    let slips: Vec<String> = runs.map(|run| format!("{}, {}", run[0], run.len())).collect();
    let remap = |(lbn, to): (u64, Physical)| {
        let around = around(profile, to)?;
        Some(format!("{lbn}, 1, {}, {}, {}, {around}", to.cylinder, to.surface, to.sector))
    };
    let number = remaps.len();
    let remaps: Vec<String> = remaps.into_iter().filter_map(remap).collect();
    if remaps.len() < number {
        lost.push("defect: DiskSim's index states no angle of a track without data".to_owned());
    }
    [slips.join(", "), remaps.join(", ")]
}

/// Sectors around a track that a pass with data comes to.
fn around(profile: &Profile, at: Physical) -> Option<u32> {
    let own = |zone: &ZoneParams| at.cylinder.checked_sub(zone.cylinders[0]);
    let holds =
        |(_, zone, _): &&OfZone<'_>| own(zone).is_some() && at.cylinder <= zone.cylinders[1];
    let zones = zones(profile);
    let (_, zone, order) = zones.iter().find(holds)?;
    let cylinder = own(zone)? % order.group_cylinders;
    let comes = |pass: &&Pass| {
        let [first, last] = pass.cylinders;
        pass.surface == at.surface && (first.min(last)..=first.max(last)).contains(&cylinder)
    };
    with_data(order).find(comes).map(|pass| pass.sectors_per_track)
}
