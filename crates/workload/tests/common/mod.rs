//! Shared by the integration tests; each uses a part of it.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use platterlab_workload::Record;
use platterlab_workload::trace::{Format, Options, Source, TraceError, TraceReader, read};

/// A file of the validation data, or `None`, with a note, where it is absent.
pub fn data(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PLATTERLAB_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = root.join(name);
    if !path.exists() {
        println!("skipped: {} is not there; PLATTERLAB_DATA names the data", path.display());
        return None;
    }
    Some(path)
}

/// A reader over `bytes`.
pub fn reader(
    bytes: impl Into<Vec<u8>>,
    format: Option<Format>,
) -> Result<Box<dyn TraceReader + Send>, TraceError> {
    read(Source::from_bytes(Path::new("t"), bytes)?, format, &Options::default())
}

/// Every record of `bytes`, or the first error.
pub fn records(
    bytes: impl Into<Vec<u8>>,
    format: Option<Format>,
) -> Result<Vec<Record>, TraceError> {
    reader(bytes, format)?.collect()
}

/// A new, empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("platterlab-{}-{test}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The sample of `format` under `tests/samples`.
fn sample(format: Format) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let own = files.find(|path| path.file_stem().is_some_and(|stem| stem == format.name()));
    std::fs::read(own.unwrap_or_else(|| panic!("{format} has no sample"))).unwrap()
}

/// A small valid trace of `format`.
pub fn valid(format: Format) -> Vec<u8> {
    match format {
        Format::HpSrt
        | Format::Blktrace
        | Format::DisksimValidate
        | Format::DisksimAscii
        | Format::Blkreplay => made(format),
        _ => sample(format),
    }
}

fn made(format: Format) -> Vec<u8> {
    match format {
        Format::HpSrt => hp_srt(),
        Format::Blktrace => blktrace(),
        Format::DisksimValidate => lines(|i| format!("R Hit {} 8 {}.5 1000", i * 40 % 99, 900 + i)),
        Format::DisksimAscii => lines(|i| format!("{i}.25 {} {} 8 {}", i % 3, i * 40 % 99, i % 4)),
        Format::Blkreplay => {
            let heading =
                "words\nstart ; sector; length ; op ;  replay_delay=0 ; replay_duration=0\n";
            let rows = lines(|i| format!("{i}.000000125 ; {} ; 8 ; RA ; 0.0 ; 0.002", i * 40 % 99));
            [heading.as_bytes(), &rows].concat()
        }
        _ => unreachable!("has a sample"),
    }
}

const ROWS: u32 = 12;

fn lines(line: impl Fn(u32) -> String) -> Vec<u8> {
    (0..ROWS).map(|i| line(i) + "\n").collect::<String>().into_bytes()
}

fn hp_srt() -> Vec<u8> {
    let header = b"$$TR_IOREC-1.3 (test)\n\0disks = {0 -> {sectorsize  = 256,}}\n\x0c";
    let record = |i: u32| [56, 1, i, 5, 20, 120 + i, 1024, 7 * i, 0x0800_0007, 4, 0, 11, 0, 1];
    let words = (0..ROWS).flat_map(record).flat_map(u32::to_be_bytes);
    header.iter().copied().chain(words).collect()
}

/// Every kind of event for each of some requests, each with a payload of 8 bytes.
fn blktrace() -> Vec<u8> {
    let mut bytes = Vec::new();
    for (i, action) in (0..ROWS).flat_map(|i| [1, 2, 3, 6, 7, 8, 13].map(|action| (i, action))) {
        bytes.extend(0x6561_7407u32.to_le_bytes());
        bytes.extend(i.to_le_bytes());
        bytes.extend(u64::from(i * 1_000 + action).to_le_bytes());
        bytes.extend(u64::from(i * 8).to_le_bytes());
        for word in [4_096, 1 << 16 | action, 42, 8, 0, 8 << 16] {
            bytes.extend(u32::to_le_bytes(word));
        }
        bytes.extend(u64::from(i * 8 + 4).to_be_bytes());
    }
    bytes
}
