//! The overheads of a `disksim_disk`.

use super::super::error::DiskSimError;
use super::super::fields::Fields;
use super::sheet::Sheet;
use toml::Table;

/// Overheads a profile has no word for.
const UNKNOWN: [&str; 11] = [
    "Other reselect overhead",
    "Read disconnect afterread",
    "Read disconnect afterwrite",
    "Write disconnect overhead",
    "Extra write disconnect",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Extradisc 2nd disconnect overhead",
    "Extradisc seek delta",
    "Minimum seek delay",
];

pub(super) fn map(sheet: &mut Sheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let scale = disk.number_if("Time scale for overheads", 0.0, 1e6)?.unwrap_or(1.0);
    let each = disk.ms("Per-request overhead time")?;
    let cost = |name: &str| Ok((disk.ms(name)? + each) * scale);
    let pair = |read: &str, write: &str| -> Result<Table, DiskSimError> {
        Ok(Table::from_iter([
            ("read_ms".to_owned(), cost(read)?.into()),
            ("write_ms".to_owned(), cost(write)?.into()),
        ]))
    };
    let mut controller = pair("Read miss over. after read", "Write miss over. after read")?;
    let after_write = pair("Read miss over. after write", "Write miss over. after write")?;
    // A hit has its data prepared too; a miss counts that with taking the bus again.
    let prepare = disk.ms("Data preparation overhead")?;
    let hit_pair = |read: &str, write: &str| -> Result<Table, DiskSimError> {
        let mut table = pair(read, write)?;
        table.insert("read_ms".to_owned(), (cost(read)? + prepare * scale).into());
        Ok(table)
    };
    let hit = hit_pair("Read hit over. after read", "Write hit over. after read")?;
    let hit_after_write = hit_pair("Read hit over. after write", "Write hit over. after write")?;
    controller.insert("after_write".to_owned(), after_write.into());
    controller.insert("hit".to_owned(), hit.into());
    controller.insert("hit_after_write".to_owned(), hit_after_write.into());
    // A write gives up the bus while the media is written, and takes it again to report.
    let reselect = disk.ms("First reselect overhead")?;
    for (key, name, more) in [
        ("read_completion_ms", "Read completion overhead", 0.0),
        ("write_completion_ms", "Write completion overhead", reselect),
    ] {
        controller.insert(key.to_owned(), ((disk.ms(name)? + more) * scale).into());
    }
    sheet.put("controller", controller);
    sheet.origin("controller", "published", (disk.spot(), "overheads"));
    if reselect > 0.0 && disk.whole_or_0("Fast write level", 2)? > 0 {
        let why = "a profile cannot keep it from writes that are reported early";
        sheet.refuse(disk.place("First reselect overhead"), "First reselect overhead", why);
    }
    for name in UNKNOWN {
        if disk.ms(name)? > 0.0 {
            sheet.refuse(disk.place(name), name, "a profile has no such overhead yet");
        }
    }
    Ok(())
}
