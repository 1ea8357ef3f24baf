//! Steps from track to track that are of more than two kinds.

use crate::stats::median;

/// Whether the other steps of a cycle, but for the one that stands out, are of several kinds: as between heads that
/// differ, or over several cylinders, before some that are spare. They differ by at least so much, and clearly by noise.
pub(crate) fn are_uneven(
    offsets: &[f64],
    cycle: (usize, usize),
    usual: f64,
    least: [f64; 2],
) -> bool {
    /// Standard errors of their middle, of each of which the steps of a cycle have one.
    const CLEAREST: f64 = 8.0;
    /// Cycles in which the same step has to be seen.
    const FEWEST: usize = 5;
    let ((period, odd), [least_ms, noise_ms]) = (cycle, least);
    (0..period).filter(|phase| *phase != odd).any(|phase| {
        let steps: Vec<f64> = offsets.iter().skip(phase).step_by(period).copied().collect();
        let off = median(&steps).map_or(0.0, |middle| (middle - usual).abs());
        let clear_ms = CLEAREST * noise_ms / (steps.len() as f64).sqrt();
        steps.len() >= FEWEST && off > least_ms.max(clear_ms)
    })
}
