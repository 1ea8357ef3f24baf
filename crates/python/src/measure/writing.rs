//! Writing to a real device: what it would do, and putting right what was left undone.

use super::device;
use crate::error::{input, json};
use platterlab_device::linux::{RepairOutcome, dry_run, repair};
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
#[pyo3(signature = (path, *, confirmation, region, journal_dir))]
pub(crate) fn write_dry_run(
    py: Python<'_>,
    path: PathBuf,
    confirmation: String,
    region: (u64, u64),
    journal_dir: PathBuf,
) -> PyResult<String> {
    let request = device::request(path, confirmation, region, journal_dir);
    let found = py.detach(|| dry_run(&request)).map_err(input)?;
    let refusals = found
        .refusals
        .into_iter()
        .map(|refusal| Against { reason: refusal.reason, way_out: refusal.way_out })
        .collect();
    json(&Steps { steps: found.steps, refusals })
}

#[derive(Serialize)]
struct Repaired {
    journal: PathBuf,
    outcome: &'static str,
    device: Option<PathBuf>,
    restored_sectors: Option<u64>,
    what: Option<String>,
}

/// Puts right what runs that died left behind.
#[pyfunction]
#[pyo3(signature = (journal_dir))]
pub(crate) fn write_repair(py: Python<'_>, journal_dir: PathBuf) -> PyResult<String> {
    let repairs = py.detach(|| repair(&journal_dir)).map_err(input)?;
    let shown: Vec<Repaired> = repairs
        .into_iter()
        .map(|repair| {
            let journal = repair.journal;
            let plain = Repaired {
                journal,
                outcome: "in-use",
                device: None,
                restored_sectors: None,
                what: None,
            };
            match repair.outcome {
                RepairOutcome::InUse => plain,
                RepairOutcome::Failed { what } => {
                    Repaired { outcome: "failed", what: Some(what), ..plain }
                }
                RepairOutcome::Restored { device, sectors, .. } => Repaired {
                    outcome: "restored",
                    device: Some(device),
                    restored_sectors: Some(sectors),
                    ..plain
                },
            }
        })
        .collect();
    json(&shown)
}
