//! The buffer of a `disksim_disk`.

use super::sheet::ProfileSheet;
use crate::syntax::{DiskSimError, Fields};
use toml::Value;

/// Whether a drive with this parameter set takes several commands at a time: it needs them.
const QUEUED: [&str; 5] = [
    "Allow sneaky full read hits",
    "Allow sneaky partial read hits",
    "Allow sneaky intermediate read hits",
    "Allow write prebuffering",
    "Preseeking level",
];

/// Parameters without effect on what DiskSim answers to one command at a time, and why.
const WITHOUT_EFFECT: [(&str, &str); 5] = [
    (
        "Immediate buffer read",
        "is left out: in DiskSim's own answers a read takes its sectors in the order of their \
         addresses all the same; `cache.zero_latency_read` takes them as they pass",
    ),
    (
        "Immediate buffer write",
        "is left out: in DiskSim's own answers a write waits for its first sector",
    ),
    (
        "Low (write) water mark",
        "is not needed: a profile's buffer asks for a write's data as soon as it has room",
    ),
    (
        "Read any free blocks",
        "is left out: DiskSim's own answers have no hits before a request; \
         `cache.read_ahead = \"on-arrival\"` or `\"whole-track\"` would have them",
    ),
    (
        "Combine seq writes",
        "holds in DiskSim only while the data waits for the media; a profile that says \
         `cache.combine_writes` also combines later",
    ),
];

/// Parameters that have to be 1 for a cache to be the same in a profile.
const ALWAYS: [(&str, &str); 2] = [
    ("Write hit stop prefetch", "a profile's write ends read-ahead"),
    ("Read directly to buffer", "a profile's read goes to the buffer first"),
];

/// Parameters that do nothing without a cache.
const OF_A_CACHE: [&str; 15] = [
    "Allow almost read hits",
    "Allow read hits on write data",
    "Maximum number of write segments",
    "Use separate write segment",
    "Low (write) water mark",
    "Buffer continuous read",
    "Minimum read-ahead (blks)",
    "Maximum read-ahead (blks)",
    "Read-ahead over requested",
    "Read-ahead on idle hit",
    "Read any free blocks",
    "Immediate buffer read",
    "Immediate buffer write",
    "Combine seq writes",
    "Immed transfer partial hit",
];

/// What a cache has to say.
const EXPECTED: [&str; 19] = [
    "Allow almost read hits",
    "Set watermark by reqsize",
    "Low (write) water mark",
    "Read any free blocks",
    "Combine seq writes",
    "Allow read hits on write data",
    "Buffer continuous read",
    "Fast write level",
    "Immed transfer partial hit",
    "Immediate buffer read",
    "Immediate buffer write",
    "Maximum number of write segments",
    "Maximum read-ahead (blks)",
    "Minimum read-ahead (blks)",
    "Read-ahead on idle hit",
    "Read-ahead over requested",
    "Stop prefetch in sector",
    "Use separate write segment",
    "High (read) water mark",
];

pub(super) fn map(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    read_water_mark(sheet, disk)?;
    let fast = disk.whole_or_0("Fast write level", 2)?;
    let word = if fast == 0 { "media" } else { "buffer-in-turn" };
    let enabled = "Enable caching in buffer";
    match disk.whole_or_0(enabled, 2)? {
        0 => return none(sheet, disk),
        1 => {}
        _ => {
            let what = "is taken as 1, a cache: what sets a 2 apart is not documented";
            sheet.note(disk.place(enabled), enabled, what);
        }
    }
    let count = "Number of buffer segments";
    if disk.whole(count, 65_536)? == 0 || disk.whole("Segment size (in blks)", 1 << 22)? == 0 {
        let what = "leaves a cache without room: the drive is imported without one";
        sheet.note(disk.place(count), count, what);
        return none(sheet, disk);
    }
    sheet.unstated(disk, &EXPECTED);
    let at = disk.spot();
    sheet.cite("cache", "write_report", word, at, "Fast write level");
    segments(sheet, disk)?;
    read_ahead(sheet, disk)?;
    let mut cite = |key: &str, value: Value, parameter| {
        sheet.cite("cache", key, value, at, parameter);
    };
    let is = |name: &str| Ok(disk.whole_or_0(name, 1)? == 1);
    cite("keep_after_hit", true.into(), "Enable caching in buffer");
    // In a segment of its own written data answers no read, according to DiskSim's own answers.
    let apart = is("Use separate write segment")? && disk.whole(count, 65_536)? > 1;
    let on_written = is("Allow read hits on write data")? && !apart;
    cite("hits_on_written", on_written.into(), "Allow read hits on write data");
    cite("partial_hits", true.into(), "Immed transfer partial hit");
    let at_once = is("Immed transfer partial hit")?;
    cite("partial_hits_at_once", at_once.into(), "Immed transfer partial hit");
    cite("almost_hits", is("Allow almost read hits")?.into(), "Allow almost read hits");
    // Not stated by any parameter: found from what DiskSim answers.
    sheet.set("cache", "overwritten", "dropped");
    sheet.set("cache", "combine_writes", false);
    sheet.set("cache", "read_ahead_ends", "other-command");
    without_counterpart(sheet, disk)
}

/// Without a cache: the parameters that are about one are noted.
fn none(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    sheet.set("cache", "segments", 0);
    let name = "Fast write level";
    if disk.whole_or_0(name, 2)? > 0 {
        let what = "needs a cache, and there is none: writes are reported from the media";
        sheet.note(disk.place(name), name, what);
    }
    several_commands(sheet, disk)?;
    let mut idle = Vec::new();
    for name in OF_A_CACHE {
        if disk.number_if(name, -1.0, f64::from(u32::MAX))?.unwrap_or(0.0) != 0.0 {
            idle.push(format!("`{name}`"));
        }
    }
    if !idle.is_empty() {
        let what = format!("is 0, so these are not used: {}", idle.join(", "));
        sheet.note(disk.place("Enable caching in buffer"), "Enable caching in buffer", &what);
    }
    Ok(())
}

fn segments(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let at = disk.spot();
    let segments = disk.whole("Number of buffer segments", 65_536)?;
    let blocks = disk.whole("Segment size (in blks)", 1 << 22)?;
    sheet.cite("cache", "segments", i64::from(segments), at, "Number of buffer segments");
    sheet.cite("cache", "segment", bytes(blocks), at, "Segment size (in blks)");
    let name = "Maximum number of write segments";
    let writes = disk.whole_or_0(name, 65_536)?;
    if disk.whole_or_0("Use separate write segment", 1)? == 1 && segments > 1 {
        if writes >= segments {
            let what = format!("leaves reads none of {segments} segments; they keep one");
            sheet.note(disk.place(name), name, &what);
        }
        sheet.cite("cache", "write_segments", i64::from(writes.min(segments - 1)), at, name);
        let parameter = "Use separate write segment";
        sheet.cite("cache", "separate_write_segments", true, at, parameter);
    } else if disk.whole_or_0("Use separate write segment", 1)? == 1 {
        let name = "Use separate write segment";
        sheet.note(
            disk.place(name),
            name,
            "needs two segments, and there is one, which both share",
        );
    } else if writes < segments {
        sheet.note(
            disk.place(name),
            name,
            "is not needed: it counts data that waits for the media, and a profile's drive has one \
             such segment at a time",
        );
    }
    Ok(())
}

fn read_ahead(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let at = disk.spot();
    let name = "Buffer continuous read";
    let kind = disk.whole_or_0(name, 4)?;
    let word = ["none", "track", "cylinder", "aggressive", "track"][kind as usize];
    sheet.cite("cache", "read_ahead", word, at, name);
    if kind == 0 {
        return Ok(());
    }
    if kind == 4 {
        sheet.cite("cache", "read_ahead_next_track", true, at, name);
        let what = "is 4: on to the end of the track, and of the next one after sequential reads; \
                    DiskSim itself continues to another track after a request that reaches a \
                    track's end, as `cache.read_ahead = \"track-or-next\"` does";
        sheet.note(disk.place(name), name, what);
    }
    let (name, over) = ("Maximum read-ahead (blks)", "Read-ahead over requested");
    let most = disk.whole_or_0(name, 1 << 22)?;
    let (minimum, stated) = ("Minimum read-ahead (blks)", "is more than the maximum, which holds");
    let least = disk.whole_or_0(minimum, 1 << 22)?;
    if least > most {
        sheet.note(disk.place(minimum), minimum, stated);
    }
    sheet.cite("cache", "read_ahead_least", bytes(least.min(most)), at, minimum);
    if kind == 3 {
        sheet.cite("cache", "read_ahead_most", bytes(most), at, name);
    } else {
        let (track, cylinder) = sheet.longest();
        let furthest = match kind {
            2 => cylinder,
            4 => 2 * track,
            _ => track,
        };
        sheet.set("cache", "read_ahead_most", furthest * 512);
        if i64::from(most) < furthest {
            sheet.note(
                disk.place(name),
                name,
                "does not stop DiskSim's reading on before that end",
            );
        }
    }
    over_requested(sheet, disk, over)?;
    let name = "Read-ahead on idle hit";
    let on_hit = if disk.whole_or_0(name, 1)? == 1 { "start" } else { "continue" };
    sheet.cite("cache", "read_ahead_on_hit", on_hit, at, name);
    let name = "Stop prefetch in sector";
    let in_sector = disk.whole_or_0(name, 1)? == 1;
    sheet.cite("cache", "read_ahead_stops_in_sector", in_sector, at, name);
    Ok(())
}

/// Whether read-ahead may take the place of what was asked for.
///
/// DiskSim's answers are the same under 0 and 1: of small segments it has lost what was asked for
/// under 0 (Atlas 10K, Atlas III) as under 1 (Barracuda), request by request.
fn over_requested(
    sheet: &mut ProfileSheet,
    disk: &Fields<'_>,
    name: &str,
) -> Result<(), DiskSimError> {
    let stated = disk.integer_or_0(name, -1, 1)?;
    sheet.cite("cache", "read_ahead_over_requested", stated >= 0, disk.spot(), name);
    let what = match stated {
        0 => {
            "is 0 and holds as 1 does in DiskSim's own answers: what is read ahead takes the place \
             of what was asked for"
        }
        -1 => {
            "is -1 and taken to keep what was asked for, as no other value does: no answers of \
             DiskSim under it are known"
        }
        _ => return Ok(()),
    };
    sheet.note(disk.place(name), name, what);
    Ok(())
}

/// What a drive does with several commands, which a profile's is not given.
fn several_commands(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let alone = disk.whole_or_0("Max queue length", u32::MAX)? <= 1;
    for name in QUEUED {
        if disk.whole_or_0(name, 2)? == 0 {
            continue;
        }
        if alone {
            let what = "is not needed: it is about several commands in the drive, which takes one";
            sheet.note(disk.place(name), name, what);
        } else {
            let why = "a profile's drive works at one command at a time";
            sheet.lose(disk.place(name), name, why);
        }
    }
    Ok(())
}

fn without_counterpart(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    several_commands(sheet, disk)?;
    for (name, what) in WITHOUT_EFFECT {
        if disk.number_if(name, 0.0, 2.0)?.unwrap_or(0.0) > 0.0 {
            sheet.note(disk.place(name), name, what);
        }
    }
    for (name, why) in ALWAYS {
        if disk.get(name).is_none() {
            sheet.notes.push(format!("not stated, and so taken as 1: `{name}`"));
        } else if disk.whole_or_0(name, 1)? == 0 {
            sheet.lose(disk.place(name), name, why);
        }
    }
    Ok(())
}

/// How much is in the buffer before a read's bus transfer starts.
fn read_water_mark(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let high = "High (read) water mark";
    let share = disk.number_if(high, 0.0, 1.0)?.unwrap_or(0.0);
    let by_request = disk.whole_or_0("Set watermark by reqsize", 1)? == 1;
    if by_request {
        sheet.cite("cache", "read_fence_share", share, disk.spot(), high);
    } else {
        let blocks = disk.whole_or_0("Segment size (in blks)", 1 << 22)?;
        let sectors = (share * f64::from(blocks)) as u32;
        sheet.cite("cache", "read_fence", bytes(sectors), disk.spot(), high);
    }
    Ok(())
}

fn bytes(blocks: u32) -> i64 {
    i64::from(blocks) * 512
}
