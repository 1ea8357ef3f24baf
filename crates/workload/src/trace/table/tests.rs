//! Tables by a mapping: what is read, what is put right, what is said of the rest.

use super::super::{Format, Options, read, testing};
use super::*;
use platterlab_units::{Operation, Span, Stamp};

fn reader(text: &str, mapping: &str) -> Opened {
    let columns = mapping.parse::<Mapping>().unwrap();
    let options = Options { columns: Some(columns), ..Options::default() };
    read(testing::source(text), None, &options)
}

fn all(text: &str, mapping: &str) -> Result<Vec<Record>, TraceError> {
    reader(text, mapping)?.collect()
}

const NAMED: &str = "time=ts_us:us, lba=offset:bytes, size=len:bytes, op=rw";

#[test]
fn columns_go_by_name_in_any_order() {
    let text = "len,rw,ts_us,host,offset\n4096,read,10,a,8192\n512,W,30,\"b,c\",512\n";
    let records = all(text, NAMED).unwrap();
    let first = &records[0];
    assert_eq!((first.lba, first.sectors, first.operation), (16, 8, Operation::Read));
    assert_eq!((first.device, first.service, first.queued), (0, None, None));
    assert_eq!((records[1].arrival, records[1].lba), (Stamp::from_us(20), 1));
    assert_eq!(reader(text, NAMED).unwrap().facts().format, Format::Mapped);
}

#[test]
fn a_table_may_be_called_one() {
    let text = "ts_us,offset,len,rw\n10,8192,4096,R\n";
    let named = |columns| {
        let options = Options { columns, ..Options::default() };
        read(testing::source(text), Some(Format::Mapped), &options)
    };
    let reader = named(Some(NAMED.parse().unwrap())).unwrap();
    assert_eq!(reader.map(Result::unwrap).map(|one| one.lba).collect::<Vec<_>>(), [16]);
    let Err(told) = named(None) else { panic!("nothing says which column is which") };
    assert!(told.to_string().contains("name what its columns are"), "{told}");
}

#[test]
fn columns_go_by_number_with_a_heading_or_without() {
    let mapping = "time=1:s, lba=2:4096, size=3:sectors, op=4:0, device=5, response=6:ms";
    let rows = "1.5;1;8;0;sda;2.5\n1.6;2;8;7;sdb;\n";
    for text in [rows.to_owned(), format!("# made by hand\nt;block;n;op;disk;ms\n{rows}")] {
        let mut reader = reader(&text, mapping).unwrap();
        assert_eq!(reader.facts().measures, super::super::Measures::Response);
        let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!((records[0].lba, records[1].lba), (8, 16));
        let operations = [records[0].operation, records[1].operation];
        assert_eq!(operations, [Operation::Read, Operation::Write], "0 means a read here");
        assert_eq!(records[0].service, Some(Span::from_us(2_500)));
        assert_eq!(records[1].service, None, "an empty time is one that is not known");
        assert_eq!(reader.device_names(), ["sda", "sdb"]);
    }
}

#[test]
fn a_whole_number_may_have_a_power_of_ten() {
    let mapping = "time=1:s, lba=2:sectors, size=3:sectors, op=4";
    let records = all("5e-05,1.024e3,1E1,R\n", mapping).unwrap();
    assert_eq!((records[0].lba, records[0].sectors), (1_024, 10));
    for wrong in ["1.5e0", "-1e3", "1e30", "1e", "e5"] {
        let error = all(&format!("0,{wrong},8,R\n"), mapping).unwrap_err();
        assert!(error.to_string().contains(wrong), "{error}");
    }
}

#[test]
fn a_first_row_that_is_wrong_is_no_heading() {
    let mapping = "time=1:s, lba=2:sectors, size=3:sectors, op=4";
    for first in ["x1.5,1,8,R", "\u{e4},1,8,R", ",1,8,R"] {
        let error = all(&format!("{first}\n1.6,2,8,R\n"), mapping).unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
    }
}

#[test]
fn times_tell_each_other() {
    let end = "end=1:ms, lba==0:sectors, size==1:sectors, op==r";
    let times = |text: &str, more: &str| {
        let record = all(text, &format!("{end}, {more}")).unwrap()[0];
        (record.queued, record.service)
    };
    let ms = |ms: u64| Some(Span::from_us(1_000 * ms));
    assert_eq!(times("9 5 3\n", "response=2:ms, service=3:ms"), (ms(2), ms(3)));
    assert_eq!(times("9 5 3\n", "response=2:ms, queued=3:ms"), (ms(3), ms(2)));
    assert_eq!(times("9 5 3\n", "time=2:ms"), (None, ms(4)));
    assert_eq!(times("9 5 6\n", "response=2:ms, service=3:ms"), (ms(0), ms(6)));
}

#[test]
fn instants_may_be_dates() {
    let text = "when,done,offset,len,rw\n\
                2026-01-31T23:59:59.9Z,2026-02-01T00:00:00.4Z,0,512,R\n\
                2026-02-01T01:00:00.9+01:00,2026-02-01 00:00:01,512,512,W\n";
    let mapping = "time=when:date, end=done:date, lba=offset:bytes, size=len:bytes, op=rw";
    let rows = all(text, mapping).unwrap();
    let ms = |span: Span| span.as_ps() / 1_000_000_000;
    let responses: Vec<_> = rows.iter().map(|row| ms(row.service.unwrap())).collect();
    assert_eq!(responses, [500, 100]);
    assert_eq!((rows[1].arrival.as_ps() - rows[0].arrival.as_ps()) / 1_000_000_000, 1000);
}

#[test]
fn rows_in_order_of_completion_come_out_in_order_of_arrival() {
    let mapping = "end=1:ms, response=2:ms, lba=3:sectors, size==8:sectors, op==read";
    let mut reader = reader("10 2 0\n11 9 1\n12 1 2\n", mapping).unwrap();
    let lbas: Vec<_> = reader.by_ref().map(|record| record.unwrap().lba).collect();
    assert_eq!(lbas, [1, 0, 2]);
    assert_eq!(reader.notes().count(Note::PutInOrder), 1);
}

#[test]
fn bytes_that_are_no_sectors_are_widened_and_counted() {
    let mapping = "time=1:s, lba=2:bytes, size=3:bytes, op=4";
    let mut reader =
        reader("0 100 512 R\n1 0x400 1024.0 W\n2 5 0 R\n3 0 1 trim\n", mapping).unwrap();
    let extents: Vec<_> = reader.by_ref().map(Result::unwrap).map(|r| (r.lba, r.sectors)).collect();
    assert_eq!(extents, [(0, 2), (2, 2)]);
    let notes: Vec<_> = reader.notes().iter().collect();
    assert_eq!(notes, [(Note::Discards, 1), (Note::WithoutData, 1), (Note::Widened, 1)]);
}

#[test]
fn what_is_wrong_with_a_table_is_said() {
    let heading = "ts_us,offset,len,rw\n";
    for (text, mapping, message) in [
        ("number,host\n", NAMED, "t: columns: there is no column `rw`; there are number, host"),
        (
            "ts,offset,len,rw\n",
            "time=tz:us, lba=offset:bytes, size=len:bytes, op=rw",
            "t: columns: there is no column `tz`; did you mean `ts`?",
        ),
        (
            heading,
            "time=ts_us, lba=offset, size=len:bytes, op=rw",
            "t: columns: say the unit of column `offset`, as in lba=...:bytes",
        ),
        (
            heading,
            "time=ts_us:h, lba=offset:bytes, size=len:bytes, op=rw",
            "t: columns: time: `h` is not a time; write s, ms, us, ns, 100ns or date",
        ),
        (
            heading,
            "time=ts_us, lba=offset:acres, size=len:bytes, op=rw",
            "t: columns: lba: `acres` is not a unit of it; write bytes, sectors (of 512 bytes), \
             kib, or a number of bytes",
        ),
    ] {
        assert_eq!(all(text, mapping).unwrap_err().to_string(), message);
    }
    for (row, message) in [
        ("1,2", "2 columns, and op is in column 4"),
        ("1,x,3,R", "lba `x` is not a whole number"),
        (
            "1,2,3,Q",
            "`Q` says neither read nor write; write R or W, read or write, 0 or 1, or say which \
                     word means a read: op=COLUMN:WORD",
        ),
        ("-1,2,3,R", "time `-1` is negative"),
        ("1,0xz,3,R", "lba `0xz` is not a hexadecimal number"),
        ("1,18446744073709551615,3,R", "lba `18446744073709551615` is above 9223372036854775807"),
    ] {
        let error = all(&format!("{heading}5,0,512,R\n{row}\n"), NAMED).unwrap_err();
        assert_eq!(error.to_string(), format!("t, line 3: {message}"));
    }
}

#[test]
fn a_last_line_without_an_end_may_be_cut_off() {
    let error = |text: &str| all(text, NAMED).unwrap_err().to_string();
    let heading = "ts_us,offset,len,rw\n5,0,512,R\n";
    let cut = error(&format!("{heading}6,51"));
    assert!(cut.starts_with("t, line 3: ") && cut.contains("if it is cut off, copy"), "{cut}");
    let whole = error(&format!("{heading}6,51\n"));
    assert!(cut.starts_with(&whole) && !whole.contains("cut off"), "{whole}");
}

#[test]
fn disorder_of_a_second_is_put_right_and_more_is_refused() {
    let mapping = "time=1:s, lba=2:sectors, size==1:sectors, op==r";
    let lbas = |text: &str| all(text, mapping).map(|r| r.iter().map(|r| r.lba).collect::<Vec<_>>());
    assert_eq!(lbas("1.0 1\n0.5 0\n2.5 3\n1.9 2\n").unwrap(), [0, 1, 2, 3]);
    let error = lbas("1 1\n2.5 0\n1 2\n").unwrap_err().to_string();
    assert_eq!(
        error,
        "t, line 3: time runs backwards: this row is 1500 ms before one above it; sort the file by its \
         time, as with `sort -s -k1,1n FILE`"
    );
    for (heading, rows, mapping, command) in [
        ("r,t", "0,2\n1,0\n", "time=t:s, lba=r", "`sort -s -t, -k2,2n FILE`"),
        ("r\tt", "0\t2\n1\t0\n", "time=2:s, lba=1", "`sort -s -t $'\\t' -k2,2n FILE`"),
        ("r;t", "0;2\n1;0\n", "end=t:s, lba=r", "`sort -s -t ';' -k2,2n FILE`"),
        (
            "t,r",
            "2026-01-02T00:00:00,0\n2026-01-01T00:00:00,1\n",
            "time=t:date, lba=r",
            "by its time",
        ),
    ] {
        let mapping = format!("{mapping}:sectors, size==1:sectors, op==r");
        let error = all(&format!("{heading}\n{rows}"), &mapping).unwrap_err().to_string();
        assert!(error.ends_with(command), "{error}");
    }
}

#[test]
fn a_mapping_may_stand_beside_the_trace() {
    let folder = std::env::temp_dir().join(format!("platterlab-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (trace, beside) = (folder.join("mine.csv"), folder.join("mine.csv.toml"));
    std::fs::write(&trace, "a,b,c,d\n1,0,512,R\n").unwrap();
    let open = || super::super::open(&trace, None, &Options::default());
    for toml in [
        "columns = \"time=a:s, lba=b:bytes, size=c:bytes, op=d\"\n",
        "[columns]\ntime = \"a:s\"\nlba = \"b:bytes\"\nsize = \"c:bytes\"\nop = 4\n",
    ] {
        std::fs::write(&beside, toml).unwrap();
        assert_eq!(open().unwrap().count(), 1);
        assert_eq!(super::super::detect(&trace).unwrap(), Format::Mapped);
    }
    for (toml, message) in [
        ("[colums]\n", "has no `columns`; "),
        ("columns = 5\n", "has no `columns`; "),
        ("x", "is not TOML: "),
        ("[columns]\ntime = 1.5\n", "columns.time: write \"COLUMN:UNIT\""),
    ] {
        std::fs::write(&beside, toml).unwrap();
        let error = open().err().unwrap();
        assert!(error.path == beside && error.what.starts_with(message), "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_named_format_and_named_columns_are_one_too_many() {
    let options = Options { columns: Some(NAMED.parse().unwrap()), ..Options::default() };
    let error = read(testing::source("x"), Some(Format::Spc), &options).err().unwrap();
    assert_eq!(
        error.to_string(),
        "t: is of format spc or of the columns named: give one of the two"
    );
}
