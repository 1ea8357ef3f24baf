//! Extent-aligned tracks: a drive laid out anew so that every track holds a whole number of extents
//! (Gim 2009, Section 4), as a transformation of any profile.

mod zone;

pub use zone::{AlignedTrack, AlignedZone};

use crate::error::Fault;
use crate::key::KeyPath;
use crate::{Origin, Profile, ProfileError};
use platterlab_drive::{Drive, LayoutParams, Sparing, ZoneParams};
use toml::{Table, Value};

/// How tracks come to hold whole extents (Gim 2009, Section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlignModel {
    /// Model 1: the recording frequency is lowered until a track is a whole number of extents.
    ZoneMap,
    /// Model 2: the sectors that remain are spares at the end of the track.
    Spares,
    /// Model 3: as model 2, and the skew lets the next track begin where the data ends, so that no
    /// head waits over spares.
    SkewCorrected,
}

impl AlignModel {
    /// All models in the order of their numbers in the paper, from 1 on.
    pub const ALL: [Self; 3] = [Self::ZoneMap, Self::Spares, Self::SkewCorrected];

    /// The model's number in the paper.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::ZoneMap => 1,
            Self::Spares => 2,
            Self::SkewCorrected => 3,
        }
    }
}

/// What to align.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// Size of an extent in bytes.
    pub extent_bytes: u64,
    /// How.
    pub model: AlignModel,
    /// Extents on a track at most; as many as fit where `None`.
    pub most_per_track: Option<u32>,
}

/// The aligned drive, and what aligning it cost.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// The new profile.
    pub profile: Profile,
    /// Addressable sectors before.
    pub capacity_before_sectors: u64,
    /// Addressable sectors now.
    pub capacity_sectors: u64,
    /// Spare sectors within tracks that can stand in for defects, less those there were.
    pub spares_gained_sectors: u64,
    /// Zone by zone.
    pub zones: Vec<AlignedZone>,
}

impl Profile {
    /// This drive with tracks that hold whole extents. What changes is `assumed`, from the
    /// transformation.
    ///
    /// # Errors
    /// An extent that is not a whole number of sectors or does not fit a track, or a drive whose
    /// defects, skips or sparing cannot be kept.
    pub fn aligned(&self, how: &Alignment) -> Result<Aligned, ProfileError> {
        self.try_aligned(how).map_err(|fault| {
            let in_file = fault.key.find(self.stated()).is_some();
            let error = self.fault(fault);
            if in_file { error } else { ProfileError { line: None, column: None, ..error } }
        })
    }

    fn try_aligned(&self, how: &Alignment) -> Result<Aligned, Fault> {
        let layout = &self.params().layout;
        let extent = extent_sectors(layout, how)?;
        if how.model == AlignModel::ZoneMap && !layout.defects.is_empty() {
            let what = "lists sectors that model 1 does not keep, as it changes the frequency; \
                        align a profile without defects, or use model 2 or 3";
            return Err(Fault::new(KeyPath::default().key("defect"), what));
        }
        let zones: Vec<AlignedZone> = layout
            .zones
            .iter()
            .enumerate()
            .map(|(index, zone)| zone::plan(index, zone, layout.surfaces, extent, how))
            .collect::<Result<_, _>>()?;
        let mut table = self.stated().clone();
        describe(&mut table, how);
        let origin = Origin::assumed(&format!(
            "extents of {} bytes aligned to tracks, model {}",
            how.extent_bytes,
            how.model.number()
        ));
        for (index, (zone, planned)) in layout.zones.iter().zip(&zones).enumerate() {
            zone::rewrite(&mut table, index, zone, planned, how.model, &origin);
        }
        let profile = self.rebuilt(&table)?;
        let capacity = |profile: &Profile| {
            Drive::new(profile.params()).map(|drive| drive.layout().capacity()).map_err(Fault::from)
        };
        let gained = |(zone, planned): (&ZoneParams, &AlignedZone)| {
            u64::from(zone.cylinders[1] - zone.cylinders[0] + 1)
                * planned.gained_by_cylinder(layout.surfaces)
        };
        let spares = layout.zones.iter().zip(&zones).map(gained).sum();
        Ok(Aligned {
            capacity_before_sectors: capacity(self)?,
            capacity_sectors: capacity(&profile)?,
            spares_gained_sectors: spares,
            zones,
            profile,
        })
    }
}

/// The extent in sectors of the drive.
fn extent_sectors(layout: &LayoutParams, how: &Alignment) -> Result<u32, Fault> {
    let sector = u64::from(layout.sector_bytes);
    let key = || KeyPath::default().key("extent");
    if how.extent_bytes == 0 || !how.extent_bytes.is_multiple_of(sector) {
        let below = how.extent_bytes / sector * sector;
        let what = format!(
            "{} bytes are not a whole number of sectors of {sector} bytes; write {} or {}",
            how.extent_bytes,
            below.max(sector),
            below + sector
        );
        return Err(Fault::new(key(), what));
    }
    u32::try_from(how.extent_bytes / sector)
        .map_err(|_| Fault::new(key(), "is larger than any track"))
}

/// Spares at the end of every track.
fn track_spares(sparing: Sparing) -> u32 {
    match sparing {
        Sparing::Track { sectors } => sectors,
        _ => 0,
    }
}

/// Gives the new drive an id and a name of its own.
fn describe(table: &mut Table, how: &Alignment) {
    let number = how.model.number();
    for (key, addition) in
        [("id", format!("-aligned-{number}")), ("name", format!(", aligned by model {number}"))]
    {
        if let Some(Value::String(text)) = table.get_mut(key) {
            text.push_str(&addition);
        }
    }
}
