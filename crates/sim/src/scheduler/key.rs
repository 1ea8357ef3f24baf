//! Sort keys of policies of place.

/// What policies of place compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Key {
    /// First sectors.
    #[default]
    Lba,
    /// Cylinders of first sectors.
    Cylinder,
}
