//! `dm_mech_g1`: rotation, seeking and switching.

use super::seek::{self, SETTLING};
use super::sheet::ProfileSheet;
use crate::syntax::names::{FASTEST_RPM, SLOWEST_RPM};
use crate::syntax::{DiskSimError, Fields, Resolver};
use platterlab_drive::LONGEST_MS;
use toml::{Table, Value};

const ACCESS: &str = "Constant access time";
const SPEED: &str = "Rotation speed (in rpms)";

pub(super) fn map(
    sheet: &mut ProfileSheet,
    disk: &Fields<'_>,
    cylinders: u32,
    resolver: &mut Resolver<'_>,
) -> Result<(), DiskSimError> {
    let block = disk.block("Mechanical Model")?;
    if block.kind != "dm_mech_g1" {
        let what = format!("no mechanics of kind `{}`; describe them as `dm_mech_g1`", block.kind);
        return Err(block.spot.error(what));
    }
    let fields = Fields::of(block);
    let (access, spot) = fields.word("Access time type")?;
    let latency = match access {
        "trackSwitchPlusRotation" => "tracked",
        "averageRotation" => "mean",
        "constant" => return constant(sheet, &fields),
        other => {
            let what = format!(
                "`{other}` is not an access time type; write `trackSwitchPlusRotation`, \
                 `averageRotation` or `constant`"
            );
            return Err(spot.error(what));
        }
    };
    let at = &block.spot;
    let rpm = fields.number(SPEED, SLOWEST_RPM, FASTEST_RPM)?;
    sheet.cite("spindle", "speed_rpm", rpm, at, SPEED);
    sheet.cite("spindle", "latency", latency, at, "Access time type");
    if fields.get(ACCESS).is_some() {
        let what = format!("is not used by access time type `{access}`");
        sheet.note(fields.place(ACCESS), ACCESS, &what);
    }
    let error = fields.number_if("Percent error in rpms", 0.0, 100.0)?.unwrap_or(0.0);
    if error > 0.0 {
        let why = "DiskSim draws the speed at random within it; the stated one holds";
        sheet.lose(fields.place("Percent error in rpms"), "Percent error in rpms", why);
    }
    seek::map(sheet, &fields, cylinders, resolver)?;
    sheet.unstated(&fields, &["Head switch time", SETTLING]);
    settling(sheet, &fields)
}

/// The same time for every access: half a turn of a drive whose arm and sectors take none.
fn constant(sheet: &mut ProfileSheet, fields: &Fields<'_>) -> Result<(), DiskSimError> {
    let at = fields.spot();
    let time = fields.number(ACCESS, 0.0, LONGEST_MS)?;
    let rpm = fields.number(SPEED, SLOWEST_RPM, FASTEST_RPM)?;
    if time > 0.0 {
        sheet.cite("spindle", "rotation_ms", 2.0 * time, at, ACCESS);
    } else {
        sheet.cite("spindle", "speed_rpm", rpm, at, SPEED);
    }
    let latency = if time > 0.0 { "mean" } else { "off" };
    sheet.cite("spindle", "latency", latency, at, "Access time type");
    sheet.cite("media", "transfer", false, at, "Access time type");
    let still = [("kind".to_owned(), "constant".into()), ("time_ms".to_owned(), 0.0.into())];
    sheet.put("seek", Value::Table(Table::from_iter(still)));
    let what = "is `constant`: each access to the media takes the stated time, and seeks, switches, \
                settling and rotation are not used";
    sheet.note(fields.place("Access time type"), "Access time type", what);
    Ok(())
}

/// The head switch, and how much longer writes settle.
///
/// Where writes settle for less, seeks and switches are as short as theirs, and reads settle for the
/// rest.
fn settling(sheet: &mut ProfileSheet, fields: &Fields<'_>) -> Result<(), DiskSimError> {
    let at = fields.spot();
    let head = fields.ms("Head switch time")?;
    let settle = fields.number_if(SETTLING, -LONGEST_MS, LONGEST_MS)?.unwrap_or(0.0);
    let less = (-settle).max(0.0);
    if less > 0.0 {
        let least = seek::shortest_ms(sheet).min(head);
        if least < less {
            let sign = if least > 0.0 { "-" } else { "" };
            let what = format!(
                "`{SETTLING}` of {settle} ms takes more than all of the shortest seek or head \
                 switch, {least} ms; write at least {sign}{least}"
            );
            return Err(fields.place(SETTLING).error(what));
        }
        seek::shorten(sheet, less);
        let what = format!(
            "is below 0: seeks and head switches are shorter by {less} ms, and reads settle for that"
        );
        sheet.note(fields.place(SETTLING), SETTLING, &what);
        sheet.cite("switch", "settle_read_ms", less, at, SETTLING);
    }
    sheet.cite("switch", "head_ms", head - less, at, "Head switch time");
    sheet.cite("switch", "settle_write_ms", settle.max(0.0), at, SETTLING);
    Ok(())
}
