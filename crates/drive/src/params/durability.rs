//! The state of written data: when it is reported, and what a loss of power leaves of it.

/// The instant at which a write is reported as complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum WriteReport {
    /// When its last sector is on the media.
    #[default]
    Media,
    /// When it is in the buffer, if it is the first write since a read or a sequential extension
    /// of the last write; else as `media` (Ruemmler and Wilkes 1994, immediate reporting).
    Immediate,
    /// When it is in the buffer.
    Buffer,
    /// When it is in the buffer, which beyond the command being written takes only one that
    /// continues it. Each is written by itself, and while any waits even data in the buffer does.
    BufferInTurn,
}

/// The memory that holds written data which is not on the media yet: what a loss of power leaves of it.
/// What it leaves goes to the media once the power is back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum WrittenMemory {
    /// Nothing.
    #[default]
    Volatile,
    /// All that was reported, unless the battery is dead.
    BatteryBacked,
    /// All that was reported.
    Nvram,
}
