//! The message for a file of no known format: its beginning, the formats nearest to it, and the
//! mapping to try.

use super::Format;
use super::operation::operation;
use super::table::{Separator, is_comment, is_date, starts_a_number, whole_lines};
use super::text::shown_up_to;

/// Lines of the file that a message repeats, and characters of each.
const LINES: usize = 3;
const CHARACTERS: usize = 100;
/// Where an archive of tar says that it is one.
const TAR_AT: usize = 257;

/// The message for a file that begins with `head`.
pub(super) fn message(head: &[u8]) -> String {
    let mut said = "is of no format known here".to_owned();
    if is_utf_16(head) {
        return format!("{said}: it is text of UTF-16; save it as UTF-8");
    }
    if let Some(packed) = packing(head) {
        return format!(
            "{said}: it is packed with {packed}; unpack it, or pack it with gzip, Zstandard or xz"
        );
    }
    if head.get(TAR_AT..).is_some_and(|rest| rest.starts_with(b"ustar")) {
        return format!(
            "{said}: it is an archive of tar; unpack it (`tar -xf FILE`) and name one of its files"
        );
    }
    if !is_text(head) {
        let first: Vec<_> = head.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        return format!(
            "{said}: it begins with the bytes {}, which no binary format does (`platterlab trace \
             formats` lists all)",
            first.join(" ")
        );
    }
    if is_json(head) {
        return format!("{said}: it is JSON; write a table of its requests, as CSV or Parquet");
    }
    let lines: Vec<&[u8]> =
        whole_lines(head).filter(|line| !is_comment(line)).take(LINES).collect();
    said += ". It begins:";
    for line in &lines {
        said += &format!("\n    {}", shown_up_to(line, CHARACTERS));
    }
    let columns = lines.first().map_or(0, |line| Separator::of(line).columns(line).len());
    if columns >= 3 {
        let separator = Separator::of(lines[0]);
        said += &format!("\nNearest: {}. ", Format::list(&nearest(columns, separator)));
        let mapping = mapping_for(&lines, separator);
        said += &format!("As a table, name its columns, as in\n    --columns \"{mapping}\"");
    } else {
        said += "\n`platterlab trace formats` lists those there are; a table needs columns for time, \
                 address, length, and read or write";
    }
    said
}

/// True for an object or a list of JSON, also where each line has one.
fn is_json(head: &[u8]) -> bool {
    let solid = |byte: &&u8| !byte.is_ascii_whitespace();
    let mut bytes = head.iter().filter(solid);
    match bytes.next() {
        Some(b'{') => matches!(bytes.next(), Some(b'"' | b'}')),
        Some(b'[') => matches!(bytes.next(), Some(b'{' | b'[')),
        _ => false,
    }
}

/// As PowerShell writes what is sent to a file: two bytes a letter behind a mark.
fn is_utf_16(head: &[u8]) -> bool {
    let every_second = |from| head.iter().skip(from).step_by(2).take(16).all(|byte| *byte == 0);
    head.starts_with(b"\xff\xfe") && every_second(3)
        || head.starts_with(b"\xfe\xff") && every_second(2)
}

/// What packs files of such a beginning, of those that are not unpacked here.
fn packing(head: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 5] = [
        (b"PK\x03\x04", "zip"),
        (b"BZh", "bzip2"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"\x04\x22\x4d\x18", "LZ4"),
        (b"Rar!", "RAR"),
    ];
    let (_, name) = MARKS.into_iter().find(|(mark, _)| head.starts_with(mark))?;
    (!is_text(head)).then_some(name)
}

fn is_text(head: &[u8]) -> bool {
    let odd = |byte: &&u8| **byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t');
    head.iter().take(512).filter(odd).count() == 0
}

/// The formats of text whose number of columns is nearest, of the same separator first.
fn nearest(columns: usize, separator: Separator) -> Vec<Format> {
    let mut near: Vec<(usize, Format)> = Format::ALL
        .into_iter()
        .filter_map(|format| separator_of(format).map(|own| (format, own)))
        .map(|(format, own)| {
            let far = format.declared().columns.len().abs_diff(columns);
            (far + if own == separator { 0 } else { 10 }, format)
        })
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, format)| format).collect()
}

/// What separates the columns of a format of text.
fn separator_of(format: Format) -> Option<Separator> {
    match format {
        Format::HpSrt
        | Format::Blktrace
        | Format::OracleGeneral
        | Format::RowsParquet
        | Format::Mapped => None,
        Format::Blkreplay => Some(Separator::Byte(b';')),
        Format::Diskmon => Some(Separator::Byte(b'\t')),
        Format::DisksimAscii
        | Format::DisksimValidate
        | Format::Blkparse
        | Format::FioIologV2
        | Format::FioIologV3
        | Format::Biosnoop => Some(Separator::Blanks),
        _ => Some(Separator::Byte(b',')),
    }
}

/// A column's usual names, its part of a mapping and the unit to try.
const USUAL: [(&str, &[&str], &str); 8] = [
    ("time", &["time", "stamp", "ts", "arriv", "start", "date", "when"], ":s"),
    ("lba", &["offset", "lba", "sector", "block", "blk", "addr", "pos"], ":bytes"),
    ("size", &["size", "len", "bytes", "count", "sectors"], ":bytes"),
    ("op", &["op", "rw", "type", "cmd", "dir", "action"], ""),
    ("device", &["dev", "disk", "lun", "vol", "asu"], ""),
    ("queued", &["queue", "wait", "que("], ":ms"),
    ("service", &["service", "svc"], ":ms"),
    ("response", &["lat", "resp", "dur", "elapsed"], ":ms"),
];

/// A mapping to try for a table with columns of these names.
pub(super) fn mapping_by_names(names: &[&str]) -> String {
    mapping_for(&[names.join(",").as_bytes()], Separator::Byte(b','))
}

/// A mapping to try: by the names of the columns, or by number with the column of reads and writes.
fn mapping_for(lines: &[&[u8]], separator: Separator) -> String {
    let first = separator.columns(lines[0]);
    let named = first.iter().all(|column| !starts_a_number(column));
    let last = lines.last().map_or_else(Vec::new, |line| separator.columns(line));
    let mut taken = vec![false; first.len()];
    let mut parts = Vec::new();
    for (key, words, unit) in USUAL {
        let place = first.iter().enumerate().position(|(at, column)| {
            let name = String::from_utf8_lossy(column).to_lowercase();
            named && !taken[at] && words.iter().any(|word| name.contains(word))
        });
        if let Some(at) = place {
            taken[at] = true;
            let name = String::from_utf8_lossy(first[at]);
            let dates = key == "time" && last.get(at).is_some_and(|value| is_date(value));
            let unit = if dates { ":date" } else { unit_of(&name, unit) };
            parts.push(format!("{key}={name}{unit}"));
        } else if !matches!(key, "device" | "queued" | "service" | "response") {
            let column = match key {
                "op" => letters(lines, separator).map_or("COLUMN".to_owned(), |at| at.to_string()),
                _ => "COLUMN".to_owned(),
            };
            parts.push(format!("{key}={column}{unit}"));
        }
    }
    parts.join(", ")
}

/// The unit a name ends in, or the one to try.
fn unit_of(name: &str, usual: &'static str) -> &'static str {
    let units = [
        ("_us", ":us"),
        ("_ms", ":ms"),
        ("_ns", ":ns"),
        ("_s", ":s"),
        ("sector", ":sectors"),
        ("sectors", ":sectors"),
        ("lba", ":sectors"),
    ];
    let name = name.to_lowercase();
    if usual.is_empty() {
        return usual;
    }
    units.into_iter().find(|(end, _)| name.ends_with(end)).map_or(usual, |(_, unit)| unit)
}

/// The column, from 1, that says read or write in letters.
fn letters(lines: &[&[u8]], separator: Separator) -> Option<usize> {
    let row = separator.columns(lines.last()?);
    let says = |field: &&[u8]| !starts_a_number(field) && operation(field).is_ok();
    row.iter().position(says).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_packings_are_named() {
        for (head, name) in
            [(&b"PK\x03\x04\x14\x00"[..], "zip"), (&b"BZh91AY&SY\xcc\x00"[..], "bzip2")]
        {
            let said = message(head);
            assert!(said.contains(&format!("packed with {name}; unpack it")), "{said}");
        }
        assert!(message(b"BZh is a name,1,2\n").contains("It begins"));
    }

    #[test]
    fn a_service_time_is_proposed_as_one() {
        let names = ["arrival_ms", "queue_ms", "service_ms", "lba", "sectors", "operation"];
        let mapping = mapping_by_names(&names);
        assert!(mapping.ends_with("queued=queue_ms:ms, service=service_ms:ms"), "{mapping}");
    }

    #[test]
    fn dates_are_proposed_as_what_they_are() {
        let said = message(b"Timestamp,offset,len,op\n2026-01-31 23:59:59.5,0,512,R\n");
        assert!(said.contains("\"time=Timestamp:date, lba=offset:bytes"), "{said}");
    }

    #[test]
    fn json_is_told() {
        for text in ["{\"t\": 1, \"lba\": 2}\n{\"t\": 2}\n", "[\n {\"t\": 1}]", "[[1, 2, 3]]"] {
            assert!(message(text.as_bytes()).contains("it is JSON; write a table"), "{text}");
        }
        assert!(message(b"[1] 2,3,4\n").contains("It begins"));
    }

    #[test]
    fn text_of_two_bytes_a_letter_is_told() {
        let text = |mark: [u8; 2], order: fn(u16) -> [u8; 2]| {
            let letters = "1.5,8,8,R\n2.5,16,8,W\n".encode_utf16().flat_map(order);
            mark.into_iter().chain(letters).collect::<Vec<u8>>()
        };
        for head in [text([0xff, 0xfe], u16::to_le_bytes), text([0xfe, 0xff], u16::to_be_bytes)] {
            assert!(message(&head).ends_with("it is text of UTF-16; save it as UTF-8"));
        }
        assert!(message(b"\xff\xfe\x01\x02\x03\x04").contains("bytes ff fe 01"));
    }
}
