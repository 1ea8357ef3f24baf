//! Service times of requests in memory, and nothing else: a fit asks for them thousands of times.

use crate::{Replay, ReplayError, ReplayOptions};
use platterlab_drive::Drive;
use platterlab_units::Lapse;
use platterlab_workload::Record;

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOutcome {
    /// How long it took.
    pub service: Lapse,
    /// Number of the cache outcome, as in a row.
    pub cache: u8,
}

/// Serves all of some requests that the drive does not refuse, in the order in which it gets them.
///
/// Compiled here and not by who calls it: elsewhere the same may be made small instead of quick.
///
/// # Errors
/// As [`Replay::next_row`].
pub fn times(
    records: &[Record],
    drive: Drive,
    options: ReplayOptions,
) -> Result<Vec<TimedOutcome>, ReplayError> {
    let mut replay = Replay::new(records.iter().map(|record| Ok(*record)), drive, options)?;
    let mut found = Vec::with_capacity(records.len());
    while let Some(row) = replay.next_served()? {
        found.push(TimedOutcome { service: row.service(), cache: row.cache });
    }
    Ok(found)
}
