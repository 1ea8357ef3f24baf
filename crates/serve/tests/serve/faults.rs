//! Faults on purpose: what each does to requests, and that without any nothing is different.

use platterlab_drive::Drive;
use platterlab_profile::Profile;
use platterlab_serve::FaultPlan;

use platterlab_sim::drive::Model;
use platterlab_sim::live::{Ask, LiveDevice, LiveDone, LiveRequest};
use platterlab_sim::scheduler::Scheduler;
use platterlab_units::{Lapse, Partial, Span, Stamp};

const WRITE: Ask = Ask::Write { forced: true };

fn model() -> Model {
    let profile = Profile::from_library("hp-97560").expect("the library has it");
    Model::Drive(Box::new(Drive::new(profile.params()).expect("the library's drives make sense")))
}

fn device(faults: &str) -> LiveDevice {
    let mut device = LiveDevice::new(model(), Scheduler::Fcfs, 1, 0);
    let plan = FaultPlan::parse(faults).expect("a file of faults");
    device.set_faults(Some(plan.faults(device.model()).expect("faults that can be")));
    device
}

fn refusal(faults: &str) -> String {
    let read = FaultPlan::parse(faults).and_then(|plan| plan.faults(&model()).map(drop));
    read.expect_err("faults that cannot be").to_string()
}

/// One request after another, each a second after the one before is done.
fn ask(device: &mut LiveDevice, asked: &[(u64, Ask)]) -> Vec<LiveDone> {
    let mut done: Vec<LiveDone> = Vec::new();
    for &(lba, ask) in asked {
        let at = done.last().map_or(Stamp::ZERO, |last| last.at) + Span::from_us(1_000_000);
        device.submit(at, LiveRequest { tag: lba, lba, sectors: 8, partial: Partial::WHOLE, ask });
        while let Some(next) = device.next() {
            device.advance(next, &mut done);
        }
    }
    done
}

/// When each was done after it came, with these faults and with none.
fn times(faults: &str, asked: &[(u64, Ask)]) -> Vec<(Lapse, Lapse, bool)> {
    let lapse = |one: &LiveDone| one.row.map_or(Lapse::ZERO, |row| row.service());
    let with = ask(&mut device(faults), asked);
    let without = ask(&mut device(""), asked);
    with.iter().zip(&without).map(|(a, b)| (lapse(a), lapse(b), a.failed)).collect()
}

fn turns(count: u64) -> Lapse {
    (model().revolution() * count).into()
}

#[test]
fn no_fault_changes_nothing() {
    let asked: Vec<(u64, Ask)> =
        (0..50).map(|n| (n * 7919 % 100_000, if n % 3 == 0 { WRITE } else { Ask::Read })).collect();
    let mut bare = LiveDevice::new(model(), Scheduler::Fcfs, 1, 0);
    assert_eq!(ask(&mut device("seed = 9"), &asked), ask(&mut bare, &asked));
}

#[test]
fn what_cannot_be_read_fails_after_the_limit_until_it_is_written() {
    let faults = "recovery_ms = 100\n[[fault]]\nkind = \"unreadable\"\nlba = 1003";
    let told = times(faults, &[(1000, Ask::Read), (1000, WRITE), (1000, Ask::Read)]);
    // 100 ms are six turns of 14.99 ms, and a part of one.
    assert_eq!(told[0], (told[0].1 + turns(6), told[0].1, true));
    assert_eq!([told[1].2, told[2].2], [false; 2]);
    assert!(!times(faults, &[(1004, Ask::Read)])[0].2);
}

#[test]
fn a_slow_sector_takes_whole_turns_more_in_its_time() {
    let faults = "[[fault]]\nkind = \"slow-sectors\"\nlba = 500\nsectors = 4\nturns = 3\n\
                  from_s = 2\nuntil_s = 4";
    let told = times(faults, &[(500, Ask::Read), (9000, Ask::Read), (500, Ask::Read)]);
    assert_eq!(told[0].0, told[0].1, "not yet");
    assert_eq!(told[1].0, told[1].1, "elsewhere");
    assert_eq!(told[2], (told[2].1 + turns(3), told[2].1, false));
}

#[test]
fn a_dead_head_fails_on_its_surface_alone() {
    let faults = "recovery_ms = 0\n[[fault]]\nkind = \"dead-head\"\nsurface = 1";
    let Model::Drive(drive) = model() else { panic!("a drive") };
    let surface = |lba| drive.layout().run(lba, 1).surface;
    let first = (0..).find(|&lba| surface(lba) == 1).expect("it has a second surface");
    let end = (first..).find(|&lba| surface(lba) != 1).expect("and a third");
    let asked = [
        (0, Ask::Read),
        (first + 8, Ask::Read),
        (first + 8, WRITE),
        (first - 4, Ask::Read),
        (end, Ask::Read),
    ];
    let failed: Vec<bool> = times(faults, &asked).iter().map(|one| one.2).collect();
    assert_eq!(failed, [false, true, true, true, false]);
}

#[test]
fn a_share_of_the_requests_is_slow_and_always_the_same() {
    let faults = "seed = 5\n[[fault]]\nkind = \"fail-slow\"\nfactor = 4\nshare = 0.25\n\
                  operation = \"read\"";
    let asked: Vec<(u64, Ask)> = (0..200).map(|n| (n * 7919 % 900_000, Ask::Read)).collect();
    let slow = |told: Vec<(Lapse, Lapse, bool)>| -> Vec<bool> {
        told.iter().map(|one| one.0 > one.1).collect()
    };
    let found = slow(times(faults, &asked));
    let count = found.iter().filter(|&&one| one).count();
    assert!((30..=70).contains(&count), "{count} of 200");
    assert_eq!(found, slow(times(faults, &asked)));
    let first = times(&faults.replace("0.25", "1"), &asked[..1])[0];
    assert_eq!(first.0.as_ps(), first.1.as_ps() * 4);
    let written = times(faults, &[(0, WRITE); 20]);
    assert!(written.iter().all(|one| one.0 == one.1));
}

#[test]
fn a_drive_that_hangs_answers_later_and_one_that_is_gone_fails_at_once() {
    let hang = "[[fault]]\nkind = \"hang\"\nfrom_s = 0.5\nuntil_s = 60";
    let done = ask(&mut device(hang), &[(0, Ask::Read), (0, Ask::Flush)]);
    assert!(done[0].at > Stamp::from_us(60_000_000) && done[0].at < Stamp::from_us(60_100_000));
    assert!(done.iter().all(|one| !one.failed));

    let gone = "[[fault]]\nkind = \"gone\"\nfrom_s = 1.000001";
    let done = ask(&mut device(gone), &[(0, Ask::Read), (0, Ask::Flush), (0, Ask::Discard)]);
    assert_eq!(done[0].at, Stamp::from_us(1_000_001), "under way when it went");
    assert!(done.iter().all(|one| one.failed));
    assert_eq!(done[2].at.since(done[1].at), Span::from_us(1_000_000).into());
}

#[test]
fn places_at_random_follow_from_the_seed() {
    let plan = |seed: u64| {
        let text = format!("seed = {seed}\n[[fault]]\nkind = \"unreadable\"\ncount = 40");
        format!("{:?}", FaultPlan::parse(&text).unwrap().faults(&model()).unwrap())
    };
    assert_eq!(plan(1), plan(1));
    assert_ne!(plan(1), plan(2));
}

#[test]
fn what_cannot_be_is_refused_with_what_could() {
    for (faults, said) in [
        ("[[fault]\n", "line 1:"),
        ("\n[[fault]]\nkind = \"melted\"", "line 3: fault 1, kind: unknown variant `melted`"),
        ("[[fault]]\nkind = \"hang\"\nuntil_s = 3\nlba = 3", "unknown field `lba`"),
        ("[[fault]]\nkind = \"hang\"", "missing field `until_s`"),
        ("[[fault]]\nkind = \"gone\"\nfrom_s = -1", "fault 1: from_s and until_s are 0 to"),
        ("[[fault]]\nkind = \"hang\"\nfrom_s = 9\nuntil_s = 3", "the second the later"),
        ("[[fault]]\nkind = \"gone\"\nfrom_s = 5\nuntil_s = 5", "the second the later"),
        ("[[fault]]\nkind = \"unreadable\"", "fault 1: needs lba, or count"),
        ("[[fault]]\nkind = \"unreadable\"\nlba = 1\ncount = 1", "one of them"),
        ("[[fault]]\nkind = \"unreadable\"\nlba = 99999999", "the last that fits is 2647079"),
        ("[[fault]]\nkind = \"unreadable\"\nlba = 0\nsectors = 0", "sectors = 0: is 1 to"),
        ("[[fault]]\nkind = \"slow-sectors\"\nlba = 0\nturns = 0", "turns is 1 to 100000"),
        ("[[fault]]\nkind = \"dead-head\"\nsurface = 19", "surface 19: the drive has 0 to 18"),
        ("[[fault]]\nkind = \"fail-slow\"\nfactor = 0.5", "factor is 1 to 1000"),
        ("[[fault]]\nkind = \"dead-battery\"", "the drive has no battery"),
        ("recovery_ms = nan", "recovery_ms = NaN: is 0 to 3600000"),
        (
            "[[fault]]\nkind = \"unreadable\"\ncount = 6000\n[[fault]]\nkind = \"unreadable\"\n\
          count = 6000",
            "12000 faults, each place at random counted as one; at most 10000",
        ),
    ] {
        let told = refusal(faults);
        assert!(told.contains(said), "{faults:?}: {told}");
    }
}

#[test]
fn what_is_wrong_is_told_at_its_key() {
    let two = "seed = 1\n\n[[fault]]\nkind = \"gone\"\n\n[[fault]]\nkind = \"hang\"\nuntil_s = 3\n";
    let starts = [
        (format!("{two}untill = 7\n"), "line 9: fault 2, untill: unknown field `untill`"),
        (format!("{two}from_s = \"5s\"\n"), "line 9: fault 2, from_s: invalid type: string"),
        (two.replace("hang", "hung"), "line 7: fault 2, kind: unknown variant `hung`"),
        (two.replace("until_s = 3", ""), "line 6: fault 2: missing field `until_s`"),
        (two.replace("seed = 1", "seed = -1"), "line 1: seed: invalid value: integer `-1`"),
        (two.replace("seed", "sead"), "line 1: sead: unknown field `sead`"),
        ("\n[fault]\nkind = \"gone\"\n".to_owned(), "line 2: write [[fault]]"),
        (format!("{two}from_s = \n"), "line 9: "),
    ];
    for (text, start) in starts {
        assert!(refusal(&text).starts_with(start), "{}", refusal(&text));
    }
    let sectors = "[[fault]]\nkind = \"unreadable\"\nlba = 5\nsectors = -1\n";
    let expected = "expected a whole number of 0 or more";
    assert!(refusal(sectors).starts_with("line 4: fault 1, sectors: invalid value: integer `-1`"));
    assert!(refusal(sectors).ends_with(expected), "{}", refusal(sectors));
}
