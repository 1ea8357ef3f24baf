//! What each mapped parameter does to a few requests, which its opposite would do to others or the
//! other way round.

use crate::electronics::params;
use crate::parameters::with;
use platterlab_drive::{CacheOutcome, Command, Drive, DriveParams, Latency, NoChance, Service};
use platterlab_units::{Operation, Partial, Span, Time};

/// A request: R or W a second after the one before, r or w as soon as that is complete; its first
/// sector, and how many.
type Asked = (char, u64, u32);

/// Stated before a value is changed.
type Others = &'static [(&'static str, &'static str)];

/// What a higher, or another, value does to the last one of some requests.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// It takes so many microseconds longer.
    Later(i64),
    /// It takes longer, by how much goes by the rest of the drive.
    Longer,
    /// It takes less time.
    Shorter,
    /// It holds the bus for longer.
    Holds,
    /// The buffer has it, or part of it, and had not.
    Hit,
    /// The buffer has not what it had.
    Miss,
}

use Does::{Hit, Holds, Later, Longer, Miss, Shorter};

const FAR: Asked = ('R', 300, 8);
const AGAIN: [Asked; 2] = [('R', 0, 8), ('R', 0, 8)];
/// A bus slower than the media, which takes 0.167 ms a sector.
const SLOW: (&str, &str) = ("Bulk sector transfer time", "0.5");
/// For what was asked for and all that is read ahead.
const ROOM: (&str, &str) = ("Segment size (in blks)", "64");
const PARTED: (&str, &str) = ("Extra write disconnect", "1");
/// So much is read ahead wherever tracks end.
const FEW_AHEAD: [(&str, &str); 2] =
    [("Buffer continuous read", "3"), ("Maximum read-ahead (blks)", "16")];
const TRACK_AHEAD: [(&str, &str); 1] = [("Buffer continuous read", "1")];
const SLOW_AHEAD: [(&str, &str); 3] = [FEW_AHEAD[0], FEW_AHEAD[1], SLOW];
const REPORTED: (&str, &str) = ("Fast write level", "2");

/// A parameter, another value for it, what is stated else, requests and what becomes of the last.
type Case = (&'static str, &'static str, Others, &'static [Asked], Does);

const ELECTRONICS: [Case; 43] = [
    ("Read hit over. after read", "0.2", &[], &AGAIN, Later(90)),
    ("Read hit over. after read", "0.2", &[], &[FAR], Later(0)),
    (
        "Read hit over. after write",
        "0.2",
        &[],
        &[('R', 0, 8), ('W', 300, 8), ('R', 0, 8)],
        Later(80),
    ),
    ("Read hit over. after write", "0.2", &[], &AGAIN, Later(0)),
    ("Read miss over. after read", "0.2", &[], &[('R', 0, 8), FAR], Later(70)),
    ("Read miss over. after read", "0.2", &[], &AGAIN, Later(0)),
    ("Read miss over. after write", "0.2", &[], &[('W', 0, 8), FAR], Later(60)),
    ("Read miss over. after write", "0.2", &[], &[('R', 0, 8), FAR], Later(0)),
    ("Write miss over. after read", "0.2", &[], &[('R', 0, 8), ('W', 300, 8)], Later(30)),
    ("Write miss over. after write", "0.2", &[], &[('W', 0, 8), ('W', 300, 8)], Later(20)),
    ("Write hit over. after read", "0.2", &[REPORTED], &[('R', 0, 8), ('W', 300, 8)], Later(50)),
    ("Write hit over. after write", "0.2", &[REPORTED], &[('W', 0, 8), ('W', 300, 8)], Later(40)),
    ("Write hit over. after write", "0.2", &[], &[('W', 0, 8), ('W', 300, 8)], Later(0)),
    ("Read completion overhead", "0.2", &[], &[FAR], Later(190)),
    ("Read completion overhead", "0.2", &[], &[('W', 0, 8)], Later(0)),
    ("Write completion overhead", "0.2", &[], &[('W', 0, 8)], Later(180)),
    ("Write completion overhead", "0.2", &[], &[FAR], Later(0)),
    ("First reselect overhead", "0.2", &[], &[('W', 0, 8)], Later(170)),
    ("Bulk sector transfer time", "0.02", &[], &AGAIN, Later(80)),
    ("Time scale for overheads", "2.0", &[], &[FAR], Longer),
    ("Enable caching in buffer", "0", &[], &AGAIN, Miss),
    ("Number of buffer segments", "1", &[], &[('R', 0, 8), FAR, ('R', 0, 8)], Miss),
    ("Segment size (in blks)", "8", &[], &[('R', 0, 16), ('R', 0, 16)], Miss),
    ("Maximum read-ahead (blks)", "8", &[], &[('R', 0, 8), ('R', 20, 8)], Miss),
    ("Buffer continuous read", "0", &[], &[('R', 0, 8), ('R', 8, 8)], Miss),
    ("Allow read hits on write data", "1", &[], &[('W', 0, 8), ('R', 0, 8)], Hit),
    ("Fast write level", "2", &[], &[('W', 0, 8)], Shorter),
    ("High (read) water mark", "0.5", &[SLOW], &[('R', 0, 32)], Longer),
    ("Set watermark by reqsize", "0", &[SLOW], &[('R', 0, 8)], Longer),
    ("Hold bus entire read xfer", "1", &[], &[FAR], Holds),
    ("Hold bus entire write xfer", "1", &[], &[('W', 0, 8)], Holds),
    ("Never disconnect", "1", &[], &[FAR], Holds),
    (
        "Use separate write segment",
        "1",
        &[("Allow read hits on write data", "1")],
        &[('W', 0, 8), ('R', 0, 8)],
        Miss,
    ),
    (
        "Maximum number of write segments",
        "3",
        &[("Use separate write segment", "1")],
        &[('R', 0, 8), FAR, ('R', 0, 8)],
        Miss,
    ),
    ("Read-ahead on idle hit", "1", &FEW_AHEAD, &[('R', 0, 8), ('R', 8, 8), ('R', 24, 8)], Hit),
    // The first track ends before sector 50.
    ("Minimum read-ahead (blks)", "16", &TRACK_AHEAD, &[('R', 40, 8), ('R', 50, 4)], Hit),
    ("Allow almost read hits", "1", &FEW_AHEAD, &[('R', 0, 8), ('r', 14, 8)], Hit),
    ("Stop prefetch in sector", "1", &FEW_AHEAD, &[('R', 0, 8), ('r', 300, 8)], Shorter),
    ("Immed transfer partial hit", "0", &SLOW_AHEAD, &[('R', 0, 8), ('R', 8, 24)], Longer),
    ("Extradisc command overhead", "2.0", &[PARTED], &[('W', 0, 16)], Longer),
    ("Extradisc disconnect overhead", "2.0", &[PARTED], &[('W', 0, 16)], Longer),
    ("Extradisc inter-disconnect delay", "2.0", &[PARTED], &[('W', 0, 16)], Longer),
    ("Extradisc seek delta", "2.0", &[PARTED], &[('W', 0, 8), ('W', 300, 8)], Longer),
];

const MECHANICS: [(&str, Case); 8] = [
    ("dm_mech_g1", ("Head switch time", "0.8", &[], &[('R', 0, 1), ('R', 44, 1)], Later(100))),
    ("dm_mech_g1", ("Head switch time", "0.8", &[], &[('R', 0, 1), ('R', 1, 1)], Later(0))),
    (
        "dm_mech_g1",
        ("Add. write settling delay", "0.6", &[], &[('R', 0, 1), ('W', 400, 1)], Later(100)),
    ),
    (
        "dm_mech_g1",
        ("Add. write settling delay", "0.6", &[], &[('R', 0, 1), ('R', 400, 1)], Later(0)),
    ),
    (
        "dm_mech_g1",
        ("Single cylinder seek time", "1.5", &[], &[('R', 0, 1), ('R', 100, 1)], Later(500)),
    ),
    ("dm_mech_g1", ("Rotation speed (in rpms)", "12000", &[], &[('R', 0, 30)], Shorter)),
    ("disksim_bus", ("Read block transfer time", "0.5", &[], &[('R', 0, 8)], Longer)),
    ("disksim_bus", ("Write block transfer time", "0.5", &[], &[('R', 0, 8)], Later(0))),
];

/// The last of some requests a second apart, each as soon as the arm is there.
fn last(params: &DriveParams, asked: &[Asked]) -> (Service, Span) {
    let mut params = params.clone();
    params.mechanism.latency = Latency::Off;
    let mut drive = Drive::new(&params).expect("legal");
    let mut completed = Time::ZERO;
    let serve = |(number, (kind, lba, sectors)): (u64, &Asked)| {
        let read = kind.eq_ignore_ascii_case(&'R');
        let operation = if read { Operation::Read } else { Operation::Write };
        let partial = Partial::WHOLE;
        let (lba, sectors, may_report_early) = (*lba, *sectors, true);
        let second = Time::ZERO + Span::from_us(1_000_000) * (number + 1);
        let issue = if kind.is_lowercase() { completed } else { second };
        let command = Command { lba, sectors, operation, may_report_early, partial };
        let service = drive.serve(issue, command, &mut NoChance);
        completed = service.completion;
        (service, service.completion - issue)
    };
    (0..).zip(asked).map(serve).last().expect("requests")
}

fn assert_does(case: &Case, before: &DriveParams, after: &DriveParams) {
    let (name, value, _, asked, does) = case;
    let ((one, old), (other, new)) = (last(before, asked), last(after, asked));
    let later_us = (new.as_ps() as i64 - old.as_ps() as i64) / 1_000_000;
    let had = |service: &Service| service.cache != CacheOutcome::Miss;
    let right = match does {
        Later(us) => later_us == *us,
        Longer => new > old,
        Shorter => new < old,
        Holds => other.bus_held > one.bus_held,
        Hit => !had(&one) && had(&other),
        Miss => had(&one) && !had(&other),
    };
    assert!(right, "{name} = {value}: {does:?}, and {later_us} us later, {one:?} {other:?}");
}

#[test]
fn each_parameter_of_the_electronics_does_what_its_opposite_would_not() {
    for case in &ELECTRONICS {
        let (name, value, others, ..) = case;
        let others = [*others, &[ROOM]].concat();
        assert_does(case, &params(&others), &params(&[&[(*name, *value)], &others[..]].concat()));
    }
}

#[test]
fn each_parameter_of_the_mechanics_does_what_its_opposite_would_not() {
    for (block, case) in &MECHANICS {
        let (name, value, ..) = case;
        let drive = |change| with(change).profile.params().clone();
        assert_does(case, &drive(None), &drive(Some((*block, *name, *value))));
    }
}
