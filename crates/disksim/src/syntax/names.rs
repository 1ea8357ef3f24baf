//! The parameters DiskSim knows, for each kind of block that describes a drive, and what each can be.

use platterlab_drive::{LONGEST_MS, MOST_CYLINDERS as CYLINDERS, MOST_SURFACES as SURFACES};

/// A parameter of a block.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether a block without it cannot be understood.
    pub(crate) needed: bool,
}

impl AsRef<str> for Parameter {
    fn as_ref(&self) -> &str {
        self.name
    }
}

/// What a parameter can be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A whole number from 0 to this.
    Whole(u32),
    /// A whole number from the first to the second.
    Integer(i32, i32),
    /// A number from the first to the second.
    Number(f64, f64),
    Word,
    Block,
    List,
    /// A list of numbers.
    Numbers,
    /// A list of block numbers.
    Positions,
}

/// Speeds from here on are accepted.
pub(crate) const SLOWEST_RPM: f64 = 1.0;

/// And up to here.
pub(crate) const FASTEST_RPM: f64 = 100_000.0;

/// More blocks than this no segment and no read-ahead has.
const SECTORS: u32 = 1 << 22;
/// More segments than this no cache has.
const SEGMENTS: u32 = 65_536;

impl Parameter {
    const fn needed(self) -> Self {
        Self { needed: true, ..self }
    }
}

const fn of(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, needed: false }
}

const fn whole(name: &'static str, most: u32) -> Parameter {
    of(name, Kind::Whole(most))
}

const fn integer(name: &'static str, least: i32, most: i32) -> Parameter {
    of(name, Kind::Integer(least, most))
}

/// A whole number that DiskSim does not check and a drive's profile does not use.
const fn any(name: &'static str) -> Parameter {
    integer(name, i32::MIN, i32::MAX)
}

/// An angle or a skew, in either direction.
const fn skew(name: &'static str) -> Parameter {
    number(name, -1e6, 1e6)
}

const fn number(name: &'static str, least: f64, most: f64) -> Parameter {
    of(name, Kind::Number(least, most))
}

const fn ms(name: &'static str) -> Parameter {
    number(name, 0.0, LONGEST_MS)
}

const fn word(name: &'static str) -> Parameter {
    of(name, Kind::Word)
}

const fn block(name: &'static str) -> Parameter {
    of(name, Kind::Block)
}

const fn list(name: &'static str) -> Parameter {
    of(name, Kind::List)
}

const fn numbers(name: &'static str) -> Parameter {
    of(name, Kind::Numbers)
}

const fn positions(name: &'static str) -> Parameter {
    of(name, Kind::Positions)
}

/// Parameters of a `disksim_disk`.
pub(crate) const DISK: &[Parameter] = &[
    block("Model").needed(),
    block("Scheduler"),
    whole("Max queue length", u32::MAX),
    ms("Bulk sector transfer time"),
    whole("Segment size (in blks)", SECTORS),
    whole("Number of buffer segments", SEGMENTS),
    whole("Print stats", 1),
    ms("Per-request overhead time"),
    number("Time scale for overheads", 0.0, 1e6),
    whole("Hold bus entire read xfer", 1),
    whole("Hold bus entire write xfer", 1),
    whole("Allow almost read hits", 1),
    whole("Allow sneaky full read hits", 1),
    whole("Allow sneaky partial read hits", 1),
    whole("Allow sneaky intermediate read hits", 1),
    whole("Allow read hits on write data", 1),
    whole("Allow write prebuffering", 1),
    whole("Preseeking level", 2),
    whole("Never disconnect", 1),
    any("Avg sectors per cylinder"),
    whole("Maximum number of write segments", SEGMENTS),
    whole("Use separate write segment", 1),
    number("Low (write) water mark", 0.0, 1.0),
    number("High (read) water mark", 0.0, 1.0),
    whole("Set watermark by reqsize", 1),
    whole("Calc sector by sector", 1),
    whole("Enable caching in buffer", 2),
    whole("Buffer continuous read", 4),
    whole("Minimum read-ahead (blks)", SECTORS),
    whole("Maximum read-ahead (blks)", SECTORS),
    integer("Read-ahead over requested", -1, 1),
    whole("Read-ahead on idle hit", 1),
    whole("Read any free blocks", 1),
    whole("Fast write level", 2),
    whole("Immediate buffer read", 2),
    whole("Immediate buffer write", 2),
    whole("Combine seq writes", 1),
    whole("Stop prefetch in sector", 1),
    whole("Disconnect write if seek", 1),
    whole("Write hit stop prefetch", 1),
    whole("Read directly to buffer", 1),
    whole("Immed transfer partial hit", 1),
    ms("Read hit over. after read"),
    ms("Read hit over. after write"),
    ms("Read miss over. after read"),
    ms("Read miss over. after write"),
    ms("Write hit over. after read"),
    ms("Write hit over. after write"),
    ms("Write miss over. after read"),
    ms("Write miss over. after write"),
    ms("Read completion overhead"),
    ms("Write completion overhead"),
    ms("Data preparation overhead"),
    ms("First reselect overhead"),
    ms("Other reselect overhead"),
    ms("Read disconnect afterread"),
    ms("Read disconnect afterwrite"),
    ms("Write disconnect overhead"),
    whole("Extra write disconnect", 1),
    ms("Extradisc command overhead"),
    ms("Extradisc disconnect overhead"),
    ms("Extradisc inter-disconnect delay"),
    ms("Extradisc 2nd disconnect overhead"),
    ms("Extradisc seek delta"),
    ms("Minimum seek delay"),
];

/// Parameters of a `dm_disk`.
pub(crate) const MODEL: &[Parameter] = &[
    number("Block count", 0.0, 9e15),
    whole("Number of data surfaces", SURFACES).needed(),
    whole("Number of cylinders", CYLINDERS).needed(),
    block("Mechanical Model").needed(),
    block("Layout Model").needed(),
];

/// Parameters of a `dm_mech_g1`.
pub(crate) const MECHANICS: &[Parameter] = &[
    word("Access time type").needed(),
    ms("Constant access time"),
    word("Seek type").needed(),
    ms("Average seek time"),
    ms("Constant seek time"),
    ms("Single cylinder seek time"),
    ms("Full strobe seek time"),
    word("Full seek curve"),
    number("Add. write settling delay", -LONGEST_MS, LONGEST_MS),
    numbers("HPL seek equation values"),
    numbers("First 10 seek times"),
    numbers("First ten seek times"),
    ms("Head switch time"),
    number("Rotation speed (in rpms)", SLOWEST_RPM, FASTEST_RPM).needed(),
    number("Percent error in rpms", 0.0, 100.0),
];

/// Parameters of a `dm_layout_g1`.
pub(crate) const LAYOUT: &[Parameter] = &[
    whole("LBN-to-PBN mapping scheme", 2).needed(),
    whole("Sparing scheme used", 10).needed(),
    whole("Rangesize for sparing", CYLINDERS),
    word("Skew units"),
    list("Zones").needed(),
];

/// Parameters of a `dm_layout_g1_zone`.
pub(crate) const ZONE: &[Parameter] = &[
    whole("First cylinder number", u32::MAX).needed(),
    whole("Last cylinder number", u32::MAX).needed(),
    whole("Blocks per track", 100_000).needed(),
    skew("Offset of first block"),
    word("Skew units"),
    whole("Empty space at zone front", u32::MAX),
    skew("Skew for track switch"),
    skew("Skew for cylinder switch"),
    whole("Number of spares", u32::MAX),
    positions("slips"),
    positions("defects"),
];

/// Parameters of a `dm_layout_g2`.
pub(crate) const MAP_LAYOUT: &[Parameter] =
    &[word("Layout Map File").needed(), word("Skew units"), list("Zones").needed()];

/// Parameters of a `dm_layout_g2_zone`.
pub(crate) const MAP_ZONE: &[Parameter] = &[
    whole("First cylinder number", u32::MAX),
    whole("Last cylinder number", u32::MAX),
    number("First LBN", 0.0, 9e15),
    number("Last LBN", 0.0, 9e15),
    whole("Blocks per track", 100_000),
    skew("Zone Skew"),
    word("Skew units"),
    skew("Skew for track switch"),
    skew("Skew for cylinder switch"),
];

/// Parameters of a `dm_layout_g4`.
pub(crate) const INDEX_LAYOUT: &[Parameter] =
    &[list("TP").needed(), list("IDX").needed(), list("Slips"), list("Remaps")];

/// Parameters of a `disksim_ioqueue`.
pub const QUEUE: &[Parameter] = &[
    whole("Scheduling policy", 28),
    whole("Cylinder mapping strategy", 6),
    ms("Write initiation delay"),
    ms("Read initiation delay"),
    any("Sequential stream scheme"),
    whole("Maximum concat size", u32::MAX),
    whole("Overlapping request scheme", 2),
    whole("Sequential stream diff maximum", u32::MAX),
    any("Scheduling timeout scheme"),
    number("Timeout time/weight", 0.0, 1e9),
    whole("Timeout scheduling", 28),
    whole("Scheduling priority scheme", 1),
    whole("Priority scheduling", 28),
];

/// Parameters of a `disksim_bus`.
pub const BUS: &[Parameter] = &[
    whole("type", u32::MAX),
    whole("Arbitration type", u32::MAX),
    ms("Arbitration time"),
    ms("Read block transfer time"),
    ms("Write block transfer time"),
    whole("Print stats", 1),
];

/// Parameters of a `disksim_ctlr`.
pub const CONTROLLER: &[Parameter] = &[
    whole("type", u32::MAX),
    number("Scale for delays", 0.0, 1e6),
    ms("Bulk sector transfer time"),
    any("Maximum queue length"),
    whole("Print stats", 1),
    block("Scheduler"),
    block("Cache"),
    whole("Max per-disk pending count", u32::MAX),
];
