//! Overhead rules and the bus, at their edges.

use crate::round::{Bench, PS, at_us, caching, drive, read, us, write};
use platterlab_drive::{BusHold, DriveParams, Near, NoChance, OverheadRule, ReadAhead};
use platterlab_units::{Operation, Span};

/// A rule for all commands of a kind.
fn rule(operation: Operation) -> OverheadRule {
    OverheadRule {
        operation,
        hit: None,
        after: None,
        run: 0,
        near: Near::Anywhere,
        idle: None,
        reading_ahead: None,
        time: us(70),
        completion: None,
    }
}

/// The round drive with an overhead of 300 us, and one rule.
fn ruled(rule: OverheadRule) -> DriveParams {
    let mut params = caching(ReadAhead::None, 20);
    params.controller.overhead = [[[us(300); 2]; 2]; 2];
    params.controller.rules = vec![rule];
    params
}

fn overheads(params: &DriveParams, commands: &[platterlab_drive::Command]) -> Vec<u64> {
    let mut bench = Bench::new(params);
    commands.iter().map(|command| bench.next(*command).overhead.as_ps() / 1_000_000).collect()
}

#[test]
fn a_rule_goes_by_operation_outcome_and_the_command_before() {
    let params = ruled(rule(Operation::Write));
    assert_eq!(overheads(&params, &[read(0, 1), write(5, 1)]), [300, 70]);
    let params = ruled(OverheadRule { hit: Some(true), ..rule(Operation::Read) });
    assert_eq!(overheads(&params, &[read(0, 1), read(0, 1), read(5, 1)]), [300, 70, 300]);
    let after = OverheadRule { after: Some(Operation::Write), ..rule(Operation::Read) };
    let commands = [read(0, 1), write(5, 1), read(7, 1), read(9, 1)];
    assert_eq!(overheads(&ruled(after), &commands), [300, 300, 70, 300]);
}

#[test]
fn a_run_is_counted_in_commands_of_one_kind_that_continue_each_other() {
    let params = ruled(OverheadRule { run: 2, ..rule(Operation::Read) });
    let commands = [read(0, 1), read(1, 1), read(2, 1), read(3, 1), read(5, 1), read(6, 1)];
    assert_eq!(overheads(&params, &commands), [300, 300, 70, 70, 300, 300]);
    let commands = [read(0, 1), read(1, 1), write(2, 1), read(3, 1), read(4, 1)];
    assert_eq!(overheads(&params, &commands), [300; 5], "a write ends a run of reads");
}

#[test]
fn near_is_measured_from_the_last_sector_of_the_command_before() {
    // Tracks of ten sectors, two to a cylinder.
    let track = ruled(OverheadRule { near: Near::Track, ..rule(Operation::Read) });
    assert_eq!(overheads(&track, &[read(8, 4), read(19, 1)]), [300, 70]);
    assert_eq!(overheads(&track, &[read(8, 4), read(9, 1)]), [300, 300]);
    let cylinders = |most| OverheadRule { near: Near::Cylinders(most), ..rule(Operation::Read) };
    for (most, expected) in [(0, [300, 70, 300, 300]), (1, [300, 70, 70, 300])] {
        let commands = [read(0, 1), read(19, 1), read(39, 1), read(999, 1)];
        assert_eq!(overheads(&ruled(cylinders(most)), &commands), expected);
    }
}

#[test]
fn a_command_comes_soon_until_the_picosecond() {
    let params = ruled(OverheadRule { idle: Some(us(50)), ..rule(Operation::Read) });
    for (late, expected) in [(Span::ZERO, us(70)), (PS, us(300))] {
        let mut bench = Bench::new(&params);
        let done = bench.next(read(0, 1)).completion;
        let issue = done + us(50) + late;
        assert_eq!(bench.drive.serve(issue, read(5, 1), &mut NoChance).overhead, expected);
        // The clock's origin does not matter.
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        bench.drive.rebase(us(700));
        let service = bench.drive.serve(issue.rebased(us(700)), read(5, 1), &mut NoChance);
        assert_eq!(service.overhead, expected);
    }
}

#[test]
fn a_rule_can_ask_whether_read_ahead_is_under_way() {
    let read_ahead = OverheadRule { reading_ahead: Some(true), ..rule(Operation::Read) };
    let mut params = ruled(read_ahead);
    params.cache.segments = 1;
    params.cache.segment_sectors = 20;
    params.cache.read_ahead = ReadAhead::Aggressive;
    params.cache.read_ahead_most_sectors = Some(6);
    let overhead_at = |params: &DriveParams, issue| {
        let mut bench = Bench::new(params);
        bench.next(read(1, 1));
        bench.drive.serve(issue, read(2, 1), &mut NoChance).overhead
    };
    // Sector 1 has passed after 2 ms, the six behind it after 8 ms.
    for (issue, expected) in [(at_us(8_000) - PS, us(70)), (at_us(8_000), us(300))] {
        assert_eq!(overhead_at(&params, issue), expected);
    }
    params.cache.read_ahead_hold = us(50_000);
    let held = Bench::new(&params).next(read(1, 1)).completion + us(50_000);
    for (issue, expected) in [(held, us(70)), (held + PS, us(300))] {
        assert_eq!(overhead_at(&params, issue), expected);
    }
}

#[test]
fn the_first_rule_that_applies_holds() {
    let mut params = ruled(OverheadRule { run: 1, time: us(10), ..rule(Operation::Read) });
    params.controller.rules.push(rule(Operation::Read));
    assert_eq!(overheads(&params, &[read(0, 1), read(1, 1), read(5, 1)]), [70, 10, 70]);
}

#[test]
fn a_rule_can_have_a_completion_of_its_own() {
    let mut params = ruled(OverheadRule { completion: Some(us(40)), ..rule(Operation::Write) });
    params.controller.completion = [us(1), us(2)];
    assert_eq!(overheads(&params, &[read(0, 1), write(5, 1)]), [301, 110]);
}

#[test]
fn the_bus_is_kept_for_data_for_a_transfer_or_for_a_command() {
    let mut params = drive();
    params.controller.overhead = [[[us(300); 2]; 2]; 2];
    params.controller.completion = [us(200); 2];
    // Sectors 1 and 2 pass from 1 to 3 ms; the bus takes half a millisecond for each.
    for (hold, from, held) in [
        (BusHold::Data, 2_000, 1_000),
        (BusHold::Transfer, 2_000, 1_500),
        (BusHold::Command, 0, 3_700),
    ] {
        params.bus.hold = [hold, BusHold::Data];
        let service = Bench::new(&params).next(read(1, 2));
        assert_eq!(service.completion, at_us(3_700));
        assert_eq!((service.bus_from, service.bus_held), (at_us(from), us(held)), "{hold:?}");
        assert_eq!((service.bus_span, service.bus_rest), (us(1_000), us(200)));
        assert_eq!(service.media_end, at_us(3_000));
    }
}
