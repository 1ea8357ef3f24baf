//! From the file's terms to the drive's: every unit converted, every alternative decided.
//!
//! Times are rounded to the nearest picosecond. One step of `f64` arithmetic each, so that every
//! machine gets the same bits.

mod electronics;
mod layout;
mod mechanism;
mod order;

use crate::ProfileOptions;
use crate::error::Fault;
use crate::key::KeyPath;
use crate::options::LONGEST_MS;
use platterlab_drive::DriveParams;
use platterlab_units::Span;

/// The drive a file describes.
pub(crate) fn resolve(options: &ProfileOptions) -> Result<DriveParams, Fault> {
    let sector_bytes = options.geometry.sector_bytes;
    Ok(DriveParams {
        layout: layout::layout(options)?,
        mechanism: mechanism::mechanism(options)?,
        controller: electronics::controller(&options.controller)?,
        cache: electronics::cache(&options.cache, sector_bytes)?,
        bus: electronics::bus(&options.bus, sector_bytes)?,
    })
}

/// The first that is wrong with each part of the drive that a file describes.
pub(crate) fn faults(options: &ProfileOptions) -> Vec<Fault> {
    let sector_bytes = options.geometry.sector_bytes;
    let parts = [
        layout::layout(options).err(),
        mechanism::mechanism(options).err(),
        electronics::controller(&options.controller).err(),
        electronics::cache(&options.cache, sector_bytes).err(),
        electronics::bus(&options.bus, sector_bytes).err(),
    ];
    parts.into_iter().flatten().collect()
}

/// `ms` milliseconds.
fn span(ms: f64, key: &KeyPath) -> Result<Span, Fault> {
    Span::from_ms(ms).filter(|_| ms <= LONGEST_MS).ok_or_else(|| {
        let what = format!("gives {ms} ms, which is out of range; write 0 to {LONGEST_MS} ms");
        Fault::new(key.clone(), what)
    })
}

/// The one of several ways to state a value that is used, or `None`.
fn only_one<T>(at: &KeyPath, ways: Vec<(&str, Option<T>)>) -> Result<Option<T>, Fault> {
    let mut used = ways.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let first = used.next();
    match (first, used.next()) {
        (Some((first, _)), Some((second, _))) => {
            let what = format!("is stated twice, by `{first}` and `{second}`; leave one out");
            Err(Fault::new(at.key(second), what))
        }
        (first, _) => Ok(first.map(|(_, value)| value)),
    }
}
