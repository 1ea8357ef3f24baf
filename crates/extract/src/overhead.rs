//! What a request costs that needs no platter.

use crate::Estimate;
use crate::clock::{Turn, timed};
use crate::stats::{mad, median};
use platterlab_probe::Samples;

/// The time of a request answered from the drive's cache: host, interface and controller, in
/// milliseconds. A drive that goes to the media for every request shows none.
pub(crate) fn overhead(run: &Samples, turn: Turn) -> Estimate {
    let method = "same sector read again";
    let elapsed: Vec<f64> = timed(run).iter().skip(1).map(|sample| sample.elapsed()).collect();
    match (median(&elapsed), mad(&elapsed)) {
        (Some(typical), Some(spread)) if typical < 0.3 * turn.period => {
            let error = 1.96 * 1.25 * spread / (elapsed.len() as f64).sqrt();
            Estimate::new(typical, error, method)
        }
        (Some(_), _) => Estimate::unsupported(method, "no cache answers: the media are read again"),
        _ => Estimate::unsupported(method, "too few samples"),
    }
}
