//! Remains of runs that died, reported at each start; nothing is changed.

use super::flight::Flight;
use super::folder::Folder;
use super::journal::{self, Journal, Opened};
use super::saved_region::way_out;
use super::verdict::{Verdict, judge};
use crate::linux::target::Target;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Something a run that died left behind, or that looks like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The journal; the folder, if that is not to be believed.
    pub journal: PathBuf,
    /// What was found, and what to do about it.
    pub what: String,
}

/// What runs that died left in `journal_dir`. Changes nothing anywhere. The device at `measured` is
/// looked at as well; no other is opened.
#[must_use]
pub fn left_behind(journal_dir: &Path, measured: &Path) -> Vec<Left> {
    let nothing_believed = |what: String| {
        vec![Left {
            journal: journal_dir.to_owned(),
            what: format!("{}: {what}; nothing in it was believed", journal_dir.display()),
        }]
    };
    let names = match Folder::open(journal_dir) {
        Ok(None) => return Vec::new(),
        Ok(Some(folder)) => journal::names(&folder).map_err(|error| error.to_string()),
        Err(what) => Err(what),
    };
    match names {
        Ok(names) => {
            let found = names.iter().filter_map(|name| left(journal_dir, name, measured));
            found.collect()
        }
        Err(what) => nothing_believed(what),
    }
}

fn left(journal_dir: &Path, name: &OsStr, measured: &Path) -> Option<Left> {
    let path = journal_dir.join(name);
    let folder = Folder::open(journal_dir).ok()??;
    let what = match Journal::open(folder, name) {
        Ok(Opened::InUse) => return None,
        Ok(Opened::Stale(journal)) => describe(&journal, measured),
        Err(what) => format!("{}: {what}; nothing was done with it", path.display()),
    };
    Some(Left { journal: path, what })
}

fn describe(journal: &Journal, measured: &Path) -> String {
    let header = journal.header();
    let path = journal.path().display();
    let opened = Target::open(measured).ok().filter(|(target, _)| header.is_of(target));
    let Some((target, device)) = opened else {
        let there = header.path.display();
        return format!(
            "a run that wrote to {there} died ({path}); nothing was done about it: run \
             `platterlab characterize {there} --repair`"
        );
    };
    let name = target.name();
    let way_out = way_out(&target);
    match judge(journal, &target, &device) {
        Ok(Verdict::Unchanged) => format!(
            "a run that wrote to {name} died; every sector is as it was; {way_out} to remove {path}"
        ),
        Ok(Verdict::Mendable(mendable)) => {
            let flight = match journal.flight() {
                Ok(Flight::Known(Some(request))) => format!(" while it wrote {request}"),
                _ => String::new(),
            };
            let (all, unreadable) = (mendable.all(), mendable.unreadable.count());
            format!(
                "a run that wrote to {name} died{flight}; {all} differ ({unreadable} cannot be \
                 read); {way_out} to have what was there written back"
            )
        }
        Ok(Verdict::HandsOff(why)) => format!("a run that wrote to {name} died; {why}"),
        Err(error) => format!("a run that wrote to {name} died ({path}); {error}"),
    }
}

/// The journals of runs on `target` that died, by name; for what is refused until they are seen to.
pub(super) fn unrepaired(journal_dir: &Path, target: &Target) -> Option<PathBuf> {
    let folder = Folder::open(journal_dir).ok()??;
    let names = journal::names(&folder).ok()?;
    let of_it = |name: &&std::ffi::OsString| {
        journal::header_of(&folder, name).is_some_and(|header| header.is_of(target))
    };
    names.iter().find(of_it).map(|name| journal_dir.join(name))
}
