//! The time of a block between buffer and host: the slowest of drive, buses and controllers.

use super::super::error::DiskSimError;
use super::super::fields::Fields;
use super::super::names;
use super::super::tree::Block;
use super::kind_table;
use super::sheet::Sheet;

pub(super) fn map(
    sheet: &mut Sheet,
    disk: &Fields<'_>,
    path: &[&Block],
) -> Result<(), DiskSimError> {
    let own = disk.ms("Bulk sector transfer time")?;
    let (mut read, mut write) = (own, own);
    for block in path {
        if block.kind == "disksim_bus" {
            let bus = Fields::check(block, names::BUS)?;
            read = read.max(bus.ms("Read block transfer time")?);
            write = write.max(bus.ms("Write block transfer time")?);
            if bus.ms("Arbitration time")? > 0.0 {
                sheet.refuse(
                    bus.place("Arbitration time"),
                    "Arbitration time",
                    "a profile's bus is taken at once",
                );
            }
        } else {
            let controller = Fields::check(block, names::CONTROLLER)?;
            let ms = controller.ms("Bulk sector transfer time")?;
            (read, write) = (read.max(ms), write.max(ms));
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
    let name = "Disconnect write if seek";
    if disk.whole_or_0(name, 1)? == 1 {
        let why = "a profile's write sends its data while the arm moves";
        sheet.refuse(disk.place(name), name, why);
    }
    sheet.put("bus", bus);
    sheet.origin(
        "bus",
        "published",
        (disk.spot(), "Bulk sector transfer time, block transfer times"),
    );
    Ok(())
}
