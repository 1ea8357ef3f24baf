//! Options for what a trace file does not say about itself.

use super::{Mapping, Part};

/// Which side of its request a row's gap lies on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GapMeaning {
    /// From this request's completion to the next one's issue: what DiskSim reads, and what the
    /// HP C2247A trace and its family hold.
    #[default]
    After,
    /// From the previous request's completion to this one's issue: what DIXtrac wrote (Atlas 10K,
    /// Atlas III, Barracuda, Cheetah 9LP).
    Before,
}

/// What the second column of a log is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogValue {
    /// A latency: `write_lat_log`.
    #[default]
    Latency,
    /// A bandwidth, which gives no time: `write_bw_log`.
    Bandwidth,
}

/// What a trace file does not say about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// For [`Format::DisksimValidate`]: which request the gap column belongs to.
    pub gap: GapMeaning,
    /// For [`Format::DisksimAscii`]: arrivals are those of the file's clock, which begins with the
    /// run, rather than counted from the first.
    pub own_clock: bool,
    /// For [`Format::FioLog`]: what its second column is.
    pub value: LogValue,
    /// Which column is what: with it a trace is a table, of no other format.
    pub columns: Option<Mapping>,
    /// Which part of it, and how fast.
    pub part: Part,
}
