//! Places of addresses, and the time to get from one to another.

use crate::array::array;
use crate::error::input;
use crate::profile::Profile;
use platterlab_drive::TrackOrder;
use platterlab_drive::mechanism::Arm;
use platterlab_units::{Operation, Span};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml::Value;

/// The orders of tracks by their words, and whether each seeks before it changes the head.
#[pyfunction]
pub(crate) fn track_orders(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let orders = PyDict::new(py);
    for order in TrackOrder::ALL {
        let word = Value::try_from(order).map_err(input)?;
        orders.set_item(word.as_str(), order.seeks_first())?;
    }
    Ok(orders)
}

fn check(profile: &Profile, lba: u64) -> PyResult<()> {
    let capacity = profile.drive.layout().capacity();
    if lba < capacity {
        return Ok(());
    }
    Err(input(format!("sector {lba} is beyond the drive's last, {}", capacity - 1)))
}

/// Place and track of each address, as columns.
#[pyfunction]
pub(crate) fn tracks<'py>(
    py: Python<'py>,
    profile: &Profile,
    lbas: Vec<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let layout = profile.drive.layout();
    let mut columns: [Vec<u32>; 5] = Default::default();
    let (mut first_lba, mut turns) = (Vec::new(), Vec::new());
    for lba in lbas {
        check(profile, lba)?;
        let run = layout.run(lba, 1);
        let (first, sectors) = layout.track_bounds(lba).unwrap_or((lba, 1));
        let values = [run.cylinder, run.surface, run.sector, sectors, run.sectors_per_track];
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
        first_lba.push(first);
        turns.push(run.angle(0).as_turns());
    }
    let table = PyDict::new(py);
    let names = ["cylinder", "surface", "sector", "track_data_sectors", "sectors_per_track"];
    for (name, column) in names.into_iter().zip(columns) {
        table.set_item(name, array(py, column)?)?;
    }
    table.set_item("track_first_lba", array(py, first_lba)?)?;
    table.set_item("angle_turns", array(py, turns)?)?;
    Ok(table)
}

/// The first address on each of some cylinders, or on the next one that holds data.
#[pyfunction]
pub(crate) fn first_lba(profile: &Profile, cylinders: Vec<u32>) -> PyResult<Vec<u64>> {
    cylinders.into_iter().map(|cylinder| first_on(profile, cylinder)).collect()
}

fn first_on(profile: &Profile, cylinder: u32) -> PyResult<u64> {
    let layout = profile.drive.layout();
    let on = |cylinder: u32| {
        let tracks = 0..layout.surfaces();
        tracks.filter_map(|surface| layout.first_lba_on(cylinder, surface)).min()
    };
    (cylinder..layout.cylinders()).find_map(on).ok_or_else(|| {
        input(format!("no data on cylinder {cylinder} or beyond; there are {}", layout.cylinders()))
    })
}

/// From the end of the data on the track of each address to the first sector of the next track,
/// when both are read in one go: the track switch time of Gim's equations.
#[pyfunction]
pub(crate) fn next_track_ms(profile: &Profile, lbas: Vec<u64>) -> PyResult<Vec<f64>> {
    lbas.into_iter().map(|lba| to_next_track_ms(profile, lba)).collect()
}

fn to_next_track_ms(profile: &Profile, lba: u64) -> PyResult<f64> {
    check(profile, lba)?;
    let (layout, mechanism) = (profile.drive.layout(), profile.drive.mechanism());
    let (first, sectors) = layout.track_bounds(lba).unwrap_or((lba, 1));
    let next = first + u64::from(sectors);
    check(profile, next)?;
    let (last, next) = (layout.run(next - 1, 1), layout.run(next, 1));
    let arm = Arm { cylinder: last.cylinder, surface: last.surface };
    let switch = mechanism.switch(arm, next.cylinder, next.surface, Operation::Read);
    let period = mechanism.rotation().period();
    let mut gap = mechanism.rotation().between(last.angle(1), next.angle(0));
    while gap < switch {
        gap += period;
    }
    Ok(gap.as_ms())
}

/// Time to bring the arm from the first address's track onto the second's for a new read, for
/// each pair.
#[pyfunction]
pub(crate) fn positioning_ms(profile: &Profile, pairs: Vec<(u64, u64)>) -> PyResult<Vec<f64>> {
    pairs.into_iter().map(|(from, to)| pair_ms(profile, from, to)).collect()
}

fn pair_ms(profile: &Profile, from_lba: u64, to_lba: u64) -> PyResult<f64> {
    check(profile, from_lba)?;
    check(profile, to_lba)?;
    let layout = profile.drive.layout();
    let (from, to) = (layout.run(from_lba, 1), layout.run(to_lba, 1));
    let arm = Arm { cylinder: from.cylinder, surface: from.surface };
    let time: Span =
        profile.drive.mechanism().position(arm, to.cylinder, to.surface, Operation::Read);
    Ok(time.as_ms())
}
