//! Spindle, arm and heads in the drive's units.

use super::{only_one, span};
use crate::error::Fault;
use crate::key::KeyPath;
use crate::{ProfileOptions, Seek, Spindle, Switch};
use platterlab_drive::{MechanismParams, Recalibration, SeekCurve, SpeedDrift};
use platterlab_units::{Angle, Span};

/// Picoseconds in a minute.
const PS_PER_MINUTE: f64 = 60e12;

pub(super) fn mechanism(options: &ProfileOptions) -> Result<MechanismParams, Fault> {
    let spindle = &options.spindle;
    let switch = &options.switch;
    let at = KeyPath::default().key("switch");
    Ok(MechanismParams {
        rotation: rotation(spindle)?,
        phase: Angle::of_turns(spindle.phase_turns),
        sector_lag: Span::from_ps((spindle.sector_lag_ns * 1e3).round() as u64),
        drift: drift(spindle)?,
        recalibration: options.recalibration.as_ref().map(recalibration).transpose()?,
        latency: spindle.latency,
        seek: seek("seek", &options.seek)?,
        seek_back: options.seek_back.as_ref().map(|curve| seek("seek_back", curve)).transpose()?,
        seek_scatter: options
            .seek_scatter
            .as_ref()
            .map(|curve| seek("seek_scatter", curve))
            .transpose()?,
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

/// The drift of the speed, of which both keys are stated or none.
fn drift(spindle: &Spindle) -> Result<Option<SpeedDrift>, Fault> {
    let at = KeyPath::default().key("spindle");
    match (spindle.drift_ppm, spindle.drift_period_s) {
        (None, None) => Ok(None),
        (Some(most_ppm), Some(s)) => Ok(Some(SpeedDrift { most_ppm, period: seconds(s) })),
        (None, Some(_)) => {
            Err(Fault::new(at.key("drift_ppm"), "is missing; it is needed with `drift_period_s`"))
        }
        (Some(_), None) => {
            Err(Fault::new(at.key("drift_period_s"), "is missing; it is needed with `drift_ppm`"))
        }
    }
}

fn recalibration(options: &crate::Recalibration) -> Result<Recalibration, Fault> {
    let at = KeyPath::default().key("recalibration");
    let takes = span(options.takes_ms, &at.key("takes_ms"))?;
    Ok(Recalibration { every: seconds(options.every_s), takes })
}

/// A time that the schema has within the clock.
fn seconds(s: f64) -> Span {
    Span::from_ps((s * 1e12).round() as u64)
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

fn seek(key: &str, curve: &Seek) -> Result<SeekCurve, Fault> {
    curve.in_units(|ms, inner| {
        let at = || KeyPath::parse(&format!("{key}.{inner}")).unwrap_or_default();
        span(*ms, &KeyPath::default()).map_err(|fault| Fault::new(at(), fault.what))
    })
}
