//! `--repair`: what a run that died had in flight on a device is written back, and nothing else.

use super::checks;
use super::folder::Folder;
use super::guard::Guard;
use super::journal::{self, CHUNK_BYTES, Journal, Opened};
use super::open::{WriteError, exclusively};
use super::refusal::{Refusal, RefusalKind, Refused};
use super::region::Region;
use super::sectors::Sectors;
use super::verdict::{Mendable, Verdict, judge};
use crate::DeviceError;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::target::{Target, errno_of};
use rustix::io::{pread, pwrite};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// A user's wish to have a device put right after a run that died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairRequest {
    /// The block device or regular file.
    pub device: PathBuf,
    /// Its path once more, or its serial number: asked for where it cannot be recognised.
    pub confirmation: String,
    /// The folder of journals.
    pub journal_dir: PathBuf,
    /// Whether it may be written although another process has it open.
    pub even_if_open: bool,
}

/// What was done about one journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The journal.
    pub journal: PathBuf,
    /// What became of it.
    pub outcome: RepairOutcome,
}

/// What became of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairOutcome {
    /// Every sector was as it was saved; the journal is gone.
    Unchanged,
    /// These were written back, and the journal is gone.
    Repaired {
        /// Those that were in flight and differed, and those that could not be read.
        sectors: Sectors,
        /// What was in those that could be read, one after the other.
        replaced: Option<PathBuf>,
    },
    /// Nothing was written back; the journal is kept.
    Kept {
        /// Why, and the way out.
        what: String,
    },
}

/// Writes back what a run that died had in flight on a device, and what cannot be read there: the
/// only repair there is. Nothing else is written, and these only if the device is the one the
/// journal speaks of and everything else in the region and around it is as it was.
///
/// # Errors
/// A device that cannot be opened, or against the use of which something speaks. What concerns one
/// journal is in its [`Repair`]; there is none for journals of other devices.
pub fn repair(request: &RepairRequest) -> Result<Vec<Repair>, WriteError> {
    let (target, file) = Target::open(&request.device)?;
    drop(file);
    let folder = |what: String| WriteError::Folder {
        name: target.name(),
        folder: request.journal_dir.clone(),
        what,
    };
    let Some(opened) = Folder::open(&request.journal_dir).map_err(folder)? else {
        return Ok(Vec::new());
    };
    journal::remove_partial(&opened);
    let names = journal::names(&opened).map_err(|error| folder(error.to_string()))?;
    let mut repairs = Vec::new();
    for name in names {
        let header = journal::header_of(&opened, &name);
        let Some(header) = header.filter(|it| it.is_of(&target) || it.path == target.canonical)
        else {
            continue;
        };
        let journal = request.journal_dir.join(&name);
        let outcome = if header.is_of(&target) {
            one(request, &target, &name)?
        } else {
            let what = format!(
                "it is of another device that was at {}: that one had {} bytes and the identity \
                 `{}`; attach it, or delete the journal",
                header.path.display(),
                header.device_bytes,
                header.identity
            );
            RepairOutcome::Kept { what }
        };
        repairs.push(Repair { journal, outcome });
    }
    Ok(repairs)
}

/// Deals with one journal of the target.
fn one(
    request: &RepairRequest,
    target: &Target,
    name: &OsStr,
) -> Result<RepairOutcome, WriteError> {
    let kept = |what: String| Ok(RepairOutcome::Kept { what });
    let folder = match Folder::open(&request.journal_dir) {
        Ok(Some(folder)) => folder,
        Ok(None) => return kept("its folder is gone".to_owned()),
        Err(what) => return kept(what),
    };
    let journal = match Journal::open(folder, name) {
        Ok(Opened::Stale(journal)) => journal,
        Ok(Opened::InUse) => return kept("the run that wrote it is still running".to_owned()),
        Err(what) => return kept(what),
    };
    let (_, reading) = Target::open(&request.device)?;
    match judge(&journal, target, &reading) {
        Ok(Verdict::Unchanged) => return Ok(removed(*journal, RepairOutcome::Unchanged)),
        Ok(Verdict::HandsOff(what)) => return kept(what),
        Ok(Verdict::Mendable(_)) => {}
        Err(error) => return kept(error.to_string()),
    }
    drop(reading);
    let mut refusals: Vec<Refusal> = unrecognised(request, target).into_iter().collect();
    refusals.extend(checks::in_use(target));
    if !refusals.is_empty() {
        return Err(WriteError::Refused(Refused { name: target.name(), refusals }));
    }
    let (device, mut guard) = exclusively(target, true, request.even_if_open)?;
    // Once more, now that nobody else can come in between.
    match judge(&journal, target, &device) {
        Ok(Verdict::Mendable(mendable)) => {
            let mut work =
                Mending { journal: &journal, target, device: &device, guard: &mut guard };
            match work.mend(&mendable) {
                Ok(replaced) => {
                    let outcome = RepairOutcome::Repaired { sectors: mendable.all(), replaced };
                    Ok(removed(*journal, outcome))
                }
                Err(error) => kept(error.to_string()),
            }
        }
        Ok(Verdict::Unchanged) => Ok(removed(*journal, RepairOutcome::Unchanged)),
        Ok(Verdict::HandsOff(what)) => kept(what),
        Err(error) => kept(error.to_string()),
    }
}

/// Asks again for the path of a disk that cannot say who it is.
fn unrecognised(request: &RepairRequest, target: &Target) -> Option<Refusal> {
    if target.is_recognisable() || request.confirmation == target.name() {
        return None;
    }
    let reason = "it cannot be recognised: its driver reports no serial number, so only its path \
                  and its size say that it is the one that was written";
    let way_out = format!("if it is, say so: --repair --i-will-lose-data {}", target.name());
    Some(Refusal::new(RefusalKind::Confirmation, reason, way_out))
}

fn removed(journal: Journal, outcome: RepairOutcome) -> RepairOutcome {
    match journal.remove() {
        Ok(()) => outcome,
        Err(error) => RepairOutcome::Kept {
            what: format!("everything is as it was, but the journal cannot be removed: {error}"),
        },
    }
}

struct Mending<'a> {
    journal: &'a Journal,
    target: &'a Target,
    device: &'a File,
    guard: &'a mut Guard,
}

impl Mending<'_> {
    /// Keeps what is there, writes back what was, and makes sure that it is.
    fn mend(&mut self, mendable: &Mendable) -> Result<Option<PathBuf>, DeviceError> {
        let replaced = self.keep(&mendable.readable)?;
        for run in mendable.all().runs() {
            self.pieces(*run).try_for_each(|piece| self.write(piece))?;
        }
        match judge(self.journal, self.target, self.device)? {
            Verdict::Unchanged => Ok(replaced),
            _ => Err(self.other(format!("{} cannot be put back", mendable.all()))),
        }
    }

    /// Copies sectors to a file next to the journal, and makes sure that it is on its disk.
    fn keep(&self, sectors: &Sectors) -> Result<Option<PathBuf>, DeviceError> {
        if sectors.is_empty() {
            return Ok(None);
        }
        let unkept = |error: std::io::Error| {
            self.other(format!("nothing was written: what is there could not be kept: {error}"))
        };
        let (path, mut file) = self.journal.replaced().map_err(unkept)?;
        let unit = u64::from(self.target.logical_bytes);
        let mut buffer = AlignedBuffer::default();
        for piece in sectors.runs().iter().flat_map(|run| self.pieces(*run)) {
            let bytes = buffer.bytes((piece.sectors * unit) as usize);
            let done = pread(self.device, &mut *bytes, piece.first * unit);
            if done != Ok(bytes.len()) {
                return Err(self.other(format!("nothing was written: {piece} cannot be read")));
            }
            file.write_all(bytes).map_err(unkept)?;
        }
        file.sync_all().map_err(unkept)?;
        Ok(Some(path))
    }

    fn write(&mut self, piece: Region) -> Result<(), DeviceError> {
        if let Some(who) = self.guard.intruder(self.target, self.device) {
            return Err(self.other(format!("{who} has opened it meanwhile; {piece} left as is")));
        }
        let unit = u64::from(self.target.logical_bytes);
        let failed = |errno| self.target.failed(piece.first, piece.sectors as u32, errno);
        let mut saved = vec![0; (piece.sectors * unit) as usize];
        let loaded = self.journal.load(piece.first, &mut saved);
        loaded.map_err(|error| failed(errno_of(&error)))?;
        let mut buffer = AlignedBuffer::default();
        let bytes = buffer.bytes(saved.len());
        bytes.copy_from_slice(&saved);
        let done = pwrite(self.device, bytes, piece.first * unit).map_err(failed)?;
        if done == saved.len() {
            return Ok(());
        }
        Err(self.other(format!("{piece} could not be put back as a whole")))
    }

    /// A run in pieces of bounded size.
    fn pieces(&self, run: Region) -> impl Iterator<Item = Region> + use<> {
        let step = (CHUNK_BYTES / u64::from(self.target.logical_bytes)).max(1);
        let piece = move |first| Region { first, sectors: step.min(run.end() - first) };
        (run.first..run.end()).step_by(step as usize).map(piece)
    }

    fn other(&self, what: String) -> DeviceError {
        DeviceError::Other { name: self.target.name(), what }
    }
}
