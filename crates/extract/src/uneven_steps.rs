//! Steps from track to track that are of more than two kinds.

use crate::stats::median;

/// Whether the other steps of a cycle, but for the one that stands out, are of several kinds: as between heads that
/// differ, or over several cylinders, before some that are spare. They are off by at least so much; and by what is
/// clear of a single step, less where the same one was seen more often.
pub(crate) fn are_uneven(
    offsets: &[f64],
    cycle: (usize, usize),
    usual: f64,
    least_ms: f64,
    clear_ms: f64,
) -> bool {
    /// Cycles in which the same step has to be seen.
    const FEWEST: usize = 5;
    let (period, odd) = cycle;
    (0..period).filter(|phase| *phase != odd).any(|phase| {
        let steps: Vec<f64> = offsets.iter().skip(phase).step_by(period).copied().collect();
        let off = median(&steps).map_or(0.0, |middle| (middle - usual).abs());
        steps.len() >= FEWEST && off > least_ms.max(clear_ms / (steps.len() as f64).sqrt())
    })
}
