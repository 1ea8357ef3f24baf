//! Bandwidth over position and the curves that describe it (paper §5.2).

use crate::Estimate;
use crate::clock::{Timed, timed};
use crate::stats::{line, mad, median};
use platterlab_probe::{Plan, Samples};
use platterlab_units::MIB;
use schemars::JsonSchema;
use serde::Serialize;

/// The rate at one place of the drive.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Rate {
    /// The first sector that was timed.
    pub lba: u64,
    /// How many were.
    pub sectors: u64,
    /// Sectors delivered per millisecond.
    pub sectors_per_ms: f64,
}

/// A curve through the rates, `x` running from 0 at the first sector to 1 at the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// One value per zone.
    Step,
    /// `a * x + b` (Van Meter 1997).
    Linear,
    /// `a * x^2 + b` (Talagala et al. 1999).
    Quadratic,
    /// `sqrt(a * x + b)`: constant linear density.
    SquareRoot,
}

/// One curve fitted one way.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Fit {
    /// Its form.
    pub curve: Curve,
    /// From the outermost and the innermost rate alone.
    pub two_point: bool,
    /// `a` and `b` in MiB/s (their squares for the root); none for steps.
    pub coefficients: Option<[f64; 2]>,
    /// Root mean square of what is left, in MiB/s.
    pub rms_mib_s: f64,
    /// Akaike's criterion: the smallest is chosen.
    pub aic: f64,
}

/// The rates of a ZONED run, by rising address; a place at which a request stood out or is missing
/// is left out.
pub(crate) fn rates(run: &Samples) -> Vec<Rate> {
    let Plan::Zoned(plan) = &run.plan else { return Vec::new() };
    let follows = |a: &Timed, b: &Timed| a.lba.checked_add(u64::from(a.sectors)) == Some(b.lba);
    let samples = timed(run);
    let mut rates: Vec<Rate> = samples
        .chunk_by(follows)
        .flat_map(|places| places.chunks_exact(plan.blocks.max(1) as usize))
        .filter(|place| place.iter().all(|block| plan.holds(block.lba)))
        .filter_map(rate)
        .collect();
    rates.sort_by_key(|rate| rate.lba);
    rates
}

/// The rate over all blocks of a place but the first, which pays for the way there.
fn rate(place: &[Timed]) -> Option<Rate> {
    let between: Vec<f64> =
        place.windows(2).map(|pair| pair[1].completed - pair[0].completed).collect();
    let typical = median(&between)?;
    if between.iter().any(|time| *time > 1.5 * typical || *time <= 0.0) {
        return None;
    }
    let sectors: u64 = place[1..].iter().map(|block| u64::from(block.sectors)).sum();
    let time: f64 = between.iter().sum();
    Some(Rate { lba: place[1].lba, sectors, sectors_per_ms: sectors as f64 / time })
}

/// MiB/s from sectors per millisecond.
pub(crate) fn mib_s(sectors_per_ms: f64, sector_bytes: u32) -> f64 {
    sectors_per_ms * 1000.0 * f64::from(sector_bytes) / MIB
}

/// The places that lie between two sectors with all of theirs.
pub(crate) fn inside(rates: &[Rate], from: u64, end: u64) -> &[Rate] {
    let start = rates.partition_point(|rate| rate.lba < from);
    let end = rates.partition_point(|rate| rate.lba + rate.sectors <= end);
    rates.get(start..end).unwrap_or_default()
}

/// How a bandwidth is measured.
pub(crate) const ZONED: &str = "mean of ZONED";
/// Half the width of an interval that is too wide, in parts of the rate.
const LARGEST_ERROR: f64 = 0.01;

/// Of more places than one of so many being late is no mishap.
const ONE_OF: usize = 10;

/// The rate of a zone, by places that were read `anywhere` in it, and by its `own`, of whole cylinders. Those
/// tell it best, but are few, begin with a track and may lose less than others: where they differ, from those or
/// from each other, it is that of all.
pub(crate) fn of_zone(anywhere: &[Rate], own: &[Rate], sector_bytes: u32) -> Option<Estimate> {
    let [elsewhere, whole] = [anywhere, own].map(|rates| typical(rates.iter(), sector_bytes));
    let alike = |one: &Estimate, other: &Estimate| {
        let (Some(value), Some(rate)) = (one.value, other.value) else { return true };
        let widths = one.half_width() + other.half_width();
        anywhere.len() < 2 || (value - rate).abs() <= widths.max(LARGEST_ERROR * value)
    };
    match (elsewhere, whole) {
        (Some(other), Some(one)) if one.ok().is_none() || !alike(&one, &other) => {
            typical(anywhere.iter().chain(own), sector_bytes)
        }
        (other, one) => one.or(other),
    }
}

/// The rate over some places: all their sectors by all their time, as a place holds now more, now
/// fewer cylinder boundaries. None of no places.
fn typical<'a>(rates: impl Iterator<Item = &'a Rate>, sector_bytes: u32) -> Option<Estimate> {
    let times: Vec<f64> = rates.map(|rate| 1.0 / rate.sectors_per_ms).collect();
    let (middle, spread) = (median(&times)?, mad(&times)?);
    // A revolution lost at few places is no part of the rate. What is faster is: where a read begins
    // decides what the drive loses.
    let limit = (4.0 * spread).max(0.004 * middle);
    let late = times.iter().filter(|time| **time - middle > limit).count();
    let limit = if late * ONE_OF <= times.len() { limit } else { f64::INFINITY };
    let kept: Vec<f64> = times.into_iter().filter(|time| time - middle <= limit).collect();
    let n = kept.len().max(1) as f64;
    let mean = kept.iter().sum::<f64>() / n;
    let squares: f64 = kept.iter().map(|time| (time - mean) * (time - mean)).sum();
    let error = (squares / (n - 1.0).max(1.0) / n).sqrt() / mean;
    let value = mib_s(1.0 / mean, sector_bytes);
    let estimate = Estimate::new(value, 1.96 * error * value, ZONED);
    Some(if kept.len() < 2 {
        estimate.doubted("one place only was read")
    } else if 1.96 * error > LARGEST_ERROR {
        estimate.doubted(format!("{} places differ too much", kept.len()))
    } else {
        estimate
    })
}

/// All curves, best criterion first. `changes` are the indices at which zones begin.
pub(crate) fn fits(rates: &[Rate], changes: &[usize], sector_bytes: u32) -> Vec<Fit> {
    let (Some(first), Some(last)) = (rates.first(), rates.last()) else { return Vec::new() };
    let span = (last.lba - first.lba).max(1) as f64;
    let points: Vec<(f64, f64)> = rates
        .iter()
        .map(|rate| {
            let x = (rate.lba - first.lba) as f64 / span;
            (x, mib_s(rate.sectors_per_ms, sector_bytes))
        })
        .collect();
    let mut fits = vec![step(&points, changes)];
    for curve in [Curve::Linear, Curve::Quadratic, Curve::SquareRoot] {
        fits.extend([false, true].into_iter().filter_map(|two| smooth(&points, curve, two)));
    }
    fits.sort_by(|a, b| a.aic.total_cmp(&b.aic));
    fits
}

fn step(points: &[(f64, f64)], changes: &[usize]) -> Fit {
    let mut squares = 0.0;
    let mut from = 0;
    for to in changes.iter().copied().chain([points.len()]) {
        let Some(zone) = points.get(from..to) else { continue };
        let mean = zone.iter().map(|(_, y)| y).sum::<f64>() / zone.len().max(1) as f64;
        squares += zone.iter().map(|(_, y)| (y - mean) * (y - mean)).sum::<f64>();
        from = to;
    }
    let parameters = 2 * changes.len() + 1;
    fit(Curve::Step, false, None, squares, points.len(), parameters)
}

fn smooth(points: &[(f64, f64)], curve: Curve, two_point: bool) -> Option<Fit> {
    let forward = |(x, y): &(f64, f64)| match curve {
        Curve::Quadratic => (x * x, *y),
        Curve::SquareRoot => (*x, y * y),
        Curve::Linear | Curve::Step => (*x, *y),
    };
    let straight: Vec<(f64, f64)> = points.iter().map(forward).collect();
    let ends = [*straight.first()?, *straight.last()?];
    let through = line(if two_point { &ends } else { &straight })?;
    let squares = points
        .iter()
        .zip(&straight)
        .map(|((_, y), (x, _))| {
            let value = through.at(*x);
            let value = if curve == Curve::SquareRoot { value.max(0.0).sqrt() } else { value };
            (y - value).powi(2)
        })
        .sum();
    let coefficients = Some([through.slope, through.offset]);
    Some(fit(curve, two_point, coefficients, squares, points.len(), 2))
}

fn fit(
    curve: Curve,
    two_point: bool,
    coefficients: Option<[f64; 2]>,
    squares: f64,
    points: usize,
    parameters: usize,
) -> Fit {
    let n = points.max(1) as f64;
    // Rates are good to a part in a million at best: a perfect fit is not infinitely good.
    let mean_square = (squares / n).max(1e-12);
    let aic = n * mean_square.ln() + 2.0 * parameters as f64;
    Fit { curve, two_point, coefficients, rms_mib_s: mean_square.sqrt(), aic }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of places that are read at such rates, in sectors per millisecond.
    fn of(rates: &[(usize, f64)]) -> Option<Estimate> {
        let place = |rate: f64| Rate { lba: 0, sectors: 1000, sectors_per_ms: rate };
        let places: Vec<Rate> =
            rates.iter().flat_map(|(count, rate)| vec![place(*rate); *count]).collect();
        typical(places.iter(), 1 << 20)
    }

    #[test]
    fn whole_cylinders_tell_the_rate_of_a_zone_unless_they_lose_less() {
        let place = |rate: f64| Rate { lba: 0, sectors: 1000, sectors_per_ms: rate };
        let rate = |anywhere: &[f64], own: &[f64]| {
            let [anywhere, own] = [anywhere, own].map(|all| all.iter().copied().map(place));
            of_zone(&anywhere.collect::<Vec<_>>(), &own.collect::<Vec<_>>(), 1 << 20)
        };
        let own = rate(&[], &[10.0; 5]);
        assert_eq!(
            rate(&[9.7, 10.2, 9.9, 10.3], &[10.0; 5]),
            own,
            "they cross now more, now fewer"
        );
        assert_eq!(rate(&[9.0], &[10.0; 5]), own, "one place alone may be a mishap");
        let all = rate(&[9.0; 20], &[10.0; 5]).unwrap().value.unwrap();
        assert!((9_000.0..9_500.0).contains(&all), "{all}");
        assert_eq!(rate(&[], &[]), None);
    }

    #[test]
    fn what_begins_better_is_a_part_of_the_mean() {
        let mean = of(&[(80, 10.0), (6, 11.0)]).unwrap();
        let times = (80.0 / 10.0 + 6.0 / 11.0) / 86.0;
        assert!((mean.ok().unwrap() - 1000.0 / times).abs() < 1e-6);
        assert!(mean.ci95.unwrap()[1] > mean.value.unwrap() + 10.0);
        assert!(of(&[(5, 10.0), (5, 11.0)]).unwrap().ok().is_none());
    }

    #[test]
    fn a_few_late_places_are_mishaps_and_many_are_not() {
        assert_eq!(of(&[(19, 10.0), (1, 9.0)]).unwrap().value, of(&[(19, 10.0)]).unwrap().value);
        let many = of(&[(14, 10.0), (6, 9.9)]).unwrap();
        assert!(many.value.unwrap() < 9_990.0);
        assert_eq!(of(&[]), None);
    }
}
