//! The requests of a trace as columns of a table.

/// Requests as columns: times in milliseconds, unknown ones not a number.
#[derive(Clone, Debug, Default)]
pub struct TraceColumns {
    /// Arrival, from the first.
    pub arrival_ms: Vec<f64>,
    /// Arrival to issue; not written where the times are responses.
    pub queue_ms: Vec<f64>,
    /// Issue to completion; or arrival to completion, where the times are responses.
    pub time_ms: Vec<f64>,
    /// First sector.
    pub lba: Vec<u64>,
    /// Length in sectors.
    pub sectors: Vec<u32>,
    /// Device.
    pub device: Vec<u32>,
    /// 0 read, 1 write.
    pub operation: Vec<u8>,
    /// Who waits for it, as requests of a system number it.
    pub class: Vec<u8>,
}

impl TraceColumns {
    /// Takes all requests out; the room for them stays.
    pub(crate) fn clear(&mut self) {
        self.arrival_ms.clear();
        self.queue_ms.clear();
        self.time_ms.clear();
        self.lba.clear();
        self.sectors.clear();
        self.device.clear();
        self.operation.clear();
        self.class.clear();
    }
}
