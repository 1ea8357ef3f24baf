//! What a request costs that needs no platter.

use crate::Estimate;
use crate::clock::{Turn, timed};
use crate::stats::{MEDIAN_ERROR, mad, median};
use platterlab_probe::Samples;

/// More than this share of a revolution is no answer from a cache.
const LONGEST_TURNS: f64 = 0.8;
/// Fewer answers alike are chance.
const FEWEST: usize = 5;
/// Part of the time that may be left open.
const OPEN: f64 = 0.1;

/// The time of a request answered from the drive's cache: host, interface and controller, in
/// milliseconds. A drive that goes to the media for every request shows none.
///
/// A drive may drop a sector once it was asked for again, and go to the media every other time:
/// only the fastest answers, which are alike, count.
pub(crate) fn overhead(run: &Samples, turn: Turn) -> Estimate {
    let method = "same sector read again";
    let elapsed: Vec<f64> = timed(run).iter().skip(1).map(|sample| sample.elapsed()).collect();
    let Some(least) = elapsed.iter().copied().min_by(f64::total_cmp) else {
        return Estimate::unsupported(method, "too few samples");
    };
    let hits: Vec<f64> =
        elapsed.into_iter().filter(|time| *time <= least + turn.tolerance()).collect();
    match (median(&hits), mad(&hits)) {
        (Some(typical), Some(spread))
            if typical < LONGEST_TURNS * turn.period && hits.len() >= FEWEST =>
        {
            let error = 1.96 * MEDIAN_ERROR * spread / (hits.len() as f64).sqrt();
            let found = Estimate::new(typical, error, method);
            if error > OPEN * typical { found.doubted("too few answers, far apart") } else { found }
        }
        _ => Estimate::unsupported(method, "no cache answers: the media are read again"),
    }
}
