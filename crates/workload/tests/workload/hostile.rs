//! No bytes make a reader panic, run for ever, or hand out a record that breaks the contract.

#![allow(clippy::unwrap_used)]

use crate::common;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use platterlab_units::MAX_LBA;
use platterlab_workload::trace::{Format, Options, Source, TraceReader, read};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Reads `bytes` to the end as `format` and as whatever they look like.
fn survive(bytes: &[u8], format: Format) {
    for format in [Some(format), None] {
        let Ok(mut reader) = common::reader(bytes, format) else { continue };
        hold(reader.as_mut());
    }
}

/// Holds every record to the contract of `TraceReader`.
fn hold(reader: &mut dyn TraceReader) {
    let mut latest = None;
    while let Some(Ok(record)) = reader.next() {
        assert!(record.sectors > 0 && record.lba <= MAX_LBA);
        assert!(u64::from(record.sectors) - 1 <= MAX_LBA - record.lba);
        assert!(latest <= Some(record.arrival), "arrivals go back");
        latest = Some(record.arrival);
    }
    assert!(reader.next().is_none(), "the first error ends a trace");
}

/// A generator for tests alone, so that they need no crate: splitmix64.
struct Mutations(u64);

impl Mutations {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn apply(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        let end = (at + 1 + self.below(16)).min(bytes.len());
        match self.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.extend_from_within(at..end),
            3 => drop(bytes.splice(at..end, bytes[at..end].repeat(2))),
            4 => {
                const TOKENS: [&[u8]; 12] = [
                    b"-1",
                    b"nan",
                    b"inf",
                    b"1e308",
                    b"9223372036854775807",
                    b"0",
                    b" ",
                    b"\n",
                    b";",
                    b".",
                    b"\xff\xff\xff\xff",
                    b"\x7f\xff\xff\xff",
                ];
                let token = TOKENS[self.below(TOKENS.len())];
                drop(bytes.splice(at..end, token.iter().copied()));
            }
            _ if bytes.is_empty() => {}
            _ => bytes[at] ^= 1 << self.below(8),
        }
    }
}

fn mutate(valid: &[u8], rounds: u64, mut check: impl FnMut(&[u8])) {
    for seed in 0..rounds {
        let mut mutations = Mutations(seed);
        let mut bytes = valid.to_vec();
        for _ in 0..=mutations.below(3) {
            mutations.apply(&mut bytes);
        }
        check(&bytes);
    }
}

#[test]
fn the_valid_traces_are_valid() {
    for format in Format::ALL {
        let records = common::records(common::valid(format), None);
        assert!(records.as_ref().is_ok_and(|r| r.len() >= 12), "{format}: {records:?}");
    }
}

/// Of each format, where `PLATTERLAB_MUTATIONS` does not say how many; `make soak` has a million in all.
/// Every one is read twice, named and told by its content.
const ROUNDS: u64 = 520;

#[test]
fn mutated_traces_are_survived() {
    let asked = std::env::var("PLATTERLAB_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let rounds = asked.unwrap_or(ROUNDS);
    std::thread::scope(|scope| {
        for formats in Format::ALL.chunks(Format::ALL.len().div_ceil(2)) {
            scope.spawn(move || {
                for format in formats {
                    mutate(&common::valid(*format), rounds, |bytes| survive(bytes, *format));
                }
            });
        }
    });
}

#[test]
fn mutated_tables_are_survived() {
    let columns = "time=1:ms, lba=2:4096, size=3:bytes, op=4, device=5, response=6:us, queued=7:us";
    let options = Options { columns: Some(columns.parse().unwrap()), ..Options::default() };
    let valid =
        "0.5,7,512,R,sda,90,1\n1.5,70,4096,write,sdb,,\n2,0x9,4.0,1,\"s,c\",80,90\n".repeat(4);
    // Given again and again, its times go back: by no more than is put in order.
    mutate(valid.as_bytes(), 4_000, |bytes| {
        let Ok(source) = Source::from_bytes(Path::new("t"), bytes) else { return };
        let Ok(mut reader) = read(source, None, &options) else { return };
        hold(reader.as_mut());
    });
}

#[test]
fn mutated_compressed_traces_are_survived() {
    let text = common::valid(Format::DisksimAscii).repeat(3);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&text).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstandard = compress_to_vec(&text[..], CompressionLevel::Fastest);
    for valid in [gzip, zstandard] {
        mutate(&valid, 1_500, |bytes| survive(bytes, Format::DisksimAscii));
    }
}

fn format() -> impl Strategy<Value = Format> {
    (0..Format::ALL.len()).prop_map(|place| Format::ALL[place])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_bytes_are_survived(format in format(), bytes: Vec<u8>) {
        survive(&bytes, format);
    }

    #[test]
    fn any_bytes_after_a_valid_beginning_are_survived(format in format(), tail: Vec<u8>) {
        survive(&[common::valid(format), tail].concat(), format);
    }

    #[test]
    fn any_words_are_survived(
        format in format(),
        words in "([RW0-9]{1,3}|Hit|-?[0-9]{1,20}(\\.[0-9]{0,15})?|[;\n ])( |\n| ; ){0,2}{0,40}",
    ) {
        survive(words.as_bytes(), format);
    }
}
