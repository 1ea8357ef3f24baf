//! The request that a run has in flight, according to its journal.
//!
//! Two slots are written in turn, before each write to the device and after it. They reach the
//! kernel's memory and are not synced: that outlives the process, however it dies, and costs about
//! a microsecond, while a sync would put an unknown wait of another disk between two requests, and
//! what passes between them is what is measured. When the machine dies, too, the slots may be older
//! than the last write; the journal then shows by their boot that they say nothing.

use super::checksum::Checksum;
use super::region::Region;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Bytes of a journal that hold the two slots.
pub(super) const FLIGHT_BYTES: usize = 4096;

/// Between the slots' beginnings: neither shares a sector with the other.
const STEP_BYTES: u64 = 2048;

/// Sequence number, first sector, sectors, checksum.
const SLOT_BYTES: usize = 32;

/// What was in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flight {
    /// Exactly this, or nothing.
    Known(Option<Region>),
    /// Nobody can say: the machine has been started anew since.
    Unknown,
}

impl Flight {
    pub(super) fn contains(self, lba: u64) -> bool {
        matches!(self, Self::Known(Some(region)) if region.contains(lba, 1))
    }
}

/// Writes the slots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FlightLog {
    sequence: u64,
}

impl FlightLog {
    /// Says what is in flight from now on.
    pub(super) fn note(&mut self, file: &File, at: u64, request: Option<Region>) -> io::Result<()> {
        self.sequence += 1;
        let place = at + self.sequence % 2 * STEP_BYTES;
        file.write_all_at(&encode(self.sequence, request), place)
    }
}

/// What was in flight last, from the slots at `at`.
///
/// A slot that was cut off says nothing, and the other one holds: the request of the former had not
/// been sent yet.
pub(super) fn read(file: &File, at: u64) -> io::Result<Option<Region>> {
    let mut newest: Option<(u64, Option<Region>)> = None;
    for slot in 0..2 {
        let mut bytes = [0; SLOT_BYTES];
        file.read_exact_at(&mut bytes, at + slot * STEP_BYTES)?;
        if let Some(found) = decode(&bytes)
            && newest.is_none_or(|newest| found.0 > newest.0)
        {
            newest = Some(found);
        }
    }
    Ok(newest.and_then(|(_, request)| request))
}

fn encode(sequence: u64, request: Option<Region>) -> [u8; SLOT_BYTES] {
    let Region { first, sectors } = request.unwrap_or(Region { first: 0, sectors: 0 });
    let mut bytes = [0; SLOT_BYTES];
    for (part, number) in bytes.chunks_exact_mut(8).zip([sequence, first, sectors]) {
        part.copy_from_slice(&number.to_le_bytes());
    }
    let check = Checksum::of(&bytes[..SLOT_BYTES - 8]);
    bytes[SLOT_BYTES - 8..].copy_from_slice(&check.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8; SLOT_BYTES]) -> Option<(u64, Option<Region>)> {
    let number = |at: usize| -> Option<u64> {
        Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
    };
    if Checksum::of(&bytes[..SLOT_BYTES - 8]) != number(SLOT_BYTES - 8)? {
        return None;
    }
    let region = Region { first: number(8)?, sectors: number(16)? };
    Some((number(0)?, (region.sectors > 0).then_some(region)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> File {
        let name = format!("platterlab-flight-{:?}", std::thread::current().id());
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        file.set_len(FLIGHT_BYTES as u64).unwrap();
        file
    }

    #[test]
    fn the_last_request_is_the_one_in_flight() {
        let (file, mut log) = (file(), FlightLog::default());
        assert_eq!(read(&file, 0).unwrap(), None);
        for first in 1..6 {
            let request = Some(Region { first, sectors: 8 });
            log.note(&file, 0, request).unwrap();
            assert_eq!(read(&file, 0).unwrap(), request);
            log.note(&file, 0, None).unwrap();
            assert_eq!(read(&file, 0).unwrap(), None);
        }
    }

    #[test]
    fn a_slot_that_was_cut_off_leaves_the_one_before() {
        let one = Some(Region { first: 7, sectors: 8 });
        for cut in 0..SLOT_BYTES {
            let (file, mut log) = (file(), FlightLog::default());
            log.note(&file, 0, one).unwrap();
            let next = encode(2, Some(Region { first: 900, sectors: 9 }));
            file.write_all_at(&next[..cut], 0).unwrap();
            assert_eq!(read(&file, 0).unwrap(), one, "cut after {cut} bytes");
        }
    }
}
