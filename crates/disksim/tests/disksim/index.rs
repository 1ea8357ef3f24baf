//! DiskSim's index of track patterns: what becomes of it, and what is said of wrong ones.

use crate::files::{again, import_as, import_from};
use platterlab_disksim::drive::{DriveImportOptions, ImportError, ImportedDrive};
use platterlab_drive::Physical;
use platterlab_drive::layout::Layout;
use platterlab_profile::Profile;
use proptest::prelude::*;

const MODEL: &str = include_str!("../files/index.model");
const LAYOUT: &str = include_str!("../files/index.layout");

fn import_layout(text: &str, options: &DriveImportOptions) -> Result<ImportedDrive, ImportError> {
    import_as(&[("index.model", MODEL), ("index.layout", text)], options)
}

fn replaced(from: &str, to: &str) -> Result<ImportedDrive, ImportError> {
    assert!(LAYOUT.contains(from), "{from}");
    import_layout(&LAYOUT.replacen(from, to, 1), &DriveImportOptions::default())
}

fn layout(profile: &Profile) -> Layout {
    Layout::new(&profile.params().layout).expect("legal")
}

/// Cylinder, surface, sector and turn in thousandths of every address.
fn places(profile: &Profile) -> Vec<[u32; 4]> {
    let layout = layout(profile);
    let place = |lba| {
        let run = layout.run(lba, 1);
        let turns = (run.track_angle.as_turns() * 1e3).round() as u32 % 1000;
        [run.cylinder, run.surface, run.sector, turns]
    };
    (0..layout.capacity()).map(place).collect()
}

/// The file's blocks, listed by hand: tracks with cylinder, head, data and thousandths of a turn.
fn by_hand() -> Vec<[u32; 4]> {
    let tracks = [
        [0, 0, 10, 0],
        [1, 0, 10, 250],
        [1, 1, 8, 500],
        [0, 1, 8, 625],
        [2, 0, 10, 750],
        [3, 0, 10, 0],
        [3, 1, 8, 250],
        [2, 1, 8, 375],
        [6, 1, 5, 100],
        [6, 0, 10, 300],
        [5, 1, 5, 400],
        [5, 0, 10, 600],
    ];
    tracks
        .into_iter()
        .flat_map(|[cylinder, head, data, turn]| {
            (0..data).map(move |sector| [cylinder, head, sector, turn])
        })
        .collect()
}

#[test]
fn every_block_lies_where_the_index_says() {
    let without = LAYOUT.replacen("3, 1,  21, 2", "", 1).replacen("0, 2, 1, 1, 8, 10", "", 1);
    let profile = import_layout(&without, &DriveImportOptions::default()).expect("right").profile;
    assert_eq!(places(&profile), by_hand());
}

#[test]
fn slips_are_counted_in_the_index_and_remaps_go_where_they_say() {
    let slips = LAYOUT.replacen("0, 2, 1, 1, 8, 10", "", 1);
    let profile = import_layout(&slips, &DriveImportOptions::default()).expect("right").profile;
    let kept = (0..).zip(by_hand()).filter(|(block, _)| ![3, 21, 22].contains(block));
    assert_eq!(places(&profile), kept.map(|(_, place)| place).collect::<Vec<_>>());
    let profile = replaced("", "").expect("right").profile;
    let layout = layout(&profile);
    assert_eq!(layout.locate(0), Some(Physical { cylinder: 1, surface: 1, sector: 8 }));
    assert_eq!(layout.locate(1), Some(Physical { cylinder: 1, surface: 1, sector: 9 }));
    assert_eq!(layout.locate(2), Some(Physical { cylinder: 0, surface: 0, sector: 2 }));
}

#[test]
fn what_repeats_becomes_a_group_and_what_overlaps_a_list() {
    let imported = replaced("", "").expect("right");
    let zones = &imported.profile.params().layout.zones;
    let shape: Vec<_> = zones
        .iter()
        .map(|zone| match zone.listed() {
            Some(order) => (zone.cylinders, order.group_cylinders, order.passes.len()),
            None => (zone.cylinders, 0, 0),
        })
        .collect();
    // Cylinders 4 and 7 are in no node.
    let expected = [([0, 3], 2, 2), ([4, 4], 0, 0), ([5, 6], 2, 4), ([7, 7], 0, 0)];
    assert_eq!(shape, expected);
    let notes = imported.notes;
    assert_eq!(
        notes.last().expect("notes"),
        "`Block count` is 98; the layout gives 99 blocks, which hold"
    );
}

#[test]
fn an_index_beyond_the_stated_cylinders_holds() {
    let imported = replaced("72,  6,", "72,  9,").expect("right");
    assert_eq!(imported.profile.params().layout.cylinders, 10);
    assert_eq!(
        imported.notes[0],
        "index.model, line 4, column 26: `Number of cylinders` is 8; the index has 10, which hold"
    );
}

/// Checks what is said of the layout with each change.
fn refused(cases: &[(&str, &str, &str)]) {
    for (from, to, message) in cases {
        let error = replaced(from, to).expect_err(to).to_string();
        assert_eq!(error, format!("index.layout, line {message}"), "{to}");
    }
}

#[test]
fn errors_of_an_entry_name_the_place_and_what_would_be_right() {
    refused(&[
        (
            "TRACK,     0,     0,",
            "TRAK, 0, 0,",
            "10, column 65: `TRAK` is not a kind of child; did you mean `TRACK`?",
        ),
        (
            "TRACK,     2,     1",
            "TRACK,     3,     1",
            "14, column 10: no pattern 3; there are 3 patterns in `TP`",
        ),
        (
            "TRACK,     2,     1",
            "TRACK,     2,     2",
            "14, column 10: head 2 is not among the 2 there are",
        ),
        ("IDX,       1", "IDX,       3", "19, column 10: no node 3; there are 3 in `IDX`"),
        ("20,  1,   0.5,", "19,  1,   0.5,", "11, column 10: lbn 19 does not follow the 20 before"),
        (
            "16,     -2,",
            "15,     -2,",
            "11, column 46: runlen 15 is not a whole number of instances of len 8",
        ),
        (
            "16,     -2,",
            "16,     3,",
            "11, column 54: cylrunlen 3 does not go with 2 instances of 1 cylinders",
        ),
        (
            "20,  1,   0.5,",
            "20,  0,   0.5,",
            "11, column 10: these tracks leave the 2 cylinders they are part of",
        ),
        (
            "10,  1,      0.0,   10,     1,         TRACK,     0,     0",
            "10, 1, 0.0, 10, 1, TRACK, 0, 1",
            "15, column 10: the index comes to cylinder 5 of surface 1 a second time",
        ),
    ]);
}

#[test]
fn errors_of_a_list_name_the_place_and_what_would_be_right() {
    refused(&[
        ("Slips =", "Slip =", "22, column 4: no parameter `Slip`; did you mean `Slips`?"),
        (
            "dm_layout_g4",
            "dm_layout_g3",
            "1, column 1: no layout of kind `dm_layout_g3`; did you mean `dm_layout_g1`?",
        ),
        (
            "0, 4, 5 ",
            "0, 4 ",
            "5, column 7: `TP` is a list of threes: the lowest sector with data, the highest, and the sectors around the track",
        ),
        ("0, 4, 5 ", "0, 5, 5 ", "5, column 7: a track of 5 sectors has none from sector 0 to 5"),
        (
            "3, 1,  21, 2",
            "3, 1,  21",
            "22, column 21: `Slips` is a list of pairs: a block, and how many are slipped from there on",
        ),
        (
            "3, 1,  21, 2",
            "21, 2, 3, 1",
            "22, column 21: slips rise, and are of at least one block: 3, 1 does not follow block 23",
        ),
        (
            "3, 1,  21, 2",
            "3, -1",
            "22, column 17: the number -1 cannot stand here; write a whole number from 0 to 1000000",
        ),
        ("3, 1,  21, 2", "101, 2", "22, column 14: block 102 lies beyond the index"),
        (
            "1, 1, 8, 10",
            "1, 1, 8",
            "23, column 15: `Remaps` is a list of sixes: a block, how many, and the cylinder, head, sector and sectors per track where they are",
        ),
        (
            "1, 1, 8, 10",
            "1, 1, 8, 11",
            "23, column 15: the index has 10 sectors on this track, and not 11",
        ),
    ]);
}

#[test]
fn the_documented_entries_of_eight_fields_say_too_little() {
    let eight = "dm_layout_g4 { TP = [ 0, 9, 10 ], IDX = [ [ 0, 0, 10, 1, 10, 1, TP, 0 ] ] }";
    let error =
        import_layout(eight, &DriveImportOptions::default()).expect_err("too little").to_string();
    assert!(error.contains("an index entry of eight fields says neither the head nor the angle"));
}

#[test]
fn a_node_that_holds_itself_is_refused() {
    let own = "dm_layout_g4 { TP = [], IDX = [ [ 0, 0, 0.0, 9, 1, 0.0, 9, 1, IDX, 0 ] ] }";
    let error =
        import_layout(own, &DriveImportOptions::default()).expect_err("endless").to_string();
    assert!(error.contains("does this one hold itself?"), "{error}");
}

#[test]
fn what_cannot_be_honoured_is_said() {
    let cases = [
        ("0, 7, 10", "2, 9, 10", "`TP` cannot be honoured: the index states the angle"),
        ("[ 0, 2, 1, 1", "[ 5, 2, 1, 1", "`Remaps` cannot be honoured: with slips before it"),
        (
            "1, 1, 8, 10",
            "4, 1, 8, 10",
            "`Remaps` cannot be honoured: it goes to a track that is not",
        ),
    ];
    for (from, to, message) in cases {
        let Err(ImportError::NotHonoured(errors)) = replaced(from, to) else { panic!("{to}") };
        assert!(errors.len() == 1 && errors[0].what.starts_with(message), "{errors:?}");
        let near = DriveImportOptions { approximate: true, ..DriveImportOptions::default() };
        let text = LAYOUT.replacen(from, to, 1);
        assert_eq!(import_layout(&text, &near).expect("near enough").not_honoured, errors);
    }
}

#[test]
fn a_map_of_extents_is_checked_and_refused() {
    let zone = "dm_layout_g2_zone { First cylinder number = 0, Last cylinder number = 7, First LBN = 0, \
                Last LBN = 99, Blocks per track = 10, Zone Skew = 0 }";
    let text = format!("dm_layout_g2 {{ Layout Map File = a.map, Zones = [ {zone} ] }}");
    let error = import_layout(&text, &DriveImportOptions::default()).expect_err("g2").to_string();
    assert_eq!(
        error,
        "index.layout, line 1, column 34: `Layout Map File` cannot be honoured: the format of \
         `a.map` is not documented, and the zones do not say in which order the tracks come; \
         describe them in a `dm_layout_g1` block"
    );
    for (from, near) in [("Zone Skew", "Zone Skw"), ("Layout Map File", "Layout Mapfile")] {
        let text = text.replacen(from, near, 1);
        let error =
            import_layout(&text, &DriveImportOptions::default()).expect_err(near).to_string();
        assert!(
            error.contains(&format!("no parameter `{near}`; did you mean `{from}`?")),
            "{error}"
        );
    }
}

#[test]
fn an_index_survives_being_written_for_disksim() {
    let profile = replaced("", "").expect("right").profile;
    let (again, profile) = (again(&profile), profile.params());
    assert_eq!(again.params().layout, profile.layout);
    assert_eq!(again.params().mechanism, profile.mechanism);
}

/// An index of random runs: each head's cylinders cut into runs that go either way, in any sequence,
/// the whole repeated; and the place of every block.
fn random_index() -> impl Strategy<Value = (String, Vec<[u32; 3]>)> {
    let cut = (any::<prop::sample::Index>(), any::<bool>(), 1u32..9, 0u32..3, any::<u16>());
    let parts = (1u32..4, 1u32..7, 1u32..4, proptest::collection::vec(cut, 24), any::<bool>());
    parts.prop_map(|(heads, width, times, cuts, back)| {
        let mut runs: Vec<(u16, u32, u32, u32, bool, u32, u32)> = Vec::new();
        let mut cuts = cuts.into_iter();
        for head in 0..heads {
            let mut next = 0;
            while next < width {
                let (cut, back, data, spares, key) = cuts.next().expect("enough cuts");
                let count = cut.index((width - next) as usize) as u32 + 1;
                runs.push((key, head, next, count, back, data, data + spares));
                next += count;
            }
        }
        runs.sort_unstable();
        let (mut patterns, mut entries, mut group) = (vec![], vec![], vec![]);
        for (number, (_, head, low, count, back, data, around)) in runs.into_iter().enumerate() {
            patterns.push(format!("0, {}, {around}", data - 1));
            let cylinders: Vec<u32> = (low..low + count).collect();
            let way: Vec<u32> =
                if back { cylinders.into_iter().rev().collect() } else { cylinders };
            let sign = if back { "-" } else { "" };
            let (lbn, run) = (group.len(), data * count);
            let first = way[0];
            entries.push(format!(
                "{lbn}, {first}, 0.1, {data}, 1, 0.2, {run}, {sign}{count}, TRACK, {number}, {head}"
            ));
            for cylinder in way {
                group.extend((0..data).map(|sector| [cylinder, head, sector]));
            }
        }
        let (first, sign) = if back { (width * (times - 1), "-") } else { (0, "") };
        let (size, cylinders) = (group.len(), width * times);
        let root = format!(
            "0, {first}, 0.0, {size}, {width}, 0.5, {}, {sign}{cylinders}, IDX, 0",
            size * times as usize
        );
        let text = format!(
            "dm_layout_g4 {{ TP = [ {} ], IDX = [ [ {} ], [ {root} ] ], Slips = [], Remaps = [] }}",
            patterns.join(", "),
            entries.join(", "),
        );
        let groups: Vec<u32> = (0..times).map(|group| group * width).collect();
        let groups = if back { groups.into_iter().rev().collect() } else { groups };
        let places = groups.into_iter().flat_map(|from| {
            group
                .clone()
                .into_iter()
                .map(move |[cylinder, head, sector]| [from + cylinder, head, sector])
        });
        (text, places.collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn blocks_and_places_are_one_to_one((text, expected) in random_index()) {
        let model = MODEL.replacen("surfaces = 2", "surfaces = 3", 1);
        let model = model.replacen("cylinders = 8", "cylinders = 18", 1);
        let imported = import_from(&[("index.model", &model), ("index.layout", &text)]);
        let profile = imported.unwrap_or_else(|error| panic!("{error}: {text}")).profile;
        let layout = layout(&profile);
        prop_assert_eq!(layout.capacity(), expected.len() as u64);
        for (lba, [cylinder, surface, sector]) in (0..).zip(expected) {
            let at = Physical { cylinder, surface, sector };
            prop_assert_eq!(layout.locate(lba), Some(at));
            prop_assert_eq!(layout.lba_at(at), Some(lba));
        }
        let again = again(&profile);
        prop_assert_eq!(&again.params().layout, &profile.params().layout);
    }

    #[test]
    fn mutated_indexes_are_read_or_refused(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[ -~\n]{0,6}"), 1..4),
        numbers in proptest::collection::vec((any::<prop::sample::Index>(), -9i64..1_000_000_000_000_000), 0..3),
    ) {
        let mut words: Vec<String> = LAYOUT.split_inclusive(' ').map(str::to_owned).collect();
        for (at, number) in numbers {
            *at.get_mut(&mut words) = format!("{number}, ");
        }
        let mut chars: Vec<char> = words.concat().chars().collect();
        for (at, length, put) in cuts {
            let from = at.index(chars.len());
            let to = (from + length).min(chars.len());
            chars.splice(from..to, put.chars());
        }
        let text: String = chars.into_iter().collect();
        let options = DriveImportOptions { approximate: true, ..DriveImportOptions::default() };
        if let Err(error) = import_layout(&text, &options) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
