//! HP Labs SRT 1.3, the format of the 1992 traces (Ruemmler and Wilkes).
//!
//! A text header up to the byte 0x0C, then records of 14 big-endian 32-bit integers:
//! `size(56) id sec usec start_us stop_us bytes blkno dev drivertype cyl flags info qlen`.
//! `start` and `stop` are offsets from (sec, usec), when the request came to the driver; `blkno`
//! counts sectors of the size the header states for the drive. Records stand in order of arrival;
//! the driver's C-SCAN serves them in another.

use super::over_source::over_source;
use platterlab_units::{Operation, Span};

use super::checks::{ArrivalChecks, Completions, extent};
use super::{Declared, Format, Position, Source, TraceError, TraceFacts};
use crate::{Criticality, Record};

/// The first bytes of every SRT file.
pub(super) const MAGIC: &[u8] = b"$$TR_IOREC-1.";
/// The byte after the header.
pub(super) const HEADER_END: u8 = 0x0c;
/// Bytes of one record.
pub(super) const RECORD_BYTES: usize = 56;
/// Picoseconds in a microsecond.
const PS_PER_US: u128 = platterlab_units::PS_PER_US as u128;

/// Bits of the flags field: HP-UX's buffer flags.
///
/// Bits 0 and 8 sit where BSD has `B_READ` and `B_ASYNC`. In the 1992 week, every write but 360 of
/// 31,479 has exactly one of bits 8 and 24, so 24 is taken as "the writer waits"; bit 8 stands on
/// 1,448 of 13,040 reads, which can only be read-ahead.
pub(super) mod flags {
    /// A read; without it a write.
    pub(in crate::trace) const READ: u32 = 1;
    /// Nobody waits for a write; a read is a read-ahead.
    pub(in crate::trace) const ASYNC: u32 = 1 << 8;
    /// The writer waits.
    pub(in crate::trace) const SYNC_WRITE: u32 = 1 << 24;
}

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "hp-srt",
    title: "HP Labs SRT 1.3 (binary): the traces of 1992",
    columns: &[
        ["sec, usec", "s, µs", "when the request came to the driver"],
        ["start_us, stop_us", "µs after that", "when the disk got it, and when it was done"],
        ["bytes", "bytes", "length"],
        ["blkno", "sectors of the header's size", "first sector"],
        ["dev", "", "the drive, in bits 8 to 15"],
        ["flags", "", "read or write, and who waits"],
        ["qlen", "requests", "not used: the times imply it"],
    ],
    silent: "Parts of a microsecond. That a write's flags say who waits is inferred.",
    sniff,
    open: |source, _| Ok(Box::new(HpSrt::new(source)?)),
};

/// True if the first bytes are those of an SRT file.
pub(super) fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// A reader of HP Labs SRT.
pub(super) struct HpSrt {
    source: Source,
    facts: TraceFacts,
    arrivals: ArrivalChecks,
    completions: Completions,
}

impl HpSrt {
    /// Reads the header of `source`.
    ///
    /// # Errors
    /// The header is missing, does not end, or does not state one sector size for all drives.
    pub(super) fn new(mut source: Source) -> Result<Self, TraceError> {
        let header = read_header(&mut source)?;
        let sector_bytes = sector_bytes(&header)
            .map_err(|what| source.error(Position::File, format!("the header {what}")))?;
        let facts = source.facts(Format::HpSrt, sector_bytes);
        let (arrivals, completions) = (ArrivalChecks::default(), Completions::default());
        Ok(Self { source, facts, arrivals, completions })
    }

    #[inline]
    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        let at = self.source.offset();
        let Some(bytes) = self.source.take(RECORD_BYTES, "a record")? else {
            return Ok(None);
        };
        let record = parse(bytes, self.facts.sector_bytes).and_then(|row| {
            let think =
                self.completions.think(row.device, row.at(row.start_us), row.at(row.stop_us))?;
            let arrival = self.arrivals.place(row.at(0))?;
            Ok(row.record(arrival, think))
        });
        record.map(Some).map_err(|what| self.source.error_at_byte(at, what))
    }
}

over_source!(HpSrt);

fn read_header(source: &mut Source) -> Result<Vec<u8>, TraceError> {
    let head = source.peek()?;
    let ends = head.iter().position(|byte| *byte == HEADER_END);
    let length = match (sniff(head), ends) {
        (true, Some(length)) => length,
        (true, None) => {
            let what = "the header does not end: no byte 0x0C in the first 64 KiB";
            return Err(source.error(Position::File, what));
        }
        (false, _) => {
            let what = "does not begin with `$$TR_IOREC-1.`, as an SRT file with its header does";
            return Err(source.error(Position::File, what));
        }
    };
    Ok(source.take(length + 1, "the header")?.unwrap_or_default().to_vec())
}

/// The sector size that all drives of the header share, in bytes.
fn sector_bytes(header: &[u8]) -> Result<u32, String> {
    const KEY: &str = "sectorsize";
    let text = String::from_utf8_lossy(header);
    let mut common = None;
    for (place, _) in text.match_indices(KEY) {
        let value = text[place + KEY.len()..].trim_start_matches([' ', '\t', '=']);
        let digits = value.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        match digits.parse::<u32>() {
            Ok(bytes) if (1..=1 << 20).contains(&bytes) => {
                if *common.get_or_insert(bytes) != bytes {
                    return Err("states sectors of different sizes, which one address space \
                                cannot hold"
                        .into());
                }
            }
            _ => return Err(format!("states a sectorsize of `{digits}` bytes")),
        }
    }
    common.ok_or_else(|| "states no sectorsize, so addresses have no unit".into())
}

/// One record, checked but not yet on the trace's clock.
struct SrtRow {
    arrival_us: u64,
    start_us: u32,
    stop_us: u32,
    lba: u64,
    sectors: u32,
    device: u32,
    flags: u32,
}

impl SrtRow {
    /// `offset_us` after the arrival, in picoseconds of the file's clock.
    #[inline]
    fn at(&self, offset_us: u32) -> u128 {
        u128::from(self.arrival_us + u64::from(offset_us)) * PS_PER_US
    }

    #[inline]
    fn record(&self, arrival: platterlab_units::Stamp, think: Option<Span>) -> Record {
        let read = self.flags & flags::READ != 0;
        Record {
            arrival,
            queued: Some(Span::from_us(u64::from(self.start_us))),
            service: Some(Span::from_us(u64::from(self.stop_us - self.start_us))),
            think,
            lba: self.lba,
            sectors: self.sectors,
            device: self.device,
            operation: if read { Operation::Read } else { Operation::Write },
            criticality: criticality(self.flags),
        }
    }
}

pub(super) fn criticality(flags: u32) -> Criticality {
    let has = |bit: u32| flags & bit != 0;
    match (has(flags::READ), has(flags::ASYNC), has(flags::SYNC_WRITE)) {
        (true, false, _) | (false, false, true) => Criticality::Critical,
        (true, true, _) => Criticality::Limited,
        (false, true, false) => Criticality::Noncritical,
        (false, _, _) => Criticality::Unknown,
    }
}

#[inline]
fn parse(bytes: &[u8], sector_bytes: u32) -> Result<SrtRow, String> {
    let words = bytes.as_chunks().0.first_chunk::<{ RECORD_BYTES / 4 }>();
    let words = words.copied().unwrap_or_default().map(u32::from_be_bytes);
    let [size, _, sec, usec, start_us, stop_us, length, blkno, dev, _, _, flags, _, _] = words;
    if size as usize != RECORD_BYTES {
        return Err(format!("a record of size {size}; SRT 1.3 records have {RECORD_BYTES} bytes"));
    }
    let numbers = [sec, usec, start_us, stop_us, length, blkno];
    let negative = |word: &u32| *word > i32::MAX as u32;
    // All at once: that one has the bit of the sign is rare.
    if negative(&numbers.iter().fold(0, |bits, word| bits | word))
        && let Some(place) = numbers.iter().position(negative)
    {
        let name = ["sec", "usec", "start", "stop", "bytes", "blkno"][place];
        return Err(format!("{name} is negative: {}", numbers[place] as i32));
    }
    if usec >= 1_000_000 {
        return Err(format!("usec is {usec}; it must be below 1000000"));
    }
    if stop_us < start_us {
        return Err(format!("the request stops {} us before it starts", start_us - stop_us));
    }
    if length % sector_bytes != 0 {
        return Err(format!("a length of {length} bytes is not a multiple of {sector_bytes}"));
    }
    let (lba, sectors) = extent(u64::from(blkno), u64::from(length / sector_bytes))?;
    let arrival_us = u64::from(sec) * 1_000_000 + u64::from(usec);
    Ok(SrtRow { arrival_us, start_us, stop_us, lba, sectors, device: dev >> 8 & 0xff, flags })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use platterlab_units::Stamp;

    const HEADER: &[u8] = b"$$TR_IOREC-1.3 (test)\n\0disks = {0 -> {sectorsize  = 256,}}\n\x0c";
    /// sec 10, usec 5, start 20, stop 120, 1024 bytes at 7, drive 1, a read.
    const GOOD: [i32; 14] = [56, 1, 10, 5, 20, 120, 1024, 7, 0x0800_0107, 4, 0, 11, 0, 1];

    fn file(records: &[[i32; 14]]) -> Vec<u8> {
        let words = records.iter().flatten().flat_map(|word| word.to_be_bytes());
        HEADER.iter().copied().chain(words).collect()
    }

    fn all(bytes: &[u8]) -> Result<Vec<Record>, TraceError> {
        HpSrt::new(testing::source(bytes))?.collect()
    }

    fn with(changes: &[(usize, i32)]) -> [i32; 14] {
        let mut record = GOOD;
        for (place, value) in changes {
            record[*place] = *value;
        }
        record
    }

    #[test]
    fn records_are_read_in_full() {
        let later = with(&[(3, 500), (4, 0), (5, 0), (11, 0x100_000a)]);
        let records = all(&file(&[GOOD, later])).unwrap();
        let first = Record {
            arrival: Stamp::ZERO,
            queued: Some(Span::from_us(20)),
            service: Some(Span::from_us(100)),
            think: None,
            lba: 7,
            sectors: 4,
            device: 1,
            operation: Operation::Read,
            criticality: Criticality::Critical,
        };
        assert_eq!(records[0], first);
        assert_eq!(records[1].arrival, Stamp::from_us(495));
        assert_eq!(records[1].think, Some(Span::from_us(375)));
        assert_eq!(records[1].criticality, Criticality::Critical);
        assert_eq!(records[1].operation, Operation::Write);
    }

    #[test]
    fn flags_tell_who_waits() {
        for (flags, expected) in [
            (0x1b, Criticality::Critical),
            (0x80_10b, Criticality::Limited),
            (0x88_10a, Criticality::Noncritical),
            (0x108_800a, Criticality::Critical),
            (0x20_001a, Criticality::Unknown),
        ] {
            assert_eq!(criticality(flags), expected, "{flags:#x}");
        }
    }

    #[test]
    fn every_bad_record_says_what_and_where() {
        for (changes, message) in [
            (&[(0, 60)][..], "a record of size 60; SRT 1.3 records have 56 bytes"),
            (&[(4, -1)], "start is negative: -1"),
            (&[(7, -9)], "blkno is negative: -9"),
            (&[(3, 1_000_000)], "usec is 1000000; it must be below 1000000"),
            (&[(5, 19)], "the request stops 1 us before it starts"),
            (&[(6, 1000)], "a length of 1000 bytes is not a multiple of 256"),
            (&[(6, 0)], "a length of 0 sectors; a request has at least one"),
            (
                &[(3, 4)],
                "time runs backwards: this request arrives 0.001 ms before the one above it; sort the \
                 file by its time, or read what begins here by itself",
            ),
        ] {
            let error = all(&file(&[GOOD, with(changes)])).unwrap_err();
            let at = HEADER.len() + RECORD_BYTES;
            assert_eq!(error.to_string(), format!("t, byte {at}: {message}"));
        }
    }

    #[test]
    fn a_file_that_stops_within_a_record_is_refused() {
        let mut bytes = file(&[GOOD, GOOD]);
        bytes.truncate(bytes.len() - 6);
        let at = HEADER.len() + RECORD_BYTES;
        let message = "the file ends within a record: 50 of 56 bytes are there";
        assert_eq!(all(&bytes).unwrap_err().to_string(), format!("t, byte {at}: {message}"));
    }

    #[test]
    fn the_header_must_state_one_sector_size() {
        for (header, message) in [
            (
                &b"abc\x0c"[..],
                "t: does not begin with `$$TR_IOREC-1.`, as an SRT file with its \
                               header does",
            ),
            (b"$$TR_IOREC-1.3", "t: the header does not end: no byte 0x0C in the first 64 KiB"),
            (
                b"$$TR_IOREC-1.3\x0c",
                "t: the header states no sectorsize, so addresses have no \
                                     unit",
            ),
            (
                b"$$TR_IOREC-1.3 sectorsize = 0\x0c",
                "t: the header states a sectorsize of `0` \
                                                    bytes",
            ),
            (
                b"$$TR_IOREC-1.3 sectorsize = 256 sectorsize=512\x0c",
                "t: the header states sectors of different sizes, which one address space cannot \
                 hold",
            ),
        ] {
            assert_eq!(all(header).unwrap_err().to_string(), message);
        }
    }
}
