//! Records as bytes, so that requests can be copied to another process, bit for bit.

use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::trace::Position;
use platterlab_workload::{Criticality, Record};
use pyo3::Py;
use pyo3::types::PyBytes;

/// Records, the bytes of a sector, and what the list is called: what `unpickled` takes.
pub(crate) type PickledRequests = (Py<PyBytes>, u32, String);

/// A length of time that is not known; no trace has one so long.
const UNKNOWN: u64 = u64::MAX;

const KINDS: [Criticality; 4] =
    [Criticality::Unknown, Criticality::Critical, Criticality::Limited, Criticality::Noncritical];

/// Records, and where each stands in its file as far as that is known, one behind the other.
pub(crate) fn packed(records: &[Record], places: &[Position]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(records.len() * 75);
    for (row, record) in records.iter().enumerate() {
        bytes.extend(record.arrival.as_ps().to_le_bytes());
        for span in [record.queued, record.service, record.think] {
            bytes.extend(span.map_or(UNKNOWN, Span::as_ps).to_le_bytes());
        }
        bytes.extend(record.lba.to_le_bytes());
        bytes.extend(record.sectors.to_le_bytes());
        bytes.extend(record.device.to_le_bytes());
        bytes.push(u8::from(record.operation == Operation::Write));
        bytes.push(KINDS.iter().position(|&kind| kind == record.criticality).unwrap_or(0) as u8);
        let (tag, at) = match places.get(row) {
            None => (0, 0),
            Some(Position::File) => (1, 0),
            Some(&Position::Line(at)) => (2, at),
            Some(&Position::Row(at)) => (3, at),
            Some(&Position::Byte(at)) => (4, at),
            Some(&Position::Request(at)) => (5, at),
        };
        bytes.push(tag);
        bytes.extend(at.to_le_bytes());
    }
    bytes
}

/// What `packed` made; `None` of other bytes.
pub(crate) fn unpacked(mut bytes: &[u8]) -> Option<(Vec<Record>, Vec<Position>)> {
    let (mut records, mut places) = (Vec::new(), Vec::new());
    while !bytes.is_empty() {
        let arrival = Stamp::from_ps(u128::from_le_bytes(taken(&mut bytes)?));
        let [queued, service, think] = [span(&mut bytes)?, span(&mut bytes)?, span(&mut bytes)?];
        let lba = u64::from_le_bytes(taken(&mut bytes)?);
        let sectors = u32::from_le_bytes(taken(&mut bytes)?);
        let device = u32::from_le_bytes(taken(&mut bytes)?);
        let [way, kind, tag] = taken(&mut bytes)?;
        let at = u64::from_le_bytes(taken(&mut bytes)?);
        let operation = *[Operation::Read, Operation::Write].get(usize::from(way))?;
        let criticality = *KINDS.get(usize::from(kind))?;
        records.push(Record {
            arrival,
            queued,
            service,
            think,
            lba,
            sectors,
            device,
            operation,
            criticality,
        });
        match tag {
            0 => {}
            1 => places.push(Position::File),
            2 => places.push(Position::Line(at)),
            3 => places.push(Position::Row(at)),
            4 => places.push(Position::Byte(at)),
            5 => places.push(Position::Request(at)),
            _ => return None,
        }
    }
    (places.is_empty() || places.len() == records.len()).then_some((records, places))
}

fn span(bytes: &mut &[u8]) -> Option<Option<Span>> {
    let ps = u64::from_le_bytes(taken(bytes)?);
    Some((ps != UNKNOWN).then(|| Span::from_ps(ps)))
}

fn taken<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}
