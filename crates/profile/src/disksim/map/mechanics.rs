//! `dm_mech_g1`: rotation, seeking and switching.

use super::super::error::DiskSimError;
use super::super::fields::Fields;
use super::super::parse::Resolver;
use super::seek;
use super::sheet::Sheet;

pub(super) fn map(
    sheet: &mut Sheet,
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
                "`{other}` is no access time type; write `trackSwitchPlusRotation` or \
                 `averageRotation`"
            );
            return Err(spot.error(what));
        }
    };
    let at = &block.spot;
    let rpm = fields.number("Rotation speed (in rpms)", 60.0, 100_000.0)?;
    sheet.cite(("spindle", "speed_rpm"), rpm, (at, "Rotation speed (in rpms)"));
    sheet.cite(("spindle", "latency"), latency, (at, "Access time type"));
    let name = "Constant access time";
    if fields.get(name).is_some() {
        let what = format!("is not used by access time type `{access}`");
        sheet.note(fields.place(name), name, &what);
    }
    let error = fields.number_if("Percent error in rpms", 0.0, 100.0)?.unwrap_or(0.0);
    if error > 0.0 {
        let why = "DiskSim draws the speed at random; state the drive's own speed";
        sheet.refuse(fields.place("Percent error in rpms"), "Percent error in rpms", why);
    }
    seek::map(sheet, &fields, cylinders, resolver)?;
    let head = fields.ms("Head switch time")?;
    sheet.cite(("switch", "head_ms"), head, (at, "Head switch time"));
    let settle = fields.ms("Add. write settling delay")?;
    sheet.unstated(&fields, &["Head switch time", "Add. write settling delay"]);
    sheet.cite(("switch", "settle_write_ms"), settle, (at, "Add. write settling delay"));
    Ok(())
}
