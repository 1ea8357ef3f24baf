//! Every parameter that DiskSim's manual gives a drive, its model and what stands above it: none is
//! left out in silence, and a misspelt one is named.

use crate::files::{again, import_from};
use platterlab_disksim::drive::{ImportError, ImportedDrive};
use std::collections::BTreeMap;

/// A parameter, a value, and another it can have; none where it does not matter.
type Parameter = (&'static str, &'static str, &'static str);

/// Blocks with their parameters, each with a value and another it can have. `disksim_disk` has a
/// table of its own in `disksim_electronics.rs`; here is what that leaves out.
const BLOCKS: [(&str, &[Parameter]); 7] = [
    (
        "disksim_disk",
        &[
            ("Max queue length", "1", "8"),
            (
                "Scheduler",
                "disksim_ioqueue { Scheduling policy = 1 }",
                "disksim_ioqueue { Scheduling policy = 2 }",
            ),
            ("Print stats", "1", ""),
            ("Avg sectors per cylinder", "100", ""),
            ("Calc sector by sector", "1", ""),
        ],
    ),
    (
        "dm_disk",
        &[
            ("Block count", "1180", "1181"),
            ("Number of data surfaces", "2", "1"),
            ("Number of cylinders", "12", "13"),
        ],
    ),
    (
        "dm_mech_g1",
        &[
            ("Access time type", "trackSwitchPlusRotation", "averageRotation"),
            ("Constant access time", "", "3.0"),
            ("Seek type", "curve", "linear"),
            ("Average seek time", "4.0", "4.5"),
            ("Constant seek time", "", "3.0"),
            ("Single cylinder seek time", "1.0", "1.5"),
            ("Full strobe seek time", "9.0", "9.5"),
            ("Full seek curve", "", "drive.seek"),
            ("Add. write settling delay", "0.5", "0.6"),
            ("HPL seek equation values", "", "[ 5, 1.0, 0.5, 1.6, 0.1, -1 ]"),
            ("First ten seek times", "", "[ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ]"),
            ("Head switch time", "0.7", "0.8"),
            ("Rotation speed (in rpms)", "6000", "6001"),
            ("Percent error in rpms", "0.0", "0.5"),
        ],
    ),
    (
        "dm_layout_g1",
        &[
            ("LBN-to-PBN mapping scheme", "0", "1"),
            ("Sparing scheme used", "8", "3"),
            ("Rangesize for sparing", "2", "1"),
            ("Skew units", "sectors", "revolutions"),
        ],
    ),
    (
        "dm_layout_g1_zone",
        &[
            ("First cylinder number", "0", "1"),
            ("Last cylinder number", "11", "10"),
            ("Blocks per track", "50", "25"),
            ("Offset of first block", "0.25", "0.5"),
            ("Skew units", "", "revolutions"),
            ("Empty space at zone front", "5", "6"),
            ("Skew for track switch", "0.125", "0.25"),
            ("Skew for cylinder switch", "0.5", "0.75"),
            ("Number of spares", "3", "4"),
            ("slips", "[ 7 ]", "[ 7, 9 ]"),
            ("defects", "[ 13, 199 ]", "[ 14, 199 ]"),
        ],
    ),
    (
        "disksim_bus",
        &[
            ("type", "1", ""),
            ("Arbitration type", "1", ""),
            ("Arbitration time", "0.0", "0.1"),
            ("Read block transfer time", "0.01", "0.02"),
            ("Write block transfer time", "0.01", "0.02"),
            ("Print stats", "1", ""),
        ],
    ),
    (
        "disksim_ctlr",
        &[
            ("type", "1", ""),
            ("Scale for delays", "0.0", "1.0"),
            ("Bulk sector transfer time", "0.0", "0.03"),
            ("Maximum queue length", "0", ""),
            ("Print stats", "1", ""),
        ],
    ),
];

/// The text of the system, one parameter having another value, or another name.
fn text(change: Option<(&str, &str, &str)>, rename: Option<(&str, &str, &str)>) -> String {
    let lines: BTreeMap<&str, String> = BLOCKS
        .iter()
        .map(|(block, parameters)| {
            let line = |(name, plain, _): &Parameter| {
                let value = match change {
                    Some((own, changed, value)) if (own, changed) == (*block, *name) => value,
                    _ => plain,
                };
                let name = match rename {
                    Some((own, renamed, other)) if (own, renamed) == (*block, *name) => other,
                    _ => name,
                };
                if value.is_empty() { String::new() } else { format!("{name} = {value},\n") }
            };
            (*block, parameters.iter().map(line).collect())
        })
        .collect();
    format!(
        "disksim_bus BUS0 {{ {} }}\n disksim_ctlr CTLR0 {{ {} }}\n\
         disksim_disk DISK {{ {} Model = dm_disk model {{ {}\
         Mechanical Model = dm_mech_g1 {{ {} }}, Layout Model = dm_layout_g1 {{ {}\
         Zones = [ dm_layout_g1_zone {{ {} }} ] }} }} }}\n\
         instantiate [ bus0 ] as BUS0\n instantiate [ ctlr0 ] as CTLR0\n\
         instantiate [ disk0 ] as DISK\n\
         topology disksim_iodriver driver0 [ disksim_bus bus0 [ disksim_ctlr ctlr0 [ \
         disksim_disk disk0 [] ] ] ]\n",
        lines["disksim_bus"],
        lines["disksim_ctlr"],
        lines["disksim_disk"],
        lines["dm_disk"],
        lines["dm_mech_g1"],
        lines["dm_layout_g1"],
        lines["dm_layout_g1_zone"],
    )
}

fn imported(text: &str) -> Result<ImportedDrive, ImportError> {
    let seek = "Seek distances measured: 2\n1, 1.0\n9, 3.0\n";
    import_from(&[("system.parv", text), ("drive.seek", seek)])
}

/// The drive with a parameter of a block having another value.
pub(crate) fn with(change: Option<(&str, &str, &str)>) -> ImportedDrive {
    imported(&text(change, None)).unwrap_or_else(|error| panic!("{change:?}: {error}"))
}

#[test]
fn every_parameter_changes_the_drive_or_is_spoken_of() {
    let plain = imported(&text(None, None)).unwrap_or_else(|error| panic!("{error}"));
    for (block, parameters) in BLOCKS {
        for (name, _, other) in parameters.iter().filter(|(_, _, other)| !other.is_empty()) {
            let spoken = |text: &str| text.contains(&format!("`{name}`"));
            let found = match imported(&text(Some((block, name, other)), None)) {
                Ok(changed) => {
                    let notes = changed.notes.iter().filter(|note| !plain.notes.contains(note));
                    changed.profile.params() != plain.profile.params()
                        || notes.into_iter().any(|note| spoken(note))
                }
                Err(ImportError::NotHonoured(errors)) => {
                    errors.len() == 1 && spoken(&errors[0].what)
                }
                Err(error) => panic!("{block}, {name}: {error}"),
            };
            assert!(found, "{block}: {name} = {other} is left out in silence");
        }
    }
}

#[test]
fn every_misspelt_parameter_is_named() {
    for (block, parameters) in BLOCKS {
        for (name, plain, other) in parameters {
            let misspelt = format!("{name}x");
            let stated = if plain.is_empty() { *other } else { *plain };
            let text = text(Some((block, name, stated)), Some((block, name, &misspelt)));
            let error = imported(&text).expect_err("misspelt").to_string();
            let message = format!("no parameter `{misspelt}`; did you mean `{name}`?");
            assert!(error.ends_with(&message), "{error}");
        }
    }
}

#[test]
fn a_zone_can_have_its_own_unit_of_skews() {
    let own = |unit: &str, zone: &str| {
        let text = text(Some(("dm_layout_g1", "Skew units", unit)), None);
        let zone = format!("dm_layout_g1_zone {{ Skew units = {zone},");
        imported(&text.replacen("dm_layout_g1_zone {", &zone, 1)).expect("right").profile
    };
    let plain = imported(&text(Some(("dm_layout_g1", "Skew units", "revolutions")), None));
    let plain = plain.expect("right").profile;
    assert_eq!(own("sectors", "revolutions").params(), plain.params());
    assert_ne!(own("revolutions", "sectors").params(), plain.params());
}

#[test]
fn where_tracks_are_spare_tracks_are_remapped() {
    let text = text(Some(("dm_layout_g1", "Sparing scheme used", "1")), None).replacen(
        "slips = [ 7 ]",
        "slips = []",
        1,
    );
    let tracks = |pair: &str| imported(&text.replacen("[ 13, 199 ]", pair, 1));
    // Two surfaces, twelve cylinders: the last two tracks are spare.
    let profile = tracks("[ 3, 23 ]").expect("right").profile;
    let layout = platterlab_drive::layout::Layout::new(&profile.params().layout).expect("legal");
    let (bad, good) = (layout.locate(145), layout.locate(195));
    let place =
        |at: Option<platterlab_drive::Physical>| at.map(|it| [it.cylinder, it.surface, it.sector]);
    // Five blocks of management area lie before block 0.
    assert_eq!(place(bad), Some([11, 1, 0]));
    assert_eq!(place(good), Some([2, 0, 0]));
    assert_eq!(again(&profile).params().layout, profile.params().layout);
    let error = tracks("[ 3, 24 ]").expect_err("no such track").to_string();
    assert!(error.ends_with("track 24 lies beyond the zone's 24"), "{error}");
}

#[test]
fn a_line_through_three_times_goes_through_the_mean_at_a_third_of_the_way() {
    let linear = text(Some(("dm_mech_g1", "Seek type", "linear")), None);
    let imported = imported(&linear).expect("right");
    let ms = |ms| platterlab_units::Span::from_ms(ms).expect("a time");
    let points = vec![(1, ms(1.0)), (4, ms(4.0)), (11, ms(9.0))];
    let seek = &imported.profile.params().mechanism.seek;
    assert_eq!(*seek, platterlab_drive::SeekCurve::Table { points });
}
