//! `disksim_iosim`: where the requests of a trace go.

use super::ExperimentSheet;
use super::components::Components;
use super::logorg::Orgs;
use crate::syntax::{DiskSimError, Fields, Value};
use platterlab_experiment::options::DeviceMap;

const IOSIM: &[&str] = &["I/O Trace Time Scale", "I/O Mappings"];
const IOMAP: &[&str] = &["tracedev", "simdev", "locScale", "sizeScale", "offset"];

/// The time scale and the map; without one, devices of the trace go by number.
pub(crate) fn map(
    components: &Components<'_>,
    orgs: &Orgs,
    sheet: &mut ExperimentSheet,
) -> Result<(f64, Vec<DeviceMap>), DiskSimError> {
    let by_number = || {
        let plain = |(number, volume): (usize, &String)| DeviceMap {
            device: Some(number as u32),
            named: None,
            volume: volume.clone(),
            location_bytes: None,
            size_scale: 1.0,
            offset_sectors: 0,
        };
        orgs.numbered().iter().enumerate().map(plain).collect::<Vec<_>>()
    };
    let Some(block) = components.block_of_kind("disksim_iosim")? else {
        return Ok((1.0, by_number()));
    };
    let fields = Fields::check(block, IOSIM)?;
    let scale = fields.number_if("I/O Trace Time Scale", 0.000_1, 1_000.0)?.unwrap_or(1.0);
    if fields.get("I/O Mappings").is_none() {
        return Ok((scale, by_number()));
    }
    let mut all = Vec::new();
    for item in fields.list("I/O Mappings")? {
        let Value::Block(block) = &item.value else {
            return Err(item.error("cannot stand here; write disksim_iomap blocks"));
        };
        let fields = Fields::check(block, IOMAP)?;
        let (device, at) = fields.word("simdev")?;
        let unit = fields.whole("locScale", 1 << 20)?;
        let scale = fields.number_if("sizeScale", 0.000_1, 10_000.0)?.unwrap_or(1.0);
        let offset = fields.number_if("offset", 0.0, 1e12)?.unwrap_or(0.0);
        all.push(DeviceMap {
            device: Some(fields.whole("tracedev", u32::MAX)?),
            named: None,
            volume: orgs.volume(device, at)?,
            location_bytes: (unit > 0).then_some(unit),
            size_scale: scale,
            offset_sectors: offset as u64,
        });
    }
    if components.block_of_kind("disksim_synthio")?.is_some() {
        let at = &block.spot;
        sheet.note(at, "the generators are left out: requests come from the trace");
    }
    Ok((scale, all))
}
