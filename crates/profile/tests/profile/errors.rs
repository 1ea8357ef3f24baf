//! Every mistake in a file gives one message with file, line, key and what would be right.

use crate::common::SMALL;
use platterlab_profile::Profile;

/// Edits the small profile at one place and gives the message.
fn message(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    let text = SMALL.replacen(from, to, 1);
    Profile::parse(&text, "p.toml").expect_err(to).to_string()
}

/// What replaces what, and the message from its line number on.
type Case = (&'static str, &'static str, &'static str);

fn check(cases: &[Case]) {
    for (from, to, expected) in cases {
        assert_eq!(message(from, to), format!("p.toml, line {expected}"), "{to}");
    }
}

const SEEK: &str = "kind = \"linear\"\nsingle_ms = 1\nfull_ms = 5.5";

#[test]
fn keys() {
    check(&[
        ("surfaces", "surface", "7, geometry.surface: is not a key here; did you mean `surfaces`?"),
        ("[cache]", "[cashe]", "23, cashe: is not a key here; did you mean `cache`?"),
        (
            "single_ms = 1",
            "points = 1",
            "21, seek.points: is not a key of kind \"linear\"; the keys are full_ms, kind, single_ms",
        ),
        (
            "surfaces = 2\n",
            "",
            "6, geometry.surfaces: is missing; write a whole number from 1 to 1024",
        ),
        (
            "[cache]\nbuffer = \"8k\"",
            "[bus]\nkind = \"rate\"\nread_mb_s = 1",
            "23, bus.write_mb_s: is missing; write megabytes per second here, or `write_sector_ms`",
        ),
        (
            "kind = \"linear\"\n",
            "",
            "19, seek.kind: is missing; write \"constant\", \"linear\", \"two-piece\", \
             \"three-point\" or \"table\"",
        ),
        (
            "speed_rpm = 6000\n",
            "",
            "17, spindle.speed_rpm: is missing; write revolutions per minute here, or `rotation_ms`",
        ),
    ]);
}

#[test]
fn units() {
    check(&[
        (
            "single_ms",
            "single_us",
            "21, seek.single_us: is not a key of kind \"linear\"; this value is stated as \
             `single_ms` (milliseconds)",
        ),
        (
            "speed_rpm",
            "speed_hz",
            "18, spindle.speed_hz: is not a key here; this value is stated as `speed_rpm` \
             (revolutions per minute)",
        ),
        (
            "track_skew_sectors",
            "track_skew_ms",
            "12, zone[0].track_skew_ms: is not a key here; this value is stated as \
             `track_skew_deg` (degrees), `track_skew_sectors` (sectors) or `track_skew_turns` \
             (turns)",
        ),
        (
            "buffer = \"8k\"",
            "buffer_sectors = 16",
            "24, cache.buffer_sectors: is not a key here; this value is stated as `buffer`",
        ),
        (
            "track_skew_sectors = 3",
            "track_skew_sectors = 3\ntrack_skew_deg = 10",
            "13, zone[0].track_skew_deg: is stated twice, by `track_skew_sectors` and \
             `track_skew_deg`; leave one out",
        ),
    ]);
}

#[test]
fn types_and_words() {
    check(&[
        (
            "surfaces = 2",
            "surfaces = \"two\"",
            "7, geometry.surfaces: the text \"two\" cannot stand here; write a whole number from 1 \
             to 1024",
        ),
        (
            "cylinders = [5, 9]",
            "cylinders = [5]",
            "14, zone[1].cylinders: a list of 1 cannot stand here; write a list of 2 items, each a \
             whole number, 0 or more",
        ),
        (
            "sparing = { kind = \"track\", sectors = 1 }",
            "sparing = true",
            "16, zone[1].sparing: true cannot stand here; write a table with kind = \"none\", \
             \"track\", \"cylinder\", \"zone\", \"tracks\" or \"cylinders\"",
        ),
        (
            "\"linear\"",
            "\"linaer\"",
            "20, seek.kind: \"linaer\" is not a choice; did you mean \"linear\"?",
        ),
        (
            "\"linear\"",
            "\"cubic\"",
            "20, seek.kind: \"cubic\" is not a choice; write \"constant\", \"linear\", \
             \"two-piece\", \"three-point\" or \"table\"",
        ),
        (
            "\"small\"",
            "\"Small drive\"",
            "1, id: \"Small drive\" is not an id; write lower-case letters, digits and single \
             hyphens, such as \"hp-c2200a\"",
        ),
        ("\"Small\"", "\"\"", "2, name: is empty; write text in quotes"),
    ]);
}

#[test]
fn ranges() {
    check(&[
        (
            "speed_rpm = 6000",
            "speed_rpm = 0",
            "18, spindle.speed_rpm: 0 is out of range; write a number from 1 to 100000 \
             (revolutions per minute)",
        ),
        (
            "speed_rpm = 6000",
            "speed_rpm = nan",
            "18, spindle.speed_rpm: nan is not a number; write a number from 1 to 100000 \
             (revolutions per minute)",
        ),
        (
            "full_ms = 5.5",
            "full_ms = -inf",
            "22, seek.full_ms: -inf is not a number; write a number from 0 to 10000 (milliseconds)",
        ),
        (
            "buffer = \"8k\"",
            "buffer = 700",
            "24, cache.buffer: 700 bytes are not a whole number of sectors of 512 bytes; write 512 \
             or 1024",
        ),
        (
            "buffer = \"8k\"",
            "buffer = \"8kb\"",
            "24, cache.buffer: `8kb` is not a size; write a whole number of bytes, or one followed \
             by k, M, G or T (powers of 1024), such as 128k",
        ),
        (
            "cylinders = 10",
            "cylinders = 99999999999999999999",
            "8: 99999999999999999999 is too large a number",
        ),
    ]);
}

#[test]
fn what_makes_no_drive() {
    check(&[
        (
            "[5, 9]",
            "[4, 9]",
            "14, zone[1].cylinders: starts at cylinder 4 and overlaps; start it at 5",
        ),
        (
            "[0, 4]",
            "[1, 4]",
            "10, zone[0].cylinders: starts at cylinder 1 and leaves a gap before it; start it at 0",
        ),
        (
            "[5, 9]",
            "[5, 8]",
            "14, zone[1].cylinders: the zones end before cylinder 9, but the drive has 10 \
             cylinders; end the last zone at 9",
        ),
        ("buffer = \"8k\"", "segments = 1", "23, cache.segment: must hold at least one sector"),
        (
            "[cache]",
            "[[spare_region]]\nfirst = [0, 0]\nlast = [9, 1]\n[cache]",
            "23, spare_region: every track is spare; the drive holds no data",
        ),
    ]);
}

#[test]
fn seek_curves() {
    let piece = |short: &str, long: &str| {
        format!(
            "kind = \"two-piece\"\nshort_ms = {short}\nlong_ms = {long}\nboundary_cylinders = 4"
        )
    };
    let table = |points: &str| format!("kind = \"table\"\npoints = {points}");
    let cases = [
        (
            "kind = \"linear\"\nsingle_ms = 2\nfull_ms = 1".to_owned(),
            "22, seek.full_ms: 1 ms is less than `single_ms`; longer seeks take longer",
        ),
        (
            piece("[1, 1]", "[1.5, 0.01]"),
            "23, seek.boundary_cylinders: the curve falls from 3.000 ms to 1.540 ms at 4 \
             cylinders; the two pieces must meet there within 5 %",
        ),
        (
            piece("[1, -1]", "[1.5, 0.01]"),
            "21, seek.short_ms[1]: -1 makes longer seeks shorter; write 0 or more",
        ),
        (
            piece("[-3, 1]", "[1.5, 0.01]"),
            "21, seek.short_ms: gives -2 ms, which is out of range; write 0 to 10000 ms",
        ),
        (table("[]"), "21, seek.points: is empty; write at least one"),
        (
            table("[[1, 2], [1, 3]]"),
            "21, seek.points[1]: distance 1 follows 1; distances must rise",
        ),
        (
            table("[[1, 2], [2, 9000]]"),
            "21, seek.points[1]: the last two points lead to a seek of 71986 ms over all 10 \
             cylinders; add a point near that distance",
        ),
    ];
    for (to, expected) in cases {
        assert_eq!(message(SEEK, &to), format!("p.toml, line {expected}"), "{to}");
    }
}

#[test]
fn provenance() {
    let entry = "[provenance.\"spindle.speed_rpm\"]";
    check(&[
        (
            entry,
            "[provenance.spindle.speed_rpm]",
            "25, provenance.spindle.speed_rpm: the key needs quotes: write \
             [provenance.\"spindle.speed_rpm\"]",
        ),
        (
            entry,
            "[provenance.\"spindle.speed_rmp\"]",
            "25, provenance.\"spindle.speed_rmp\": is not a value of this file; did you mean \
             `spindle.speed_rpm`?",
        ),
        (
            "\"assumed\"",
            "\"guessed\"",
            "26, provenance.\"spindle.speed_rpm\".kind: \"guessed\" is not a choice; write \
             \"measured\", \"published\", \"fitted\" or \"assumed\"",
        ),
        (
            "from = \"nothing\"",
            "from = \"x\"\nci95 = [2, 1]",
            "28, provenance.\"spindle.speed_rpm\".ci95: [2, 1] runs backwards; write [1, 2]",
        ),
    ]);
}

#[test]
fn what_is_no_text_or_no_toml() {
    check(&[
        (
            "cylinders = 10",
            "cylinders = 10,",
            "8: cannot be read as TOML: unexpected key or value, expected newline, `#`",
        ),
        ("surfaces = 2", "surfaces = 2\nsurfaces = 2", "8: cannot be read as TOML: duplicate key"),
    ]);
    let error = Profile::from_bytes(b"id = \"x\"\nname = \"\xff\"", "p.toml").unwrap_err();
    assert_eq!(error.to_string(), "p.toml, line 2: is not UTF-8 text from here on");
    assert_eq!(error.column, Some(9));
    let error = Profile::load("/nowhere/p.toml".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/p.toml: cannot be read: "), "{error}");
}
