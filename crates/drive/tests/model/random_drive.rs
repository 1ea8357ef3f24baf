//! Random legal drives and commands.

use crate::random_layout::layouts;
use platterlab_drive::{
    BusHold, BusParams, CacheParams, Chance, Command, ControllerParams, Drive, DriveParams,
    Latency, MechanismParams, Near, OnHit, OverheadRule, Overwritten, ReadAhead, ReadAheadAfter,
    ReadAheadEnds, SeekCurve, SlowFence, TrackEnd, WriteBack, WriteReport,
};
use platterlab_units::{Angle, Operation, Partial, Span};
use proptest::prelude::*;

/// A stream of angles that looks random and is the same every time.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a stream repeat early; this mixes the high ones in.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
    }
}

impl Chance for Dice {
    fn angle(&mut self) -> Angle {
        Angle::from_raw(self.next())
    }
}

/// Nothing, something below a millisecond or something below `most_us`.
fn span(most_us: u64) -> impl Strategy<Value = Span> {
    prop_oneof![
        Just(Span::ZERO),
        (0u64..1_000_000_000).prop_map(Span::from_ps),
        (0..most_us * 1_000_000).prop_map(Span::from_ps),
    ]
}

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

/// A buffer with segments and fences of all sizes, nothing else being said of it.
fn buffer() -> impl Strategy<Value = CacheParams> {
    (1u32..60, 0u32..30, 0u32..30, 0u32..4, 1u32..60, any::<[bool; 3]>()).prop_map(
        |(buffer, read_fence, write_fence, segments, segment_sectors, flags)| CacheParams {
            buffer_sectors: Some(buffer),
            read_fence_sectors: read_fence,
            write_fence_sectors: write_fence,
            write_fence_by_track: flags[2],
            write_fence_slow: flags[2].then_some(SlowFence {
                from_sector: Span::from_us(u64::from(segments) * 100),
                share: read_fence * 30_000,
            }),
            zero_latency_read: flags[0],
            zero_latency_write: flags[1],
            segments,
            segment_sectors,
            ..CacheParams::default()
        },
    )
}

fn read_ahead() -> impl Strategy<Value = CacheParams> {
    let extent = prop_oneof![
        Just(ReadAhead::None),
        Just(ReadAhead::Track),
        Just(ReadAhead::TrackOrNext),
        Just(ReadAhead::WholeTrack),
        Just(ReadAhead::Cylinder),
        Just(ReadAhead::Aggressive),
        Just(ReadAhead::OnArrival),
    ];
    let on_hit = prop_oneof![
        Just(OnHit::Ignore),
        Just(OnHit::Continue),
        Just(OnHit::Extend),
        Just(OnHit::Start)
    ];
    let least = prop_oneof![3 => Just(0u32), 1 => 0u32..40];
    let abandoned = prop_oneof![3 => Just(0u32), 1 => 0u32..1_000_001];
    let most = proptest::option::of(0u32..80);
    let on_hit = (on_hit, prop_oneof![Just(Span::ZERO), span(20_000)]);
    (extent, on_hit, least, most, abandoned, any::<[bool; 5]>()).prop_map(
        |(read_ahead, (read_ahead_on_hit, read_ahead_hold), least, most, abandoned, flags)| {
            CacheParams {
                read_ahead,
                read_ahead_on_hit,
                read_ahead_hold,
                read_ahead_least_sectors: least,
                read_ahead_most_sectors: most,
                read_ahead_abandoned: abandoned,
                read_ahead_after: match (flags[0], flags[4]) {
                    (true, _) => ReadAheadAfter::AnyRead,
                    (false, true) => ReadAheadAfter::SequentialReads,
                    (false, false) => ReadAheadAfter::Sequential,
                },
                read_ahead_next_track: flags[1],
                read_ahead_over_requested: flags[2],
                read_ahead_over_unsent: flags[2] || flags[1],
                read_ahead_stops_in_sector: flags[3],
                read_ahead_ends: if flags[4] {
                    ReadAheadEnds::MediaNeeded
                } else {
                    ReadAheadEnds::OtherCommand
                },
                ..CacheParams::default()
            }
        },
    )
}

fn cache() -> impl Strategy<Value = CacheParams> {
    let overwritten = prop_oneof![
        Just(Overwritten::Updated),
        Just(Overwritten::KeepsEarlier),
        Just(Overwritten::KeepsLater),
        Just(Overwritten::Dropped),
    ];
    let write_report = prop_oneof![
        Just(WriteReport::Media),
        Just(WriteReport::Immediate),
        Just(WriteReport::Buffer),
        Just(WriteReport::BufferInTurn)
    ];
    let write_segments = prop_oneof![Just(None), (1u32..4).prop_map(Some)];
    let flags = any::<[bool; 8]>();
    let write_back = (1u32..60, 1u32..4, span(20_000));
    let write_back =
        proptest::option::of(write_back.prop_map(|(sectors, extents, idle)| WriteBack {
            sectors,
            extents,
            idle,
        }));
    let writes = (overwritten, write_report, write_segments, write_back);
    (buffer(), read_ahead(), writes, flags).prop_map(
        |(buffer, ahead, (overwritten, write_report, write_segments, write_back), flags)| {
            CacheParams {
                write_back: write_back.filter(|_| write_report == WriteReport::Buffer),
                buffer_sectors: buffer.buffer_sectors,
                read_fence_sectors: buffer.read_fence_sectors,
                write_fence_sectors: buffer.write_fence_sectors,
                write_fence_by_track: buffer.write_fence_by_track,
                write_fence_slow: buffer.write_fence_slow,
                zero_latency_read: buffer.zero_latency_read,
                zero_latency_write: buffer.zero_latency_write,
                segments: buffer.segments,
                segment_sectors: buffer.segment_sectors,
                write_segments,
                separate_write_segments: flags[0]
                    && write_segments.is_some_and(|most| most < buffer.segments),
                keep_after_hit: flags[1],
                keep_after_miss: flags[2],
                partial_hits: flags[3],
                partial_hits_at_once: flags[4],
                hits_on_later_tracks: flags[2],
                hits_in_flight: flags[5],
                almost_hits: flags[4],
                overwritten,
                write_report,
                hits_on_written: flags[6],
                combine_writes: flags[7],
                ..ahead
            }
        },
    )
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
