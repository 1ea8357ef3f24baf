//! The files that a parameter file names.

use platterlab_profile::file::contents;
use std::path::Path;

/// The name of a file, and what reads it and others of its folder by their names.
pub fn beside(path: &Path) -> (String, impl FnMut(&str) -> Result<String, String>) {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let resolver = move |name: &str| {
        let bytes = contents(&folder.join(name))
            .map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    (name, resolver)
}
