//! The checks of a volume before it is built.

use super::{ArrayError, LayoutOptions, ParityOptions, RebuildRate, VolumeOptions};

/// What a volume has to know of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Sectors it holds.
    pub sectors: u64,
    /// Bytes in its sectors.
    pub sector_bytes: u32,
}

/// The sizes of the members of a volume that makes sense.
pub(super) fn volume(
    options: &VolumeOptions,
    devices: &[Capacity],
) -> Result<Vec<u64>, ArrayError> {
    let spares = options.rebuild.as_ref().map_or(&[][..], |rebuild| &rebuild.spares);
    let all: Vec<u32> = options.devices.iter().chain(spares).copied().collect();
    for (index, &device) in all.iter().enumerate() {
        if device as usize >= devices.len() {
            return Err(ArrayError::UnknownDevice { device, devices: devices.len() });
        }
        if all[..index].contains(&device) {
            return Err(ArrayError::Twice { device });
        }
        let bytes = [all[0], device].map(|device| devices[device as usize].sector_bytes);
        if bytes[0] != bytes[1] {
            return Err(ArrayError::SectorSizes { devices: [all[0], device], bytes });
        }
    }
    let sectors: Vec<u64> =
        options.devices.iter().map(|&device| devices[device as usize].sectors).collect();
    let smallest = sectors.iter().copied().min().unwrap_or(0);
    if options.layout != LayoutOptions::Concat && !options.accept_uneven {
        let uneven = sectors.iter().position(|&sectors| sectors > smallest);
        if let Some(index) = uneven {
            let device = options.devices[index];
            return Err(ArrayError::Uneven { device, sectors: sectors[index], smallest });
        }
    }
    layout(&options.layout, sectors.len(), smallest)?;
    rebuild(options, devices, smallest)?;
    Ok(sectors)
}

fn layout(layout: &LayoutOptions, devices: usize, smallest: u64) -> Result<(), ArrayError> {
    let few = |needed| Err(ArrayError::Devices { given: devices, needed });
    match layout {
        _ if devices == 0 => few("1 or more"),
        LayoutOptions::Concat | LayoutOptions::Balanced(_) => Ok(()),
        LayoutOptions::Stripe { unit_sectors } => unit("the stripe unit", *unit_sectors, smallest),
        LayoutOptions::Mirror { copies, unit_sectors, .. } => {
            if *copies < 2 {
                let needed = "2 or more copies of each";
                return Err(ArrayError::Range { what: "the number of copies", needed });
            }
            if !devices.is_multiple_of(*copies as usize) {
                return few("a multiple of the number of copies");
            }
            unit_sectors.map_or(Ok(()), |sectors| unit("the stripe unit", sectors, smallest))
        }
        LayoutOptions::Parity(options) => parity(options, devices, smallest),
    }
}

fn parity(options: &ParityOptions, devices: usize, smallest: u64) -> Result<(), ArrayError> {
    match options.parities {
        1 if devices < 3 => {
            return Err(ArrayError::Devices {
                given: devices,
                needed: "3 or more with one parity",
            });
        }
        2 if devices < 4 => {
            return Err(ArrayError::Devices { given: devices, needed: "4 or more with two" });
        }
        1 | 2 => {}
        _ => return Err(ArrayError::Range { what: "the number of parities", needed: "1 or 2" }),
    }
    unit("the stripe unit", options.unit_sectors, smallest)?;
    unit("the parity stripe unit", options.parity_unit_sectors, smallest)?;
    let (one, other) = (options.unit_sectors, options.parity_unit_sectors);
    if one % other != 0 && other % one != 0 {
        return Err(ArrayError::Unit {
            what: "the parity stripe unit",
            given: u64::from(other),
            needed: format!("a multiple of the stripe unit, {one}, or a part of it"),
        });
    }
    let turn = u64::from(other) * devices as u64;
    if one > other && (turn > smallest || u64::from(one) > smallest / turn * turn / 2) {
        return Err(ArrayError::Unit {
            what: "the stripe unit",
            given: u64::from(one),
            needed: format!("so small that a device of {smallest} holds a cycle of the parity"),
        });
    }
    if let super::ParityUpdate::ModifyBelow { share } = options.update
        && !(0.0..=1.0).contains(&share)
    {
        let what = "the share of devices below which a write reads old data";
        return Err(ArrayError::Range { what, needed: "from 0 to 1" });
    }
    Ok(())
}

fn unit(what: &'static str, given: u32, smallest: u64) -> Result<(), ArrayError> {
    if given == 0 || u64::from(given) > smallest {
        let needed = format!("from 1 to {smallest}, what the smallest device holds");
        return Err(ArrayError::Unit { what, given: u64::from(given), needed });
    }
    Ok(())
}

fn rebuild(options: &VolumeOptions, devices: &[Capacity], needed: u64) -> Result<(), ArrayError> {
    let Some(rebuild) = &options.rebuild else { return Ok(()) };
    if !matches!(options.layout, LayoutOptions::Mirror { .. } | LayoutOptions::Parity(_)) {
        return Err(ArrayError::NothingToRebuildFrom);
    }
    if rebuild.chunk_sectors == 0 {
        let (what, needed) = ("the chunk of a rebuild", "1 or more".into());
        return Err(ArrayError::Unit { what, given: 0, needed });
    }
    match rebuild.rate {
        RebuildRate::MibPerSecond(rate) if !(rate > 0.0 && rate.is_finite()) => {
            return Err(ArrayError::Range {
                what: "the rate of a rebuild",
                needed: "greater than 0 MiB/s",
            });
        }
        RebuildRate::Share(share) if !(share > 0.0 && share <= 1.0) => {
            return Err(ArrayError::Range {
                what: "the share of a rebuild",
                needed: "greater than 0 and 1 at the most",
            });
        }
        _ => {}
    }
    for &device in &rebuild.spares {
        let sectors = devices[device as usize].sectors;
        if sectors < needed {
            return Err(ArrayError::SpareTooSmall { device, sectors, needed });
        }
    }
    Ok(())
}
