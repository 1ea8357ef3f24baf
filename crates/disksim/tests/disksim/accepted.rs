//! What DiskSim's own parameter reference accepts is imported: every value in its ranges, and the
//! files it reads. Where a rule could be understood the other way round, a drive and a trace tell.

use crate::files::{MODEL, SEEK, SPECS, again, import_from, imported};
use platterlab_disksim::drive::{ImportError, ImportedDrive};
use platterlab_drive::layout::Layout;
use platterlab_drive::mechanism::Arm;
use platterlab_drive::{CacheOutcome, Command, Drive, DriveParams, NoChance, Service};
use platterlab_units::{Operation, Partial, Span, Time};

const LAYOUT: &str = include_str!("../files/index.layout");
const INDEX: &str = include_str!("../files/index.model");

fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// The small drive with a cache of `parameters`.
fn cached(parameters: &str) -> ImportedDrive {
    let cache = format!("Enable caching in buffer = 1, {parameters}");
    let specs = changed(SPECS, "Enable caching in buffer = 0", &cache);
    imported(&specs, MODEL, SEEK).unwrap_or_else(|error| panic!("{parameters}: {error}"))
}

fn noted(imported: &ImportedDrive, what: &str) -> bool {
    imported.notes.iter().any(|note| note.contains(what))
}

fn read(lba: u64, sectors: u32) -> Command {
    Command {
        lba,
        sectors,
        operation: Operation::Read,
        may_report_early: true,
        partial: Partial::WHOLE,
    }
}

/// Commands a second apart.
fn served(params: &DriveParams, commands: &[Command]) -> Vec<Service> {
    let mut drive = Drive::new(params).expect("legal");
    let at = |index: usize| Time::ZERO + Span::from_us(1_000_000) * (index as u64 + 1);
    let serve =
        |(index, command): (usize, &Command)| drive.serve(at(index), *command, &mut NoChance);
    commands.iter().enumerate().map(serve).collect()
}

#[test]
fn what_is_read_ahead_takes_the_place_of_what_was_asked_for_unless_it_must_not() {
    let cache = "Number of buffer segments = 1, Segment size (in blks) = 16, \
                 Buffer continuous read = 3, Maximum read-ahead (blks) = 16, \
                 Stop prefetch in sector = 1, Read-ahead over requested";
    // Under 0 and 1 DiskSim's drives have lost it: Atlas 10K and III, and Barracuda.
    for (value, over, again) in [
        ("0", true, CacheOutcome::Miss),
        ("1", true, CacheOutcome::Miss),
        ("-1", false, CacheOutcome::Hit),
    ] {
        let imported = cached(&format!("{cache} = {value}"));
        let params = imported.profile.params();
        assert_eq!(params.cache.read_ahead_over_requested, over, "{value}");
        let outcomes = served(params, &[read(0, 8), read(0, 8)]);
        assert_eq!(outcomes[1].cache, again, "{value}");
        assert_eq!(noted(&imported, "`Read-ahead over requested` is"), value != "1", "{value}");
    }
}

#[test]
fn a_read_takes_its_sectors_in_the_order_of_addresses_whatever_is_immediate() {
    let cache = "Number of buffer segments = 1, Segment size (in blks) = 64, Immediate buffer read";
    let reads: Vec<Command> = (0..8).map(|index| read(index * 50, 40)).collect();
    let times =
        |params: &DriveParams| served(params, &reads).iter().map(|it| it.completion).collect();
    let plain: Vec<Time> = times(cached(&format!("{cache} = 0")).profile.params());
    for value in ["1", "2"] {
        let imported = cached(&format!("{cache} = {value}"));
        let params = imported.profile.params();
        assert_eq!(times(params), plain, "{value}");
        // The trace tells it from its opposite.
        let mut opposite = params.clone();
        opposite.cache.zero_latency_read = true;
        assert_ne!(times(&opposite), plain);
        assert!(noted(&imported, "`Immediate buffer read` is left out"), "{:?}", imported.notes);
    }
}

#[test]
fn a_second_kind_of_caching_is_a_cache_and_none_without_room() {
    let second = changed(SPECS, "in buffer = 0", "in buffer = 2");
    let with = |cache: &str| {
        imported(&format!("{}\n", changed(&second, "{\n", &format!("{{\n {cache},"))), MODEL, SEEK)
    };
    let one = with("Number of buffer segments = 1, Segment size (in blks) = 8").expect("right");
    assert_eq!(one.profile.params().cache.segments, 1);
    assert!(noted(&one, "`Enable caching in buffer` is taken as 1"));
    let none = with("Number of buffer segments = 0, Segment size (in blks) = 8").expect("right");
    assert_eq!(none.profile.params().cache.segments, 0);
    assert!(noted(&none, "`Number of buffer segments` leaves a cache without room"));
}

const AT_REST: Arm = Arm { cylinder: 0, surface: 0 };

/// The drive with a write settling of so many milliseconds.
fn settling(ms: &str) -> Result<ImportedDrive, ImportError> {
    imported(SPECS, &changed(MODEL, "delay = 0.5", &format!("delay = {ms}")), SEEK)
}

#[test]
fn writes_can_settle_for_less() {
    let positioned = |imported: &ImportedDrive, operation, to: (u32, u32)| -> f64 {
        let drive = Drive::new(imported.profile.params()).expect("legal");
        drive.mechanism().position(AT_REST, to.0, to.1, operation).as_ms()
    };
    let (plain, less) = (settling("0.0").expect("right"), settling("-0.3").expect("right"));
    for to in [(0, 1), (1, 0), (5, 0), (9, 1)] {
        let time = |drive, operation| positioned(drive, operation, to);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{to:?}: {a} {b}");
        near(time(&less, Operation::Read), time(&plain, Operation::Read));
        near(time(&less, Operation::Write), time(&plain, Operation::Write) - 0.3);
    }
    assert_eq!(again(&less.profile).params().mechanism, less.profile.params().mechanism);
    let error = settling("-0.8").expect_err("more than the head switch").to_string();
    assert!(error.ends_with("head switch, 0.7 ms; write at least -0.7"), "{error}");
    let none = changed(
        &changed(MODEL, "delay = 0.5", "delay = -0.8"),
        "Head switch time = 0.7",
        "Head switch time = 0.0",
    );
    let error = imported(SPECS, &none, SEEK).expect_err("none can be shorter").to_string();
    assert!(error.ends_with("head switch, 0 ms; write at least 0"), "{error}");
}

#[test]
fn a_drive_has_surfaces_and_cylinders() {
    for name in ["Number of data surfaces", "Number of cylinders"] {
        let line = MODEL.lines().find(|line| line.contains(name)).expect("stated");
        let none = changed(MODEL, line, &format!("   {name} = 0,"));
        let error = imported(SPECS, &none, SEEK).expect_err("no drive").to_string();
        assert!(
            error.contains(&format!(
                "`{name}` cannot be the number 0; write a whole number from 1 to"
            )),
            "{error}"
        );
    }
}

#[test]
fn every_kind_of_seek_curve_can_be_shortened() {
    let stated = "Seek type = extracted,\n      Full seek curve = small.seek";
    for curve in [
        "Seek type = constant, Constant seek time = 3.0",
        "Seek type = linear, Single cylinder seek time = 1.0, Full strobe seek time = 9.0",
        "Seek type = curve, Single cylinder seek time = 1.0, Average seek time = 4.0, \
         Full strobe seek time = 9.0",
        "Seek type = hpl, HPL seek equation values = [ 5, 0.5, 0.4, 1.6, 0.1, -1 ]",
        "Seek type = hplplus10, HPL seek equation values = [ 5, 0.2, 0.7, 1.6, 0.1, -1 ], \
         First ten seek times = [ 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9 ]",
    ] {
        let model = changed(MODEL, stated, curve);
        let drive = |settle: &str| {
            let model = changed(&model, "delay = 0.5", &format!("delay = {settle}"));
            let imported = imported(SPECS, &model, SEEK);
            imported.unwrap_or_else(|error| panic!("{curve}: {error}")).profile
        };
        let (plain, less) = (drive("0.0"), drive("-0.3"));
        for to in 1..11 {
            let time = |profile: &platterlab_profile::Profile, operation| {
                let drive = Drive::new(profile.params()).expect("legal");
                drive.mechanism().position(AT_REST, to, 0, operation).as_ms()
            };
            let (read, write) = (Operation::Read, Operation::Write);
            assert!((time(&less, read) - time(&plain, read)).abs() < 1e-6, "{curve}");
            assert!((time(&less, write) - time(&plain, write) + 0.3).abs() < 1e-6, "{curve}");
        }
    }
}

#[test]
fn seek_files_have_two_or_three_columns_and_perhaps_a_header() {
    let plain = imported(SPECS, MODEL, SEEK).expect("right");
    for text in [
        "1, 1.2\n2, 1.1\n10, 3.5\n",
        "1\t1.2\n2\t1.1\n10\t3.5",
        "1, 1.2, 0.01\n2, 1.1, 0.02\n10, 3.5, 0.03\n",
        "Seek distances measured: 3\n1 1.2 0.1\n2 1.1 0\n10 3.5 1e-3\n",
        "0, 0.0\n1, 1.2\n2, 1.1\n10, 3.5\n",
    ] {
        let found = imported(SPECS, MODEL, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found.profile.params(), plain.profile.params(), "{text}");
    }
    for (text, message) in [
        ("1, 1.2\n2\n", "small.seek, line 2, column 1: a point is `distance, milliseconds`"),
        ("seek\n1, 1.2\n", "small.seek, line 1, column 1: is neither `Seek distances measured"),
        ("1, 1.2, 0.1, 7\n", "small.seek, line 1, column 1: is neither"),
        ("", "small.seek, line 1, column 1: announces 0 points"),
    ] {
        let error = imported(SPECS, MODEL, text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn what_follows_the_counted_points_of_a_seek_file_is_not_read() {
    let plain = imported(SPECS, MODEL, SEEK).expect("right");
    let more = format!("{}\n11, 9.9\nmeasured in May\n", SEEK.trim_end());
    let found = imported(SPECS, MODEL, &more).expect("right");
    assert_eq!(found.profile.params(), plain.profile.params());
    assert!(noted(&found, "is not read: the first line announces 3 points"));
    assert!(!noted(&plain, "is not read"));
}

#[test]
fn a_spare_remapped_to_itself_is_nothing() {
    let remaps = |list: &str| {
        let model = changed(MODEL, "defects = [ 300, 590 ]", &format!("defects = {list}"));
        imported(SPECS, &model, SEEK).unwrap_or_else(|error| panic!("{list}: {error}"))
    };
    let itself = remaps("[ 300, 590, 591, 591 ]");
    assert_eq!(itself.profile.params(), remaps("[ 300, 590 ]").profile.params());
    assert!(noted(&itself, "block 591 is remapped to itself, which is nothing"));
}

#[test]
fn a_last_zone_that_ends_one_cylinder_late_holds() {
    let late = changed(MODEL, "Last cylinder number = 10", "Last cylinder number = 12");
    let imported_late = imported(SPECS, &late, SEEK).expect("right");
    let right = changed(&late, "cylinders = 12", "cylinders = 13");
    let right = imported(SPECS, &right, SEEK).expect("right");
    assert_eq!(imported_late.profile.params(), right.profile.params());
    assert!(noted(&imported_late, "`Number of cylinders` is 12; the last zone has 13, which hold"));
    for wrong in [
        changed(MODEL, "Last cylinder number = 10", "Last cylinder number = 13"),
        changed(MODEL, "Last cylinder number = 4", "Last cylinder number = 12"),
    ] {
        let error = imported(SPECS, &wrong, SEEK).expect_err("two late").to_string();
        assert!(error.contains("do not follow the zones before within 12"), "{error}");
    }
}

#[test]
fn skews_can_go_back() {
    let back = changed(MODEL, "Skew for track switch = 8.0", "Skew for track switch = -7");
    let profile = imported(SPECS, &back, SEEK).expect("right").profile;
    let turned = |track: u64| {
        let layout = Layout::new(&profile.params().layout).expect("legal");
        layout.run(track * 60, 1).track_angle.as_turns()
    };
    let step = (turned(1) - turned(0)).rem_euclid(1.0);
    assert!((step - 53.0 / 60.0).abs() < 1e-9, "{step}");
}

#[test]
fn a_length_that_is_not_that_of_its_blocks_is_noted_and_they_hold() {
    let index = |layout| import_from(&[("index.model", INDEX), ("index.layout", layout)]);
    let plain = changed(LAYOUT, "3, 1,  21, 2", "");
    let right = index(&plain).expect("right");
    // The groups of the root are said to be one block shorter than they are.
    let wrong = changed(&plain, "36,  2,      0.75,  72, ", "35,  2,      0.75,  70, ");
    let wrong = changed(&wrong, "72,  6,   0.1,", "70,  6,   0.1,");
    let found = index(&wrong).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.profile.params().layout, right.profile.params().layout);
    assert!(noted(&found, "len 35 is not the 36 blocks of node 0, whose blocks hold"));
    assert!(!noted(&right, "whose blocks hold"));
}

#[test]
fn what_a_drive_does_otherwise_is_noted_and_not_refused() {
    for (file, parameter) in [
        (&SPECS, "Disconnect write if seek = 1"),
        (&SPECS, "Minimum seek delay = 5.0"),
        (&MODEL, "Percent error in rpms = 0.5"),
    ] {
        let name = parameter.split(" =").next().unwrap_or_default();
        let with = |text: &str| text.replacen("{\n", &format!("{{\n {parameter},\n"), 1);
        let (specs, model) = if std::ptr::eq(file, &SPECS) {
            (with(SPECS), MODEL.to_owned())
        } else {
            (SPECS.to_owned(), changed(MODEL, "Percent error in rpms = 0.0", parameter))
        };
        let imported = imported(&specs, &model, SEEK).unwrap_or_else(|error| panic!("{error}"));
        assert!(noted(&imported, &format!("`{name}` is not honoured: ")), "{:?}", imported.notes);
    }
}
