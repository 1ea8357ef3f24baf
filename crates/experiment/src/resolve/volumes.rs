//! Volumes and failures: from the file's keys to array layouts, their members and their size.

use super::names::Names;
use super::topology::Topology;
use super::{ms, root, sectors_32};
use crate::options::{ExperimentOptions, FaultKind, Rebuild, VolumeKind, VolumeOptions as Stated};
use platterlab_profile::Size;
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::array::{
    LayoutOptions, ParityOptions, RebuildOptions, RebuildRate, Rotation, VolumeOptions,
};
use platterlab_sim::system::{DeviceOptions, Fault as Failure, FaultOptions};
use platterlab_units::{SectorSizes, Span, Stamp};

/// The volumes of a system.
pub(crate) struct Volumes {
    pub(crate) names: Names,
    pub(crate) options: Vec<VolumeOptions>,
    /// What each holds.
    pub(crate) sectors: Vec<u64>,
    pub(crate) sector_bytes: u32,
    /// The smallest piece that every drive can be asked for.
    pub(crate) logical_sector_bytes: u32,
}

impl Volumes {
    /// From sectors of `bytes` to those of the volumes.
    pub(crate) fn sizes(&self, bytes: u32) -> SectorSizes {
        let (logical, physical) = (self.logical_sector_bytes, self.sector_bytes);
        SectorSizes { workload: bytes, logical, physical }
    }
}

/// The volumes stated, or one for each drive.
pub(crate) fn volumes(
    options: &ExperimentOptions,
    drives: &Names,
    devices: &[DeviceOptions],
) -> Result<Volumes, Fault> {
    let sizes: Vec<u64> = devices.iter().map(|device| device.model.sectors()).collect();
    let sector_bytes = devices.first().map_or(512, |device| device.model.sector_bytes());
    let mut all = Volumes {
        names: Names::new("volume"),
        options: Vec::new(),
        sectors: Vec::new(),
        sector_bytes,
        logical_sector_bytes: devices
            .iter()
            .map(|device| device.model.logical_sector_bytes())
            .max()
            .unwrap_or(sector_bytes),
    };
    if options.volume.is_empty() {
        for drive in &options.drive {
            let at = root().key("drive");
            let added = all.names.add(&drive.name, drive.count);
            added.map_err(|what| Fault::new(at, what))?;
        }
        for (device, size) in sizes.iter().enumerate() {
            all.options.push(VolumeOptions {
                layout: LayoutOptions::Concat,
                devices: vec![device as u32],
                accept_uneven: false,
                rebuild: None,
            });
            all.sectors.push(*size);
        }
        return Ok(all);
    }
    for (index, stated) in options.volume.iter().enumerate() {
        let at = root().key("volume").index(index);
        let added = all.names.add(&stated.name, None);
        added.map_err(|what| Fault::new(at.key("name"), what))?;
        let volume = volume(stated, drives, sector_bytes, &at)?;
        all.sectors.push(held(&volume, &sizes, drives, &at)?);
        all.options.push(volume);
    }
    Ok(all)
}

/// The drives of a list of names, each once.
fn members(names: &[String], drives: &Names, at: &KeyPath) -> Result<Vec<u32>, Fault> {
    let mut all: Vec<u32> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let at = at.index(index);
        for device in drives.find(name).map_err(|what| Fault::new(at.clone(), what))? {
            if all.contains(&device) {
                let what = format!("drive `{}` is named twice", drives.all()[device as usize]);
                return Err(Fault::new(at, what));
            }
            all.push(device);
        }
    }
    Ok(all)
}

fn volume(
    stated: &Stated,
    drives: &Names,
    bytes: u32,
    at: &KeyPath,
) -> Result<VolumeOptions, Fault> {
    let devices = members(&stated.drives, drives, &at.key("drives"))?;
    let rebuild = match &stated.rebuild {
        None => None,
        Some(rebuild) => Some(rebuilding(rebuild, drives, bytes, &at.key("rebuild"))?),
    };
    let layout = layout(&stated.layout, devices.len(), bytes, &at.key("layout"))?;
    let least = match &layout {
        LayoutOptions::Concat | LayoutOptions::Stripe { .. } | LayoutOptions::Balanced(_) => 1,
        LayoutOptions::Mirror { copies, .. } => *copies,
        LayoutOptions::Parity(parity) => parity.parities + 2,
    };
    let count = devices.len() as u32;
    if count < least {
        let what = format!("are {count}; this layout needs {least} or more");
        return Err(Fault::new(at.key("drives"), what));
    }
    if let LayoutOptions::Mirror { copies, .. } = layout
        && !count.is_multiple_of(copies)
    {
        let what = format!("are {count}, which is not a multiple of the {copies} copies");
        return Err(Fault::new(at.key("drives"), what));
    }
    Ok(VolumeOptions { layout, devices, accept_uneven: stated.accept_uneven, rebuild })
}

fn layout(
    kind: &VolumeKind,
    drives: usize,
    bytes: u32,
    at: &KeyPath,
) -> Result<LayoutOptions, Fault> {
    let unit = |size: Size| sectors_32(size, bytes, at.key("unit"));
    let parity = |parities, rotation, size, parity_size: Option<Size>, update, synch_writes| {
        let unit_sectors = unit(size)?;
        let parity_unit_sectors = match parity_size {
            None => unit_sectors,
            Some(size) => sectors_32(size, bytes, at.key("parity_unit"))?,
        };
        if !unit_sectors.is_multiple_of(parity_unit_sectors)
            && !parity_unit_sectors.is_multiple_of(unit_sectors)
        {
            let what = format!(
                "of {parity_unit_sectors} sectors is neither a multiple of the unit of \
                 {unit_sectors} nor a part of it"
            );
            return Err(Fault::new(at.key("parity_unit"), what));
        }
        Ok(LayoutOptions::Parity(ParityOptions {
            parities,
            rotation,
            unit_sectors,
            parity_unit_sectors,
            update,
            synch_writes,
        }))
    };
    match *kind {
        VolumeKind::Concat {} => Ok(LayoutOptions::Concat),
        VolumeKind::Stripe { unit: size } | VolumeKind::Raid0 { unit: size } => {
            Ok(LayoutOptions::Stripe { unit_sectors: unit(size)? })
        }
        VolumeKind::Balanced { choice } => Ok(LayoutOptions::Balanced(choice)),
        VolumeKind::Mirror { copies, unit: size, read } => Ok(LayoutOptions::Mirror {
            copies,
            unit_sectors: size.map(unit).transpose()?,
            read_choice: read,
        }),
        VolumeKind::Raid1 { copies, read } => Ok(LayoutOptions::Mirror {
            copies: copies.unwrap_or(drives as u32).max(2),
            unit_sectors: None,
            read_choice: read,
        }),
        VolumeKind::Raid10 { copies, unit: size, read } => {
            Ok(LayoutOptions::Mirror { copies, unit_sectors: Some(unit(size)?), read_choice: read })
        }
        VolumeKind::Raid4 { unit, update, synch_writes } => {
            parity(1, Rotation::Fixed, unit, None, update, synch_writes)
        }
        VolumeKind::Raid5 { unit, parity_unit, rotation, update, synch_writes } => {
            parity(1, rotation, unit, parity_unit, update, synch_writes)
        }
        VolumeKind::Raid6 { unit, rotation, update, synch_writes } => {
            parity(2, rotation, unit, None, update, synch_writes)
        }
    }
}

fn rebuilding(
    rebuild: &Rebuild,
    drives: &Names,
    bytes: u32,
    at: &KeyPath,
) -> Result<RebuildOptions, Fault> {
    let rate = match (rebuild.rate_mib_s, rebuild.rate_share) {
        (None, None) => RebuildRate::Unlimited,
        (Some(rate), None) => RebuildRate::MibPerSecond(rate),
        (None, Some(share)) => RebuildRate::Share(share),
        (Some(_), Some(_)) => {
            let what = "limits the rebuild a second time; leave `rate_mib_s` or this out";
            return Err(Fault::new(at.key("rate_share"), what));
        }
    };
    Ok(RebuildOptions {
        spares: members(&rebuild.spares, drives, &at.key("spares"))?,
        rate,
        chunk_sectors: sectors_32(rebuild.chunk, bytes, at.key("chunk"))?,
        delay: ms(rebuild.delay_ms),
    })
}

/// What a volume holds, its drives' sizes being `sizes`.
fn held(volume: &VolumeOptions, sizes: &[u64], drives: &Names, at: &KeyPath) -> Result<u64, Fault> {
    let own: Vec<u64> = volume.devices.iter().map(|device| sizes[*device as usize]).collect();
    if volume.layout == LayoutOptions::Concat {
        return Ok(own.iter().sum());
    }
    let least = own.iter().copied().min().unwrap_or(0);
    if let Some(odd) = own.iter().position(|size| *size != own[0])
        && !volume.accept_uneven
    {
        let what = format!(
            "`{}` holds {} sectors and `{}` {}; take drives of one size, or write accept_uneven = \
             true to use {least} of each",
            drives.all()[volume.devices[0] as usize],
            own[0],
            drives.all()[volume.devices[odd] as usize],
            own[odd]
        );
        return Err(Fault::new(at.key("drives"), what));
    }
    let whole = |unit: u32| least / u64::from(unit) * u64::from(unit);
    let count = own.len() as u64;
    let total = match &volume.layout {
        LayoutOptions::Concat | LayoutOptions::Balanced(_) => least,
        LayoutOptions::Stripe { unit_sectors } => whole(*unit_sectors) * count,
        LayoutOptions::Mirror { copies, unit_sectors, .. } => {
            unit_sectors.map_or(least, whole) * (count / u64::from(*copies))
        }
        LayoutOptions::Parity(parity) => {
            let unit = parity.unit_sectors.max(parity.parity_unit_sectors);
            whole(unit) * (count - u64::from(parity.parities))
        }
    };
    if total == 0 {
        let what = format!("of this size do not fit on drives of {least} sectors");
        return Err(Fault::new(at.key("layout").key("unit"), what));
    }
    Ok(total)
}

/// What goes wrong, by its place in the system.
pub(crate) fn faults(
    options: &ExperimentOptions,
    topology: &Topology,
) -> Result<Vec<FaultOptions>, Fault> {
    let fault = |(index, stated): (usize, &crate::options::FaultOptions)| {
        let at = root().key("fault").index(index).key("what");
        let fault = match &stated.what {
            FaultKind::Drive { drive } => {
                let found = topology.drives.one(drive);
                Failure::Device(found.map_err(|what| Fault::new(at.key("drive"), what))?)
            }
            FaultKind::CacheLoss { controller } => {
                let found = topology.controllers.one(controller);
                Failure::CacheLoss(found.map_err(|what| Fault::new(at.key("controller"), what))?)
            }
        };
        let after = Span::from_ms(stated.at_s * 1e3).unwrap_or(Span::ZERO);
        Ok(FaultOptions { at: Stamp::ZERO + after, fault })
    };
    options.fault.iter().enumerate().map(fault).collect()
}
