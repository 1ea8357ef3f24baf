//! The parameters DiskSim knows, for each kind of block that describes a drive.

/// Parameters of a `disksim_disk`.
pub(crate) const DISK: &[&str] = &[
    "Model",
    "Scheduler",
    "Max queue length",
    "Bulk sector transfer time",
    "Segment size (in blks)",
    "Number of buffer segments",
    "Print stats",
    "Per-request overhead time",
    "Time scale for overheads",
    "Hold bus entire read xfer",
    "Hold bus entire write xfer",
    "Allow almost read hits",
    "Allow sneaky full read hits",
    "Allow sneaky partial read hits",
    "Allow sneaky intermediate read hits",
    "Allow read hits on write data",
    "Allow write prebuffering",
    "Preseeking level",
    "Never disconnect",
    "Avg sectors per cylinder",
    "Maximum number of write segments",
    "Use separate write segment",
    "Low (write) water mark",
    "High (read) water mark",
    "Set watermark by reqsize",
    "Calc sector by sector",
    "Enable caching in buffer",
    "Buffer continuous read",
    "Minimum read-ahead (blks)",
    "Maximum read-ahead (blks)",
    "Read-ahead over requested",
    "Read-ahead on idle hit",
    "Read any free blocks",
    "Fast write level",
    "Immediate buffer read",
    "Immediate buffer write",
    "Combine seq writes",
    "Stop prefetch in sector",
    "Disconnect write if seek",
    "Write hit stop prefetch",
    "Read directly to buffer",
    "Immed transfer partial hit",
    "Read hit over. after read",
    "Read hit over. after write",
    "Read miss over. after read",
    "Read miss over. after write",
    "Write hit over. after read",
    "Write hit over. after write",
    "Write miss over. after read",
    "Write miss over. after write",
    "Read completion overhead",
    "Write completion overhead",
    "Data preparation overhead",
    "First reselect overhead",
    "Other reselect overhead",
    "Read disconnect afterread",
    "Read disconnect afterwrite",
    "Write disconnect overhead",
    "Extra write disconnect",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Extradisc 2nd disconnect overhead",
    "Extradisc seek delta",
    "Minimum seek delay",
];

/// Parameters of a `dm_disk`.
pub(crate) const MODEL: &[&str] = &[
    "Block count",
    "Number of data surfaces",
    "Number of cylinders",
    "Mechanical Model",
    "Layout Model",
];

/// Parameters of a `dm_mech_g1`.
pub(crate) const MECHANICS: &[&str] = &[
    "Access time type",
    "Constant access time",
    "Seek type",
    "Average seek time",
    "Constant seek time",
    "Single cylinder seek time",
    "Full strobe seek time",
    "Full seek curve",
    "Add. write settling delay",
    "HPL seek equation values",
    "First 10 seek times",
    "First ten seek times",
    "Head switch time",
    "Rotation speed (in rpms)",
    "Percent error in rpms",
];

/// Parameters of a `dm_layout_g1`.
pub(crate) const LAYOUT: &[&str] = &[
    "LBN-to-PBN mapping scheme",
    "Sparing scheme used",
    "Rangesize for sparing",
    "Skew units",
    "Zones",
];

/// Parameters of a `dm_layout_g1_zone`.
pub(crate) const ZONE: &[&str] = &[
    "First cylinder number",
    "Last cylinder number",
    "Blocks per track",
    "Offset of first block",
    "Skew units",
    "Empty space at zone front",
    "Skew for track switch",
    "Skew for cylinder switch",
    "Number of spares",
    "slips",
    "defects",
];

/// Parameters of a `dm_layout_g2`.
pub(crate) const MAP_LAYOUT: &[&str] = &["Layout Map File", "Skew units", "Zones"];

/// Parameters of a `dm_layout_g2_zone`.
pub(crate) const MAP_ZONE: &[&str] = &[
    "First cylinder number",
    "Last cylinder number",
    "First LBN",
    "Last LBN",
    "Blocks per track",
    "Zone Skew",
    "Skew units",
    "Skew for track switch",
    "Skew for cylinder switch",
];

/// Parameters of a `dm_layout_g4`.
pub(crate) const INDEX_LAYOUT: &[&str] = &["TP", "IDX", "Slips", "Remaps"];

/// Parameters of a `disksim_bus`.
pub const BUS: &[&str] = &[
    "type",
    "Arbitration type",
    "Arbitration time",
    "Read block transfer time",
    "Write block transfer time",
    "Print stats",
];

/// Parameters of a `disksim_ctlr`.
pub const CONTROLLER: &[&str] = &[
    "type",
    "Scale for delays",
    "Bulk sector transfer time",
    "Maximum queue length",
    "Print stats",
    "Scheduler",
    "Cache",
    "Max per-disk pending count",
];
