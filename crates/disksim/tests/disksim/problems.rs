//! DiskSim's parameter files that are wrong in several places, or say what a profile says otherwise.

use crate::files::{MODEL, PARV, SEEK, SPECS, again, import_as, imported};
use platterlab_disksim::drive::DriveImportOptions;
use platterlab_drive::{SeekCurve, TrackOrder};

fn said(specs: &str, model: &str) -> Vec<String> {
    let error = imported(specs, model, SEEK).expect_err("wrong").to_string();
    error.lines().map(str::to_owned).collect()
}

/// A text with more parameters in its first block.
fn with(text: &str, parameters: &str) -> String {
    text.replacen("{\n", &format!("{{\n   {parameters},\n"), 1)
}

#[test]
fn all_that_is_wrong_is_said_at_once_and_in_order() {
    let specs = SPECS
        .replacen("Per-request overhead time", "Per-request overhed time", 1)
        .replacen("Bulk sector transfer time = 0.01", "Bulk sector transfer time = fast", 1)
        .replacen("Enable caching", "Disconnect write if seek = 1,\n   Enable caching", 1)
        .replacen("= 0.05\n", "= 0.05,\n   Print stats = yes, Read completion overhead = 1\n", 1);
    let model = MODEL
        .replacen("Head switch time", "Head swich time", 1)
        .replacen("= 6000,", "= 0,", 1)
        .replacen("Blocks per track = 60", "Blocks per track = many", 1)
        .replacen("slips = []", "slips = [ -1 ]", 1)
        .replacen("Offset of first block = 0,", "Offset of frist block = 0,", 1);
    let expected = [
        "small.diskspecs, line 3, column 4: no parameter `Per-request overhed time`",
        "small.diskspecs, line 5, column 32: `Bulk sector transfer time` cannot be the word \"fast\"",
        "small.diskspecs, line 13, column 18: `Print stats` cannot be the word \"yes\"",
        "small.diskspecs, line 13, column 23: `Read completion overhead` is stated twice",
        "small.model, line 10, column 7: no parameter `Head swich time`",
        "small.model, line 11, column 34: `Rotation speed (in rpms)` cannot be the number 0",
        "small.model, line 22, column 32: `Blocks per track` cannot be the word \"many\"",
        "small.model, line 35, column 13: no parameter `Offset of frist block`",
        "small.model, line 40, column 23: the number -1 is not a block number in `slips`",
    ];
    let lines = said(&specs, &model);
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    for (line, start) in lines.iter().zip(expected) {
        assert!(line.starts_with(start), "{line}\n{start}");
    }
}

#[test]
fn parameters_that_change_nothing_are_checked_too() {
    for (parameter, message) in [
        (
            "Print stats = 2",
            "`Print stats` cannot be the number 2; write a whole number from 0 to 1",
        ),
        ("Calc sector by sector = x", "`Calc sector by sector` cannot be the word \"x\""),
        ("Immediate buffer read = 3", "`Immediate buffer read` cannot be the number 3"),
        ("Preseeking level = 9", "`Preseeking level` cannot be the number 9"),
        (
            "Scheduler = disksim_ioqueue { Scheduling polcy = 1 }",
            "no parameter `Scheduling polcy`; did you mean `Scheduling policy`?",
        ),
        (
            "Scheduler = disksim_ioqueue { Scheduling policy = 99 }",
            "`Scheduling policy` cannot be the number 99",
        ),
        ("Scheduler = disksim_ioque { }", "`disksim_ioque` is not a `disksim_ioqueue` block"),
    ] {
        let lines = said(&with(SPECS, parameter), MODEL);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(message), "{}", lines[0]);
    }
}

#[test]
fn a_layout_of_another_kind_says_all_that_is_not_its() {
    let lines = said(SPECS, &MODEL.replacen("dm_layout_g1 {", "dm_layout_g2 {", 1));
    assert!(lines[0].ends_with("this dm_layout_g2 block needs `Layout Map File`"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("no parameter")).count(), 3);
    assert_eq!(lines.iter().filter(|line| line.contains("`dm_layout_g2_zone`")).count(), 2);
}

#[test]
fn without_a_cache_what_is_about_one_is_spoken_of() {
    let notes =
        |parameters: &str| imported(&with(SPECS, parameters), MODEL, SEEK).expect("right").notes;
    let plain = notes("Buffer continuous read = 0, Immediate buffer read = 0");
    assert!(!plain.iter().any(|note| note.contains("not used")), "{plain:?}");
    let idle = notes("Buffer continuous read = 3, Immediate buffer read = 1");
    let note = "is 0, so these are not used: `Buffer continuous read`, `Immediate buffer read`";
    assert!(idle.iter().any(|found| found.ends_with(note)), "{idle:?}");
    let several = notes("Preseeking level = 2, Max queue length = 8").join("\n");
    assert!(several.contains("`Preseeking level` is not honoured"), "{several}");
}

#[test]
fn spares_and_ranges_that_the_scheme_does_not_keep_are_spoken_of() {
    let notes = |scheme: &str, range: &str| {
        let model = MODEL
            .replacen("Sparing scheme used = 9", scheme, 1)
            .replacen("Rangesize for sparing = 1", range, 1)
            .replacen("[ 300, 590 ]", "[]", 1);
        imported(SPECS, &model, SEEK).expect("right").notes.join("\n")
    };
    let one = "Rangesize for sparing = 1";
    assert!(notes("Sparing scheme used = 0", one).contains("scheme 0 keeps no spares"));
    let end = notes("Sparing scheme used = 7", one);
    assert!(
        end.contains("small.model, line 27, column 32: `Number of spares` is not used"),
        "{end}"
    );
    let used = notes("Sparing scheme used = 9", "Rangesize for sparing = 3");
    assert!(used.contains("only sparing scheme 8 has ranges") && !used.contains("of spares"));
}

/// The drive with another seek curve, and its times at these distances.
fn seek_ms(curve: &str, distances: &[u32]) -> Vec<f64> {
    let stated = "Seek type = extracted,\n      Full seek curve = small.seek";
    let model = MODEL.replacen(stated, curve, 1).replacen("cylinders = 12", "cylinders = 200", 1);
    let imported = imported(SPECS, &model, SEEK).unwrap_or_else(|error| panic!("{curve}: {error}"));
    let curve = &imported.profile.params().mechanism.seek;
    let SeekCurve::Table { points } = curve else { panic!("{curve:?}") };
    assert!(imported.notes.iter().any(|note| note.contains("as points")));
    let time = |distance: u32| {
        let after = points.partition_point(|(at, _)| *at < distance);
        let ((high, end), (low, start)) = (points[after], points[after.saturating_sub(1)]);
        let share =
            if high == low { 0.0 } else { f64::from(distance - low) / f64::from(high - low) };
        start.as_ms() + share * (end.as_ms() - start.as_ms())
    };
    distances.iter().map(|distance| time(*distance)).collect()
}

#[test]
fn pieces_of_a_curve_that_do_not_meet_are_honoured_as_points() {
    let near = |found: Vec<f64>, wanted: &[f64]| {
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        }
    };
    // It falls from 1 + 0.25 * 7 to 2 + 0.004 * 50.5; the second piece begins at 51 cylinders.
    let values = "HPL seek equation values = [ 50.5, 1.0, 0.25, 2.0, 0.004, -1 ]";
    let found = seek_ms(&format!("Seek type = hpl, {values}"), &[1, 49, 50, 51, 100, 199]);
    near(found, &[1.25, 2.75, 1.0 + 0.25 * 50f64.sqrt(), 2.204, 2.4, 2.796]);
    let ten = "First ten seek times = [ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ]";
    let found = seek_ms(&format!("Seek type = hplplus10, {values}, {ten}"), &[1, 10, 16, 150]);
    near(found, &[1.0, 10.0, 2.0, 2.6]);
    let falling = "HPL seek equation values = [ 4, 1.0, 0.25, 2.0, -0.004, 0.9 ]";
    near(
        seek_ms(&format!("Seek type = hpl, {falling}"), &[1, 3, 4, 199]),
        &[0.9, 1.0 + 0.25 * 3f64.sqrt(), 1.984, 1.204],
    );
    let stated = "Seek type = extracted,\n      Full seek curve = small.seek";
    let below = "Seek type = hpl, HPL seek equation values = [ 5, -9.0, 0.25, 2.0, 0.004, -1 ]";
    let lines = said(SPECS, &MODEL.replacen(stated, below, 1));
    assert!(
        lines[0].starts_with(
            "small.model, line 7, column 51: `HPL seek equation values`: gives -8.75 ms"
        ),
        "{lines:?}"
    );
}

#[test]
fn every_mapping_and_spares_at_the_end_go_back_to_disksim() {
    for mapping in 0..=2 {
        for scheme in 0..=10 {
            let model = MODEL
                .replacen("mapping scheme = 1", &format!("mapping scheme = {mapping}"), 1)
                .replacen("scheme used = 9", &format!("scheme used = {scheme}"), 1)
                .replacen("First cylinder number = 6", "First cylinder number = 7", 1)
                .replacen("Number of spares = 20", "Number of spares = 4", 1)
                .replacen(
                    "[ 100, 125, 130 ]",
                    if scheme == 1 { "[ 3 ]" } else { "[ 130, 199 ]" },
                    1,
                )
                .replacen("[ 300, 590 ]", "[]", 1)
                .replace("Number of spares = 20", "Number of spares = 4");
            let profile = imported(SPECS, &model, SEEK)
                .unwrap_or_else(|error| panic!("{mapping} {scheme}: {error}"))
                .profile;
            let back = again(&profile);
            assert_eq!(back.params().layout, profile.params().layout, "{mapping} {scheme}");
            let turned = back
                .params()
                .layout
                .zones
                .iter()
                .any(|zone| zone.order == TrackOrder::CylinderSerpentineReversed);
            assert_eq!(turned, mapping == 2);
        }
    }
}

#[test]
fn what_a_profile_cannot_be_is_said_where_disksim_has_it() {
    for (from, to, message) in [
        (
            "10, 3.5",
            "2, 3.5",
            "small.seek, line 5, column 1: distance 2 follows 2; distances must rise",
        ),
        (
            "measured: 3",
            "measured: 4",
            "small.seek, line 1, column 1: announces 4 points, and 3 follow; write as many, at least one",
        ),
        (
            "Number of spares = 20",
            "Number of spares = 600",
            "small.model, line 27, column 32: `Number of spares`: 600 spare sectors leave no data among 600",
        ),
        (
            "[ 100, 125, 130 ]",
            "[ 100, 100 ]",
            "small.model, line 28, column 28: this sector is slipped already",
        ),
    ] {
        assert!(MODEL.contains(from) != SEEK.contains(from), "{from}");
        let (model, seek) = (MODEL.replacen(from, to, 1), SEEK.replacen(from, to, 1));
        let error = imported(SPECS, &model, &seek).expect_err(to).to_string();
        assert_eq!(error, message);
    }
}

#[test]
fn every_defect_that_is_wrong_is_named() {
    let model = MODEL.replacen("[ 100, 125, 130 ]", "[ 100, 600, 700 ]", 1).replacen(
        "[ 300, 590 ]",
        "[ 300, 900, 7 ]",
        1,
    );
    let lines = said(SPECS, &model);
    let expected = [
        "small.model, line 28, column 28: block 600 lies beyond the zone's 600",
        "small.model, line 28, column 33: block 700 lies beyond the zone's 600",
        "small.model, line 29, column 30: block 900 lies beyond the zone's 600",
        "small.model, line 29, column 35: `defects` is a list of pairs: the bad block, and the one that \
         replaces it",
    ];
    assert_eq!(lines, expected);
    // A zone of 100,000 sectors a track, of which some twelve tracks are remapped.
    let pairs = ["1, 8"; 12].join(", ");
    let model = MODEL
        .replacen("scheme used = 9", "scheme used = 1", 1)
        .replacen("Blocks per track = 60", "Blocks per track = 100000", 1)
        .replacen("[ 100, 125, 130 ]", "[]", 1)
        .replacen("[ 300, 590 ]", &format!("[ {pairs} ]"), 1);
    let lines = said(SPECS, &model);
    assert!(lines[0].ends_with("more than 1000000 remapped blocks"), "{lines:?}");
}

#[test]
fn drives_that_cannot_be_told_apart_or_are_none_are_named() {
    let find = |text: &str, disk: &str| {
        let options =
            DriveImportOptions { disk: Some(disk.to_owned()), ..DriveImportOptions::default() };
        let system = ("system.parv", text);
        let small = [("small.diskspecs", SPECS), ("small.model", MODEL), ("small.seek", SEEK)];
        import_as(&[&[system], &small[..]].concat(), &options)
    };
    let twice = find(&format!("{PARV}\nsource small.diskspecs\n"), "SMALL");
    let twice = twice.expect_err("twice").to_string();
    assert!(
        twice.contains("`SMALL` is described twice, first in small.diskspecs, line 1"),
        "{twice}"
    );
    let none =
        find(&PARV.replacen("as SMALL", "as SMAL", 1), "disk0").expect_err("none").to_string();
    assert_eq!(
        none,
        "system.parv, line 16, column 1: `disk0` is made as `SMAL`, which is not a drive; did you \
         mean `SMALL`?"
    );
    let apart = PARV.replacen("disk0 .. disk1 ] as", "disk0 .. disk7 ] as", 1);
    let notes = find(&apart, "disk7").expect("right").notes.join("\n");
    assert!(notes.contains("`disk7` is not in the topology"), "{notes}");
}
