//! `dm_mech_g1`: rotation, seeking and switching.

use super::seek::{self, SETTLING};
use super::sheet::ProfileSheet;
use crate::syntax::DiskSimError;
use crate::syntax::Fields;
use crate::syntax::Resolver;
use platterlab_drive::LONGEST_MS;

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
        "constant" => {
            let what = "`Access time type` cannot be honoured: a profile's drive moves and turns, and \
                        has no time for all of it; write `trackSwitchPlusRotation` or \
                        `averageRotation`";
            return Err(spot.error(what));
        }
        other => {
            let what = format!(
                "`{other}` is not an access time type; write `trackSwitchPlusRotation` or \
                 `averageRotation`"
            );
            return Err(spot.error(what));
        }
    };
    let at = &block.spot;
    let rpm = fields.number("Rotation speed (in rpms)", 60.0, 100_000.0)?;
    sheet.cite("spindle", "speed_rpm", rpm, at, "Rotation speed (in rpms)");
    sheet.cite("spindle", "latency", latency, at, "Access time type");
    let name = "Constant access time";
    if fields.get(name).is_some() {
        let what = format!("is not used by access time type `{access}`");
        sheet.note(fields.place(name), name, &what);
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
