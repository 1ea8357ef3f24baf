//! Limits that keep every instant within the clock and every table within memory, checked when a
//! drive is built: a running simulation cannot fail.

use crate::layout::Layout;
use crate::mechanism::Mechanism;
use crate::most::{MOST_BEFORE_END, MOST_CYLINDERS, MOST_EXTENTS, MOST_SEGMENTS};
use crate::{
    CacheParams, DriveParams, MechanismParams, OverheadRule, ParamError, TrackEnd, WriteReport,
};
use platterlab_units::{Operation, Span};

/// No single time of a drive is longer, what follows from a file included: over two minutes.
const LONGEST_TIME: Span = Span::from_ps(1 << 47);

/// No speed drifts more slowly: 75 minutes.
const LONGEST_DRIFT: Span = Span::from_ps(1 << 52);

/// The arm is recalibrated more often than this: 40 hours.
const SELDOMEST_RECALIBRATION: Span = Span::from_ps(1 << 57);

const MOST_DRIFT_PPM: u32 = 100_000;

/// No command takes longer: 26 days. The clock holds 213, of which a replay uses 53.
const LONGEST_COMMAND_PS: u128 = 1 << 61;

/// Checks what a drive is built from, before it is built.
pub(crate) fn check_params(params: &DriveParams) -> Result<(), ParamError> {
    let counts = [
        ("geometry.cylinders", params.layout.cylinders, MOST_CYLINDERS),
        ("cache.segments", params.cache.segments, MOST_SEGMENTS),
        ("bus.reconnect_before_end", params.bus.reconnect_before_end.unwrap_or(0), MOST_BEFORE_END),
    ];
    for (key, count, most) in counts {
        if count > most {
            return Err(ParamError::new(
                key,
                format!("{count} are too many; write at most {most}"),
            ));
        }
    }
    if params.bus.burst_sectors == Some(0) {
        return Err(ParamError::new("bus.burst_sectors", "a burst is of at least 1 sector"));
    }
    if params.bus.burst_drains && params.bus.burst_sectors.is_none() {
        let what = "is of bursts, and there are none; write bus.burst_sectors, too";
        return Err(ParamError::new("bus.burst_drains", what));
    }
    check_cache(&params.cache)?;
    let mechanism = &params.mechanism;
    check_slow_changes(mechanism)?;
    let controller = &params.controller;
    let of_rule = |rule: &OverheadRule| [Some(rule.time), rule.completion, rule.idle];
    let of_track_end = |it: &TrackEnd| [it.before[0], it.before[1], it.after];
    let rules = controller.rules.iter().flat_map(of_rule).flatten().collect();
    let times = [
        ("spindle.speed_rpm", vec![mechanism.rotation]),
        ("switch.head_ms", mechanism.head_switch.to_vec()),
        ("switch.track_ms", mechanism.track_switch.into_iter().collect()),
        ("switch.settle", mechanism.settle.to_vec()),
        ("switch.resettle", mechanism.resettle.to_vec()),
        ("controller", controller.overhead.as_flattened().as_flattened().to_vec()),
        ("controller.rules", rules),
        ("controller.completion", controller.completion.to_vec()),
        ("controller.track_end", controller.track_end.iter().flat_map(of_track_end).collect()),
        ("bus.reconnect_ms", vec![params.bus.reconnect]),
        ("bus.write_delay_ms", vec![params.bus.write_delay]),
        ("cache.read_ahead_hold_ms", vec![params.cache.read_ahead_hold]),
        ("cache.write_back.idle_ms", params.cache.write_back.iter().map(|it| it.idle).collect()),
    ];
    match times.iter().find(|(_, times)| times.iter().any(|time| *time > LONGEST_TIME)) {
        Some((key, _)) => Err(ParamError::new(
            *key,
            format!("is too long; a drive's times end at {LONGEST_TIME}"),
        )),
        None => Ok(()),
    }
}

/// Checks what changes while nobody asks anything of the drive.
fn check_slow_changes(params: &MechanismParams) -> Result<(), ParamError> {
    if let Some(drift) = params.drift {
        if drift.most_ppm > MOST_DRIFT_PPM {
            return Err(ParamError::new("spindle.drift_ppm", "is too much; write at most 100000"));
        }
        if drift.period < Span::from_us(1_000) || drift.period > LONGEST_DRIFT {
            let what = format!("is from 1 ms to {LONGEST_DRIFT}");
            return Err(ParamError::new("spindle.drift_period_s", what));
        }
    }
    if let Some(it) = params.recalibration {
        if it.takes > LONGEST_TIME || it.takes >= it.every {
            let what = format!("is shorter than from one to the next, and than {LONGEST_TIME}");
            return Err(ParamError::new("recalibration.takes_ms", what));
        }
        if it.every > SELDOMEST_RECALIBRATION {
            let what = format!("is at most {SELDOMEST_RECALIBRATION}");
            return Err(ParamError::new("recalibration.every_s", what));
        }
    }
    Ok(())
}

fn check_cache(cache: &CacheParams) -> Result<(), ParamError> {
    const SHARE: u32 = 1_000_000;
    const NO_SHARE: &str = "is a share; write 0 to 1";
    const EMPTY: &str = "must hold at least one sector";
    let segmented = cache.segments > 0;
    let write_segments = cache.most_write_segments();
    let crowded = cache.separate_write_segments && write_segments >= cache.segments;
    let slow = cache.write_fence_slow;
    let waiting = cache.write_back;
    let too_many = format!("are too many; write at most {MOST_EXTENTS}");
    let rules = [
        (cache.room_sectors() == 0, "cache.buffer", EMPTY),
        (segmented && cache.segment_sectors == 0, "cache.segment", EMPTY),
        (
            segmented && write_segments == 0 && cache.hits_on_written,
            "cache.write_segments",
            "must be at least 1 where written data can be read back",
        ),
        (
            segmented && crowded,
            "cache.write_segments",
            "must be less than `segments`, or no segment is left for reads",
        ),
        (slow.is_some_and(|it| it.share > SHARE), "cache.write_fence_slow.share", NO_SHARE),
        (cache.read_ahead_abandoned > SHARE, "cache.read_ahead_abandoned", NO_SHARE),
        (
            waiting.is_some_and(|it| it.sectors == 0 || it.extents == 0),
            "cache.write_back",
            "must hold at least one sector and one extent",
        ),
        (
            waiting.is_some_and(|it| it.extents > MOST_EXTENTS),
            "cache.write_back.extents",
            &too_many,
        ),
        (
            waiting.is_some() && cache.write_report != WriteReport::Buffer,
            "cache.write_back",
            "needs `write_report = \"buffer\"`",
        ),
    ];
    match rules.iter().find(|(wrong, ..)| *wrong) {
        Some((_, key, what)) => Err(ParamError::new(*key, *what)),
        None => Ok(()),
    }
}

/// Checks that a command for all sectors ends within the clock, whatever stands in its way.
pub(crate) fn check_longest_command(
    params: &DriveParams,
    layout: &Layout,
    mechanism: &Mechanism,
) -> Result<(), ParamError> {
    let turn = u128::from(params.mechanism.rotation.as_ps());
    let sectors = u128::from(layout.capacity().min(u64::from(u32::MAX)));
    let bus = u128::from(params.bus.read_sector.max(params.bus.write_sector).as_ps());
    let tracks = u128::from(layout.cylinders()) * u128::from(layout.surfaces());
    // Runs end with a track or a defect; each takes a switch, a wait and less than a revolution. A
    // full or empty buffer costs a revolution, in which the bus moves a buffer's worth or does not
    // rest.
    let runs = sectors.min(tracks + 2 * params.layout.defects.len() as u128);
    let switch = mechanism.longest_step_ps(Operation::Read);
    let moving = runs * (2 * turn + switch.max(mechanism.longest_step_ps(Operation::Write)));
    let buffer = u128::from(params.cache.read_room_sectors().saturating_sub(1).max(1));
    let stalling = sectors * turn / buffer;
    let sending = 3 * sectors * bus;
    let all = moving + stalling + sending;
    if all > LONGEST_COMMAND_PS {
        let key = match moving.max(stalling).max(sending) {
            most if most == moving => "geometry",
            most if most == stalling => "cache",
            _ => "bus",
        };
        let days = all / 86_400_000_000_000_000;
        let what = format!(
            "a command for all sectors could take {days} days, and the clock ends a command at 26; \
             make the drive smaller or faster, or its buffer larger"
        );
        return Err(ParamError::new(key, what));
    }
    Ok(())
}
