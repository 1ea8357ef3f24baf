use super::journal::{self, Journal, Opened};
use super::region::Region;
use super::{checks, restore};
use crate::DeviceError;
use crate::linux::sysfs::Node;
use crate::linux::target::Target;
use std::fs::File;
use std::path::{Path, PathBuf};

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
    /// The region is as it was saved, and the journal is gone.
    Restored {
        /// The device, where it is now.
        device: PathBuf,
        /// The region.
        region: Region,
        /// Sectors that were not as saved.
        sectors: u64,
    },
    /// The run that wrote it still goes on.
    InUse,
    /// The device could not be put right; the journal is kept.
    Failed {
        /// Why, and the way out.
        what: String,
    },
}

/// Puts right every device that a run which died left a journal of in `journal_dir`. To be called
/// at each start; where there is no such folder there is nothing to do.
///
/// # Errors
/// A folder that cannot be read. What concerns one journal is in its [`Repair`].
pub fn repair(journal_dir: &Path) -> Result<Vec<Repair>, DeviceError> {
    let failed = |error: std::io::Error| DeviceError::Other {
        name: journal_dir.display().to_string(),
        what: error.to_string(),
    };
    journal::remove_partial(journal_dir).map_err(failed)?;
    let journals = journal::list(journal_dir).map_err(failed)?;
    let repair = |path: PathBuf| {
        let outcome = match Journal::open(&path) {
            Ok(Opened::InUse) => Ok(RepairOutcome::InUse),
            Ok(Opened::Stale(journal)) => put_right(journal),
            Err(what) => Err(what),
        };
        let outcome = outcome.unwrap_or_else(|what| RepairOutcome::Failed { what });
        Repair { journal: path, outcome }
    };
    Ok(journals.into_iter().map(repair).collect())
}

fn put_right(journal: Journal) -> Result<RepairOutcome, String> {
    let header = journal.header();
    let region = header.region;
    let Some((target, file)) = find(&journal) else {
        return Err(format!(
            "{} is not there, or is another device now; attach the one that was written",
            header.path.display()
        ));
    };
    let logical = u64::from(target.logical_bytes);
    let saved = region.first.saturating_mul(logical)..region.end().saturating_mul(logical);
    let mut refusals = checks::in_use(&target);
    refusals.extend(checks::region(&target, region));
    refusals.extend(checks::empty(&target, &file, saved).map_err(|error| error.to_string())?);
    if let Some(refusal) = refusals.first() {
        let first = refusal.to_string();
        return Err(format!("{first}; if the saved data is of no use, delete the journal"));
    }
    let device = target.open_exclusively(false).map_err(|error| error.to_string())?;
    let sectors =
        restore::restore(&journal, &target, &device).map_err(|error| error.to_string())?;
    journal.remove().map_err(|error| format!("put right, but not removed: {error}"))?;
    Ok(RepairOutcome::Restored { device: target.path, region, sectors })
}

/// The device a journal is of: where it was, or wherever a disk says it is the same.
fn find(journal: &Journal) -> Option<(Target, File)> {
    let header = journal.header();
    let mut places = vec![header.path.clone()];
    if !header.identity.is_empty() {
        let nodes = Node::disks().into_iter().flat_map(|disk| disk.family());
        let same = nodes.filter(|node| node.identity() == header.identity);
        places.extend(same.map(|node| Path::new("/dev").join(node.name())));
    }
    places
        .into_iter()
        .find_map(|place| Target::open(&place).ok().filter(|(target, _)| header.is_of(target)))
}
