//! Drives in DiskSim's parameter files: in and out.

use crate::error::input;
use crate::profile::Profile;
use platterlab_disksim::drive::{DriveImportOptions, load};
use platterlab_disksim::export::export;
use pyo3::prelude::*;
use std::path::PathBuf;

/// The drive of a DiskSim parameter file, the parameters that could not be honoured, and notes.
#[pyfunction]
#[pyo3(signature = (path, disk, overrides, approximate))]
pub(crate) fn disksim_import(
    path: PathBuf,
    disk: Option<String>,
    overrides: Vec<(String, f64)>,
    approximate: bool,
) -> PyResult<(Profile, Vec<String>, Vec<String>)> {
    let options = DriveImportOptions { disk, overrides, approximate };
    let imported = load(&path, &options).map_err(input)?;
    let not_honoured = imported.not_honoured.iter().map(ToString::to_string).collect();
    Ok((Profile::new(imported.profile), not_honoured, imported.notes))
}

/// A profile as DiskSim parameter files called after `stem`: names and texts, the drive's first.
#[pyfunction]
#[pyo3(signature = (profile, stem))]
pub(crate) fn disksim_export(profile: &Profile, stem: &str) -> PyResult<Vec<(String, String)>> {
    match export(&profile.inner, stem) {
        Ok(exported) => Ok(exported.files),
        Err(lost) => Err(input(format!("DiskSim cannot express\n{}", lost.join("\n")))),
    }
}
