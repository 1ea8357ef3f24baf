//! Writing to a real device: what it would do, what runs that died left, and repairing that.

use super::device;
use crate::answers::Answer;
use crate::error::of_device;
use platterlab_device::linux::{
    RepairOutcome, RepairRequest, Sectors, dry_run, left_behind, repair,
};
use pyo3::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// What writing would do.
#[derive(JsonSchema, Serialize)]
pub(crate) struct WriteDryRun {
    steps: Vec<String>,
    refusals: Vec<WriteRefusal>,
}

/// What speaks against it.
#[derive(JsonSchema, Serialize)]
pub(crate) struct WriteRefusal {
    reason: String,
    way_out: String,
}

/// What writing would do, and what speaks against it; changes nothing.
#[pyfunction]
#[pyo3(signature = (path, *, confirmation, region, journal_dir, even_if_open = false))]
pub(crate) fn write_dry_run(
    py: Python<'_>,
    path: PathBuf,
    confirmation: String,
    region: (u64, u64),
    journal_dir: PathBuf,
    even_if_open: bool,
) -> PyResult<Answer<WriteDryRun>> {
    let request = device::request(path, confirmation, region, journal_dir, even_if_open);
    let found = py.detach(|| dry_run(&request)).map_err(|error| of_device(&error))?;
    let refusals = found
        .refusals
        .into_iter()
        .map(|refusal| WriteRefusal { reason: refusal.reason, way_out: refusal.way_out })
        .collect();
    Ok(Answer(WriteDryRun { steps: found.steps, refusals }))
}

/// What a run that died left behind.
#[derive(JsonSchema, Serialize)]
pub(crate) struct JournalLeft {
    journal: PathBuf,
    what: String,
}

/// What runs that died left behind; changes nothing, and opens no device but the one measured.
#[pyfunction]
#[pyo3(signature = (path, *, journal_dir))]
pub(crate) fn write_left(
    py: Python<'_>,
    path: PathBuf,
    journal_dir: PathBuf,
) -> Vec<Answer<JournalLeft>> {
    let left = py.detach(|| left_behind(&journal_dir, &path));
    left.into_iter()
        .map(|left| Answer(JournalLeft { journal: left.journal, what: left.what }))
        .collect()
}

/// What became of it.
#[derive(JsonSchema, Serialize)]
pub(crate) struct JournalRepair {
    journal: PathBuf,
    outcome: &'static str,
    repaired: Vec<(u64, u64)>,
    replaced: Option<PathBuf>,
    what: Option<String>,
}

/// Writes back what runs that died had in flight on a device: the only repair there is.
#[pyfunction]
#[pyo3(signature = (path, *, confirmation, journal_dir, even_if_open = false))]
pub(crate) fn write_repair(
    py: Python<'_>,
    path: PathBuf,
    confirmation: String,
    journal_dir: PathBuf,
    even_if_open: bool,
) -> PyResult<Vec<Answer<JournalRepair>>> {
    let request = RepairRequest { device: path, confirmation, journal_dir, even_if_open };
    let repairs = py.detach(|| repair(&request)).map_err(|error| device::unwritten(&error))?;
    let shown = repairs
        .into_iter()
        .map(|repair| {
            let plain = JournalRepair {
                journal: repair.journal,
                outcome: "unchanged",
                repaired: Vec::new(),
                replaced: None,
                what: None,
            };
            match repair.outcome {
                RepairOutcome::Unchanged => plain,
                RepairOutcome::Kept { what } => {
                    JournalRepair { outcome: "kept", what: Some(what), ..plain }
                }
                RepairOutcome::Repaired { sectors, replaced } => JournalRepair {
                    outcome: "repaired",
                    repaired: runs(&sectors),
                    replaced,
                    ..plain
                },
            }
        })
        .map(Answer)
        .collect();
    Ok(shown)
}

/// Runs of sectors: the first and how many, of each.
pub(super) fn runs(sectors: &Sectors) -> Vec<(u64, u64)> {
    sectors.runs().iter().map(|run| (run.first, run.sectors)).collect()
}
