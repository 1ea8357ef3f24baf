//! The blocks of a drive for DiskSim, line by line.

use super::{cache, index, overheads, zones};
use platterlab_drive::{BusHold, Latency};
use platterlab_profile::{Bus, Profile, Seek, SpareRegion};
use std::convert::Infallible;

/// The parameters of the `dm_disk` block.
pub(super) fn model(profile: &Profile, seek_file: &str, lost: &mut Vec<String>) -> Vec<String> {
    let options = profile.options();
    let capacity = platterlab_drive::layout::Layout::new(&profile.params().layout)
        .map_or(0, |layout| layout.capacity());
    if options.geometry.sector_bytes != 512 {
        lost.push("geometry.sector_bytes: DiskSim's sectors have 512 bytes".to_owned());
    }
    let whole = |region: &SpareRegion| {
        options.zone.iter().any(|zone| {
            region.first == [zone.cylinders[0], 0]
                && region.last == [zone.cylinders[1], options.geometry.surfaces - 1]
        })
    };
    if !options.spare_region.iter().all(whole) {
        lost.push("spare_region: DiskSim can leave out whole zones only".to_owned());
    }
    let mut lines = vec![
        format!("      Number of data surfaces = {},", options.geometry.surfaces),
        format!("      Number of cylinders = {},", options.geometry.cylinders),
        format!("      Block count = {capacity},"),
        "      Mechanical Model = dm_mech_g1 {".to_owned(),
    ];
    lines.extend(mechanics(profile, seek_file, lost));
    lines.push("      },".to_owned());
    lines.extend(if index::fits(profile) {
        index::layout(profile, lost)
    } else {
        zones::far_remaps(profile, lost);
        zones::layout(profile, lost)
    });
    lines
}

fn mechanics(profile: &Profile, seek_file: &str, lost: &mut Vec<String>) -> Vec<String> {
    let options = profile.options();
    let rpm = 60e12 / profile.params().mechanism.rotation.as_ps() as f64;
    let access = match options.spindle.latency {
        Latency::Tracked => "trackSwitchPlusRotation",
        Latency::Mean => "averageRotation",
        Latency::Uniform | Latency::Off => {
            lost.push("spindle.latency: DiskSim tracks the platter or takes the mean".to_owned());
            "trackSwitchPlusRotation"
        }
    };
    let mut refuse = |stated: bool, key: &str| {
        if stated {
            lost.push(format!("{key}: DiskSim has no such parameter"));
        }
    };
    let switch = &options.switch;
    refuse(options.seek_back.is_some(), "seek_back");
    refuse(options.seek_scatter.is_some(), "seek_scatter");
    refuse(options.spindle.phase_turns != 0.0, "spindle.phase_turns");
    refuse(options.spindle.sector_lag_ns != 0.0, "spindle.sector_lag_ns");
    refuse(options.spindle.drift_ppm.is_some(), "spindle.drift_ppm");
    refuse(options.recalibration.is_some(), "recalibration");
    refuse(!options.media.transfer, "media.transfer");
    refuse(switch.track_ms.is_some(), "switch.track_ms");
    refuse(switch.head_write_ms.is_some(), "switch.head_write_ms");
    refuse(switch.resettle_read_ms != 0.0, "switch.resettle_read_ms");
    let mut lines = vec![format!("         Access time type = {access},")];
    let settle_ms = switch.settle_write_ms - switch.settle_read_ms;
    lines.extend(seek(&settled(&options.seek, switch.settle_read_ms), seek_file, lost));
    lines.extend([
        format!("         Add. write settling delay = {settle_ms:?},"),
        format!("         Head switch time = {:?},", switch.head_ms + switch.settle_read_ms),
        format!("         Rotation speed (in rpms) = {rpm:?},"),
        "         Percent error in rpms = 0.0".to_owned(),
    ]);
    lines
}

/// The curve with what reads settle in it: in DiskSim only writes settle.
pub(super) fn settled(seek: &Seek, more_ms: f64) -> Seek {
    let Ok(mut seek) = seek.in_units(|ms, _| Ok::<_, Infallible>(ms + more_ms));
    if let Seek::TwoPiece { short_ms: [a, _], long_ms: [c, _], .. } = &mut seek {
        *a += more_ms;
        *c += more_ms;
    }
    seek
}

fn seek(seek: &Seek, seek_file: &str, lost: &mut Vec<String>) -> Vec<String> {
    let lines = match seek {
        Seek::Constant { time: time_ms } => {
            vec!["Seek type = constant,".to_owned(), format!("Constant seek time = {time_ms:?},")]
        }
        Seek::Linear { single: single_ms, full: full_ms } => vec![
            "Seek type = linear,".to_owned(),
            format!("Single cylinder seek time = {single_ms:?},"),
            format!("Full strobe seek time = {full_ms:?},"),
        ],
        Seek::ThreePoint { single: single_ms, average: average_ms, full: full_ms } => vec![
            "Seek type = curve,".to_owned(),
            format!("Single cylinder seek time = {single_ms:?},"),
            format!("Average seek time = {average_ms:?},"),
            format!("Full strobe seek time = {full_ms:?},"),
        ],
        Seek::TwoPiece {
            short_ms: [a, b],
            long_ms: [c, e],
            boundary_cylinders,
            first: first_ms,
        } => {
            let single = if first_ms.len() == 1 { first_ms[0] } else { -1.0 };
            let kind = match first_ms.len() {
                0 | 1 => "hpl",
                10 => "hplplus10",
                count => {
                    lost.push(format!(
                        "seek.first_ms: DiskSim takes one first time or ten, not {count}"
                    ));
                    "hpl"
                }
            };
            let values = format!("{boundary_cylinders}, {a:?}, {b:?}, {c:?}, {e:?}, {single:?}");
            let first: Vec<String> = first_ms.iter().map(|ms| format!("{ms:?}")).collect();
            let mut lines = vec![
                format!("Seek type = {kind},"),
                format!("HPL seek equation values = [ {values} ],"),
            ];
            if kind == "hplplus10" {
                lines.push(format!("First ten seek times = [ {} ],", first.join(", ")));
            }
            lines
        }
        Seek::Table { .. } => {
            vec!["Seek type = extracted,".to_owned(), format!("Full seek curve = {seek_file},")]
        }
    };
    lines.into_iter().map(|line| format!("         {line}")).collect()
}

/// How long the bus is held.
fn holds(hold: [BusHold; 2]) -> Vec<String> {
    let never = hold == [BusHold::Command; 2];
    let [read, write] = hold.map(|hold| u32::from(hold != BusHold::Data));
    vec![
        format!("   Never disconnect = {},", u32::from(never)),
        format!("   Hold bus entire read xfer = {read},"),
        format!("   Hold bus entire write xfer = {write},"),
    ]
}

/// The parameters of the `disksim_disk` block outside its model.
pub(super) fn disk(profile: &Profile, lost: &mut Vec<String>) -> Vec<String> {
    let options = profile.options();
    let params = profile.params();
    let delayed = match options.bus {
        Bus::Off => false,
        Bus::Rate {
            reconnect_before_end, burst_sectors, overlap, release_at_track_end, ..
        } => {
            reconnect_before_end.is_some()
                || burst_sectors.is_some()
                || !overlap
                || release_at_track_end
        }
    };
    if delayed {
        lost.push("bus: DiskSim states its delays in other parameters".to_owned());
    }
    if matches!(options.bus, Bus::Rate { hold_overhead: false, .. }) {
        lost.push("bus.hold_overhead: DiskSim holds a bus while a controller works".to_owned());
    }
    if params.cache.read_fence_sectors > 1 || params.cache.buffer_sectors.is_some() {
        lost.push("cache: DiskSim states fences as a share of a segment".to_owned());
    }
    let bus = &params.bus;
    if bus.hold[0] != bus.hold[1] && bus.hold.contains(&BusHold::Command) {
        lost.push("bus: DiskSim holds the bus for a command in both directions".to_owned());
    }
    if params.cache.write_fence_slow.is_some() {
        lost.push("cache.write_fence_slow: DiskSim's writes wait alike in all zones".to_owned());
    }
    if params.controller.track_end.is_some() {
        lost.push(
            "controller.track_end: DiskSim's controllers have time at a track's end".to_owned(),
        );
    }
    if bus.read_sector != bus.write_sector {
        lost.push("bus: DiskSim states block times by direction for its buses only".to_owned());
    }
    let mut lines = vec![
        "   Per-request overhead time = 0.0,".to_owned(),
        "   Time scale for overheads = 1.0,".to_owned(),
        format!("   Bulk sector transfer time = {:?},", bus.read_sector.as_ms()),
        "   Set watermark by reqsize = 1,".to_owned(),
        format!("   High (read) water mark = {:?},", options.cache.read_fence_share),
    ];
    lines.extend(cache::lines(params, lost));
    lines.extend(holds(bus.hold));
    lines.extend(overheads::lines(params, lost));
    lines
}
