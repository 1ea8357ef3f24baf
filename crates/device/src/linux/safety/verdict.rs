//! The writes that may be undone on a device after a run that died, and what speaks against it.

use super::compare::{Differences, compare};
use super::fingerprint;
use super::flight::Flight;
use super::journal::{DATA_AT, Journal};
use super::sectors::Sectors;
use crate::DeviceError;
use crate::linux::target::Target;
use std::fs::File;

/// What may be done about a region whose run died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every sector is as it was: nothing.
    Unchanged,
    /// Only sectors that were in flight differ, or some cannot be read: these may be written back.
    Mendable(Mendable),
    /// Somebody has written since, or it is another device: nothing, and why.
    HandsOff(String),
}

/// Sectors that may be written back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mendable {
    /// Those that can be read, and differ.
    pub(super) readable: Sectors,
    pub(super) unreadable: Sectors,
}

impl Mendable {
    pub(super) fn all(&self) -> Sectors {
        self.readable.and(&self.unreadable)
    }
}

/// Looks at the device and writes nothing.
///
/// # Errors
/// A device that is gone, or a journal whose data is damaged.
pub(super) fn judge(
    journal: &Journal,
    target: &Target,
    device: &File,
) -> Result<Verdict, DeviceError> {
    let failed = |what: String| DeviceError::Other { name: target.name(), what };
    let path = journal.path().display();
    match journal.is_whole() {
        Ok(true) => {}
        Ok(false) => return Err(failed(format!("the data in {path} is damaged"))),
        Err(error) => return Err(failed(format!("{path}: {error}"))),
    }
    let flight = journal.flight().map_err(|error| failed(format!("{path}: {error}")))?;
    let found = compare(journal, flight, target, device)?;
    if found.is_none() {
        return Ok(Verdict::Unchanged);
    }
    let header = journal.header();
    let around = fingerprint::of(target, device, header.region);
    if let Some(why) = against(&found, flight, around == header.fingerprint) {
        return Ok(Verdict::HandsOff(format!(
            "{why}. Nothing was written. If what is there now is what you want, delete {path}; if \
             not, the {} bytes that were read from {} are in it, from byte {DATA_AT} on",
            header.data_bytes(),
            header.region,
        )));
    }
    let Differences { in_flight: readable, unreadable, .. } = found;
    Ok(Verdict::Mendable(Mendable { readable, unreadable }))
}

/// What speaks against writing anything back.
fn against(found: &Differences, flight: Flight, around_is_same: bool) -> Option<String> {
    let under_way = match flight {
        Flight::Known(Some(request)) => format!("which had {request} in flight"),
        Flight::Known(None) => "which had nothing in flight".to_owned(),
        Flight::Unknown => {
            "and since the machine was started anew nobody can say what it had in flight".to_owned()
        }
    };
    if !found.elsewhere.is_empty() {
        let those = &found.elsewhere;
        return Some(format!(
            "{those} are not what the run that died had read, {under_way}: somebody else has \
             written there since"
        ));
    }
    if !around_is_same {
        return Some(
            "what lies around the region is not what it was: somebody else has written there \
             since, or it is another device"
                .to_owned(),
        );
    }
    (found.same == 0).then(|| "nothing of the region is as it was, or can be read".to_owned())
}
