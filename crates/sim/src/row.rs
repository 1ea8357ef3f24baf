//! The row that a command leaves, wherever it was served.

use platterlab_drive::{Command, Service};
use platterlab_results::{Parts, Row};
use platterlab_units::Stamp;

/// The row of a command served like this, by its arrival, issue and completion: of the first request
/// of the first stream at the first device, until it is assigned.
#[inline]
pub(crate) fn row(
    command: &Command,
    [arrival, issue, completion]: [Stamp; 3],
    service: &Service,
) -> Row {
    let &Service { overhead, wait, seek, rotation, transfer, bus, .. } = service;
    Row {
        arrival,
        issue,
        completion,
        parts: Parts { overhead, wait, seek, rotation, transfer, bus },
        lba: command.lba,
        sectors: command.sectors,
        device: 0,
        request: 0,
        stream: 0,
        operation: command.operation,
        cache: service.cache as u8,
        cylinder: service.cylinder,
        seek_distance: service.seek_distance,
        measured: None,
    }
}
