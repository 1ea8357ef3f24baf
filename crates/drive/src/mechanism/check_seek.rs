//! Checks of a seek curve: no time below zero or beyond reason, longer seeks no shorter.

use crate::{LONGEST_MS, ParamError, SeekCurve};
use platterlab_units::Span;

/// How far a two-piece curve may fall where its pieces meet, as a share of the time there.
/// Published fits fall by up to half a percent.
pub const LARGEST_FALL: f64 = 0.05;

/// Checks `curve`, called `key` in errors, on a drive of `cylinders`.
///
/// # Errors
/// What is wrong with it, at its key.
pub(super) fn check(key: &str, curve: &SeekCurve, cylinders: u32) -> Result<(), ParamError> {
    match curve {
        SeekCurve::Linear { single, full } if full < single => Err(ParamError::new(
            format!("{key}.full_ms"),
            format!("{} ms is less than `single_ms`; longer seeks take longer", full.as_ms()),
        )),
        SeekCurve::TwoPiece { short_ms, long_ms, boundary_cylinders, .. } => {
            check_two_pieces(key, (*short_ms, *long_ms), *boundary_cylinders, cylinders)
        }
        SeekCurve::Table { points } => {
            check_points(key, points)?;
            check_extrapolation(key, points, cylinders)
        }
        _ => Ok(()),
    }
}

/// Each piece must rise and stay within range; where they meet the curve may fall only a little.
fn check_two_pieces(
    key: &str,
    ([a, b], [c, e]): ([f64; 2], [f64; 2]),
    boundary: u32,
    cylinders: u32,
) -> Result<(), ParamError> {
    for (piece, slope) in [("short_ms", b), ("long_ms", e)] {
        if slope < 0.0 {
            let what = format!("{slope} makes longer seeks shorter; write 0 or more");
            return Err(ParamError::new(format!("{key}.{piece}[1]"), what));
        }
    }
    let short = |distance: u32| a + b * f64::from(distance).sqrt();
    let long = |distance: u32| c + e * f64::from(distance);
    let farthest = cylinders.saturating_sub(1).max(1);
    if boundary > 1 {
        in_range(key, "short_ms", short(1))?;
        in_range(key, "short_ms", short(farthest.min(boundary - 1)))?;
    }
    if boundary > farthest {
        return Ok(());
    }
    in_range(key, "long_ms", long(boundary))?;
    in_range(key, "long_ms", long(farthest))?;
    let (before, after) = (short(boundary), long(boundary));
    if boundary > 1 && after < before * (1.0 - LARGEST_FALL) {
        let what = format!(
            "the curve falls from {before:.3} ms to {after:.3} ms at {boundary} cylinders; the two \
             pieces must meet there within {} %",
            LARGEST_FALL * 100.0
        );
        return Err(ParamError::new(format!("{key}.boundary_cylinders"), what));
    }
    Ok(())
}

fn in_range(key: &str, piece: &str, ms: f64) -> Result<(), ParamError> {
    if (0.0..=LONGEST_MS).contains(&ms) {
        return Ok(());
    }
    let what = format!("gives {ms} ms, which is out of range; write 0 to {LONGEST_MS} ms");
    Err(ParamError::new(format!("{key}.{piece}"), what))
}

fn check_points(key: &str, points: &[(u32, Span)]) -> Result<(), ParamError> {
    if points.is_empty() {
        let what = "needs at least one [cylinders, ms] pair";
        return Err(ParamError::new(format!("{key}.points"), what));
    }
    for (index, pair) in points.windows(2).enumerate() {
        let ((d0, _), (d1, _)) = (pair[0], pair[1]);
        let key = format!("{key}.points[{}]", index + 1);
        if d1 <= d0 {
            let what = format!("distance {d1} follows {d0}; distances must rise");
            return Err(ParamError::new(key, what));
        }
    }
    Ok(())
}

/// The line through the last two points must stay within range up to the longest seek.
fn check_extrapolation(
    key: &str,
    points: &[(u32, Span)],
    cylinders: u32,
) -> Result<(), ParamError> {
    let [.., (d0, t0), (d1, t1)] = points else { return Ok(()) };
    let beyond = f64::from(cylinders.saturating_sub(1).saturating_sub(*d1));
    let (t0, t1) = (t0.as_ms(), t1.as_ms());
    let longest = t1 + (t1 - t0) / f64::from(d1 - d0) * beyond;
    if longest > LONGEST_MS {
        let what = format!(
            "the last two points lead to a seek of {longest:.0} ms over all {cylinders} \
             cylinders; add a point near that distance"
        );
        return Err(ParamError::new(format!("{key}.points[{}]", points.len() - 1), what));
    }
    Ok(())
}
