//! What is written is read back, what is lost is said, and an error leaves nothing behind.

#![allow(clippy::unwrap_used)]

use crate::common;
use std::path::{Path, PathBuf};

use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::trace::write::{ConvertError, Converted, Loss, convert};
use platterlab_workload::trace::{
    Format, GapMeaning, Measures, Options, Position, Source, TraceError, TraceFacts, TraceReader,
    open, read,
};
use platterlab_workload::{Criticality, Record};
use proptest::prelude::*;

/// Records that come from no file.
struct Given {
    records: std::vec::IntoIter<Record>,
    facts: TraceFacts,
}

impl Iterator for Given {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.records.next().map(Ok)
    }
}

impl TraceReader for Given {
    fn facts(&self) -> &TraceFacts {
        &self.facts
    }

    fn bytes_read(&self) -> u64 {
        0
    }

    fn bytes_total(&self) -> Option<u64> {
        None
    }

    fn place(&self) -> Position {
        Position::File
    }
}

fn given(records: Vec<Record>, sector_bytes: u32) -> Given {
    let facts = TraceFacts {
        path: PathBuf::from("given"),
        format: Format::HpSrt,
        sector_bytes,
        measures: Measures::Service,
    };
    Given { records: records.into_iter(), facts }
}

/// One request per millisecond, each done before the next; times in whole microseconds.
fn plain(count: u64) -> Vec<Record> {
    let record = |i: u64| Record {
        arrival: Stamp::from_us(i * 1_000),
        queued: Some(Span::ZERO),
        service: Some(Span::from_us(300)),
        think: (i > 0).then_some(Span::from_us(700)),
        lba: i * 80 % 999,
        sectors: 8,
        device: 0,
        operation: if i.is_multiple_of(3) { Operation::Write } else { Operation::Read },
        criticality: Criticality::Unknown,
    };
    (0..count).map(record).collect()
}

/// The file of a trace in another format.
fn written(
    trace: &mut dyn TraceReader,
    format: Format,
    options: &Options,
) -> Result<(Vec<u8>, Converted), TraceError> {
    let mut out = Vec::new();
    match convert(trace, &mut out, Path::new("out"), format, options) {
        Ok(done) => Ok((out, done)),
        Err(ConvertError::Trace(error)) => Err(error),
        Err(ConvertError::Io(error)) => panic!("{error}"),
    }
}

/// Writes `records`, reads them back.
fn there_and_back(
    records: &[Record],
    format: Format,
    options: &Options,
) -> Result<(Vec<Record>, Converted), TraceError> {
    let (bytes, done) = written(&mut given(records.to_vec(), 512), format, options)?;
    let source = Source::from_bytes(Path::new("out"), bytes)?;
    Ok((read(source, None, options)?.collect::<Result<_, _>>()?, done))
}

fn losses(done: &Converted) -> Vec<(Loss, u64)> {
    done.losses.iter().collect()
}

#[test]
fn each_format_says_what_it_loses() {
    let mut records = plain(5);
    records[1].device = 3;
    records[2].criticality = Criticality::Limited;
    records[2].operation = Operation::Write;
    records[4].arrival += Span::from_ps(7);
    for (format, expected) in [
        (Format::DisksimAscii, &[(Loss::Queued, 5), (Loss::Service, 5), (Loss::Think, 4)][..]),
        (Format::Blkreplay, &[(Loss::Think, 4), (Loss::Device, 1)]),
        (Format::DisksimValidate, &[(Loss::Arrival, 1), (Loss::Device, 1), (Loss::Criticality, 1)]),
        // Two reads come back as critical and a limited write as unknown; the device's own idle
        // time is not the think time the records state after the device changed.
        (Format::HpSrt, &[(Loss::Think, 2), (Loss::Criticality, 3), (Loss::Precision, 1)]),
        (
            Format::FioIologV3,
            &[
                (Loss::Queued, 5),
                (Loss::Service, 5),
                (Loss::Think, 4),
                (Loss::Criticality, 1),
                (Loss::Precision, 1),
            ],
        ),
        (Format::BlkparseCsv, &[]),
        (Format::RowsParquet, &[(Loss::Criticality, 1)]),
    ] {
        let (back, done) = there_and_back(&records, format, &Options::default()).unwrap();
        assert_eq!((back.len(), done.requests), (5, 5));
        assert_eq!(losses(&done), expected, "{format}");
    }
}

#[test]
fn what_a_time_is_taken_for_is_said() {
    let unknown = |record: Record| Record { queued: None, ..record };
    let records: Vec<_> = plain(3).into_iter().map(unknown).collect();
    let now_0 = (Loss::QueuedUnknown, 3);
    for (measures, format, expected) in [
        (Measures::Service, Format::BlkparseCsv, &[][..]),
        (Measures::Response, Format::BlkparseCsv, &[(Loss::Response, 3)]),
        (Measures::Response, Format::RowsParquet, &[]),
        (Measures::Service, Format::DisksimValidate, &[now_0]),
        (Measures::Response, Format::DisksimValidate, &[now_0, (Loss::Response, 3)]),
        (Measures::Response, Format::Blkreplay, &[now_0, (Loss::Response, 3), (Loss::Think, 2)]),
        (Measures::Response, Format::DisksimAscii, &[(Loss::Service, 3), (Loss::Think, 2)]),
    ] {
        let mut trace = given(records.clone(), 512);
        trace.facts.measures = measures;
        let (_, done) = written(&mut trace, format, &Options::default()).unwrap();
        assert_eq!(losses(&done), expected, "{measures:?} {format}");
    }
}

/// Three plain requests, one of them changed.
fn with(place: usize, change: fn(&mut Record)) -> Vec<Record> {
    let mut records = plain(3);
    change(&mut records[place]);
    records
}

#[test]
fn what_cannot_be_held_is_said() {
    let cases: [(Format, Vec<Record>, &str); 8] = [
        (
            Format::DisksimValidate,
            with(0, |r| r.service = None),
            "request 1 of the trace: it has no service time, which disksim-validate needs",
        ),
        (
            Format::DisksimValidate,
            with(2, |r| r.think = None),
            "request 3 of the trace: it has no think time, which disksim-validate needs: the \
             device was not idle before it",
        ),
        (
            Format::HpSrt,
            with(1, |r| r.queued = None),
            "request 2 of the trace: it has no queued or no service time, and hp-srt needs both",
        ),
        (
            Format::HpSrt,
            with(1, |r| r.lba = 1 << 31),
            "request 2 of the trace: its first sector, 2147483648, does not fit the 31 bits of \
             hp-srt",
        ),
        (
            Format::HpSrt,
            with(1, |r| r.device = 256),
            "request 2 of the trace: device 256 does not fit hp-srt's 0 to 255",
        ),
        (
            Format::Blkreplay,
            with(1, |r| r.sectors = 3),
            "request 2 of the trace: it has a length of 3 sectors of 256 bytes, which is not a \
             whole number of 512",
        ),
        (
            Format::Blktrace,
            plain(1),
            "a trace cannot be written as blktrace, only read; write one of hp-srt, \
             disksim-validate, disksim-ascii, blkparse-csv, blkreplay, fio-iolog-v3, rows-parquet",
        ),
        (Format::DisksimAscii, Vec::new(), "holds no request, so there is nothing to write"),
    ];
    for (format, records, message) in cases {
        let done = written(&mut given(records, 256), format, &Options::default());
        assert_eq!(done.unwrap_err().what, message);
    }
}

#[test]
fn a_full_disk_is_no_fault_of_the_trace() {
    let mut full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (mut trace, path) = (given(plain(1), 512), Path::new("out"));
    let done = convert(&mut trace, &mut full, path, Format::DisksimAscii, &Options::default());
    let ConvertError::Io(error) = done.unwrap_err() else { panic!("the trace is right") };
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn the_hp_week_is_exact_in_ascii_and_in_itself() {
    let Some(path) = common::data("hp-week/ajw.1week.srt") else { return };
    let folder = common::folder("hp-week");
    let options = Options::default();
    let (copy, text) = (folder.join("copy"), folder.join("text"));
    let mut reader = open(&path, None, &options).unwrap();
    let (bytes, done) = written(reader.as_mut(), Format::HpSrt, &options).unwrap();
    std::fs::write(&copy, bytes).unwrap();
    assert_eq!(losses(&done), []);
    let records = |path| open(path, None, &options).unwrap().map(Result::unwrap);
    assert!(records(&path).eq(records(&copy)));
    let mut reader = open(&path, None, &options).unwrap();
    let (bytes, _) = written(reader.as_mut(), Format::DisksimAscii, &options).unwrap();
    std::fs::write(&text, bytes).unwrap();
    assert!(records(&path).zip(records(&text)).all(|(a, b)| {
        let same = (a.arrival, a.device, a.operation) == (b.arrival, b.device, b.operation);
        same && a.lba == b.lba * 2 && a.sectors == b.sectors * 2
    }));
    std::fs::remove_dir_all(folder).unwrap();
}

prop_compose! {
    /// Gap before, service, address, length, write, who waits, device.
    fn step()(
        gap in 0..u64::from(u32::MAX), service in 1..u64::from(u32::MAX), lba in 0..1u64 << 40,
        sectors in 1..100_000u32, write: bool, critical: bool, device in 0..3u32,
    ) -> (u64, Record) {
        let operation = if write { Operation::Write } else { Operation::Read };
        let criticality = if critical { Criticality::Critical } else { Criticality::Unknown };
        let service = Some(Span::from_ps(service));
        let (arrival, queued) = (Stamp::ZERO, Some(Span::from_ps(gap / 3)));
        (gap, Record { arrival, queued, service, think: None, lba, sectors, device, operation,
            criticality })
    }
}

/// Records in order of arrival, each arriving its gap after the one before.
fn open_records() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(step(), 1..20).prop_map(|steps| {
        let mut now = Stamp::ZERO;
        let place = |(i, (gap, record)): (usize, (u64, Record))| {
            now += Span::from_ps(if i == 0 { 0 } else { gap });
            Record { arrival: now, ..record }
        };
        steps.into_iter().enumerate().map(place).collect()
    })
}

/// Records of one device, each issued its gap after the one before is done.
fn closed_records() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(step(), 1..20).prop_map(|steps| {
        let mut completion = None;
        let place = |(gap, record): (u64, Record)| {
            let think = completion.map(|_| Span::from_ps(gap));
            let arrival = completion.unwrap_or_default() + think.unwrap_or_default();
            completion = Some(arrival + record.service.unwrap_or_default());
            let (queued, criticality) = (Some(Span::ZERO), Criticality::Unknown);
            Record { arrival, think, queued, criticality, device: 0, ..record }
        };
        steps.into_iter().map(place).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ascii_keeps_arrivals_to_the_picosecond(records in open_records()) {
        let bare: Vec<_> = records
            .into_iter()
            .map(|r| Record { queued: None, service: None, ..r })
            .collect();
        let (back, done) = there_and_back(&bare, Format::DisksimAscii, &Options::default()).unwrap();
        prop_assert_eq!(losses(&done), []);
        prop_assert_eq!(back, bare);
    }

    #[test]
    fn blkreplay_keeps_all_but_devices(records in open_records()) {
        let one: Vec<_> = records.into_iter().map(|r| Record { device: 0, ..r }).collect();
        let (back, done) = there_and_back(&one, Format::Blkreplay, &Options::default()).unwrap();
        prop_assert_eq!(losses(&done), []);
        prop_assert_eq!(back, one);
    }

    #[test]
    fn the_csv_keeps_all_of_it(records in open_records()) {
        let (mut back, done) =
            there_and_back(&records, Format::BlkparseCsv, &Options::default()).unwrap();
        prop_assert_eq!(losses(&done), []);
        back.iter_mut().for_each(|record| record.think = None);
        prop_assert_eq!(back, records);
    }

    #[test]
    fn parquet_keeps_all_but_who_waits(records in open_records(), responses: bool) {
        let mut trace = given(records.clone(), 512);
        if responses {
            trace.facts.measures = Measures::Response;
            trace.records = records.iter().map(|r| Record { queued: None, ..*r }).collect::<Vec<_>>().into_iter();
        }
        let wanted: Vec<_> = trace.records.as_slice().iter().map(|r| Record { criticality: Criticality::Unknown, ..*r }).collect();
        let (bytes, done) = written(&mut trace, Format::RowsParquet, &Options::default()).unwrap();
        let lost = records.iter().filter(|r| r.criticality != Criticality::Unknown).count() as u64;
        prop_assert_eq!(done.losses.count(Loss::Criticality), lost);
        prop_assert_eq!(done.losses.count(Loss::Response) + done.losses.count(Loss::Precision), 0);
        let source = Source::from_bytes(Path::new("out"), bytes).unwrap();
        let mut reader = read(source, None, &Options::default()).unwrap();
        let back: Vec<_> = reader.by_ref().map(|r| Record { think: None, ..r.unwrap() }).collect();
        prop_assert_eq!(reader.facts().measures, trace.facts.measures);
        prop_assert_eq!(back, wanted);
    }

    #[test]
    fn an_iolog_keeps_what_came_when(records in open_records()) {
        let bare = |r: &Record| {
            let us = r.arrival.as_ps() / 1_000_000;
            (us, r.lba, r.sectors, r.operation)
        };
        let (back, done) =
            there_and_back(&records, Format::FioIologV3, &Options::default()).unwrap();
        let known = records.iter().filter(|r| r.criticality != Criticality::Unknown).count() as u64;
        prop_assert_eq!(done.losses.count(Loss::Criticality), known);
        prop_assert!(back.iter().map(bare).eq(records.iter().map(bare)));
        let same = |a: &[Record]| a.iter().map(|r| a.iter().position(|o| o.device == r.device)).collect::<Vec<_>>();
        prop_assert_eq!(same(&back), same(&records), "devices are as different as they were");
    }

    #[test]
    fn validate_keeps_a_closed_trace(records in closed_records(), before: bool) {
        let gap = if before { GapMeaning::Before } else { GapMeaning::After };
        let (mut back, done) =
            there_and_back(&records, Format::DisksimValidate, &Options { gap, ..Options::default() }).unwrap();
        prop_assert_eq!(losses(&done), []);
        if before {
            // The column is there for the first row too.
            prop_assert_eq!(back[0].think.take(), Some(Span::ZERO));
        }
        prop_assert_eq!(back, records);
    }

    #[test]
    fn hp_srt_keeps_times_to_the_microsecond(records in open_records()) {
        let us = |ps: u64| Span::from_us(ps / 1_000_000);
        let whole: Vec<_> = records
            .into_iter()
            .map(|r| Record {
                arrival: Stamp::from_ps(r.arrival.as_ps() / 1_000_000 * 1_000_000),
                queued: r.queued.map(|span| us(span.as_ps())),
                service: r.service.map(|span| us(span.as_ps())),
                lba: r.lba >> 10,
                sectors: r.sectors % 4_096 + 1,
                criticality: Criticality::Critical,
                ..r
            })
            .collect();
        let (mut back, done) = there_and_back(&whole, Format::HpSrt, &Options::default()).unwrap();
        prop_assert_eq!(done.losses.count(Loss::Precision), 0);
        // What a reader makes of idle times is new to records that had none.
        back.iter_mut().for_each(|record| record.think = None);
        prop_assert_eq!(back, whole);
    }
}
