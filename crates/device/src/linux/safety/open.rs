use super::checks;
use super::journal::{self, Journal};
use super::refusal::{Refusal, RefusalKind, Refused};
use super::region::Region;
use super::saved_region::SavedRegion;
use crate::linux::LinuxDevice;
use crate::linux::target::{Kind, Target};
use crate::{DeviceError, WriteConsent};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A user's wish to have a region of a device written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    /// The block device or regular file.
    pub device: PathBuf,
    /// The user's word that its data may be lost: exactly the path above, or its serial number.
    pub confirmation: String,
    /// The only sectors that may be written.
    pub region: Region,
    /// The folder that keeps what was in the region; made where there is none.
    pub journal_dir: PathBuf,
    /// Whether each write must be on the media before it is complete (`O_DSYNC`).
    pub write_through: bool,
}

/// What [`open_for_writing`] would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// Each step, in order.
    pub steps: Vec<String>,
    /// What speaks against it; then nothing at all would be done.
    pub refusals: Vec<Refusal>,
}

/// Why a device cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// It cannot be opened or read.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Something speaks against it.
    #[error("{0}")]
    Refused(Refused),
    /// What is in the region could not be saved.
    #[error("{}: {name} cannot be saved there: {what}", folder.display())]
    Journal {
        /// The device.
        name: String,
        /// The journal's folder.
        folder: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// Looks at everything and changes nothing.
///
/// # Errors
/// A device that cannot be opened read-only, or read.
pub fn dry_run(request: &WriteRequest) -> Result<DryRun, DeviceError> {
    let (target, file) = Target::open(&request.device)?;
    let refusals = against(request, &target, &file)?;
    Ok(DryRun { steps: steps(request, &target), refusals })
}

/// Opens a device to be written in a region, after every check, with the region saved: the one
/// place where a consent for a real device is made.
///
/// # Errors
/// Everything that speaks against it, each with the way out. Then the device is as it was.
pub fn open_for_writing(request: &WriteRequest) -> Result<(LinuxDevice, WriteConsent), WriteError> {
    let (target, file) = Target::open(&request.device)?;
    let refuse = |refusals: Vec<Refusal>| {
        if refusals.is_empty() {
            return Ok(());
        }
        Err(WriteError::Refused(Refused { name: target.name(), refusals }))
    };
    refuse(against(request, &target, &file)?)?;
    let file = target.open_exclusively(request.write_through)?;
    // Once more, now that nobody else can come in between.
    refuse(against(request, &target, &file)?)?;
    let journal = Journal::save(&request.journal_dir, &target, &file, request.region);
    let journal = journal.map_err(|error| WriteError::Journal {
        name: target.name(),
        folder: request.journal_dir.clone(),
        what: error.to_string(),
    })?;
    let saved = SavedRegion::new(&target, journal);
    Ok(LinuxDevice::for_writing(target, file, saved))
}

fn against(
    request: &WriteRequest,
    target: &Target,
    file: &File,
) -> Result<Vec<Refusal>, DeviceError> {
    let mut refusals: Vec<Refusal> =
        checks::confirmation(target, &request.confirmation).into_iter().collect();
    refusals.extend(checks::region(target, request.region));
    refusals.extend(checks::in_use(target));
    refusals.extend(checks::empty(target, file, 0..0)?);
    refusals.extend(unrepaired(&request.journal_dir, target));
    Ok(refusals)
}

/// Refuses a device of which a region is still to be repaired.
fn unrepaired(folder: &Path, target: &Target) -> Option<Refusal> {
    let journals = journal::list(folder).unwrap_or_default();
    let of_it =
        |path: &&PathBuf| journal::header_of(path).is_some_and(|header| header.is_of(target));
    let path = journals.iter().find(of_it)?;
    let reason = format!("{} holds data saved from it by a run that did not end", path.display());
    Some(Refusal::new(RefusalKind::Unrepaired, reason, "repair it first"))
}

fn steps(request: &WriteRequest, target: &Target) -> Vec<String> {
    let name = target.name();
    let region = request.region;
    let bytes = region.sectors.saturating_mul(u64::from(target.logical_bytes));
    let exclusively = match target.kind {
        Kind::Block { .. } => "O_RDWR|O_EXCL",
        Kind::File { .. } => "O_RDWR, with a lock",
    };
    let through = if request.write_through { ", O_DSYNC" } else { "" };
    vec![
        format!("open {name} ({} bytes) read-only and check it", target.bytes),
        format!("open {name} for this run alone: {exclusively}{through}"),
        format!(
            "save {region} ({bytes} bytes) to a journal in {} and sync it",
            request.journal_dir.display()
        ),
        format!("read any sector; write only within {region}, each time the bytes saved from it"),
        format!("compare {region} with the journal, write back what differs, remove the journal"),
        format!("change no setting of {name}, its driver or the kernel"),
    ]
}
