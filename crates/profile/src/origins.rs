//! The origin of each value: its own entry, the entry of a table around it, or the file's
//! source.

use crate::advice::unknown_key;
use crate::error::Fault;
use crate::key::KeyPath;
use crate::{Origin, OriginKind, ProfileOptions};
use toml::{Table, Value};

/// Keys that describe the file and are not parameters of the drive.
pub(crate) const DESCRIPTION: [&str; 7] =
    ["id", "name", "vendor", "model", "notes", "source", "provenance"];

/// One value of a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileValue {
    /// Where it stands: `zone[0].sectors_per_track`. The unit, if any, ends the key.
    pub key: String,
    /// The value as written, or its default.
    pub value: Value,
    /// Where it comes from; `assumed` from `default` where the file does not state it.
    pub origin: Origin,
}

impl Origin {
    /// Without evidence, for the reason `from`.
    #[must_use]
    pub fn assumed(from: &str) -> Self {
        Self { kind: OriginKind::Assumed, from: from.to_owned(), ci95: None, note: None }
    }
}

/// Records where the value at `key` comes from, in place of all that was known of it before; `None`
/// where there is no such value any more.
pub(crate) fn note(file: &mut Table, key: &KeyPath, origin: Option<&Origin>) {
    let empty = || Value::Table(Table::new());
    let Value::Table(entries) = file.entry("provenance").or_insert_with(empty) else { return };
    entries.retain(|text, _| KeyPath::parse(text).is_none_or(|entry| !entry.is_within(key)));
    if let Some(origin) = origin.and_then(|origin| Value::try_from(origin).ok()) {
        entries.insert(key.to_string(), origin);
    }
}

/// Every value of the drive with its place, in the order of the file format.
pub(crate) fn leaves(full: &Table) -> Vec<(KeyPath, &Value)> {
    let mut leaves = Vec::new();
    for (key, value) in full.iter().filter(|(key, _)| !DESCRIPTION.contains(&key.as_str())) {
        collect(value, KeyPath::default().key(key), &mut leaves);
    }
    leaves
}

fn collect<'a>(value: &'a Value, at: KeyPath, leaves: &mut Vec<(KeyPath, &'a Value)>) {
    match value {
        Value::Table(table) => {
            table.iter().for_each(|(key, value)| collect(value, at.key(key), leaves));
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            items.iter().enumerate().for_each(|(i, item)| collect(item, at.index(i), leaves));
        }
        _ => leaves.push((at, value)),
    }
}

/// Says what is wrong where a key was split at its dots, `[provenance.spindle.speed_rpm]`, rather
/// than kept in quotes. Comes before the check of shape, which could only call it unknown.
pub(crate) fn check_quotes(file: &Table) -> Result<(), Fault> {
    let Some(Value::Table(entries)) = file.get("provenance") else { return Ok(()) };
    for (key, entry) in entries {
        let Value::Table(entry) = entry else { continue };
        if let Some((inner, _)) = entry.iter().find(|(_, value)| value.is_table()) {
            let at = KeyPath::default().key("provenance").key(key);
            let what = format!("the key needs quotes: write [provenance.\"{key}.{inner}\"]");
            return Err(Fault::new(at.key(inner), what));
        }
    }
    Ok(())
}

/// Checks that every entry belongs to a value of the file and makes sense. Arguments as in [`faults`].
pub(crate) fn check<'a>(
    options: &ProfileOptions,
    stated: &Table,
    full: &dyn Fn() -> &'a Table,
) -> Result<(), Fault> {
    faults(options, stated, full).into_iter().next().map_or(Ok(()), Err)
}

/// Every entry that belongs to no value of the file or makes no sense. `full` has what is `stated` and
/// the defaults, for entries of these.
pub(crate) fn faults<'a>(
    options: &ProfileOptions,
    stated: &Table,
    full: &dyn Fn() -> &'a Table,
) -> Vec<Fault> {
    let top = KeyPath::default();
    let mut faults = Vec::new();
    faults.extend(check_bounds(&options.source, &top.key("source")).err());
    for (key, origin) in &options.provenance {
        let at = top.key("provenance").key(key);
        let place = KeyPath::parse(key).filter(|place| !DESCRIPTION.contains(&place.top()));
        if place.is_none_or(|at| at.find(stated).or_else(|| at.find(full())).is_none()) {
            let known: Vec<String> =
                leaves(full()).iter().map(|(key, _)| key.to_string()).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let what = unknown_key(key, &known).replacen("a key here", "a value of this file", 1);
            faults.push(Fault::new(at, what));
        } else {
            faults.extend(check_bounds(origin, &at).err());
        }
    }
    faults
}

fn check_bounds(origin: &Origin, at: &KeyPath) -> Result<(), Fault> {
    match origin.ci95 {
        Some([low, high]) if low > high => {
            let what = format!("[{low}, {high}] runs backwards; write [{high}, {low}]");
            Err(Fault::new(at.key("ci95"), what))
        }
        _ => Ok(()),
    }
}

/// Where the value at `key` comes from. The entry of a table around it and the source of the file
/// speak only for what is stated.
pub(crate) fn origin_of(options: &ProfileOptions, key: &KeyPath, stated: bool) -> Origin {
    let covering = options.provenance.iter().filter_map(|(text, origin)| {
        let place = KeyPath::parse(text)?;
        let covers = if stated { key.is_within(&place) } else { *key == place };
        covers.then_some((place.steps().len(), origin))
    });
    match covering.max_by_key(|(length, _)| *length) {
        Some((_, origin)) => origin.clone(),
        None if stated => options.source.clone(),
        None => Origin::assumed("default"),
    }
}
