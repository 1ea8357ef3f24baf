//! Parquet files as traces: our own rows, and any table by a mapping.

#![allow(clippy::unwrap_used)]

use crate::common;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, Float32Array, Float64Array, Int8Array,
    Int64Array, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray, UInt32Array,
    UInt64Array, types::Int32Type,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::Record;
use platterlab_workload::trace::{Format, Options, Source, TraceError, TraceReader, read};
use std::path::Path;
use std::sync::Arc;

fn file(columns: Vec<(&str, ArrayRef)>, packed: Compression) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_compression(packed).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// Four requests of another program.
fn foreign(packed: Compression) -> Vec<u8> {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("comment", Arc::new(StringArray::from(vec!["a", "b,\"c", "", "d"]))),
        (
            "when",
            Arc::new(TimestampMicrosecondArray::from(vec![
                1_000_005, 1_000_005, 1_000_900, 1_002_000,
            ])),
        ),
        ("offset", Arc::new(Int64Array::from(vec![0, 4096, 8192, 512]))),
        ("len", Arc::new(Float64Array::from(vec![512.0, 1024.0, 4096.0, 512.0]))),
        ("is_read", Arc::new(BooleanArray::from(vec![true, false, true, false]))),
        (
            "took",
            Arc::new(
                Decimal128Array::from(vec![Some(1_250), None, Some(5), Some(70_000)])
                    .with_precision_and_scale(9, 3)
                    .unwrap(),
            ),
        ),
        ("disk", Arc::new(StringArray::from(vec!["sda", "sda", "sdb", "sda"]))),
    ];
    file(columns, packed)
}

const COLUMNS: &str =
    "time=when, lba=offset:bytes, size=len:bytes, op=is_read:true, device=disk, response=took:ms";

fn opened(bytes: Vec<u8>, columns: &str) -> Result<Box<dyn TraceReader + Send>, TraceError> {
    let options = Options { columns: Some(columns.parse().unwrap()), ..Options::default() };
    read(Source::from_bytes(Path::new("t"), bytes)?, None, &options)
}

fn refusal(bytes: Vec<u8>, columns: &str) -> String {
    let all = opened(bytes, columns).and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
    all.unwrap_err().to_string()
}

#[test]
fn a_table_of_another_program_is_read_by_its_mapping_however_it_is_packed() {
    for packed in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::GZIP(Default::default()),
        Compression::ZSTD(Default::default()),
    ] {
        let mut reader = opened(foreign(packed), COLUMNS).unwrap();
        let records: Vec<Record> = reader.by_ref().map(Result::unwrap).collect();
        let at = |index: usize| {
            let r = &records[index];
            (r.arrival, r.lba, r.sectors, r.operation, r.device, r.service)
        };
        let (read, write) = (Operation::Read, Operation::Write);
        assert_eq!(records.len(), 4);
        assert_eq!(at(0), (Stamp::ZERO, 0, 1, read, 0, Some(Span::from_ps(1_250_000_000))));
        assert_eq!(at(1), (Stamp::ZERO, 8, 2, write, 0, None));
        assert_eq!(at(2), (Stamp::from_us(895), 16, 8, read, 1, Some(Span::from_ps(5_000_000))));
        assert_eq!(
            at(3),
            (Stamp::from_us(1_995), 1, 1, write, 0, Some(Span::from_ps(70_000_000_000)))
        );
        assert_eq!(reader.device_names(), ["sda", "sdb"]);
        assert_eq!(reader.bytes_read(), reader.bytes_total().unwrap());
    }
}

#[test]
fn every_type_of_a_column_is_read_over_any_number_of_row_groups() {
    // Larger than the same bits with a sign, and of more digits than 64 bits have.
    let large = u64::from(u32::MAX);
    let decimals = |digits: u8, values: Vec<Option<i128>>| {
        let decimals = Decimal128Array::from(values).with_precision_and_scale(digits, 6);
        Arc::new(decimals.unwrap()) as ArrayRef
    };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("when", decimals(30, vec![Some(0), Some(1_500_000), Some(3_000_000), Some(4_000_000)])),
        ("lba", Arc::new(UInt64Array::from(vec![0, large + 1, 7, 1 << 40]))),
        ("len", Arc::new(UInt32Array::from(vec![512, 1024, 1 << 31, 512]))),
        ("op", Arc::new(BinaryArray::from_vec(vec![b"R", b"W", b"R", b"R"]))),
        ("disk", Arc::new(Int8Array::from(vec![Some(1), Some(0), Some(1), Some(0)]))),
        ("took", decimals(18, vec![None, Some(2_000_000), None, Some(250_000)])),
        ("slow", Arc::new(Float32Array::from(vec![0.5, 0.25, 1.0, 2.0]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mapping = "time=when:s, lba=lba:sectors, size=len:bytes, op=op, device=disk, response=";
    for rows in [1, 3, 100] {
        let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows));
        let mut bytes = Vec::new();
        let schema = batch.schema();
        let mut writer =
            ArrowWriter::try_new(&mut bytes, schema, Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let read = |response: &str| {
            let reader = opened(bytes.clone(), &format!("{mapping}{response}")).unwrap();
            reader.map(Result::unwrap).collect::<Vec<Record>>()
        };
        let records = read("took:ms");
        let of = |part: fn(&Record) -> u64| records.iter().map(part).collect::<Vec<_>>();
        assert_eq!(of(|record| record.lba), [0, large + 1, 7, 1 << 40]);
        assert_eq!(of(|record| record.sectors.into()), [1, 2, 1 << 22, 1]);
        assert_eq!(of(|record| record.device.into()), [1, 0, 1, 0]);
        assert_eq!(records[1].arrival, Stamp::from_us(1_500_000));
        let services = |records: &[Record]| records.iter().map(|one| one.service).collect();
        let took: Vec<Option<Span>> = services(&records);
        let us = |us: u64| Some(Span::from_ps(us * 1_000_000));
        assert_eq!(took, [None, us(2_000), None, us(250)]);
        let slow: Vec<Option<Span>> = services(&read("slow:ms"));
        assert_eq!(slow, [us(500), us(250), us(1_000), us(2_000)]);
    }
}

#[test]
fn our_own_rows_are_the_same_requests_as_parquet_and_as_csv() {
    let parquet = common::reader(common::valid(Format::RowsParquet), None).unwrap();
    assert_eq!(parquet.facts().format, Format::RowsParquet);
    let csv = common::records(common::valid(Format::Rows), None).unwrap();
    assert_eq!(parquet.collect::<Result<Vec<_>, _>>().unwrap(), csv);
}

#[test]
fn what_is_wrong_is_said_with_the_remedy() {
    let bytes = foreign(Compression::SNAPPY);
    let error = common::records(bytes.clone(), None).unwrap_err().to_string();
    assert_eq!(
        error,
        "t: is a Parquet file of another program, with the columns comment, when, offset, len, \
         is_read, took, disk; say which is what, as in\n    --columns \"time=when:s, \
         lba=offset:bytes, size=len:bytes, op=5, device=disk\""
    );
    let wrong = |from: &str, to: &str| refusal(bytes.clone(), &COLUMNS.replace(from, to));
    assert_eq!(
        wrong("offset:", "ofset:"),
        "t: columns: there is no column `ofset`; did you mean `offset`?"
    );
    assert_eq!(
        wrong("=when", "=when:ms"),
        "t: columns: column `when` counts us by its type: leave the unit out"
    );
    let error = wrong("is_read:true", "comment");
    assert!(error.starts_with("t, row 1: `a` says neither read nor write; "), "{error}");
    let mut cut = bytes.clone();
    cut.truncate(bytes.len() / 2);
    let error = refusal(cut, COLUMNS);
    assert!(error.starts_with("t: cannot be read as Parquet: "), "{error}");
    let error = common::records(bytes, Some(Format::Blkparse)).unwrap_err().to_string();
    assert_eq!(error, "t: is not of format blkparse: it looks like rows-parquet");
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]);
    let one = |text: &str| Arc::new(StringArray::from(vec![text])) as ArrayRef;
    let nested = vec![("a", Arc::new(list) as ArrayRef), ("b", one("1")), ("c", one("R"))];
    let error = refusal(
        file(nested, Compression::UNCOMPRESSED),
        "time=a:s, lba=b:bytes, size=b:sectors, op=c",
    );
    assert!(error.starts_with("t: column `a` is of the type "), "{error}");
}

#[test]
fn a_parquet_file_packed_once_more_has_to_be_unpacked() {
    use std::io::Write;
    let folder = common::folder("parquet-packed");
    let path = folder.join("rows.parquet.gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&common::valid(Format::RowsParquet)).unwrap();
    std::fs::write(&path, packed.finish().unwrap()).unwrap();
    let source = Source::open(&path).unwrap();
    let error = read(source, None, &Options::default()).err().unwrap();
    assert!(error.what.ends_with("unpack it first"), "{error}");
    let plain = folder.join("rows.parquet");
    std::fs::write(&plain, common::valid(Format::RowsParquet)).unwrap();
    let reader = read(Source::open(&plain).unwrap(), None, &Options::default()).unwrap();
    assert_eq!(reader.map(Result::unwrap).count(), 16);
    std::fs::remove_dir_all(folder).unwrap();
}
