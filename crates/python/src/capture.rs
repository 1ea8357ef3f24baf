//! Raw captures of Linux and the process flows made of them.

use crate::answers::Answer;
use crate::error::input;
use platterlab_workload::flow::{FlowInfo, FlowReader, FlowSummary};
use pyo3::prelude::*;
use std::path::PathBuf;

#[pyfunction]
pub(crate) fn capture_convert(
    py: Python<'_>,
    folder: PathBuf,
    page_bytes: usize,
    out: PathBuf,
) -> PyResult<Answer<FlowSummary>> {
    let summary = py.detach(|| platterlab_capture::convert(&folder, page_bytes, &out));
    summary.map(Answer).map_err(input)
}

/// Whether a file is a process flow.
#[pyfunction]
pub(crate) fn is_flow(path: PathBuf) -> PyResult<bool> {
    FlowReader::is_flow(&path).map_err(input)
}

/// The scheduler of the device that a flow was captured on, according to its header.
#[pyfunction]
pub(crate) fn flow_scheduler(path: PathBuf) -> PyResult<String> {
    let reader = FlowReader::open(&path).map_err(input)?;
    Ok(reader.header().device.scheduler.clone())
}

/// What a flow holds; `None` for a file that is none.
#[pyfunction]
pub(crate) fn flow_info(py: Python<'_>, path: PathBuf) -> PyResult<Option<Answer<FlowInfo>>> {
    let info = py.detach(|| {
        if !FlowReader::is_flow(&path)? {
            return Ok(None);
        }
        FlowInfo::of(&mut FlowReader::open(&path)?).map(Some)
    });
    Ok(info.map_err(input)?.map(Answer))
}
