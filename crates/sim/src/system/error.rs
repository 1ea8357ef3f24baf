//! Reasons why a system cannot be built.

use crate::array::ArrayError;
use crate::controller::ControllerError;
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
    /// A controller that makes no sense.
    Controller {
        /// Its place in the system.
        controller: usize,
        /// Why not.
        error: ControllerError,
    },
    /// A second cache on the way of a device.
    TwoCaches {
        /// The device.
        device: usize,
        /// The second caching controller.
        controller: u32,
    },
    /// A limit that would be met behind a cache.
    LimitBehindCache {
        /// The device.
        device: usize,
        /// The controller with the limit.
        controller: u32,
    },
    /// A device that cannot keep the data of a cache.
    CacheDevice {
        /// The controller.
        controller: usize,
        /// The device.
        device: u32,
        /// Why not.
        why: &'static str,
    },
    /// A loss of memory where there is none.
    NoCache {
        /// The controller.
        controller: u32,
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
            Self::Controller { controller, error } => write!(f, "controller {controller}: {error}"),
            Self::TwoCaches { device, controller } => write!(
                f,
                "controller {controller} is the second with a cache on the way of device {device}: \
                 one is the most"
            ),
            Self::LimitBehindCache { device, controller } => write!(
                f,
                "controller {controller} limits its commands behind the cache on the way of device \
                 {device}: limit the depth of the cache's queue instead"
            ),
            Self::CacheDevice { controller, device, why } => {
                write!(
                    f,
                    "device {device} cannot keep the cache of controller {controller}: it {why}"
                )
            }
            Self::NoCache { controller } => {
                write!(f, "controller {controller} has no cache whose contents could be lost")
            }
            Self::NoDepth { device } => {
                write!(f, "device {device} takes 0 commands at a time: it has to take 1 or more")
            }
        }
    }
}

impl std::error::Error for SystemError {}
