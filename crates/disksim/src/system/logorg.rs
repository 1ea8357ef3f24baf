//! `disksim_logorg`: how data lies on the disks, and what requests are addressed to.

use super::components::Components;
use super::{ExperimentSheet, cache};
use crate::syntax::{Block, DiskSimError, Fields, Spot};
use platterlab_experiment::options::{
    Balance, ParityUpdate, ReadChoice, Rotation, VolumeKind, VolumeOptions,
};
use platterlab_profile::Size;
use platterlab_units::{SECTOR_BYTES_DEFAULT, nearest};

const LOGORG: &[&str] = &[
    "Addressing mode",
    "Distribution scheme",
    "Redundancy scheme",
    "Components",
    "devices",
    "Stripe unit",
    "Synch writes for safety",
    "Number of copies",
    "Copy choice on read",
    "RMW vs. reconstruct",
    "Parity stripe unit",
    "Parity rotation type",
    "Time stamp interval",
    "Time stamp start time",
    "Time stamp stop time",
    "Time stamp file name",
];

/// What requests can be addressed to.
#[derive(Debug, Default)]
pub(crate) struct Orgs {
    /// Volumes by number, as traces have them.
    numbered: Vec<String>,
    /// Devices by number, for organizations that are addressed as one.
    devices: Vec<String>,
}

impl Orgs {
    /// The volume of a name: an organization, a device, or the number that a device has.
    pub(crate) fn volume(&self, name: &str, at: &Spot) -> Result<String, DiskSimError> {
        if self.numbered.iter().any(|volume| volume == name) {
            return Ok(name.to_owned());
        }
        let number = self.devices.iter().position(|device| device == name);
        if let Some(volume) = number.and_then(|number| self.numbered.get(number)) {
            return Ok(volume.clone());
        }
        let known = self.numbered.iter().chain(&self.devices).map(String::as_str);
        let hint =
            nearest(name, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(at.error(format!("`{name}` is not a device or organization{hint}")))
    }

    /// The volumes by number.
    pub(crate) fn numbered(&self) -> &[String] {
        &self.numbered
    }
}

/// Maps every organization to volumes.
pub(crate) fn map(
    components: &Components<'_>,
    sheet: &mut ExperimentSheet,
) -> Result<Orgs, DiskSimError> {
    let devices: Vec<String> = components.devices().iter().map(ToString::to_string).collect();
    let mut by_parts = Vec::new();
    let mut orgs = Orgs { numbered: Vec::new(), devices };
    for block in components.blocks_of_kind("disksim_logorg") {
        let fields = Fields::check(block, LOGORG)?;
        let members = Components::names(fields.list("devices")?)?;
        for (name, spot) in &members {
            if !sheet.options.drive.iter().any(|drive| drive.name == *name) {
                return Err(spot.error(format!("no disk `{name}` is attached to the driver")));
            }
        }
        let names: Vec<String> = members.into_iter().map(|(name, _)| name).collect();
        if let Some(interval) = fields.number_if("Time stamp interval", 0.0, 1e12)?
            && interval > 0.0
        {
            sheet.note(fields.place("Time stamp interval"), "no file of queue lengths is written");
        }
        match fields.word("Addressing mode")? {
            ("Parts", _) => {
                parts(&fields)?;
                by_parts.extend(names);
            }
            ("Array", _) => {
                let volume = array(block, &fields, names)?;
                if matches!(volume.layout, VolumeKind::Raid4 { .. } | VolumeKind::Raid5 { .. }) {
                    let what = "parity is made as DiskSim makes it, which reads no part of a unit \
                                that is written in part; `update = { kind = \"modify-below\" }` \
                                reads what it has to";
                    sheet.note(fields.place("Redundancy scheme"), what);
                }
                orgs.numbered.push(volume.name.clone());
                sheet.options.volume.push(volume);
            }
            (other, spot) => {
                let what = format!("`{other}` is not an addressing mode; write `Parts` or `Array`");
                return Err(spot.error(what));
            }
        }
    }
    if orgs.numbered.is_empty() {
        // Without an organization every disk is addressed by itself, and so it is by parts.
        let all = orgs.devices.iter();
        let own: Vec<String> =
            all.filter(|name| !cache::is_store(components, name)).cloned().collect();
        orgs.numbered = own.into_iter().filter(|name| placed(sheet, name)).collect();
        sheet.options.volume = orgs.numbered.iter().map(|name| single(name)).collect();
    } else {
        sheet.options.volume.extend(by_parts.iter().map(|name| single(name)));
        orgs.numbered.extend(by_parts);
    }
    Ok(orgs)
}

fn placed(sheet: &ExperimentSheet, name: &str) -> bool {
    sheet.options.drive.iter().any(|drive| drive.name == name)
}

/// A disk that is a volume by itself.
fn single(name: &str) -> VolumeOptions {
    VolumeOptions {
        name: name.to_owned(),
        drives: vec![name.to_owned()],
        layout: VolumeKind::Concat {},
        accept_uneven: false,
        rebuild: None,
    }
}

/// What is addressed by its parts has nothing spread over them.
fn parts(fields: &Fields<'_>) -> Result<(), DiskSimError> {
    for (name, plain) in [("Distribution scheme", "Asis"), ("Redundancy scheme", "Noredun")] {
        let (word, spot) = fields.word(name)?;
        if word != plain {
            let what = format!(
                "`{word}` over disks that are addressed by parts cannot be honoured; write \
                 `Addressing mode = Array`, or `{name} = {plain}`"
            );
            return Err(spot.error(what));
        }
    }
    Ok(())
}

fn blocks(count: u32) -> Size {
    Size::from_bytes(u64::from(count) * u64::from(SECTOR_BYTES_DEFAULT))
}

fn array(
    block: &Block,
    fields: &Fields<'_>,
    drives: Vec<String>,
) -> Result<VolumeOptions, DiskSimError> {
    let unit = fields.whole_or_0("Stripe unit", u32::MAX)?;
    let (distribution, spot) = fields.word("Distribution scheme")?;
    let striped = match distribution {
        "Asis" => false,
        "Striped" if unit == 0 => {
            return Err(fields.place("Stripe unit").error("a stripe unit is 1 block or more"));
        }
        "Striped" => true,
        "Random" | "Ideal" => false,
        other => {
            let what = format!(
                "`{other}` is not a distribution; write `Asis`, `Striped`, `Random` or `Ideal`"
            );
            return Err(spot.error(what));
        }
    };
    let choice = match distribution {
        "Random" => Some(Balance::Random),
        "Ideal" => Some(Balance::RoundRobin),
        _ => None,
    };
    let (redundancy, redundancy_spot) = fields.word("Redundancy scheme")?;
    let layout = match (redundancy, choice) {
        ("Noredun", Some(choice)) => VolumeKind::Balanced { choice },
        ("Noredun", None) if striped => VolumeKind::Stripe { unit: blocks(unit) },
        ("Noredun", None) => VolumeKind::Concat {},
        ("Shadowed" | "Parity_disk" | "Parity_rotated", Some(_)) => {
            let what = format!("`{redundancy}` over data of no fixed place cannot be honoured");
            return Err(redundancy_spot.error(what));
        }
        ("Shadowed", None) => VolumeKind::Mirror {
            copies: fields.whole("Number of copies", 1_000)?,
            unit: striped.then(|| blocks(unit)),
            read: read_choice(fields)?,
        },
        ("Parity_disk", None) => VolumeKind::Raid4 {
            unit: blocks(unit),
            update: update(fields)?,
            synch_writes: fields.whole_or_0("Synch writes for safety", 1)? == 1,
        },
        ("Parity_rotated", None) => VolumeKind::Raid5 {
            unit: blocks(unit),
            parity_unit: Some(blocks(fields.whole("Parity stripe unit", u32::MAX)?)),
            rotation: rotation(fields)?,
            update: update(fields)?,
            synch_writes: fields.whole_or_0("Synch writes for safety", 1)? == 1,
        },
        (other, None | Some(_)) => {
            let what = format!(
                "`{other}` is not a kind of redundancy; write `Noredun`, `Shadowed`, `Parity_disk` \
                 or `Parity_rotated`"
            );
            return Err(redundancy_spot.error(what));
        }
    };
    let name = block.name.clone().unwrap_or_default();
    Ok(VolumeOptions { name, drives, layout, accept_uneven: true, rebuild: None })
}

fn update(fields: &Fields<'_>) -> Result<ParityUpdate, DiskSimError> {
    let share = fields.number_if("RMW vs. reconstruct", 0.0, 1.0)?.unwrap_or(0.5);
    Ok(ParityUpdate::ModifyUpTo { share })
}

fn rotation(fields: &Fields<'_>) -> Result<Rotation, DiskSimError> {
    match fields.whole("Parity rotation type", 4)? {
        1 => Ok(Rotation::LeftSymmetric),
        2 => Ok(Rotation::LeftAsymmetric),
        3 => Ok(Rotation::RightAsymmetric),
        4 => Ok(Rotation::RightSymmetric),
        _ => Err(fields.place("Parity rotation type").error("a parity rotation is of type 1 to 4")),
    }
}

fn read_choice(fields: &Fields<'_>) -> Result<ReadChoice, DiskSimError> {
    match fields.whole("Copy choice on read", 6)? {
        1 => Ok(ReadChoice::Primary),
        2 => Ok(ReadChoice::Random),
        3 => Ok(ReadChoice::RoundRobin),
        4 => Ok(ReadChoice::ShortestSeek),
        5 => Ok(ReadChoice::ShortestQueue),
        6 => Ok(ReadChoice::ShortestQueueThenSeek),
        _ => Err(fields.place("Copy choice on read").error("a copy choice is 1 to 6")),
    }
}
