//! Rows of commands as columns of a table.

use crate::{Parts, Row};
use platterlab_units::Span;

/// Rows that fit in 20 KiB.
const NEAR: usize = 128;

/// Rows as columns, ready for a table: times in milliseconds, unknown ones not a number.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Arrival, from the first record.
    pub arrival_ms: Vec<f64>,
    /// Issue, from the first record's arrival.
    pub issue_ms: Vec<f64>,
    /// Completion, from the first record's arrival.
    pub completion_ms: Vec<f64>,
    /// Arrival to completion.
    pub response_ms: Vec<f64>,
    /// Arrival to issue.
    pub queue_ms: Vec<f64>,
    /// Issue to completion.
    pub service_ms: Vec<f64>,
    /// The parts of the service time, in the order of [`Parts::NAMES`].
    pub parts_ms: [Vec<f64>; Parts::NAMES.len()],
    /// First sector.
    pub lba: Vec<u64>,
    /// Length in sectors.
    pub sectors: Vec<u32>,
    /// Device.
    pub device: Vec<u32>,
    /// The request it is part of, or [`Row::OWN`].
    pub request: Vec<u64>,
    /// The stream of that request, or [`Row::OWN_STREAM`].
    pub stream: Vec<u16>,
    /// 0 read, 1 write.
    pub operation: Vec<u8>,
    /// Cache outcome.
    pub cache: Vec<u8>,
    /// Cylinder.
    pub cylinder: Vec<u32>,
    /// Cylinders crossed.
    pub seek_distance_cylinders: Vec<u32>,
    /// Measured service time.
    pub measured_ms: Vec<f64>,
}

impl Columns {
    /// None yet, with room for `rows`.
    #[must_use]
    pub fn with_capacity(rows: usize) -> Self {
        Self {
            arrival_ms: Vec::with_capacity(rows),
            issue_ms: Vec::with_capacity(rows),
            completion_ms: Vec::with_capacity(rows),
            response_ms: Vec::with_capacity(rows),
            queue_ms: Vec::with_capacity(rows),
            service_ms: Vec::with_capacity(rows),
            parts_ms: std::array::from_fn(|_| Vec::with_capacity(rows)),
            lba: Vec::with_capacity(rows),
            sectors: Vec::with_capacity(rows),
            device: Vec::with_capacity(rows),
            request: Vec::with_capacity(rows),
            stream: Vec::with_capacity(rows),
            operation: Vec::with_capacity(rows),
            cache: Vec::with_capacity(rows),
            cylinder: Vec::with_capacity(rows),
            seek_distance_cylinders: Vec::with_capacity(rows),
            measured_ms: Vec::with_capacity(rows),
        }
    }

    /// Adds one row.
    pub fn push(&mut self, row: &Row) {
        self.extend(std::slice::from_ref(row));
    }

    /// Adds rows, column by column of a few at a time, which stay in the nearest cache for that.
    pub fn extend(&mut self, rows: &[Row]) {
        for rows in rows.chunks(NEAR) {
            self.arrival_ms.extend(rows.iter().map(|row| row.arrival.as_ms()));
            self.issue_ms.extend(rows.iter().map(|row| row.issue.as_ms()));
            self.completion_ms.extend(rows.iter().map(|row| row.completion.as_ms()));
            self.response_ms.extend(rows.iter().map(|row| row.response().as_ms()));
            self.queue_ms.extend(rows.iter().map(|row| row.queue().as_ms()));
            self.service_ms.extend(rows.iter().map(|row| row.service().as_ms()));
            let [overhead, wait, seek, rotation, transfer, bus] = &mut self.parts_ms;
            overhead.extend(rows.iter().map(|row| row.parts.overhead.as_ms()));
            wait.extend(rows.iter().map(|row| row.parts.wait.as_ms()));
            seek.extend(rows.iter().map(|row| row.parts.seek.as_ms()));
            rotation.extend(rows.iter().map(|row| row.parts.rotation.as_ms()));
            transfer.extend(rows.iter().map(|row| row.parts.transfer.as_ms()));
            bus.extend(rows.iter().map(|row| row.parts.bus.as_ms()));
            self.lba.extend(rows.iter().map(|row| row.lba));
            self.sectors.extend(rows.iter().map(|row| row.sectors));
            self.device.extend(rows.iter().map(|row| row.device));
            self.request.extend(rows.iter().map(|row| row.request));
            self.stream.extend(rows.iter().map(|row| row.stream));
            self.operation.extend(rows.iter().map(|row| row.operation.index() as u8));
            self.cache.extend(rows.iter().map(|row| row.cache));
            self.cylinder.extend(rows.iter().map(|row| row.cylinder));
            self.seek_distance_cylinders.extend(rows.iter().map(|row| row.seek_distance));
            let measured = rows.iter().map(|row| row.measured.map_or(f64::NAN, Span::as_ms));
            self.measured_ms.extend(measured);
        }
    }
}

/// What is done to all columns of a table alike.
macro_rules! all_columns {
    ($table:ident: $($column:ident)+) => {
        impl $table {
            /// Adds the rows of `other`.
            pub fn append(&mut self, mut other: Self) {
                $(self.$column.append(&mut other.$column);)+
            }

            /// Takes all rows out; the room for them stays.
            pub fn clear(&mut self) {
                $(self.$column.clear();)+
            }

            /// Rows held.
            #[must_use]
            pub fn len(&self) -> usize {
                self.lba.len()
            }

            /// Whether there are none.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.lba.is_empty()
            }
        }
    };
}
pub(crate) use all_columns;

all_columns!(Columns: arrival_ms issue_ms completion_ms response_ms queue_ms service_ms parts_ms
    lba sectors device request stream operation cache cylinder seek_distance_cylinders measured_ms);

/// Columns side by side are appended and cleared as one is.
trait SideBySide {
    fn append(&mut self, other: &mut Self);
    fn clear(&mut self);
}

impl<const N: usize> SideBySide for [Vec<f64>; N] {
    fn append(&mut self, other: &mut Self) {
        self.iter_mut().zip(other).for_each(|(column, more)| column.append(more));
    }

    fn clear(&mut self) {
        self.iter_mut().for_each(Vec::clear);
    }
}
