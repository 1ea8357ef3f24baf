//! The way between buffer and host, in the file's units.

use platterlab_drive::{BusHold, LONGEST_MS, MOST_BEFORE_END};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The way between the drive's buffer and the host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Bus {
    /// A transfer takes no time.
    #[default]
    Off,
    /// A transfer takes time in proportion to its length.
    Rate {
        /// To the host, in megabytes (10^6 bytes) per second. Given unless `read_sector_ms` is.
        #[schemars(range(min = 0.001, max = 1_000_000.0))]
        read_mb_s: Option<f64>,
        /// From the host, in megabytes (10^6 bytes) per second. Given unless `write_sector_ms` is.
        #[schemars(range(min = 0.001, max = 1_000_000.0))]
        write_mb_s: Option<f64>,
        /// Time of one sector to the host, in milliseconds.
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        read_sector_ms: Option<f64>,
        /// Time of one sector from the host, in milliseconds.
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        write_sector_ms: Option<f64>,
        /// To take the bus again, after a disconnect, for the data of a read, in milliseconds.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        reconnect_ms: f64,
        /// When the drive sets about that: as long before the head has passed the read's last sector
        /// as this number of sectors takes, be it before its first one or on the way to the last
        /// one's track. Where not all of it has room, this number of sectors before the buffer is
        /// full. The read fence does not count then.
        #[schemars(range(max = MOST_BEFORE_END))]
        reconnect_before_end: Option<u32>,
        /// A read's data goes over the bus in bursts of this number of sectors: each as soon as all of
        /// it, or the read's last sector, is in the buffer. Between two the drive lets go of the bus,
        /// unless the next is there already, and takes it again in `reconnect_ms`. The read fence does not
        /// count then; where not all of a read has room it goes as without.
        #[schemars(range(min = 1, max = 65_536))]
        burst_sectors: Option<u32>,
        /// Whether a burst, once its sectors are in the buffer, continues with what passes meanwhile
        /// until the buffer is empty. The bus is then taken again for each.
        #[serde(default)]
        burst_drains: bool,
        /// From the start of the mechanism until a write's first sector comes over the bus, in
        /// milliseconds.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        write_delay_ms: f64,
        /// Whether bus and mechanism work at the same time.
        #[serde(default = "overlap")]
        overlap: bool,
        /// Whether a read's bus transfer also starts when the head leaves a track, with less in
        /// the buffer than the read fence.
        #[serde(default)]
        release_at_track_end: bool,
        /// How long the drive keeps a bus that others want too, for a read.
        #[serde(default)]
        hold_read: BusHold,
        /// The same for a write.
        #[serde(default)]
        hold_write: BusHold,
        /// Whether the drive keeps a bus that others want too while its controller works on a
        /// command, and takes it to report that a write is done.
        #[serde(default)]
        hold_overhead: bool,
    },
}

fn overlap() -> bool {
    true
}
