//! Random legal drives and commands.

use crate::cache_policies::cache;
use crate::dice::span;
use crate::random_layout::layouts;
use platterlab_drive::{
    BusHold, BusParams, Command, ControllerParams, Drive, DriveParams, Latency, MechanismParams,
    Near, OverheadRule, SeekCurve, TrackEnd,
};
use platterlab_units::{Angle, Operation, Partial, Span};
use proptest::prelude::*;

fn seek() -> impl Strategy<Value = SeekCurve> {
    prop_oneof![
        span(20_000).prop_map(|time| SeekCurve::Constant { time }),
        (span(3_000), span(20_000))
            .prop_map(|(single, more)| SeekCurve::Linear { single, full: single + more }),
        (0.1f64..4.0, 0.0f64..0.7, 0.1f64..12.0, 0.0f64..0.02, 1u32..30).prop_map(
            |(a, b, more, e, boundary_cylinders)| SeekCurve::TwoPiece {
                short_ms: [a, b],
                long_ms: [a + b * f64::from(boundary_cylinders).sqrt() + more, e],
                boundary_cylinders,
                first: vec![],
            }
        ),
    ]
}

fn mechanism() -> impl Strategy<Value = MechanismParams> {
    let latency = prop_oneof![4 => Just(Latency::Tracked), 1 => Just(Latency::Uniform), 1 => Just(Latency::Mean), 1 => Just(Latency::Off)];
    let switches = [span(3_000), span(3_000), span(2_000), span(2_000), span(500), span(500)];
    (
        1_000_000_000u64..40_000_000_000,
        any::<u64>(),
        latency,
        (seek(), proptest::option::of(seek()), proptest::option::weighted(0.3, seek())),
        switches,
        proptest::option::of(span(3_000)),
        prop::bool::weighted(0.9),
    )
        .prop_map(|(rotation, phase, latency, seeks, switches, track_switch, media)| {
            let (seek, seek_back, seek_scatter) = seeks;
            let [head_read, head_write, settle_read, settle_write, again_read, again_write] =
                switches;
            MechanismParams {
                rotation: Span::from_ps(rotation),
                phase: Angle::from_raw(phase),
                sector_lag: Span::ZERO,
                drift: None,
                recalibration: None,
                latency,
                seek,
                seek_back,
                seek_scatter,
                resettle: [again_read, again_write],
                head_switch: [head_read, head_write],
                track_switch,
                settle: [settle_read, settle_write],
                media_transfer: media,
            }
        })
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![Just(Operation::Read), Just(Operation::Write)]
}

fn rule() -> impl Strategy<Value = OverheadRule> {
    let near = prop_oneof![
        2 => Just(Near::Anywhere),
        1 => Just(Near::Track),
        1 => (0u32..4).prop_map(Near::Cylinders),
    ];
    (
        (operation(), proptest::option::of(any::<bool>()), proptest::option::of(operation())),
        (0u32..3, near, proptest::option::of(span(5_000)), proptest::option::of(any::<bool>())),
        (span(3_000), proptest::option::of(span(1_000))),
    )
        .prop_map(|((operation, hit, after), (run, near, idle, reading_ahead), times)| {
            let (time, completion) = times;
            OverheadRule { operation, hit, after, run, near, idle, reading_ahead, time, completion }
        })
}

fn controller() -> impl Strategy<Value = ControllerParams> {
    let overheads = proptest::collection::vec(span(3_000), 10);
    let rules = prop_oneof![2 => Just(vec![]), 1 => proptest::collection::vec(rule(), 1..4)];
    let track_end = (span(2_000), span(2_000), span(2_000))
        .prop_map(|(read, write, after)| TrackEnd { before: [read, write], after });
    let track_end = proptest::option::weighted(0.3, track_end);
    (overheads, rules, track_end).prop_map(|(spans, rules, track_end)| ControllerParams {
        overhead: [
            [[spans[0], spans[1]], [spans[2], spans[3]]],
            [[spans[4], spans[5]], [spans[6], spans[7]]],
        ],
        rules,
        completion: [spans[8], spans[9]],
        track_end,
    })
}

fn bus() -> impl Strategy<Value = BusParams> {
    let flags = any::<[bool; 2]>();
    let hold = || prop_oneof![Just(BusHold::Data), Just(BusHold::Transfer), Just(BusHold::Command)];
    let some = || proptest::option::of(0u32..40);
    let bursts = (some().prop_map(|burst| burst.map(|one| one + 1)), any::<bool>());
    let reconnect = (span(300), some(), bursts);
    (span(2_000), span(2_000), reconnect, span(300), flags, [hold(), hold()]).prop_map(
        |(read_sector, write_sector, reconnect, write_delay, flags, hold)| BusParams {
            read_sector,
            write_sector,
            reconnect: reconnect.0,
            reconnect_before_end: reconnect.1,
            burst_sectors: reconnect.2.0,
            burst_drains: reconnect.2.0.is_some() && reconnect.2.1,
            write_delay,
            overlap: flags[0],
            release_at_track_end: flags[1],
            hold,
            hold_overhead: false,
        },
    )
}

/// Small drives with all features in all combinations.
pub(crate) fn drives() -> impl Strategy<Value = DriveParams> {
    (layouts(), mechanism(), controller(), cache(), bus()).prop_map(
        |(layout, mechanism, controller, cache, bus)| DriveParams {
            layout,
            mechanism,
            controller,
            cache,
            bus,
        },
    )
}

/// Where a command goes.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Where the last one ended.
    Sequential,
    /// Where the last one began.
    Again,
    /// This far from where the last one began.
    Near(u64),
    Anywhere(u64),
}

/// A command to come, and the time from the last completion to its issue.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    place: Place,
    sectors: u32,
    operation: Operation,
    may_report_early: bool,
    pub(crate) think: Span,
}

fn wish() -> impl Strategy<Value = Wish> {
    let place = prop_oneof![
        4 => Just(Place::Sequential),
        1 => Just(Place::Again),
        2 => (0u64..20).prop_map(Place::Near),
        2 => any::<u64>().prop_map(Place::Anywhere),
    ];
    let sectors = prop_oneof![4 => 1u32..8, 1 => 1u32..80];
    let operation = prop_oneof![3 => Just(Operation::Read), 1 => Just(Operation::Write)];
    let think = prop_oneof![3 => Just(Span::ZERO), 2 => span(10_000), 1 => span(300_000)];
    (place, sectors, operation, prop::bool::weighted(0.8), think).prop_map(
        |(place, sectors, operation, may_report_early, think)| Wish {
            place,
            sectors,
            operation,
            may_report_early,
            think,
        },
    )
}

/// Sequences with reads and writes, near and far, with and without pauses.
pub(crate) fn wishes() -> impl Strategy<Value = Vec<Wish>> {
    proptest::collection::vec(wish(), 1..60)
}

/// The wishes as commands that the drive can take.
pub(crate) fn commands(drive: &Drive, wishes: &[Wish]) -> Vec<Command> {
    let capacity = drive.layout().capacity();
    let mut last = (0, 0);
    let mut commands = Vec::new();
    for wish in wishes {
        let lba = match wish.place {
            Place::Sequential => last.1,
            Place::Again => last.0,
            Place::Near(distance) => last.0 + distance,
            Place::Anywhere(number) => number,
        } % capacity;
        let room = u32::try_from(capacity - lba).unwrap_or(u32::MAX);
        let sectors = wish.sectors.min(room);
        last = (lba, lba + u64::from(sectors));
        let Wish { operation, may_report_early, .. } = *wish;
        commands.push(Command {
            lba,
            sectors,
            operation,
            may_report_early,
            partial: Partial::WHOLE,
        });
    }
    commands
}
