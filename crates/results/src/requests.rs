//! Rows of requests to volumes, and the same as columns of a table.

use crate::columns::all_columns;
use platterlab_units::{Operation, Stamp};

/// One request to a volume, served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRow {
    /// When it came.
    pub arrival: Stamp,
    /// When the last of its commands was done.
    pub completion: Stamp,
    /// Its number among those that came, from 0.
    pub request: u64,
    /// The stream it belongs to.
    pub stream: u16,
    /// The volume.
    pub volume: u32,
    /// First sector of the volume.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it, by its number in [`RequestRow::CLASSES`].
    pub class: u8,
}

impl RequestRow {
    /// Names of the classes of criticality, in the order of their numbers.
    pub const CLASSES: [&'static str; 4] =
        ["unknown", "time-critical", "time-limited", "time-noncritical"];
}

/// Requests as columns, ready for a table.
#[derive(Clone, Debug, Default)]
pub struct RequestColumns {
    /// Arrival, from the start.
    pub arrival_ms: Vec<f64>,
    /// Completion, from the start.
    pub completion_ms: Vec<f64>,
    /// Arrival to completion.
    pub response_ms: Vec<f64>,
    /// The number among those that came, from 0.
    pub request: Vec<u64>,
    /// The stream it belongs to.
    pub stream: Vec<u16>,
    /// The volume.
    pub volume: Vec<u32>,
    /// First sector of the volume.
    pub lba: Vec<u64>,
    /// Length in sectors.
    pub sectors: Vec<u32>,
    /// 0 read, 1 write.
    pub operation: Vec<u8>,
    /// Who waits for it, see [`RequestRow::CLASSES`].
    pub class: Vec<u8>,
}

impl RequestColumns {
    /// Adds one row.
    pub fn push(&mut self, row: &RequestRow) {
        self.arrival_ms.push(row.arrival.as_ms());
        self.completion_ms.push(row.completion.as_ms());
        self.response_ms.push(row.completion.since(row.arrival).as_ms());
        self.request.push(row.request);
        self.stream.push(row.stream);
        self.volume.push(row.volume);
        self.lba.push(row.lba);
        self.sectors.push(row.sectors);
        self.operation.push(row.operation.index() as u8);
        self.class.push(row.class);
    }
}

all_columns!(RequestColumns: arrival_ms completion_ms response_ms request stream volume lba sectors
    operation class);
