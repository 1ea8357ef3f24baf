//! Reasons why a system cannot be built.

use crate::array::ArrayError;
use crate::controller::ControllerError;

/// Why a system cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// A volume that makes no sense.
    #[error("volume {volume}: {error}")]
    Volume {
        /// Its place in the system.
        volume: usize,
        /// Why not.
        error: ArrayError,
    },
    /// Something that is not there.
    #[error("{by} names {what} {number}: there are {count}, numbered from 0")]
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
    #[error("{by} has {what} {number} on its way twice: a way goes to the host without a loop")]
    Loop {
        /// Whose way.
        by: String,
        /// What is on it twice.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// A spare of two volumes, or of one and a member of another.
    #[error("spare {device} of volume {volume} is used by another volume: give each its own")]
    SpareTaken {
        /// The spare.
        device: u32,
        /// The volume.
        volume: usize,
    },
    /// A controller that makes no sense.
    #[error("controller {controller}: {error}")]
    Controller {
        /// Its place in the system.
        controller: usize,
        /// Why not.
        error: ControllerError,
    },
    /// A second cache on the way of a device.
    #[error(
        "controller {controller} is the second with a cache on the way of device {device}: one is \
         the most"
    )]
    TwoCaches {
        /// The device.
        device: usize,
        /// The second caching controller.
        controller: u32,
    },
    /// A limit that would be met behind a cache.
    #[error(
        "controller {controller} limits its commands behind the cache on the way of device \
         {device}: limit the depth of the cache's queue instead"
    )]
    LimitBehindCache {
        /// The device.
        device: usize,
        /// The controller with the limit.
        controller: u32,
    },
    /// A device that cannot keep the data of a cache.
    #[error("device {device} cannot keep the cache of controller {controller}: it {why}")]
    CacheDevice {
        /// The controller.
        controller: usize,
        /// The device.
        device: u32,
        /// Why not.
        why: &'static str,
    },
    /// A loss of memory where there is none.
    #[error("controller {controller} has no cache whose contents could be lost")]
    NoCache {
        /// The controller.
        controller: u32,
    },
    /// A device that takes no commands.
    #[error("device {device} takes 0 commands at a time: it has to take 1 or more")]
    NoDepth {
        /// Its number.
        device: usize,
    },
}
