//! The profile that an import fills in: values, their origins, notes and refusals.

use super::places::Places;
use crate::syntax::{DiskSimError, Fields, Spot};
use platterlab_profile::{Origin, OriginKind, id_of};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The profile as it is filled in.
pub(super) struct ProfileSheet {
    /// The profile's content.
    pub(super) table: Table,
    /// Where its values come from, by dotted key.
    pub(super) origins: BTreeMap<String, Origin>,
    /// What is wrong with the files.
    pub(super) wrong: Vec<DiskSimError>,
    /// Where the profile's values come from.
    pub(super) places: Places,
    /// Parameters that no profile can state.
    pub(super) not_honoured: Vec<DiskSimError>,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    /// The number of blocks that the file states.
    pub(super) block_count: Option<u64>,
}

impl ProfileSheet {
    /// An empty profile of the drive called `name` in `file`.
    pub(super) fn new(name: &str, file: &str) -> Self {
        let mut source = Table::new();
        source.insert("kind".to_owned(), "published".into());
        source.insert("from".to_owned(), format!("DiskSim parameter file {file}").into());
        let mut table = Table::new();
        let id = Some(id_of(name)).filter(|id| !id.is_empty());
        table.insert("id".to_owned(), id.unwrap_or_else(|| "disk".to_owned()).into());
        table.insert("name".to_owned(), name.into());
        table.insert("source".to_owned(), source.into());
        Self {
            table,
            origins: BTreeMap::new(),
            wrong: Vec::new(),
            places: Places::default(),
            not_honoured: Vec::new(),
            notes: Vec::new(),
            block_count: None,
        }
    }

    /// States `table.key = value`.
    pub(super) fn set(&mut self, table: &str, key: &str, value: impl Into<Value>) {
        let entry = self.table.entry(table).or_insert_with(|| Table::new().into());
        if let Value::Table(entry) = entry {
            entry.insert(key.to_owned(), value.into());
        }
    }

    /// States a whole table or list.
    pub(super) fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.table.insert(key.to_owned(), value.into());
    }

    /// States a value, and that it was published as `parameter` in the file of `spot`.
    pub(super) fn cite(
        &mut self,
        table: &str,
        key: &str,
        value: impl Into<Value>,
        spot: &Spot,
        parameter: &str,
    ) {
        self.set(table, key, value);
        self.origin(&format!("{table}.{key}"), OriginKind::Published, spot, parameter);
    }

    /// Says where the values at `key` come from.
    pub(super) fn origin(&mut self, key: &str, kind: OriginKind, spot: &Spot, parameter: &str) {
        let from = format!("{}: {parameter}", spot.file);
        self.origins.insert(key.to_owned(), Origin { kind, from, ci95: None, note: None });
        self.places.value(key, spot, parameter);
    }

    /// States the defects, each with its place.
    pub(super) fn defects(&mut self, defects: Vec<(Value, Spot)>, spot: &Spot, parameter: &str) {
        if defects.is_empty() {
            return;
        }
        let (defects, spots): (Vec<Value>, Vec<Spot>) = defects.into_iter().unzip();
        self.put("defect", defects);
        self.origin("defect", OriginKind::Published, spot, parameter);
        self.places.items("defect", spots);
    }

    /// The most sectors on a track, and on a cylinder, of the zones stated so far.
    pub(super) fn longest(&self) -> (i64, i64) {
        let whole = |value: Option<&Value>| value.and_then(Value::as_integer).unwrap_or(0);
        let zones = self.table.get("zone").and_then(Value::as_array);
        let of_zone = |zone: &Value| whole(zone.get("sectors_per_track"));
        let track = zones.into_iter().flatten().map(of_zone).max().unwrap_or(0);
        let geometry = self.table.get("geometry");
        (track, track * whole(geometry.and_then(|table| table.get("surfaces"))))
    }

    /// Notes what became of a parameter that has no counterpart in a profile and needs none.
    pub(super) fn note(&mut self, spot: &Spot, parameter: &str, what: &str) {
        self.notes.push(spot.error(format!("`{parameter}` {what}")).to_string());
    }

    /// Notes that a profile's drive does otherwise than a parameter says, and why.
    pub(super) fn lose(&mut self, spot: &Spot, parameter: &str, why: &str) {
        self.note(spot, parameter, &format!("is not honoured: {why}"));
    }

    /// Notes which of the parameters `expected` are not stated, and so taken as 0.
    pub(super) fn unstated(&mut self, fields: &Fields<'_>, expected: &[&str]) {
        let missing = expected.iter().filter(|name| fields.get(name).is_none());
        let missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
        if !missing.is_empty() {
            self.notes.push(format!("not stated, and so taken as 0: {}", missing.join(", ")));
        }
    }

    /// Keeps what went wrong with a part, and continues.
    pub(super) fn attempt<T>(&mut self, part: Result<T, DiskSimError>) -> Option<T> {
        part.map_err(|error| self.wrong.push(error)).ok()
    }

    /// Notes that a parameter cannot be honoured, and why.
    pub(super) fn refuse(&mut self, spot: &Spot, parameter: &str, why: &str) {
        self.not_honoured.push(spot.error(format!("`{parameter}` cannot be honoured: {why}")));
    }
}

/// A table of one kind of thing.
pub(super) fn kind_table(kind: &str) -> Table {
    Table::from_iter([("kind".to_owned(), kind.into())])
}
