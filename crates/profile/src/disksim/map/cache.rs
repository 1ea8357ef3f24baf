//! The buffer of a `disksim_disk`.

use super::super::error::DiskSimError;
use super::super::fields::Fields;
use super::sheet::Sheet;

/// What each parameter would have to be for a profile's cache to be the same.
const PLAIN: [(&str, f64); 18] = [
    ("Allow almost read hits", 0.0),
    ("Allow sneaky full read hits", 0.0),
    ("Allow sneaky partial read hits", 0.0),
    ("Allow sneaky intermediate read hits", 0.0),
    ("Allow write prebuffering", 0.0),
    ("Preseeking level", 0.0),
    ("Use separate write segment", 0.0),
    ("Minimum read-ahead (blks)", 0.0),
    ("Read-ahead over requested", 0.0),
    ("Read-ahead on idle hit", 0.0),
    ("Read any free blocks", 0.0),
    ("Immediate buffer read", 0.0),
    ("Immediate buffer write", 0.0),
    ("Combine seq writes", 0.0),
    ("Stop prefetch in sector", 0.0),
    ("Disconnect write if seek", 0.0),
    ("Write hit stop prefetch", 0.0),
    ("Read directly to buffer", 1.0),
];

pub(super) fn map(sheet: &mut Sheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    water_marks(sheet, disk)?;
    if disk.whole_or_0("Enable caching in buffer", 2)? == 0 {
        sheet.set("cache", "segments", 0);
        return Ok(());
    }
    let segments = disk.whole("Number of buffer segments", 65_536)?;
    let blocks = disk.whole("Segment size (in blks)", 1 << 22)?;
    let at = disk.spot();
    sheet.cite(("cache", "segments"), i64::from(segments), (at, "Number of buffer segments"));
    sheet.cite(("cache", "segment"), i64::from(blocks) * 512, (at, "Segment size (in blks)"));
    sheet.cite(("cache", "keep_after_hit"), true, (at, "Enable caching in buffer"));
    let partial = disk.whole_or_0("Immed transfer partial hit", 1)? == 1;
    sheet.cite(("cache", "partial_hits"), partial, (at, "Immed transfer partial hit"));
    let written = disk.whole_or_0("Allow read hits on write data", 1)? == 1;
    sheet.cite(("cache", "hits_on_written"), written, (at, "Allow read hits on write data"));
    let ahead = disk.whole_or_0("Buffer continuous read", 4)?;
    let word = ["none", "track", "aggressive", "aggressive", "track"][ahead as usize % 5];
    sheet.cite(("cache", "read_ahead"), word, (at, "Buffer continuous read"));
    if ahead == 2 || ahead == 4 {
        let why = "a profile reads ahead to the end of the track or of the segment";
        sheet.refuse(disk.place("Buffer continuous read"), "Buffer continuous read", why);
    }
    let most = disk.whole_or_0("Maximum read-ahead (blks)", u32::MAX)?;
    if ahead > 0 && most < blocks {
        let why = "a profile's read-ahead ends with the segment";
        sheet.refuse(disk.place("Maximum read-ahead (blks)"), "Maximum read-ahead (blks)", why);
    }
    let fast = disk.whole_or_0("Fast write level", 2)?;
    let word = if fast == 0 { "media" } else { "buffer" };
    sheet.cite(("cache", "write_report"), word, (at, "Fast write level"));
    if fast > 0 {
        sheet.refuse(
            disk.place("Fast write level"),
            "Fast write level",
            "a profile's immediate reporting goes by other rules",
        );
    }
    if disk.whole_or_0("Maximum number of write segments", 65_536)? != segments {
        let why = "a profile's segments serve reads and writes alike";
        sheet.refuse(
            disk.place("Maximum number of write segments"),
            "Maximum number of write segments",
            why,
        );
    }
    for (name, plain) in PLAIN {
        let stated = disk.number_if(name, 0.0, 1e9)?.unwrap_or(0.0);
        if stated != plain {
            sheet.refuse(disk.place(name), name, "a profile's cache has no such rule yet");
        }
    }
    Ok(())
}

/// How much is in the buffer before a read's bus transfer starts.
fn water_marks(sheet: &mut Sheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let high = "High (read) water mark";
    let share = disk.number_if(high, 0.0, 1.0)?.unwrap_or(0.0);
    let by_request = disk.whole_or_0("Set watermark by reqsize", 1)? == 1;
    if by_request {
        sheet.cite(("cache", "read_fence_share"), share, (disk.spot(), high));
    } else {
        let blocks = disk.whole_or_0("Segment size (in blks)", 1 << 22)?;
        let sectors = (share * f64::from(blocks)) as i64;
        sheet.cite(("cache", "read_fence"), sectors * 512, (disk.spot(), high));
    }
    let low = "Low (write) water mark";
    if disk.number_if(low, 0.0, 1.0)?.unwrap_or(0.0) > 0.0 {
        sheet.refuse(disk.place(low), low, "a profile's bus does not wait before it asks for more");
    }
    Ok(())
}
