//! DiskSim's cache, overhead and bus parameters: none is left out in silence.

use crate::files::{MODEL, SEEK, again, import_from};
use platterlab_disksim::drive::{ImportError, ImportedDrive};
use platterlab_disksim::export::export;
use platterlab_drive::{BusHold, DriveParams, OnHit, Overwritten, ReadAhead, WriteReport};
use platterlab_profile::Profile;
use platterlab_units::Span;

/// Every parameter of a drive with a cache, and another value it can have.
const PARAMETERS: [(&str, &str, &str); 59] = [
    ("Per-request overhead time", "0.0", "0.1"),
    ("Time scale for overheads", "1.0", "2.0"),
    ("Bulk sector transfer time", "0.01", "0.02"),
    ("Hold bus entire read xfer", "0", "1"),
    ("Hold bus entire write xfer", "0", "1"),
    ("Allow almost read hits", "0", "1"),
    ("Allow sneaky full read hits", "0", "1"),
    ("Allow sneaky partial read hits", "0", "1"),
    ("Allow sneaky intermediate read hits", "0", "1"),
    ("Allow read hits on write data", "0", "1"),
    ("Allow write prebuffering", "0", "1"),
    ("Preseeking level", "0", "2"),
    ("Never disconnect", "0", "1"),
    ("Number of buffer segments", "4", "5"),
    ("Maximum number of write segments", "1", "2"),
    ("Segment size (in blks)", "32", "64"),
    ("Use separate write segment", "0", "1"),
    ("Low (write) water mark", "0.0", "0.5"),
    ("High (read) water mark", "0.25", "0.5"),
    ("Set watermark by reqsize", "1", "0"),
    ("Enable caching in buffer", "1", "0"),
    ("Buffer continuous read", "3", "1"),
    ("Minimum read-ahead (blks)", "0", "8"),
    ("Maximum read-ahead (blks)", "32", "16"),
    ("Read-ahead over requested", "0", "-1"),
    ("Read-ahead on idle hit", "0", "1"),
    ("Read any free blocks", "0", "1"),
    ("Fast write level", "0", "2"),
    ("Immediate buffer read", "0", "1"),
    ("Immediate buffer write", "0", "1"),
    ("Combine seq writes", "0", "1"),
    ("Stop prefetch in sector", "0", "1"),
    ("Disconnect write if seek", "0", "1"),
    ("Write hit stop prefetch", "1", "0"),
    ("Read directly to buffer", "1", "0"),
    ("Immed transfer partial hit", "1", "0"),
    ("Read hit over. after read", "0.11", "0.2"),
    ("Read hit over. after write", "0.12", "0.2"),
    ("Read miss over. after read", "0.13", "0.2"),
    ("Read miss over. after write", "0.14", "0.2"),
    ("Write hit over. after read", "0.15", "0.2"),
    ("Write hit over. after write", "0.16", "0.2"),
    ("Write miss over. after read", "0.17", "0.2"),
    ("Write miss over. after write", "0.18", "0.2"),
    ("Read completion overhead", "0.01", "0.2"),
    ("Write completion overhead", "0.02", "0.2"),
    ("Data preparation overhead", "0.0", "0.2"),
    ("First reselect overhead", "0.03", "0.2"),
    ("Other reselect overhead", "0.0", "0.2"),
    ("Read disconnect afterread", "0.0", "0.2"),
    ("Read disconnect afterwrite", "0.0", "0.2"),
    ("Write disconnect overhead", "0.0", "0.2"),
    ("Extra write disconnect", "0", "1"),
    ("Extradisc command overhead", "0.0", "0.2"),
    ("Extradisc disconnect overhead", "0.0", "0.2"),
    ("Extradisc inter-disconnect delay", "0.0", "0.2"),
    ("Extradisc 2nd disconnect overhead", "0.0", "0.2"),
    ("Extradisc seek delta", "0.0", "0.2"),
    ("Minimum seek delay", "0.0", "0.1"),
];

/// The drive and what is noted, some values being others.
fn drive(changed: &[(&str, &str)]) -> Result<(DriveParams, Vec<String>), ImportError> {
    imported(changed).map(|imported| (imported.profile.params().clone(), imported.notes))
}

fn imported(changed: &[(&str, &str)]) -> Result<ImportedDrive, ImportError> {
    let line = |(name, value, _): &(&str, &str, &str)| {
        let other = changed.iter().find(|(other, _)| other == name);
        format!("   {name} = {},\n", other.map_or(*value, |(_, value)| value))
    };
    let lines: String = PARAMETERS.iter().map(line).collect();
    let text = format!("disksim_disk SMALL {{\n   Model = source small.model,\n{lines}}}\n");
    import_from(&[("drive.diskspecs", &text), ("small.model", MODEL), ("small.seek", SEEK)])
}

pub(crate) fn params(changed: &[(&str, &str)]) -> DriveParams {
    drive(changed).expect("right").0
}

fn us(us: u64) -> Span {
    Span::from_us(us)
}

#[test]
fn every_parameter_changes_the_drive_or_is_spoken_of() {
    let (plain, _) = drive(&[]).expect("right");
    for (name, _, other) in PARAMETERS {
        let spoken = match drive(&[(name, other)]) {
            Ok((changed, notes)) => {
                changed != plain || notes.iter().any(|note| note.contains(&format!("`{name}`")))
            }
            Err(ImportError::NotHonoured(errors)) => {
                errors.len() == 1 && errors[0].what.starts_with(&format!("`{name}` cannot be"))
            }
            Err(error) => panic!("{name}: {error}"),
        };
        assert!(spoken, "{name} = {other} is left out in silence");
    }
}

#[test]
fn the_cache_is_what_its_parameters_say() {
    let cache = params(&[]).cache;
    assert_eq!((cache.segments, cache.segment_sectors), (4, 32));
    assert_eq!(
        (cache.read_ahead, cache.read_ahead_most_sectors),
        (ReadAhead::Aggressive, Some(32))
    );
    assert_eq!(cache.read_ahead_on_hit, OnHit::Continue);
    assert!(!cache.almost_hits);
    assert!(params(&[("Allow almost read hits", "1")]).cache.almost_hits);
    assert_eq!(cache.overwritten, Overwritten::Dropped);
    assert_eq!(cache.write_report, WriteReport::Media);
    assert!(cache.read_ahead_over_requested && !cache.read_ahead_stops_in_sector);
    assert!(cache.keep_after_hit && cache.partial_hits && cache.partial_hits_at_once);
    let track = params(&[("Buffer continuous read", "4")]).cache;
    assert_eq!((track.read_ahead, track.read_ahead_most_sectors), (ReadAhead::Track, Some(120)));
    assert!(track.read_ahead_next_track);
    let cylinder = params(&[("Buffer continuous read", "2")]).cache;
    assert_eq!(
        (cylinder.read_ahead, cylinder.read_ahead_most_sectors),
        (ReadAhead::Cylinder, Some(120))
    );
    let separate = params(&[("Use separate write segment", "1")]).cache;
    assert!(separate.separate_write_segments);
    assert_eq!(separate.write_segments, Some(1));
    assert_eq!(params(&[("Read-ahead on idle hit", "1")]).cache.read_ahead_on_hit, OnHit::Start);
    assert_eq!(params(&[("Fast write level", "1")]).cache.write_report, WriteReport::BufferInTurn);
}

#[test]
fn overheads_go_by_outcome_operation_and_what_came_before() {
    let controller = params(&[]).controller;
    assert_eq!(controller.overhead[0], [[us(130), us(140)], [us(110), us(120)]]);
    assert_eq!(controller.overhead[1], [[us(170), us(180)], [us(150), us(160)]]);
    // A write on the media takes the bus again to report.
    assert_eq!(controller.completion, [us(10), us(50)]);
    assert!(controller.rules.is_empty());
    let reported = params(&[("Fast write level", "2")]).controller;
    let rules: Vec<_> = reported.rules.iter().map(|it| (it.hit, it.time, it.completion)).collect();
    assert_eq!(
        rules,
        [(Some(true), us(150), Some(us(20))), (Some(true), us(160), Some(us(20)))],
        "a write reported from the buffer has the bus still"
    );
    let twice = [("Extra write disconnect", "1"), ("Other reselect overhead", "0.04")];
    let rules = params(&twice).controller.rules;
    let rules: Vec<_> = rules.iter().map(|it| (it.run, it.time, it.completion)).collect();
    assert_eq!(rules, [(1, us(180), Some(us(50))), (0, us(180), Some(us(60)))]);
}

#[test]
fn the_bus_is_held_as_long_as_the_file_says() {
    assert_eq!(params(&[]).bus.hold, [BusHold::Data; 2]);
    let read = params(&[("Hold bus entire read xfer", "1")]).bus.hold;
    assert_eq!(read, [BusHold::Transfer, BusHold::Data]);
    assert_eq!(params(&[("Never disconnect", "1")]).bus.hold, [BusHold::Command; 2]);
}

#[test]
fn a_cache_goes_back_to_disksim_and_comes_again() {
    let changes: [&[(&str, &str)]; 4] = [
        &[("First reselect overhead", "0.0")],
        &[("First reselect overhead", "0.0"), ("Buffer continuous read", "1")],
        &[("First reselect overhead", "0.0"), ("Fast write level", "2")],
        &[
            ("First reselect overhead", "0.0"),
            ("Use separate write segment", "1"),
            ("Read-ahead on idle hit", "1"),
            ("Read-ahead over requested", "-1"),
            ("Never disconnect", "1"),
            ("Maximum read-ahead (blks)", "16"),
        ],
    ];
    for changed in changes {
        let profile = imported(changed).expect("right").profile;
        assert_eq!(again(&profile).params(), profile.params(), "{changed:?}");
    }
    let kept = imported(&[("First reselect overhead", "0.0")]).expect("right").profile;
    let text = kept.to_toml().replacen("overwritten = \"dropped\"", "overwritten = \"updated\"", 1);
    let other = Profile::parse(&text, "other").expect("legal");
    let lost = export(&other, "other").expect_err("another rule");
    assert_eq!(lost, ["cache.overwritten: DiskSim drops segments"]);
}

#[test]
fn what_needs_several_commands_in_the_drive_is_spoken_of_where_it_takes_them() {
    let specs = "disksim_disk SMALL { Model = source small.model, Enable caching in buffer = 1, \
                 Number of buffer segments = 1, Segment size (in blks) = 8, Preseeking level = 1, \
                 Max queue length = 8 }";
    let imported = crate::files::imported(specs, MODEL, SEEK);
    let notes = imported.expect("right").notes.join("\n");
    let note =
        "`Preseeking level` is not honoured: a profile's drive works at one command at a time";
    assert!(notes.contains(note), "{notes}");
}

#[test]
fn with_an_extra_disconnect_a_write_waits_for_as_much_data_as_comes_meanwhile() {
    let waits = [
        ("Extra write disconnect", "1"),
        ("Minimum seek delay", "0.1"),
        ("Extradisc command overhead", "0.2"),
        ("Extradisc inter-disconnect delay", "0.3"),
    ];
    let with = params(&waits);
    assert_eq!(with.bus.write_sector, us(10));
    assert_eq!(with.cache.write_fence_sectors, 60);
    assert_eq!(params(&waits[1..]).cache.write_fence_sectors, 0);
}
