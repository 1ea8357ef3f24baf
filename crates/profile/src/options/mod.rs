//! The profile file as it is written: one struct per table, each field documented with its unit.
//!
//! These structs are the file format. The JSON schema is generated from them, the checks of shape
//! and range read that schema, and the doc comments are the reference documentation.

mod bus;
mod controller;
mod layout;
mod mechanism;
mod origin;
mod size;

pub use bus::Bus;
pub use controller::{Controller, OperationTimes, OverheadRule, TrackEnd};
pub use layout::{Defect, Geometry, Pass, SpareRegion, Zone};
pub use mechanism::{Media, Recalibration, Spindle, Switch};
pub use origin::{Origin, OriginKind};
pub(crate) use size::SIZE_FORMAT;
pub use size::Size;

pub use platterlab_drive::LONGEST_MS;
use platterlab_drive::{CacheParams, SeekCurve};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Seek time against distance, in milliseconds.
pub type Seek = SeekCurve<f64>;

/// The buffer memory: times in milliseconds, sizes in bytes, shares from 0 to 1.
pub type Cache = CacheParams<f64, Size, f64>;

/// A drive profile: every parameter of one disk drive, and where each value comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileOptions {
    /// The name by which commands and experiments refer to the profile: lower-case letters,
    /// digits and single hyphens, such as `hp-c2200a`.
    #[schemars(regex(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub id: String,
    /// The drive's name for people.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Its maker.
    pub vendor: Option<String>,
    /// The maker's model number.
    pub model: Option<String>,
    /// Anything a reader should know about the drive or the profile.
    pub notes: Option<String>,
    /// The source of every value that has no entry of its own under `provenance`.
    pub source: Origin,
    /// The size of the drive.
    pub geometry: Geometry,
    /// Adjacent cylinders that are formatted alike, from the first cylinder to the last without
    /// gap or overlap.
    #[schemars(length(min = 1))]
    pub zone: Vec<Zone>,
    /// Tracks that hold no data. They must not overlap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spare_region: Vec<SpareRegion>,
    /// Sectors that cannot be used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defect: Vec<Defect>,
    /// The rotation of the platters.
    pub spindle: Spindle,
    /// Seek time against distance. Distance 0 takes no time.
    pub seek: Seek,
    /// Seek time for seeks to lower cylinders, where they take another time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek_back: Option<Seek>,
    /// How much longer or shorter than that the first seek of a request is at most, against distance;
    /// drawn evenly, by chance. A scheduler counts on the curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek_scatter: Option<Seek>,
    /// Moving between tracks within one transfer, and settling.
    #[serde(default)]
    pub switch: Switch,
    /// Thermal recalibration of the arm; none where it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recalibration: Option<Recalibration>,
    /// The passing of sectors under the head.
    #[serde(default)]
    pub media: Media,
    /// The times of the controller's processor.
    #[serde(default)]
    pub controller: Controller,
    /// The buffer memory.
    #[serde(default)]
    pub cache: Cache,
    /// The way between the drive's buffer and the host.
    #[serde(default)]
    pub bus: Bus,
    /// Sources of single values, by dotted key: `[provenance."spindle.speed_rpm"]`. An entry
    /// for a table, such as `[provenance.seek]`, covers every value the file states in it; the
    /// longest key wins. A value that is not stated is an assumption.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub provenance: BTreeMap<String, Origin>,
}
