//! The time of a block between buffer and host: the slowest of drive, buses and controllers.

use super::sheet::{ProfileSheet, kind_table};
use crate::syntax::{Block, DiskSimError, Fields};
use platterlab_profile::OriginKind;

/// No fence is longer, whatever the waits: a buffer's largest size.
const MOST_SECTORS: u32 = 1 << 22;

pub(super) fn map(
    sheet: &mut ProfileSheet,
    disk: &Fields<'_>,
    path: &[Block],
) -> Result<(), DiskSimError> {
    let own = disk.ms("Bulk sector transfer time")?;
    let (mut read, mut write) = (own, own);
    for block in path {
        if block.kind == "disksim_bus" {
            let bus = Fields::of(block);
            read = read.max(bus.ms("Read block transfer time")?);
            write = write.max(bus.ms("Write block transfer time")?);
            if bus.ms("Arbitration time")? > 0.0 {
                sheet.lose(
                    bus.place("Arbitration time"),
                    "Arbitration time",
                    "a profile's bus is taken at once",
                );
            }
        } else {
            let controller = Fields::of(block);
            let ms = controller.ms("Bulk sector transfer time")?;
            (read, write) = (read.max(ms), write.max(ms));
            let name = "Scale for delays";
            if controller.number_if(name, 0.0, 1e6)?.unwrap_or(0.0) > 0.0 {
                let what = "is not the drive's: only a whole system has its controllers' delays";
                sheet.note(controller.place(name), name, what);
            }
        }
    }
    let mut bus = kind_table("rate");
    bus.insert("read_sector_ms".to_owned(), read.into());
    bus.insert("write_sector_ms".to_owned(), write.into());
    let scale = disk.number_if("Time scale for overheads", 0.0, 1e6)?.unwrap_or(1.0);
    let reconnect = disk.ms("First reselect overhead")? + disk.ms("Data preparation overhead")?;
    bus.insert("reconnect_ms".to_owned(), (reconnect * scale).into());
    let never = disk.whole_or_0("Never disconnect", 1)? == 1;
    for (key, name) in
        [("hold_read", "Hold bus entire read xfer"), ("hold_write", "Hold bus entire write xfer")]
    {
        let hold = match (never, disk.whole_or_0(name, 1)? == 1) {
            (true, _) => "command",
            (false, true) => "transfer",
            (false, false) => "data",
        };
        bus.insert(key.to_owned(), hold.into());
    }
    bus.insert("hold_overhead".to_owned(), true.into());
    let name = "Disconnect write if seek";
    if disk.whole_or_0(name, 1)? == 1 {
        let why = "a profile's write sends its data while the arm moves";
        sheet.lose(disk.place(name), name, why);
    }
    sheet.put("bus", bus);
    write_fence(sheet, disk, write, scale)?;
    sheet.origin(
        "bus",
        OriginKind::Published,
        disk.spot(),
        "Bulk sector transfer time, block transfer times",
    );
    Ok(())
}

/// The parameters that add up to the longest wait of a write for its data.
pub(super) const EXTRA_WAIT: [&str; 5] = [
    "Minimum seek delay",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Other reselect overhead",
];

/// How much of a write is in the buffer before the media takes its first sector.
///
/// Read off what DiskSim answers, with an extra write disconnect, to writes that move no arm: they
/// catch their sector if it comes after the minimum seek delay and all data has come by then,
/// prepared first, or data for as long as an extra disconnect and the minimum seek delay take.
fn write_fence(
    sheet: &mut ProfileSheet,
    disk: &Fields<'_>,
    sector_ms: f64,
    scale: f64,
) -> Result<(), DiskSimError> {
    if disk.whole_or_0("Extra write disconnect", 1)? == 0 || sector_ms <= 0.0 {
        return Ok(());
    }
    let (prepare, least) = ("Data preparation overhead", "Minimum seek delay");
    sheet.set("bus", "write_delay_ms", disk.ms(prepare)? * scale);
    let settled = disk.ms(least)? * scale;
    sheet.cite("switch", "resettle_write_ms", settled, disk.spot(), least);
    let mut wait_ms = 0.0;
    for name in EXTRA_WAIT {
        wait_ms += disk.ms(name)? * scale;
    }
    // A wait of whole sectors may come out a rounding above them.
    let sectors = (wait_ms / sector_ms - 1e-9).ceil().min(f64::from(MOST_SECTORS));
    let parameter = "Extra write disconnect";
    sheet.cite("cache", "write_fence", sectors as i64 * 512, disk.spot(), parameter);
    Ok(())
}
