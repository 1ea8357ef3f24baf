//! DiskSim's parameter files: what they become, and what is said of wrong ones.

use crate::files::{MODEL, PARV, SEEK, SPECS, again, import_as};
use platterlab_disksim::drive::{DriveImportOptions, ImportError, ImportedDrive};
use platterlab_disksim::export::export;
use platterlab_drive::layout::Layout;
use platterlab_drive::{Defect, Latency, Physical, SeekCurve, Skew, Sparing, Track, TrackOrder};
use platterlab_profile::{OriginKind, Profile};
use platterlab_units::Span;
use proptest::prelude::*;

/// The small drive's files by name.
const FILES: [(&str, &str); 4] = [
    ("small.parv", PARV),
    ("small.diskspecs", SPECS),
    ("small.model", MODEL),
    ("small.seek", SEEK),
];

/// Imports the small drive, one file having another text.
fn import_with(
    changed: &str,
    text: &str,
    options: &DriveImportOptions,
) -> Result<ImportedDrive, ImportError> {
    import_as(&FILES.map(|(name, own)| (name, if name == changed { text } else { own })), options)
}

fn text_of(name: &str) -> &'static str {
    FILES.iter().find(|(known, _)| *known == name).expect("a file of the small drive").1
}

/// The profile with `from` replaced in one file.
fn replaced(name: &str, from: &str, to: &str) -> Result<ImportedDrive, ImportError> {
    let text = text_of(name);
    assert!(text.contains(from), "{name} has {from}");
    import_with(name, &text.replacen(from, to, 1), &DriveImportOptions::default())
}

fn small() -> Profile {
    import_with("", "", &DriveImportOptions::default()).expect("the small drive is right").profile
}

fn ms(ms: f64) -> Span {
    Span::from_ms(ms).expect("a time")
}

#[test]
fn a_drive_becomes_a_profile() {
    let profile = small();
    let params = profile.params();
    assert_eq!(profile.options().id, "small");
    assert_eq!(params.mechanism.rotation, ms(10.0));
    assert_eq!(params.mechanism.latency, Latency::Tracked);
    assert_eq!(params.mechanism.head_switch, [ms(0.7), ms(1.2)]);
    let points = vec![(1, ms(1.2)), (2, ms(1.1)), (10, ms(3.5))];
    assert_eq!(params.mechanism.seek, SeekCurve::Table { points });
    // Each overhead and the per-request time, both scaled; the slowest bus on the way.
    assert_eq!(params.controller.overhead[0][0], [ms(0.8), ms(1.0)]);
    assert_eq!(params.controller.overhead[1][0], [ms(1.2), ms(1.4)]);
    assert_eq!(params.controller.completion, [ms(0.1), ms(0.0)]);
    assert_eq!((params.bus.read_sector, params.bus.write_sector), (ms(0.01), ms(0.01)));
    let bus = replaced(
        "small.parv",
        "Write block transfer time = 0.0",
        "Write block transfer time = 0.02",
    );
    assert_eq!(bus.expect("right").profile.params().bus.write_sector, ms(0.02));
    let zones = &params.layout.zones;
    assert_eq!(zones.len(), 4, "two zones and the cylinders in no zone");
    assert_eq!(zones[0].order, TrackOrder::CylinderSerpentine);
    assert_eq!(zones[0].sparing, Sparing::Zone { sectors: 20 });
    assert_eq!(
        (zones[0].track_skew, zones[0].first_track_skew),
        (Skew::Sectors(8), Skew::Sectors(3))
    );
    assert!(matches!(zones[0].cylinder_skew, Skew::Turn(_)), "half a sector is no whole one");
    assert_eq!(params.layout.spare_regions.len(), 2);
    assert_eq!(params.layout.spare_regions[0].first, Track { cylinder: 5, surface: 0 });
    let at = |cylinder, surface, sector| Physical { cylinder, surface, sector };
    // Position 125 lies on the third track: the second cylinder's last surface comes first.
    assert!(params.layout.defects.contains(&Defect::Slipped(at(1, 1, 5))));
    assert!(
        params.layout.defects.contains(&Defect::Remapped { from: at(2, 1, 0), to: at(4, 1, 50) })
    );
    assert_eq!(Layout::new(&params.layout).expect("legal").capacity(), 1150);
}

#[test]
fn every_value_says_where_it_comes_from() {
    let profile = small();
    let curve = profile.provenance("seek").expect("stated");
    assert_eq!((curve.kind, curve.from.as_str()), (OriginKind::Measured, "small.seek: curve"));
    let speed = profile.provenance("spindle.speed_rpm").expect("stated");
    assert_eq!(speed.kind, OriginKind::Published);
    assert_eq!(speed.from, "small.model: Rotation speed (in rpms)");
    let notes = import_with("", "", &DriveImportOptions::default()).expect("right").notes;
    let [unstated, capacity] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(unstated.starts_with("not stated, and so taken as 0: `Read hit over. after read`, "));
    assert_eq!(capacity, "`Block count` is 1149; the layout gives 1150 blocks, which hold");
}

#[test]
fn drives_are_found_by_block_and_by_component() {
    for name in ["SMALL", "disk0", "disk1"] {
        let options =
            DriveImportOptions { disk: Some(name.to_owned()), ..DriveImportOptions::default() };
        assert!(import_with("", "", &options).is_ok(), "{name}");
    }
    let options =
        DriveImportOptions { disk: Some("SMAL".to_owned()), ..DriveImportOptions::default() };
    let error = import_with("", "", &options).expect_err("no such drive").to_string();
    assert_eq!(error, "small.parv: has no drive `SMAL`; did you mean `SMALL`?");
}

#[test]
fn errors_name_the_place_and_what_would_be_right() {
    let cases = [
        (
            "small.model",
            "Head switch time",
            "Head swich time",
            "small.model, line 10, column 7: no parameter `Head swich time`; did you mean `Head switch time`?",
        ),
        (
            "small.diskspecs",
            "Model =",
            "Modell =",
            "small.diskspecs, line 2, column 4: no parameter `Modell`; did you mean `Model`?",
        ),
        (
            "small.diskspecs",
            "source small.model",
            "source smal.model",
            "small.diskspecs, line 2, column 19: there is no file `smal.model`",
        ),
        (
            "small.model",
            "= 6000,",
            "= fast,",
            "small.model, line 11, column 34: `Rotation speed (in rpms)` cannot be the word \"fast\"; write a number from 1 to 100000",
        ),
        (
            "small.model",
            "extracted",
            "curvy",
            "small.model, line 7, column 19: `curvy` is not a seek type; write `linear`, `curve`, `constant`, `hpl`, `hplplus10` or `extracted`",
        ),
        (
            "small.model",
            "125,",
            "1250,",
            "small.model, line 28, column 28: block 1250 lies beyond the zone's 600",
        ),
        (
            "small.model",
            "[ 300, 590 ]",
            "[ 300 ]",
            "small.model, line 29, column 25: `defects` is a list of pairs: the bad block, and the one that replaces it",
        ),
        (
            "small.diskspecs",
            "= 0.1,",
            "= 0.1",
            "small.diskspecs, line 3, column 32: write `,` between `0.1` and `Time`",
        ),
        (
            "small.seek",
            "2, 1.1",
            "2; 1.1",
            "small.seek, line 3, column 1: a point is `distance, milliseconds`",
        ),
    ];
    for (file, from, to, message) in cases {
        let error = replaced(file, from, to).expect_err(to).to_string();
        assert_eq!(error, message, "{to}");
    }
}

#[test]
fn files_that_draw_in_themselves_are_refused() {
    let error =
        replaced("small.model", "dm_disk", "source small.model\ndm_disk").expect_err("endless");
    assert!(error.to_string().contains("does `small.model` draw in itself?"), "{error}");
}

#[test]
fn all_seek_types_and_sparing_schemes_have_a_counterpart() {
    let curve = "Seek type = extracted,\n      Full seek curve = small.seek";
    for seek in [
        "Seek type = linear, Single cylinder seek time = 1.0, Full strobe seek time = 9.0",
        "Seek type = curve, Single cylinder seek time = 1, Average seek time = 4, Full strobe seek time = 9",
        "Seek type = constant, Average seek time = 4.0",
        "Seek type = hpl, HPL seek equation values = [ 5, 1.0, 0.5, 1.6, 0.1, -1 ]",
        "Seek type = hpl, HPL seek equation values = [ 5, 1.0, 0.5, 1.6, 0.1, 0.9 ]",
        "Seek type = hplplus10, HPL seek equation values = [ 5, 1.0, 0.5, 1.6, 0.1, -1 ], \
         First ten seek times = [ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ]",
    ] {
        let profile = replaced("small.model", curve, seek).expect(seek).profile;
        assert_eq!(again(&profile).params(), profile.params(), "{seek}");
    }
    for scheme in 0..=10 {
        let text = text_of("small.model")
            .replacen("Sparing scheme used = 9", &format!("Sparing scheme used = {scheme}"), 1)
            .replacen("Rangesize for sparing = 1", "Rangesize for sparing = 3", 1)
            .replace("Number of spares = 20", "Number of spares = 4")
            .replacen("[ 300, 590 ]", "[]", 1);
        let slips = match scheme {
            // Whole tracks slip, of which there are ten.
            1 => "[ 1, 4 ]",
            3 => "[ 100 ]",
            _ => "[ 100, 125, 130 ]",
        };
        let text = text.replacen("[ 100, 125, 130 ]", slips, 1);
        let imported = import_with("small.model", &text, &DriveImportOptions::default());
        let profile = imported.unwrap_or_else(|error| panic!("{scheme}: {error}")).profile;
        let capacity = Layout::new(&profile.params().layout).expect("legal").capacity();
        // Of the first zone's 600 sectors 10 have no address. A zone of five cylinders has ten
        // tracks, and two ranges of three cylinders.
        let slips = if scheme == 3 { 1 } else { 3 };
        let spares = match scheme {
            0 => [slips, 0],
            7 => [slips, 4],
            1 => [4 * 60, 4 * 60],
            2 | 5 => [5 * 4, 5 * 4],
            4 | 6 => [5 * 4 + slips, 5 * 4],
            3 => [10 * 4, 10 * 4],
            8 => [2 * 4, 2 * 4],
            10 => [4 + slips, 4],
            _ => [4, 4],
        };
        assert_eq!(capacity, 1200 - 10 - spares[0] - spares[1], "scheme {scheme}");
    }
}

#[test]
fn the_second_serpentine_mapping_goes_by_the_number_of_the_cylinder() {
    let one = "LBN-to-PBN mapping scheme = 1";
    let two = "LBN-to-PBN mapping scheme = 2";
    let zone = |mapping: &str, first: &str| {
        let text = text_of("small.model").replacen(one, mapping, 1).replacen(
            "First cylinder number = 6",
            first,
            1,
        );
        let imported = import_with("small.model", &text, &DriveImportOptions::default());
        let profile = imported.expect("right").profile;
        let zones = &profile.params().layout.zones;
        let at = |zone: &&platterlab_drive::ZoneParams| zone.cylinders[1] == 10;
        zones.iter().find(at).expect("the second zone").order
    };
    assert_eq!(zone(one, "First cylinder number = 7"), TrackOrder::CylinderSerpentine);
    assert_eq!(zone(two, "First cylinder number = 6"), TrackOrder::CylinderSerpentine);
    assert_eq!(zone(two, "First cylinder number = 7"), TrackOrder::CylinderSerpentineReversed);
}

#[test]
fn a_profile_survives_being_written_for_disksim() {
    let profile = small();
    assert_eq!(again(&profile).params(), profile.params());
    let library = Profile::from_library("hp-97560").expect("in the library");
    let lost = export(&library, "hp").expect_err("DiskSim cannot say all of it");
    assert!(!lost.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn mutated_files_are_read_or_refused(
        file in 0usize..4,
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[ -~\n]{0,6}"), 1..4),
    ) {
        let (name, text) = FILES[file];
        let mut chars: Vec<char> = text.chars().collect();
        for (at, length, put) in cuts {
            let from = at.index(chars.len().max(1)).min(chars.len());
            let to = (from + length).min(chars.len());
            chars.splice(from..to, put.chars());
        }
        let text: String = chars.into_iter().collect();
        let options = DriveImportOptions { approximate: true, ..DriveImportOptions::default() };
        if let Err(error) = import_with(name, &text, &options) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
