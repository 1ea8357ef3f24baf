//! The columns of both tables: names, types, units and what they are.

use arrow_schema::{DataType, Field, Schema};
use platterlab_units::words;
use std::collections::HashMap;
use std::sync::Arc;

words! {
    /// What a column holds.
    pub enum ColumnKind {
        /// A 64-bit floating-point number.
        Double = "double",
        /// A whole number of 16 bits.
        Whole16 = "uint16",
        /// A whole number of 32 bits.
        Whole32 = "uint32",
        /// A whole number of 64 bits.
        Whole64 = "uint64",
        /// One of a few words.
        Labels = "labels",
    }
}

/// One column of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableColumn {
    /// Its name, with the unit of a time at its end.
    pub name: &'static str,
    /// Its capacity.
    pub kind: ColumnKind,
    /// The unit of its numbers; empty for none.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether a row may have no value.
    pub nullable: bool,
}

const fn column(
    name: &'static str,
    kind: ColumnKind,
    unit: &'static str,
    about: &'static str,
) -> TableColumn {
    TableColumn { name, kind, unit, about, nullable: false }
}

const fn optional(column: TableColumn) -> TableColumn {
    TableColumn { nullable: true, ..column }
}

const fn ms(name: &'static str, about: &'static str) -> TableColumn {
    column(name, ColumnKind::Double, "ms", about)
}

use ColumnKind::{Labels, Whole16, Whole32, Whole64};

/// A row for each request that a drive serves.
pub const COMMANDS: [TableColumn; 22] = [
    ms("arrival_ms", "when the request came, from the start of the trace"),
    ms("issue_ms", "when the drive got it"),
    ms("completion_ms", "when it was done"),
    ms("response_ms", "from arrival to completion"),
    ms("queue_ms", "from arrival to issue"),
    ms("service_ms", "from issue to completion"),
    ms("overhead_ms", "the drive's controller"),
    ms("wait_ms", "for earlier work of the drive"),
    ms("seek_ms", "seek and settle"),
    ms("rotation_ms", "rotational latency"),
    ms("transfer_ms", "between the media and the drive's buffer"),
    ms("bus_ms", "on the bus, while nothing else happens"),
    column("lba", Whole64, "sectors", "first sector"),
    column("sectors", Whole32, "sectors", "length"),
    column("device", Whole32, "", "as the trace or the system numbers it"),
    optional(column(
        "request",
        Whole64,
        "",
        "it is part of, from 0; null for what a system does by itself",
    )),
    optional(column(
        "stream",
        Whole16,
        "",
        "of that request: the workload's number; null like the request",
    )),
    column("operation", Labels, "", "read or write"),
    column("cache", Labels, "", "what the drive's buffer made of it"),
    column("cylinder", Whole32, "cylinders", "where the first sector lies"),
    column("seek_distance_cylinders", Whole32, "cylinders", "how far the arm went"),
    optional(ms(
        "measured_ms",
        "the service time that the trace recorded; null if none, or if it recorded response times",
    )),
];

/// A row for each request that a system serves, which may take several drives.
pub const REQUESTS: [TableColumn; 10] = [
    ms("arrival_ms", "when the request came, from the start"),
    ms("completion_ms", "when the last of its commands was done"),
    ms("response_ms", "from arrival to completion"),
    column("request", Whole64, "", "its number in the order of arrival, from 0"),
    column("stream", Whole16, "", "the workload's number in the experiment, from 0"),
    column("volume", Whole32, "", "as the system numbers them"),
    column("lba", Whole64, "sectors", "first sector of the volume"),
    column("sectors", Whole32, "sectors", "length"),
    column("operation", Labels, "", "read or write"),
    column("class", Labels, "", "who waits for it"),
];

/// A row for each request of a trace whose times are from issue to completion.
pub(crate) const TRACE: [TableColumn; 8] = [
    ms("arrival_ms", "when the request came, from the first"),
    optional(ms("queue_ms", "from arrival to issue; null if unknown")),
    optional(ms("service_ms", "from issue to completion; null if unknown")),
    column("lba", Whole64, "sectors", "first sector"),
    column("sectors", Whole32, "sectors", "length"),
    column("device", Whole32, "", "as the trace numbers it"),
    column("operation", Labels, "", "read or write"),
    column("class", Labels, "", "who waits for it"),
];

/// The same where the times are from arrival to completion, and nobody knows how much was waiting.
pub(crate) const TRACE_OF_RESPONSES: [TableColumn; 7] = [
    TRACE[0],
    optional(ms("response_ms", "from arrival to completion; null if unknown")),
    TRACE[3],
    TRACE[4],
    TRACE[5],
    TRACE[6],
    TRACE[7],
];

/// The columns as Arrow has them.
pub(crate) fn schema(columns: &[TableColumn]) -> Arc<Schema> {
    let fields = columns.iter().map(|column| {
        let kind = match column.kind {
            ColumnKind::Double => DataType::Float64,
            ColumnKind::Whole16 => DataType::UInt16,
            ColumnKind::Whole32 => DataType::UInt32,
            ColumnKind::Whole64 => DataType::UInt64,
            ColumnKind::Labels => {
                DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8))
            }
        };
        let about = [("unit", column.unit), ("description", column.about)];
        let about = about.map(|(key, text)| (key.to_owned(), text.to_owned()));
        Field::new(column.name, kind, column.nullable).with_metadata(HashMap::from(about))
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}
