use super::{only_one, span};
use crate::error::Fault;
use crate::key::KeyPath;
use crate::options::LONGEST_MS;
use crate::{Latency, ProfileOptions, Seek, Spindle, Switch};
use platterlab_drive::{Latency as DriveLatency, MechanismParams, SeekCurve};
use platterlab_units::{Angle, Span};

/// Picoseconds in a minute.
const PS_PER_MINUTE: f64 = 60e12;

/// How far a two-piece seek curve may fall where its pieces meet, as a share of the time there.
/// Published fits fall by up to half a percent.
pub(crate) const LARGEST_FALL: f64 = 0.05;

pub(super) fn mechanism(options: &ProfileOptions) -> Result<MechanismParams, Fault> {
    let spindle = &options.spindle;
    let switch = &options.switch;
    let at = KeyPath::default().key("switch");
    Ok(MechanismParams {
        rotation: rotation(spindle)?,
        phase: Angle::of_turns(spindle.phase_turns),
        latency: match spindle.latency {
            Latency::Tracked => DriveLatency::Tracked,
            Latency::Uniform => DriveLatency::Uniform,
            Latency::Mean => DriveLatency::Mean,
            Latency::Off => DriveLatency::Off,
        },
        seek: seek("seek", &options.seek, options.geometry.cylinders)?,
        seek_back: match &options.seek_back {
            Some(curve) => Some(seek("seek_back", curve, options.geometry.cylinders)?),
            None => None,
        },
        resettle: [
            span(switch.resettle_read_ms, &at.key("resettle_read_ms"))?,
            span(switch.resettle_write_ms, &at.key("resettle_write_ms"))?,
        ],
        head_switch: head_switch(switch)?,
        track_switch: switch.track_ms.map(|ms| span(ms, &at.key("track_ms"))).transpose()?,
        settle: [
            span(switch.settle_read_ms, &at.key("settle_read_ms"))?,
            span(switch.settle_write_ms, &at.key("settle_write_ms"))?,
        ],
        media_transfer: options.media.transfer,
    })
}

/// The head switch before a read and before a write, each with its settling.
fn head_switch(switch: &Switch) -> Result<[Span; 2], Fault> {
    let at = KeyPath::default().key("switch");
    let write_ms = switch.head_write_ms.unwrap_or(switch.head_ms + switch.settle_write_ms);
    Ok([
        span(switch.head_ms + switch.settle_read_ms, &at.key("head_ms"))?,
        span(write_ms, &at.key("head_write_ms"))?,
    ])
}

fn rotation(spindle: &Spindle) -> Result<Span, Fault> {
    let at = KeyPath::default().key("spindle");
    let nominal_ps = vec![
        ("speed_rpm", spindle.speed_rpm.map(|rpm| PS_PER_MINUTE / rpm)),
        ("rotation_ms", spindle.rotation_ms.map(|ms| ms * 1e9)),
    ];
    let nominal_ps = only_one(&at, nominal_ps)?.ok_or_else(|| {
        let what = "is missing; write revolutions per minute here, or `rotation_ms`";
        Fault::new(at.key("speed_rpm"), what)
    })?;
    let ps = nominal_ps / (1.0 + spindle.speed_error_ppm / 1e6);
    Ok(Span::from_ps(ps.round() as u64))
}

fn seek(key: &str, seek: &Seek, cylinders: u32) -> Result<SeekCurve, Fault> {
    let at = KeyPath::default().key(key);
    Ok(match seek {
        Seek::Constant { time_ms } => {
            SeekCurve::Constant { time: span(*time_ms, &at.key("time_ms"))? }
        }
        Seek::Linear { single_ms, full_ms } if full_ms < single_ms => {
            let what = format!("{full_ms} ms is less than `single_ms`; longer seeks take longer");
            return Err(Fault::new(at.key("full_ms"), what));
        }
        Seek::Linear { single_ms, full_ms } => SeekCurve::Linear {
            single: span(*single_ms, &at.key("single_ms"))?,
            full: span(*full_ms, &at.key("full_ms"))?,
        },
        Seek::TwoPiece { short_ms, long_ms, boundary_cylinders, first_ms } => {
            check_two_pieces(*short_ms, *long_ms, *boundary_cylinders, cylinders, &at)?;
            let at = at.key("first_ms");
            let first = first_ms.iter().enumerate().map(|(i, ms)| span(*ms, &at.index(i)));
            SeekCurve::TwoPiece {
                short_ms: *short_ms,
                long_ms: *long_ms,
                boundary_cylinders: *boundary_cylinders,
                first: first.collect::<Result<_, Fault>>()?,
            }
        }
        Seek::ThreePoint { single_ms, average_ms, full_ms } => SeekCurve::ThreePoint {
            single: span(*single_ms, &at.key("single_ms"))?,
            average: span(*average_ms, &at.key("average_ms"))?,
            full: span(*full_ms, &at.key("full_ms"))?,
        },
        Seek::Table { points } => {
            let at = at.key("points");
            let point = |(i, (d, ms)): (usize, &(u32, f64))| Ok((*d, span(*ms, &at.index(i))?));
            let table = points.iter().enumerate().map(point).collect::<Result<_, Fault>>()?;
            check_extrapolation(points, cylinders, &at)?;
            SeekCurve::Table { points: table }
        }
    })
}

/// The line through the last two points must stay within range up to the longest seek.
fn check_extrapolation(points: &[(u32, f64)], cylinders: u32, at: &KeyPath) -> Result<(), Fault> {
    let [.., (d0, t0), (d1, t1)] = points else { return Ok(()) };
    if d1 <= d0 {
        return Ok(());
    }
    let beyond = f64::from(cylinders.saturating_sub(1).saturating_sub(*d1));
    let longest = t1 + (t1 - t0) / f64::from(d1 - d0) * beyond;
    if longest > LONGEST_MS {
        let what = format!(
            "the last two points lead to a seek of {longest:.0} ms over all {cylinders} \
             cylinders; add a point near that distance"
        );
        return Err(Fault::new(at.index(points.len() - 1), what));
    }
    Ok(())
}

/// Each piece must rise and stay within range; where they meet the curve may fall only a little.
fn check_two_pieces(
    [a, b]: [f64; 2],
    [c, e]: [f64; 2],
    boundary: u32,
    cylinders: u32,
    at: &KeyPath,
) -> Result<(), Fault> {
    for (key, slope) in [("short_ms", b), ("long_ms", e)] {
        if slope < 0.0 {
            let what = format!("{slope} makes longer seeks shorter; write 0 or more");
            return Err(Fault::new(at.key(key).index(1), what));
        }
    }
    let short = |distance: u32| a + b * f64::from(distance).sqrt();
    let long = |distance: u32| c + e * f64::from(distance);
    let farthest = cylinders.saturating_sub(1).max(1);
    if boundary > 1 {
        span(short(1), &at.key("short_ms"))?;
        span(short(farthest.min(boundary - 1)), &at.key("short_ms"))?;
    }
    if boundary <= farthest {
        span(long(boundary), &at.key("long_ms"))?;
        span(long(farthest), &at.key("long_ms"))?;
        let (before, after) = (short(boundary), long(boundary));
        if boundary > 1 && after < before * (1.0 - LARGEST_FALL) {
            let what = format!(
                "the curve falls from {before:.3} ms to {after:.3} ms at {boundary} cylinders; the \
                 two pieces must meet there within {} %",
                LARGEST_FALL * 100.0
            );
            return Err(Fault::new(at.key("boundary_cylinders"), what));
        }
    }
    Ok(())
}
