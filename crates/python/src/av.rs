//! Audio and video from one drive.

use crate::answers::Answer;
use crate::array::array;
use crate::error::input;
use crate::profile::Profile;
use platterlab_sim::{AvOptions, AvReport, AvRun, AvSession, RoundOrder};
use platterlab_units::{Operation, Span, named};
use platterlab_workload::synthetic::{Allocator, AvFile, Fragmentation, IndirectBlocks};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Serves sessions in rounds; the report as JSON, and the buffer levels as columns.
#[pyfunction]
#[pyo3(signature = (
    profile, sessions, *, period_ms, buffers, start_after, order, host_spread_ms, break_share,
    allocator, unit_sectors, indirect, seed
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
pub(crate) fn av_run<'py>(
    py: Python<'py>,
    profile: &Profile,
    sessions: Vec<(u64, u32, u64, bool, u64)>,
    period_ms: Option<f64>,
    buffers: u32,
    start_after: u32,
    order: &str,
    host_spread_ms: f64,
    break_share: f64,
    allocator: &str,
    unit_sectors: u32,
    indirect: &str,
    seed: u64,
) -> PyResult<(Answer<AvReport>, Bound<'py, PyDict>)> {
    let allocator = match allocator {
        "ext3" => {
            Allocator::Ext3 { block_sectors: unit_sectors, indirect: indirect_named(indirect)? }
        }
        "extent" => Allocator::Extent { extent_sectors: unit_sectors },
        other => {
            return Err(input(format!("`{other}` is not an allocator; there are ext3 and extent")));
        }
    };
    let options = AvOptions {
        period: period_ms.map(|ms| span(ms, "period_ms")).transpose()?,
        buffers,
        start_after,
        order: order_named(order)?,
        host_spread: span(host_spread_ms, "host_spread_ms")?,
        fragmentation: Fragmentation { break_share, allocator },
        seed,
    };
    let session = |(first_lba, io_sectors, ios, records, rate_bit_s)| {
        let operation = if records { Operation::Write } else { Operation::Read };
        AvSession { file: AvFile { first_lba, io_sectors, ios, operation }, rate_bit_s }
    };
    let sessions: Vec<AvSession> = sessions.into_iter().map(session).collect();
    let run = AvRun::new(&sessions, profile.drive.clone(), options).map_err(input)?;
    let report = py.detach(|| run.run());
    let levels = PyDict::new(py);
    levels.set_item("time_ms", array(py, report.levels.time_ms.clone())?)?;
    levels.set_item("session", array(py, report.levels.session.clone())?)?;
    levels.set_item("before", array(py, report.levels.before.clone())?)?;
    levels.set_item("after", array(py, report.levels.after.clone())?)?;
    Ok((Answer(report), levels))
}

fn span(ms: f64, name: &str) -> PyResult<Span> {
    Span::from_ms(ms)
        .filter(|_| ms < 1e10)
        .ok_or_else(|| input(format!("{name}: {ms}; it must be 0 to 10^10")))
}

fn indirect_named(word: &str) -> PyResult<IndirectBlocks> {
    named(word, IndirectBlocks::ALL, IndirectBlocks::name)
        .map_err(|meant| input(format!("`{word}` is not a way to read indirect blocks; {meant}")))
}

fn order_named(word: &str) -> PyResult<RoundOrder> {
    named(word, RoundOrder::ALL, RoundOrder::name)
        .map_err(|meant| input(format!("`{word}` is not an order; {meant}")))
}
