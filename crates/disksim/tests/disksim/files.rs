//! Drives imported from texts in place of files, and from what was written for DiskSim.

use platterlab_disksim::drive::{DriveImportOptions, ImportError, ImportedDrive, import};
use platterlab_disksim::export::export;
use platterlab_profile::Profile;

pub(crate) const SPECS: &str = include_str!("../files/small.diskspecs");
pub(crate) const MODEL: &str = include_str!("../files/small.model");
pub(crate) const SEEK: &str = include_str!("../files/small.seek");
pub(crate) const PARV: &str = include_str!("../files/small.parv");

/// A file's name and what it says.
type File<'a> = (&'a str, &'a str);

/// Imports the drive of the first file, which draws in the others.
pub(crate) fn import_from(files: &[File<'_>]) -> Result<ImportedDrive, ImportError> {
    import_as(files, &DriveImportOptions::default())
}

pub(crate) fn import_as(
    files: &[File<'_>],
    options: &DriveImportOptions,
) -> Result<ImportedDrive, ImportError> {
    let mut resolver = |name: &str| {
        let found = files.iter().find(|(own, _)| *own == name);
        found
            .map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| format!("there is no file `{name}`"))
    };
    import(files[0].0, &mut resolver, options)
}

/// Imports the small drive from other texts.
pub(crate) fn imported(specs: &str, model: &str, seek: &str) -> Result<ImportedDrive, ImportError> {
    import_from(&[("small.diskspecs", specs), ("small.model", model), ("small.seek", seek)])
}

/// What DiskSim's files of a profile become, or what they lose.
pub(crate) fn and_back(profile: &Profile) -> Result<Profile, String> {
    let files = export(profile, "again").map_err(|lost| lost.join("; "))?.files;
    let mut files: Vec<File<'_>> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.sort_by_key(|(name, _)| *name != "again.diskspecs");
    Ok(import_from(&files).map_err(|error| error.to_string())?.profile)
}

/// A profile written for DiskSim and read back.
pub(crate) fn again(profile: &Profile) -> Profile {
    and_back(profile).expect("DiskSim has all of it")
}
