//! A drive's blocks as a [`Profile`].
//!
//! `find` finds the drive and the buses above it, `check` checks its parameters' types and ranges,
//! and `map` says it all again in the profile's terms, one file for each part of the drive, on a
//! `sheet` that remembers the `places` of the values. What a profile cannot say is reported parameter
//! by parameter, and is an error unless [`DriveImportOptions::approximate`] is set.

mod bus;
mod cache;
mod check;
mod controller;
mod find;
mod index;
mod layout;
mod map;
mod mechanics;
mod places;
mod seek;
mod sheet;
mod zone;

pub(crate) use controller::NOT_OF_A_PROFILE;

use crate::syntax::{DiskSimError, Resolver, System, beside, parse};
use platterlab_profile::{Profile, ProfileError};
use std::fmt;
use std::path::Path;

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct DriveImportOptions {
    /// The drive's block or component, where the file describes several.
    pub disk: Option<String>,
    /// Numbers that replace those of the drive's `disksim_disk` block, by parameter, as on
    /// DiskSim's command line: `("Enable caching in buffer", 0.0)`.
    pub overrides: Vec<(String, f64)>,
    /// Whether to import what can be expressed where some parameters cannot.
    pub approximate: bool,
}

/// A drive that was imported.
#[derive(Clone, Debug)]
pub struct ImportedDrive {
    /// The drive.
    pub profile: Profile,
    /// Parameters that a profile cannot honour; empty unless the import is approximate.
    pub not_honoured: Vec<DiskSimError>,
    /// A note for the reader, such as a block count that the layout does not give.
    pub notes: Vec<String>,
}

/// Why a drive could not be imported.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportError {
    /// The files are wrong: everything that is, and what else cannot be honoured.
    Wrong(Vec<DiskSimError>),
    /// The files are right, but these parameters cannot be honoured.
    NotHonoured(Vec<DiskSimError>),
    /// The drive they describe makes no sense.
    Profile(ProfileError),
}

impl From<DiskSimError> for ImportError {
    fn from(error: DiskSimError) -> Self {
        Self::Wrong(vec![error])
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Profile(error) => error.fmt(f),
            Self::Wrong(errors) | Self::NotHonoured(errors) => {
                for (index, error) in errors.iter().enumerate() {
                    let line = if index == 0 { "" } else { "\n" };
                    write!(f, "{line}{error}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for ImportError {}

/// Imports a drive from the file called `name`; `resolver` gives the text of a file by its name.
///
/// # Errors
/// The first thing that keeps the files from being read, or all that is wrong with their parameters
/// and all that cannot be honoured.
pub fn import(
    name: &str,
    resolver: &mut Resolver<'_>,
    options: &DriveImportOptions,
) -> Result<ImportedDrive, ImportError> {
    let system = parse(name, resolver)?;
    import_from(&system, name, resolver, options)
}

/// Imports a drive of a file that has been read; `resolver` gives the files that are not part of its
/// text, such as a seek curve's.
///
/// # Errors
/// As [`import`].
pub(crate) fn import_from(
    system: &System,
    name: &str,
    resolver: &mut Resolver<'_>,
    options: &DriveImportOptions,
) -> Result<ImportedDrive, ImportError> {
    let found = find::find(system, name, options.disk.as_deref())?;
    let mut sheet = map::map(&found, name, resolver, &options.overrides)?;
    if !sheet.wrong.is_empty() {
        let lost = sheet.not_honoured.drain(..).filter(|_| !options.approximate);
        return Err(ImportError::Wrong(in_order(sheet.wrong.into_iter().chain(lost))));
    }
    if !sheet.not_honoured.is_empty() && !options.approximate {
        return Err(ImportError::NotHonoured(in_order(sheet.not_honoured)));
    }
    let profile = Profile::draft(&sheet.table, &sheet.origins, &format!("{name} as a profile"))
        .map_err(|error| sheet.places.error(error, found.disk))?;
    let mut notes = sheet.notes;
    notes.extend(map::capacity_note(&profile, sheet.block_count));
    Ok(ImportedDrive { profile, not_honoured: sheet.not_honoured, notes })
}

/// Errors as a reader comes to them, each once.
fn in_order(errors: impl IntoIterator<Item = DiskSimError>) -> Vec<DiskSimError> {
    let mut errors: Vec<DiskSimError> = errors.into_iter().collect();
    errors.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    errors.dedup();
    errors
}

/// Imports a drive from a file; the files it names are looked for in its folder.
///
/// # Errors
/// As [`import`].
pub fn load(path: &Path, options: &DriveImportOptions) -> Result<ImportedDrive, ImportError> {
    let (name, mut resolver) = beside(path);
    import(&name, &mut resolver, options)
}
