//! The figures of a case, and the drives that cases run on.

use platterlab_drive::Drive;
use platterlab_profile::Profile;
use std::path::Path;

/// What a case told.
pub(crate) struct Figures {
    pub(crate) what: String,
    pub(crate) requests: usize,
    pub(crate) served: u64,
    pub(crate) best_s: f64,
}

/// A drive of the library.
pub(crate) fn library(profile: &str) -> Result<Drive, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../profiles").join(profile);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let profile =
        Profile::parse(&text, &path.to_string_lossy()).map_err(|error| error.to_string())?;
    Drive::new(profile.params()).map_err(|error| error.to_string())
}
