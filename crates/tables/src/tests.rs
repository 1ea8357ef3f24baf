//! Both kinds of files, read back; and what cannot be written.

use crate::{Kind, TableError, TableFile, Tables};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type, UInt64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use platterlab_results::{Columns, Parts, Row};
use platterlab_units::{Operation, Span, Stamp};
use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

fn row(number: u64, measured: Option<Span>) -> Row {
    let service = Span::from_ps(8_419_042_163);
    Row {
        arrival: Stamp::from_ps(u128::from(number) * 5_500_000_001),
        issue: Stamp::from_ps(u128::from(number) * 5_500_000_001 + 10),
        completion: Stamp::from_ps(u128::from(number) * 5_500_000_001 + 10) + service,
        parts: Parts { seek: service, ..Parts::default() },
        lba: 1 << 40 | number,
        sectors: 8,
        device: 3,
        request: if number == 1 { Row::OWN } else { number },
        stream: if number == 1 { Row::OWN_STREAM } else { 0 },
        operation: if number == 0 { Operation::Write } else { Operation::Read },
        cache: 1,
        cylinder: 17,
        seek_distance: 4,
        measured,
    }
}

fn rows() -> Vec<Row> {
    (0..3).map(|number| row(number, (number == 2).then(|| Span::from_ps(7)))).collect()
}

fn chunk() -> Columns {
    let mut columns = Columns::default();
    rows().iter().for_each(|row| columns.push(row));
    columns
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("platterlab-tables-{}-{name}", std::process::id()))
}

fn write(name: &str, kind: Kind) -> PathBuf {
    let path = path(name);
    let file = File::create(&path).unwrap();
    let metadata = HashMap::from([("platterlab".to_owned(), "{}".to_owned())]);
    let mut table = TableFile::new(file, kind, Tables::Commands, &["miss", "hit"]);
    let table = table.as_mut().unwrap();
    table.commands(chunk()).unwrap();
    table.rows(Arc::new(rows())).unwrap();
    table.finish(metadata).unwrap();
    path
}

#[test]
fn parquet_holds_every_value_and_what_the_columns_are() {
    let path = write("all.parquet", Kind::Parquet);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    assert_eq!(reader.metadata().num_row_groups(), 1, "few rows are gathered");
    let schema = Arc::clone(reader.schema());
    assert_eq!(schema.metadata()["platterlab"], "{}");
    assert_eq!(schema.field(0).metadata()["unit"], "ms");
    let batch = reader.build().unwrap().next().unwrap().unwrap().slice(0, 3);
    let expected = chunk();
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let doubles = |name: &str| column(name).as_primitive::<Float64Type>().values().to_vec();
    assert_eq!(doubles("arrival_ms"), expected.arrival_ms);
    assert_eq!(doubles("completion_ms"), expected.completion_ms);
    assert_eq!(doubles("seek_ms"), expected.parts_ms[2]);
    assert_eq!(column("lba").as_primitive::<UInt64Type>().values().to_vec(), expected.lba);
    let nulls = |name: &str| (0..3).map(|row| column(name).is_null(row)).collect::<Vec<_>>();
    assert_eq!(nulls("request"), [false, true, false]);
    assert_eq!(nulls("stream"), [false, true, false]);
    assert_eq!(nulls("measured_ms"), [true, true, false]);
    let cache = column("cache").as_dictionary::<UInt8Type>();
    assert_eq!(cache.values().as_string::<i32>().value(usize::from(cache.keys().value(0))), "hit");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn words_are_read_back_however_they_alternate() {
    let path = path("words.parquet");
    let kinds = ["a", "bb", "", "dddd", "e"];
    let mut table =
        TableFile::new(File::create(&path).unwrap(), Kind::Parquet, Tables::Commands, &kinds)
            .unwrap();
    // Runs of any length at any place, and others between.
    let code = |number: u64| match number % 500 {
        0..100 => 3,
        100..200 => (number % 7 % 5) as u8,
        lasting => (lasting / 11 % 5) as u8,
    };
    let written: Vec<Row> =
        (0..3_003).map(|number| Row { cache: code(number), ..row(number, None) }).collect();
    table.rows(Arc::new(written.clone())).unwrap();
    table.finish(HashMap::new()).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    let batches = reader.with_batch_size(written.len()).build().unwrap();
    let batch = batches.map(Result::unwrap).next().unwrap();
    let column = |name: &str| {
        let words = batch.column_by_name(name).unwrap().as_dictionary::<UInt8Type>();
        let text = words.values().as_string::<i32>();
        let of = |row| text.value(usize::from(words.keys().value(row))).to_owned();
        (0..words.len()).map(of).collect::<Vec<_>>()
    };
    let expected = |word: fn(&Row) -> String| written.iter().map(word).collect::<Vec<_>>();
    assert_eq!(column("operation"), expected(|row| row.operation.to_string()));
    let cache: Vec<&str> = written.iter().map(|row| kinds[usize::from(row.cache)]).collect();
    assert_eq!(column("cache"), cache);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn numbers_are_read_back_from_every_page_however_they_change() {
    let path = path("numbers.parquet");
    let mut table =
        TableFile::new(File::create(&path).unwrap(), Kind::Parquet, Tables::Commands, &["a", "b"])
            .unwrap();
    // By one, by any step up and down, and none for a while.
    let request = |number: u64| match number % 1_000 {
        0..300 => number,
        300..600 => number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (number % 64),
        600..700 => Row::OWN,
        _ => number / 3,
    };
    let measured = |number: u64| (number % 7 > 2).then(|| Span::from_ps(number * number));
    let written: Vec<Row> = (0..40_001)
        .map(|number| Row { request: request(number), ..row(number, measured(number)) })
        .collect();
    let mut expected = Columns::default();
    expected.extend(&written);
    table.rows(Arc::new(written)).unwrap();
    table.finish(HashMap::new()).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    let told = reader.metadata().row_group(0).column(0).statistics().unwrap().clone();
    assert_eq!(told.max_bytes_opt().unwrap(), expected.arrival_ms[40_000].to_le_bytes());
    let batches = reader.with_batch_size(expected.len()).build().unwrap();
    let batch = batches.map(Result::unwrap).next().unwrap();
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let doubles = |name: &str| {
        let read = column(name).as_primitive::<Float64Type>().iter();
        read.map(|ms| ms.unwrap_or(-1.0)).collect::<Vec<_>>()
    };
    let there = |ms: &f64| if ms.is_nan() { -1.0 } else { *ms };
    assert_eq!(doubles("arrival_ms"), expected.arrival_ms);
    assert_eq!(doubles("response_ms"), expected.response_ms);
    assert_eq!(doubles("measured_ms"), expected.measured_ms.iter().map(there).collect::<Vec<_>>());
    let requests = column("request").as_primitive::<UInt64Type>().iter();
    assert_eq!(requests.map(|read| read.unwrap_or(Row::OWN)).collect::<Vec<_>>(), expected.request);
    assert_eq!(column("lba").as_primitive::<UInt64Type>().values().to_vec(), expected.lba);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn csv_has_the_shortest_numbers_and_leaves_out_what_there_is_not() {
    let path = write("all.csv", Kind::Csv);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7);
    assert!(lines[0].starts_with("\"arrival_ms\",\"issue_ms\",\"completion_ms\","), "{}", lines[0]);
    assert_eq!(
        lines[2],
        "5.500000001,5.500000011,13.919042174,8.419042173,1e-8,8.419042163,0,0,8.419042163,0,0,0,\
         1099511627777,8,3,,,\"read\",\"hit\",17,4,"
    );
    assert!(lines[3].ends_with(",7e-9"), "{}", lines[3]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn what_cannot_be_written_is_said() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let mut table = TableFile::new(full, Kind::Csv, Tables::Commands, &["miss", "hit"]).unwrap();
    table.commands(chunk()).unwrap();
    let error = table.finish(HashMap::new()).unwrap_err();
    assert!(
        matches!(&error, TableError::File(error) if error.raw_os_error() == Some(28)),
        "{error}"
    );
    let file = File::create(path("code")).unwrap();
    let mut table = TableFile::new(file, Kind::Parquet, Tables::Commands, &["miss"]).unwrap();
    table.commands(chunk()).unwrap();
    assert!(table.finish(HashMap::new()).is_err(), "a code without a word");
    std::fs::remove_file(path("code")).unwrap();
}
