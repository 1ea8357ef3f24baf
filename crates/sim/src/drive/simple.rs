//! A simple device: service times without mechanics.

use crate::chance::LatencyStream;
use platterlab_drive::{Command, Service};
use platterlab_units::{Span, Time};

/// How long a device without mechanics takes to reach data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum AccessLaw {
    /// Always the same.
    Constant {
        /// The time in milliseconds.
        #[cfg_attr(feature = "file", serde(rename = "time_ms"))]
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = platterlab_drive::LONGEST_MS)))]
        time: Span,
    },
    /// Exponential.
    Exponential {
        /// The mean in milliseconds.
        #[cfg_attr(feature = "file", serde(rename = "mean_ms"))]
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = platterlab_drive::LONGEST_MS)))]
        mean: Span,
    },
}

/// A device without mechanics.
#[derive(Clone, Debug, PartialEq)]
pub struct SimpleParams {
    /// Sectors it holds.
    pub sectors: u64,
    /// Bytes in a sector.
    pub sector_bytes: u32,
    /// Before each command.
    pub overhead: Span,
    /// From command to data.
    pub access: AccessLaw,
    /// For each sector, on the bus.
    pub sector_time: Span,
}

/// A simple device and its random stream.
#[derive(Clone, Debug)]
pub struct SimpleDevice {
    params: SimpleParams,
    access: LatencyStream,
}

impl SimpleDevice {
    const STREAM: u64 = u64::from_le_bytes(*b"access  ");

    /// A device of these parameters.
    #[must_use]
    pub fn new(params: SimpleParams, seed: u64) -> Self {
        Self { params, access: LatencyStream::named(seed, Self::STREAM) }
    }

    /// Begins a new random stream.
    pub fn reseed(&mut self, seed: u64) {
        self.access = LatencyStream::named(seed, Self::STREAM);
    }

    pub(super) fn sectors(&self) -> u64 {
        self.params.sectors
    }

    pub(super) fn sector_bytes(&self) -> u32 {
        self.params.sector_bytes
    }

    pub(super) fn serve(&mut self, issue: Time, command: Command) -> Service {
        let access = match self.params.access {
            AccessLaw::Constant { time } => time,
            AccessLaw::Exponential { mean } => self.access.exponential(mean),
        };
        let bus = self.params.sector_time * u64::from(command.sectors);
        let bus_from = issue + self.params.overhead + access;
        Service {
            completion: bus_from + bus,
            overhead: self.params.overhead,
            wait: access,
            bus,
            bus_from,
            bus_span: bus,
            bus_held: bus,
            media_end: bus_from,
            ..Service::NONE
        }
    }
}
