//! What a user meets who names the wrong thing.

#![allow(clippy::unwrap_used)]

use crate::common;
use std::path::Path;

use platterlab_workload::trace::{Format, Options, detect, open};

fn refusal(path: &Path, format: Option<Format>) -> String {
    let opened = open(path, format, &Options::default());
    let message = opened.err().map(|error| error.to_string()).unwrap_or_default();
    message.replace(&*path.to_string_lossy(), "FILE")
}

#[test]
fn formats_are_known_by_content() {
    let folder = common::folder("detect");
    for format in Format::ALL {
        // The extension says something else.
        let path = folder.join("trace.csv");
        std::fs::write(&path, common::valid(format)).unwrap();
        assert_eq!(detect(&path).unwrap(), format);
        let mut reader = open(&path, None, &Options::default()).unwrap();
        assert_eq!((reader.facts().format, reader.facts().path.as_path()), (format, &*path));
        assert!(reader.by_ref().all(|record| record.is_ok()));
        assert_eq!(reader.bytes_read(), reader.bytes_total().unwrap());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_is_no_trace_gets_one_clear_answer() {
    let folder = common::folder("refuse");
    let path = folder.join("trace");
    assert_eq!(refusal(&path, None), "FILE: there is no such file");
    assert_eq!(refusal(&folder, None), "FILE: is a directory; name a trace file");
    std::fs::write(&path, "").unwrap();
    assert_eq!(refusal(&path, None), "FILE: is empty; a trace has at least one request");
    std::fs::write(&path, "dear diary\n").unwrap();
    assert_eq!(
        refusal(&path, None),
        "FILE: is of no format known here. It begins:\n    dear diary\n`platterlab trace formats` \
         lists those there are; a table needs columns for time, address, length, and read or write"
    );
    std::fs::write(&path, b"\0\x01elf\xff").unwrap();
    assert_eq!(
        refusal(&path, None),
        "FILE: is of no format known here: it begins with the bytes 00 01 65 6c 66 ff, which no binary \
         format does (`platterlab trace formats` lists all)"
    );
    std::fs::write(&path, common::valid(Format::HpSrt)).unwrap();
    assert_eq!(
        refusal(&path, Some(Format::Blktrace)),
        "FILE: is not of format blktrace: it looks like hp-srt"
    );
    std::fs::write(&path, b"\x28\xb5\x2f\xfd\0\0\0").unwrap();
    assert!(refusal(&path, None).starts_with(
        "FILE, byte 0: cannot be unpacked: its Zstandard data is cut off or damaged here"
    ));
    let mut archive = vec![0; 512];
    archive[257..262].copy_from_slice(b"ustar");
    std::fs::write(&path, archive).unwrap();
    assert!(refusal(&path, None).contains("it is an archive of tar; unpack it"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_ambiguous_file_must_be_named() {
    // The free text before a blkreplay load may begin like a request of DiskSim's.
    let bytes = [&b"1.0 0 5 8 1\n"[..], &common::valid(Format::Blkreplay)].concat();
    let error = common::records(bytes.clone(), None).unwrap_err().to_string();
    assert_eq!(error, "t: could be any of disksim-ascii, blkreplay; name its format");
    assert!(common::records(bytes, Some(Format::Blkreplay)).is_ok());
}

#[test]
fn a_named_format_explains_a_file_that_looks_like_none() {
    let error = common::records("dear diary\n", Some(Format::DisksimAscii)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t, line 1: 2 fields where 5 are expected: arrival_ms device block blocks flags"
    );
}

#[test]
fn an_unknown_table_is_shown_with_the_mapping_to_try() {
    let named = common::records("when_us,disk,dir,start_sector,nbytes\n5,sda,in,8,512\n", None);
    assert_eq!(
        named.unwrap_err().what,
        "is of no format known here. It begins:\n    when_us,disk,dir,start_sector,nbytes\n    \
         5,sda,in,8,512\nNearest: spc, alibaba, tencent. As a table, name its columns, as in\n    \
         --columns \"time=when_us:us, lba=start_sector:sectors, size=nbytes:bytes, op=dir, \
         device=disk\""
    );
    let numbered = common::records("5.5\t8\t512\tread\n6.5\t8\t512\twrite\n", None).unwrap_err();
    assert!(
        numbered
            .what
            .ends_with("--columns \"time=COLUMN:s, lba=COLUMN:bytes, size=COLUMN:bytes, op=4\"")
    );
}

#[test]
fn the_files_of_a_set_are_one_trace() {
    let folder = common::folder("set");
    let whole = common::valid(Format::Blktrace);
    // Each event has 48 bytes and a payload of 8; every second goes to another CPU.
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for (at, event) in whole.chunks(56).enumerate() {
        if at % 2 == 0 { even.extend(event) } else { odd.extend(event) }
    }
    for (cpu, bytes) in [(0, even), (2, odd.clone())] {
        std::fs::write(folder.join(format!("sda.blktrace.{cpu}")), bytes).unwrap();
    }
    std::fs::write(folder.join("sda.blktrace.1"), "").unwrap();
    let expected = common::records(whole, None).unwrap();
    for name in ["sda", "sda.blktrace.0", "sda.blktrace.2"] {
        let reader = open(&folder.join(name), None, &Options::default()).unwrap();
        let bytes = reader.bytes_total().unwrap();
        assert_eq!(bytes, 12 * 7 * 56, "{name}");
        assert_eq!(reader.collect::<Result<Vec<_>, _>>().unwrap(), expected, "{name}");
    }
    // In the other order of bytes: of another machine.
    for event in odd.chunks_mut(56) {
        event[..4].reverse();
    }
    std::fs::write(folder.join("sda.blktrace.2"), &odd).unwrap();
    let error = refusal(&folder.join("sda"), None);
    assert!(
        error.contains("FILE.blktrace.2") && error.contains("files of two machines"),
        "{error}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}
