//! The one way to open a real device for writing, and what it would do as a dry run.

use super::guard::Guard;
use super::journal::{Journal, SaveError};
use super::refusal::{Refusal, RefusalKind, Refused};
use super::region::Region;
use super::saved_region::{SavedRegion, way_out};
use super::{checks, left, others};
use crate::linux::LinuxDevice;
use crate::linux::locked::Locked;
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
    /// Whether it may be written although another process has it open. What that writes meanwhile
    /// may be lost.
    pub even_if_open: bool,
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
    /// What is in the region cannot be saved in this folder.
    #[error(
        "{}: what is on {name} cannot be saved there: {what}; set XDG_STATE_HOME to a folder of \
         yours that can be written",
        folder.display()
    )]
    Folder {
        /// The device.
        name: String,
        /// The journal's folder.
        folder: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// It could not be written there.
    #[error("{}: what is on {name} could not be saved there: {what}", folder.display())]
    Unsaved {
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
    drop(file);
    let (file, guard) = exclusively(&target, request.write_through, request.even_if_open)?;
    // Once more, now that nobody else can come in between.
    refuse(against(request, &target, &file)?)?;
    let journal = Journal::save(&request.journal_dir, &target, &file, request.region);
    let (name, folder) = (target.name(), request.journal_dir.clone());
    let journal = journal.map_err(|error| match error {
        SaveError::Device(error) => WriteError::Device(error),
        SaveError::Folder(what) => WriteError::Folder { name, folder, what },
        SaveError::Disk(error) => WriteError::Unsaved { name, folder, what: error.to_string() },
    })?;
    let saved = SavedRegion::new(&target, journal, guard);
    Ok(LinuxDevice::for_writing(target, file, saved))
}

/// Opens a target to be written, with a guard that reports others who open it.
pub(super) fn exclusively(
    target: &Target,
    write_through: bool,
    even_if_open: bool,
) -> Result<(Locked, Guard), WriteError> {
    let refused = |refusal: Refusal| {
        WriteError::Refused(Refused { name: target.name(), refusals: vec![refusal] })
    };
    if !even_if_open && let Some(refusal) = checks::open_elsewhere(target) {
        return Err(refused(refusal));
    }
    let file = target.open_exclusively(write_through)?;
    if even_if_open {
        return Ok((file, Guard::Off));
    }
    let guard = Guard::set(target, &file).map_err(|who| refused(others::refusal(target, &who)))?;
    match checks::open_elsewhere(target) {
        Some(refusal) => Err(refused(refusal)),
        None => Ok((file, guard)),
    }
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
    if !request.even_if_open {
        refusals.extend(checks::open_elsewhere(target));
    }
    refusals.extend(checks::empty(target, file)?);
    refusals.extend(unrepaired(&request.journal_dir, target));
    Ok(refusals)
}

/// Refuses a device of which a region is still to be repaired.
fn unrepaired(folder: &Path, target: &Target) -> Option<Refusal> {
    let path = left::unrepaired(folder, target)?;
    let reason = format!("{} holds what was read of it by a run that did not end", path.display());
    Some(Refusal::new(RefusalKind::Unrepaired, reason, way_out(target)))
}

fn steps(request: &WriteRequest, target: &Target) -> Vec<String> {
    let name = target.name();
    let region = request.region;
    let bytes = region.sectors.saturating_mul(u64::from(target.logical_bytes));
    let exclusively = match target.kind {
        Kind::Block { .. } => "O_RDWR|O_EXCL",
        Kind::File { .. } => "O_RDWR, with a lock and a lease",
    };
    let recognised = if target.is_recognisable() {
        format!("recognise {name} should this run die")
    } else {
        format!(
            "ask for the path of {name} again at --repair should this run die: it reports no \
             serial number and cannot be recognised"
        )
    };
    let through = if request.write_through { ", O_DSYNC" } else { "" };
    vec![
        format!("open {name} ({} bytes) read-only and check it", target.bytes),
        format!("open {name} for this run alone ({exclusively}{through}), and stop if others do"),
        format!(
            "save {region} ({bytes} bytes) to a journal in {} and sync it",
            request.journal_dir.display()
        ),
        format!("read any sector; write only within {region}, each time the bytes saved from it"),
        format!("compare {region} with the journal, report what differs, remove the journal"),
        recognised,
        format!("change no setting of {name}, its driver or the kernel"),
    ]
}
