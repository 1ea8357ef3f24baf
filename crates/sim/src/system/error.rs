use crate::array::ArrayError;
use std::fmt;

/// Why a system cannot be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SystemError {
    /// A volume that makes no sense.
    Volume {
        /// Its place in the system.
        volume: usize,
        /// Why not.
        error: ArrayError,
    },
    /// Something that is not there.
    Unknown {
        /// Who names it.
        by: String,
        /// What it is.
        what: &'static str,
        /// Its number.
        number: u32,
        /// How many there are.
        count: usize,
    },
    /// Something on a way twice: the way would be a loop.
    Loop {
        /// Whose way.
        by: String,
        /// What is on it twice.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// A spare of two volumes, or of one and a member of another.
    SpareTaken {
        /// The spare.
        device: u32,
        /// The volume.
        volume: usize,
    },
    /// A device that takes no commands.
    NoDepth {
        /// Its number.
        device: usize,
    },
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Volume { volume, error } => write!(f, "volume {volume}: {error}"),
            Self::Unknown { by, what, number, count } => {
                write!(f, "{by} names {what} {number}: there are {count}, numbered from 0")
            }
            Self::Loop { by, what, number } => write!(
                f,
                "{by} has {what} {number} on its way twice: a way goes to the host without a loop"
            ),
            Self::SpareTaken { device, volume } => write!(
                f,
                "spare {device} of volume {volume} is used by another volume: give each its own"
            ),
            Self::NoDepth { device } => {
                write!(f, "device {device} takes 0 commands at a time: it has to take 1 or more")
            }
        }
    }
}

impl std::error::Error for SystemError {}
