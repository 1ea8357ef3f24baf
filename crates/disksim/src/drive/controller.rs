//! The overheads of a `disksim_disk`.

use super::bus::EXTRA_WAIT;
use super::sheet::ProfileSheet;
use crate::syntax::{DiskSimError, Field, Fields, Value as Said};
use platterlab_profile::OriginKind;
use toml::{Table, Value};

/// Overheads that fall into the time in which the mechanism works.
const HIDDEN: [&str; 8] = [
    "Read disconnect afterread",
    "Read disconnect afterwrite",
    "Write disconnect overhead",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Extradisc 2nd disconnect overhead",
    SEEK_DELTA,
];

/// From an extra disconnect until the arm moves.
const SEEK_DELTA: &str = "Extradisc seek delta";

/// Overheads that every drive has; one that is not stated is none, which a reader should know.
const EXPECTED: [&str; 18] = [
    "Read miss over. after read",
    "Read miss over. after write",
    "Write miss over. after read",
    "Write miss over. after write",
    "Read hit over. after read",
    "Read hit over. after write",
    "Write hit over. after read",
    "Write hit over. after write",
    "Read completion overhead",
    "Write completion overhead",
    "Data preparation overhead",
    "First reselect overhead",
    "Bulk sector transfer time",
    "Per-request overhead time",
    "Never disconnect",
    "Hold bus entire read xfer",
    "Hold bus entire write xfer",
    "Extra write disconnect",
];

/// What a drive's overheads have in common.
struct Costs<'a> {
    disk: &'a Fields<'a>,
    scale: f64,
    each: f64,
}

impl Costs<'_> {
    fn plain(&self, name: &str) -> Result<f64, DiskSimError> {
        Ok(self.disk.ms(name)? * self.scale)
    }

    /// An overhead with which a command begins.
    fn first(&self, name: &str) -> Result<f64, DiskSimError> {
        Ok((self.disk.ms(name)? + self.each) * self.scale)
    }

    fn pair(&self, read: &str, write: &str, more_read: f64) -> Result<Table, DiskSimError> {
        Ok(Table::from_iter([
            ("read_ms".to_owned(), (self.first(read)? + more_read).into()),
            ("write_ms".to_owned(), self.first(write)?.into()),
        ]))
    }
}

pub(super) fn map(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let scale = disk.number_if("Time scale for overheads", 0.0, 1e6)?.unwrap_or(1.0);
    let costs = Costs { disk, scale, each: disk.ms("Per-request overhead time")? };
    let mut controller =
        costs.pair("Read miss over. after read", "Write miss over. after read", 0.0)?;
    let after_write =
        costs.pair("Read miss over. after write", "Write miss over. after write", 0.0)?;
    // A hit has its data prepared too; a miss counts that with taking the bus again.
    let prepare = costs.plain("Data preparation overhead")?;
    let hit = costs.pair("Read hit over. after read", "Write hit over. after read", prepare)?;
    let hit_after_write =
        costs.pair("Read hit over. after write", "Write hit over. after write", prepare)?;
    controller.insert("after_write".to_owned(), after_write.into());
    controller.insert("hit".to_owned(), hit.into());
    controller.insert("hit_after_write".to_owned(), hit_after_write.into());
    // A write gives up the bus while the media is written, and takes it again to report.
    let reselect = costs.plain("First reselect overhead")?;
    let read = costs.plain("Read completion overhead")?;
    let write = costs.plain("Write completion overhead")?;
    controller.insert("read_completion_ms".to_owned(), read.into());
    controller.insert("write_completion_ms".to_owned(), (write + reselect).into());
    let rules = rules(&costs, write, reselect)?;
    if !rules.is_empty() {
        controller.insert("rules".to_owned(), rules.into());
    }
    sheet.put("controller", controller);
    sheet.origin("controller", OriginKind::Published, disk.spot(), "overheads");
    without_counterpart(sheet, disk)?;
    queue(sheet, disk)?;
    sheet.unstated(disk, &EXPECTED);
    let name = "Time scale for overheads";
    if disk.get(name).is_none() {
        sheet.notes.push(format!("not stated, and so taken as 1: `{name}`"));
    }
    Ok(())
}

/// Where a write takes the bus again at another cost than the first reselect.
fn rules(costs: &Costs<'_>, write: f64, reselect: f64) -> Result<Vec<Value>, DiskSimError> {
    let mut rules = Vec::new();
    let mut add = |hit: bool, after: &str, run: i64, ms: f64, completion: f64| {
        rules.push(Value::Table(Table::from_iter([
            ("operation".to_owned(), "write".into()),
            ("hit".to_owned(), hit.into()),
            ("after".to_owned(), after.into()),
            ("run".to_owned(), run.into()),
            ("ms".to_owned(), ms.into()),
            ("completion_ms".to_owned(), completion.into()),
        ])));
    };
    if reselect > 0.0 && costs.disk.whole_or_0("Fast write level", 2)? > 0 {
        // What is reported from the buffer has never given up the bus.
        add(true, "read", 0, costs.first("Write hit over. after read")?, write);
        add(true, "write", 0, costs.first("Write hit over. after write")?, write);
    }
    if costs.disk.whole_or_0("Extra write disconnect", 1)? == 1 {
        // A write elsewhere, after a write, gives up the bus twice, and moves the arm some time after
        // the first.
        let other = costs.plain("Other reselect overhead")?;
        let follows = costs.first("Write miss over. after write")?;
        let parted = costs.first("Extradisc command overhead")? + costs.plain(SEEK_DELTA)?;
        add(false, "write", 1, follows, write + reselect);
        add(false, "write", 0, follows.max(parted), write + other);
    }
    Ok(rules)
}

/// What is said of an order that a system's drive has and a profile has not.
pub(crate) const NOT_OF_A_PROFILE: &str =
    "is not the drive's: an experiment orders what waits for it";

/// The order in which a drive takes what waits for it, which is not part of a profile.
fn queue(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let what = NOT_OF_A_PROFILE;
    let name = "Max queue length";
    if disk.whole_or_0(name, u32::MAX)? > 1 {
        sheet.note(disk.place(name), name, what);
    }
    let name = "Scheduler";
    let Some(Said::Block(block)) = disk.get(name).map(|field| &field.value) else { return Ok(()) };
    let in_turn = |field: &Field| matches!(field.value, Said::Number(policy) if policy == 1.0);
    let mut policies = block.fields.iter().filter(|field| field.name == "Scheduling policy");
    if policies.any(|field| !in_turn(field)) {
        sheet.note(disk.place(name), name, what);
    }
    Ok(())
}

fn without_counterpart(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<(), DiskSimError> {
    let extra = disk.whole_or_0("Extra write disconnect", 1)? == 1;
    for name in HIDDEN {
        let counted = extra && (EXTRA_WAIT.contains(&name) || name == SEEK_DELTA);
        if disk.ms(name)? > 0.0 && !counted {
            let what = "is not counted: it passes while the mechanism works";
            sheet.note(disk.place(name), name, what);
        }
    }
    let other = "Other reselect overhead";
    if disk.ms(other)? > 0.0 && !extra {
        let what =
            "is not counted: without an extra disconnect a transfer takes the bus again once";
        sheet.note(disk.place(other), other, what);
    }
    let least = "Minimum seek delay";
    let shortest =
        disk.ms("Write miss over. after read")?.min(disk.ms("Write miss over. after write")?);
    if disk.ms(least)? > shortest {
        let why = "a profile's write moves the arm as soon as its overhead is over";
        sheet.lose(disk.place(least), least, why);
    } else if disk.ms(least)? > 0.0 && !extra {
        let what = "is not needed: a write's overhead is longer";
        sheet.note(disk.place(least), least, what);
    }
    Ok(())
}
