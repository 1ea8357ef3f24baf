//! The way between buffer and host.

use platterlab_units::Span;

/// The way between buffer and host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusParams {
    /// Time of one sector to the host.
    pub read_sector: Span,
    /// Time of one sector from the host.
    pub write_sector: Span,
    /// To take the bus again, after a disconnect, for the data of a read.
    pub reconnect: Span,
    /// When the drive sets about that: as long before the head has passed a read's last sector as
    /// this number of sectors takes, be it before its first one or on the way to the last one's
    /// track, rather than at the read fence. Where not all of it has room, this number of sectors
    /// before the buffer is full.
    pub reconnect_before_end: Option<u32>,
    /// A read's data goes over the bus in bursts of this number of sectors: each as soon as all of it,
    /// or the read's last sector, is in the buffer, and between two the drive lets go of the bus
    /// unless the next is there already. Where not all of a read has room it goes as without.
    pub burst_sectors: Option<u32>,
    /// Whether a burst continues until the buffer is empty, with what passes meanwhile; the drive
    /// then takes the bus again for each.
    pub burst_drains: bool,
    /// From the start of the mechanism until a write's first sector comes over the bus.
    pub write_delay: Span,
    /// Whether bus and mechanism work at the same time.
    pub overlap: bool,
    /// Whether a read's bus transfer also starts when the head leaves a track, fence or not.
    pub release_at_track_end: bool,
    /// How long a drive that has the bus keeps it, by operation.
    pub hold: [BusHold; 2],
    /// Whether it has the bus from the start of a command on, while the controller works on it, and
    /// again to report.
    pub hold_overhead: bool,
}

/// A bus that takes no time, during which the mechanism works on.
impl Default for BusParams {
    fn default() -> Self {
        Self {
            read_sector: Span::ZERO,
            write_sector: Span::ZERO,
            reconnect: Span::ZERO,
            reconnect_before_end: None,
            burst_sectors: None,
            burst_drains: false,
            write_delay: Span::ZERO,
            overlap: true,
            release_at_track_end: false,
            hold: [BusHold::Data; 2],
            hold_overhead: false,
        }
    }
}

impl BusParams {
    /// Whether a drive on a bus with others lets go of it where a read's next sector has not come.
    pub(crate) fn lets_go_of_bus(&self) -> bool {
        let at_once = self.reconnect_before_end.is_none() && self.burst_sectors.is_none();
        self.hold_overhead && self.overlap && at_once && self.hold[0] == BusHold::Data
    }
}

/// How long a drive that has the bus keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum BusHold {
    /// As long as data goes over it.
    #[default]
    Data,
    /// From the first byte to the last, pauses included.
    Transfer,
    /// From the command to its completion.
    Command,
}
