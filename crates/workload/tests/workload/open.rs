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
        "FILE: is of no format known here, which are hp-srt, disksim-validate, disksim-ascii, \
         blktrace, blkreplay"
    );
    std::fs::write(&path, common::valid(Format::HpSrt)).unwrap();
    assert_eq!(
        refusal(&path, Some(Format::Blktrace)),
        "FILE: is not of format blktrace: it looks like hp-srt"
    );
    std::fs::write(&path, b"\x28\xb5\x2f\xfd\0\0\0").unwrap();
    assert!(refusal(&path, None).starts_with("FILE, byte 0: cannot be read: "));
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
