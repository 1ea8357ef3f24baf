//! Track boundaries to the sector, and the angles of many tracks.

mod boundaries;
mod edge;
mod starts;

pub(crate) use boundaries::{Boundaries, Search};
pub(crate) use edge::{Counted, Edge, Told};
pub(crate) use starts::{Starts, WHOLE, starts};

use crate::clock::{Turn, timed};
use crate::stats::wrap;
use platterlab_probe::Samples;

/// A sector and its angle against the first of the same run, in milliseconds of rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) lba: u64,
    pub(crate) angle: f64,
}

/// The angles of a run's sectors, by rising address.
pub(crate) fn places(run: &Samples, turn: Turn) -> Vec<Place> {
    let mut places: Vec<Place> = timed(run)
        .iter()
        .map(|sample| Place { lba: sample.lba, angle: wrap(sample.completed, turn.period) })
        .collect();
    places.sort_by_key(|place| place.lba);
    places
}
