//! What is known of real traces, found again. Skipped where the data is absent.

#![allow(clippy::unwrap_used)]

use crate::common;
use std::path::Path;

use platterlab_workload::Record;
use platterlab_workload::info::TraceInfo;
use platterlab_workload::trace::{Format, Note, Options, detect, open};

fn info(path: &Path, format: Format) -> TraceInfo {
    assert_eq!(detect(path).unwrap(), format, "{}", path.display());
    let mut reader = open(path, Some(format), &Options::default()).unwrap();
    let info = TraceInfo::of(reader.as_mut()).unwrap();
    assert_eq!(Some(reader.bytes_read()), reader.bytes_total());
    info
}

#[test]
fn the_hp_week() {
    let Some(path) = common::data("hp-week/ajw.1week.srt") else { return };
    let info = info(&path, Format::HpSrt);
    assert_eq!((info.requests, info.reads, info.sector_bytes), (44_519, 13_040, 256));
    let devices: Vec<_> = info.devices.iter().map(|d| (d.device, d.requests)).collect();
    assert_eq!(devices, [(0, 42_252), (1, 2_267)]);
    let records: Vec<Record> = open(&path, None, &Options::default())
        .unwrap()
        .map(Result::unwrap)
        .filter(|record| record.device == 0)
        .collect();
    let total: f64 = records.iter().map(|record| record.service.unwrap().as_ms()).sum();
    let mean = total / records.len() as f64;
    assert!((mean - 25.354).abs() < 5e-4, "{mean}");
    let c = info.criticality;
    assert_eq!((c.critical, c.limited, c.noncritical, c.unknown), (26_730, 1_448, 15_981, 360));
}

#[test]
fn the_validate_traces() {
    for (name, requests) in [
        ("atlas10k", 10_000),
        ("atlas_III", 10_000),
        ("barracuda", 10_000),
        ("cheetah9LP", 10_000),
        ("hp_c2247a", 9_999),
        ("hp_c3323a", 9_074),
    ] {
        let Some(path) = common::data(&format!("disksim/{name}.trace")) else { return };
        let info = info(&path, Format::DisksimValidate);
        assert_eq!((info.requests, info.sector_bytes), (requests, 512), "{name}");
        assert_eq!(info.service_ms.unwrap().count, requests);
        assert_eq!(info.think_ms.unwrap().count, requests - 1);
    }
}

#[test]
fn the_ascii_trace() {
    let Some(path) = common::data("disksim/ascii.trace") else { return };
    let info = info(&path, Format::DisksimAscii);
    assert_eq!((info.requests, info.reads), (100_000, 79_634));
    assert!((info.duration_ms - (1_532_949.045_363 - 13.191_135)).abs() < 1e-6);
}

#[test]
fn the_blktrace_sample() {
    let Some(path) = common::data("traces/sample.blktrace.0") else { return };
    let info = info(&path, Format::Blktrace);
    assert_eq!((info.requests, info.reads), (963, 963));
    assert_eq!(info.notes[Note::Events.name()], 6_743);
    assert_eq!(info.notes.len(), 1, "{:?}", info.notes);
    let service = info.service_ms.unwrap();
    assert_eq!((service.count, info.queued_ms.unwrap().count), (963, 963));
    assert!((service.mean - 0.056).abs() < 1e-3, "{}", service.mean);
}

#[test]
fn the_loop_device_blktraces() {
    // Requests = issues with data, as counted from the raw events by a script of three lines.
    for (name, requests) in [
        ("compress", 231),
        ("copytree", 1_520),
        ("fsync", 1_791),
        ("removetree", 9),
        ("uncompress", 245),
    ] {
        let name = format!("traces/loop-blktrace/ext4_{name}.blktrace.bin.zst");
        let Some(path) = common::data(&name) else { return };
        let info = info(&path, Format::Blktrace);
        assert_eq!(info.service_ms.unwrap().count, requests, "{name}");
        assert_eq!(info.requests, requests, "{name} {:?}", info.notes);
    }
}

#[test]
fn the_blkreplay_loads() {
    for (name, requests, limited) in [("mysql", 80_794, 1), ("webserver-2", 269_007, 344)] {
        let Some(path) = common::data(&format!("traces/linux-{name}.load.gz")) else { return };
        let info = info(&path, Format::Blkreplay);
        assert_eq!((info.requests, info.criticality.limited), (requests, limited), "{name}");
        assert_eq!(info.service_ms, None);
    }
}
