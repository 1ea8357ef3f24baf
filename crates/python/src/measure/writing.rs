//! Writing to a real device: what it would do, what runs that died left, and repairing that.

use super::device;
use crate::error::{input, json};
use platterlab_device::linux::{
    RepairOutcome, RepairRequest, Sectors, dry_run, left_behind, repair,
};
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Steps {
    steps: Vec<String>,
    refusals: Vec<Against>,
}

#[derive(Serialize)]
struct Against {
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
) -> PyResult<String> {
    let request = device::request(path, confirmation, region, journal_dir, even_if_open);
    let found = py.detach(|| dry_run(&request)).map_err(input)?;
    let refusals = found
        .refusals
        .into_iter()
        .map(|refusal| Against { reason: refusal.reason, way_out: refusal.way_out })
        .collect();
    json(&Steps { steps: found.steps, refusals })
}

#[derive(Serialize)]
struct Found {
    journal: PathBuf,
    what: String,
}

/// What runs that died left behind; changes nothing, and opens no device but the one measured.
#[pyfunction]
#[pyo3(signature = (path, *, journal_dir))]
pub(crate) fn write_left(py: Python<'_>, path: PathBuf, journal_dir: PathBuf) -> PyResult<String> {
    let left = py.detach(|| left_behind(&journal_dir, &path));
    let shown = left.into_iter().map(|left| Found { journal: left.journal, what: left.what });
    json(&shown.collect::<Vec<_>>())
}

#[derive(Serialize)]
struct Repaired {
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
) -> PyResult<String> {
    let request = RepairRequest { device: path, confirmation, journal_dir, even_if_open };
    let repairs = py.detach(|| repair(&request)).map_err(input)?;
    let shown: Vec<Repaired> = repairs
        .into_iter()
        .map(|repair| {
            let plain = Repaired {
                journal: repair.journal,
                outcome: "unchanged",
                repaired: Vec::new(),
                replaced: None,
                what: None,
            };
            match repair.outcome {
                RepairOutcome::Unchanged => plain,
                RepairOutcome::Kept { what } => {
                    Repaired { outcome: "kept", what: Some(what), ..plain }
                }
                RepairOutcome::Repaired { sectors, replaced } => {
                    Repaired { outcome: "repaired", repaired: runs(&sectors), replaced, ..plain }
                }
            }
        })
        .collect();
    json(&shown)
}

/// Runs of sectors: the first and how many, of each.
pub(super) fn runs(sectors: &Sectors) -> Vec<(u64, u64)> {
    sectors.runs().iter().map(|run| (run.first, run.sectors)).collect()
}
