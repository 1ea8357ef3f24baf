//! Read or write.

use std::fmt;

/// What a request asks of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Operation {
    /// Data moves from the media to the host.
    Read,
    /// Data moves from the host to the media.
    Write,
}

impl Operation {
    /// True for [`Operation::Read`].
    #[must_use]
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Read)
    }

    /// 0 for a read, 1 for a write: an index into per-operation tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_read() { "read" } else { "write" })
    }
}
