//! Places of a profile's values in DiskSim's files, for what the profile's own checks find.

use super::ImportError;
use crate::syntax::{Block, DiskSimError, Spot, Value};
use platterlab_profile::ProfileError;
use std::collections::BTreeMap;

/// Places by the profile's keys.
#[derive(Default)]
pub(super) struct Places {
    /// The block a value was read from, and the parameter.
    values: BTreeMap<String, (Spot, String)>,
    /// The places of a list's items.
    items: BTreeMap<&'static str, Vec<Spot>>,
}

impl Places {
    /// The value at `key` is `parameter` of the block at `spot`.
    pub(super) fn value(&mut self, key: impl Into<String>, spot: &Spot, parameter: &str) {
        self.values.insert(key.into(), (spot.clone(), parameter.to_owned()));
    }

    /// The items of the list at `key` stand here.
    pub(super) fn items(&mut self, key: &'static str, spots: Vec<Spot>) {
        self.items.insert(key, spots);
    }

    /// What the profile's checks found, at its place among the drive's blocks.
    pub(super) fn error(&self, error: ProfileError, drive: &Block) -> ImportError {
        let item = self.items.iter().find_map(|(key, spots)| {
            let index = error.key.strip_prefix(key)?.strip_prefix('[')?.split(']').next()?;
            spots.get(index.parse::<usize>().ok()?)
        });
        if let Some(spot) = item {
            return spot.error(error.what).into();
        }
        let Some((spot, parameter)) = self.nearest(&error.key) else {
            // What is wrong with a whole table is wrong with the block its values are of.
            let inside = format!("{}.", error.key);
            let first = self.values.range(inside.clone()..).next();
            return match first.filter(|(key, _)| key.starts_with(&inside)) {
                Some((_, (spot, _))) => spot.error(error.what).into(),
                None => ImportError::Profile(error),
            };
        };
        let error: DiskSimError = match value_spot(drive, spot, parameter) {
            Some(value) => value.error(format!("`{parameter}`: {}", error.what)),
            None => spot.error(error.what),
        };
        error.into()
    }

    /// The place of `key`, or of the innermost table that holds it and has one.
    fn nearest(&self, key: &str) -> Option<&(Spot, String)> {
        let ends = key.rmatch_indices(['.', '[']).map(|(end, _)| end);
        std::iter::once(key.len()).chain(ends).find_map(|end| self.values.get(&key[..end]))
    }
}

/// Where the value of a parameter stands, of the block at `spot` within `block`.
fn value_spot<'a>(block: &'a Block, spot: &Spot, parameter: &str) -> Option<&'a Spot> {
    if block.spot == *spot {
        let field = block.fields.iter().find(|field| field.name == parameter);
        return field.map(|field| &field.value_spot);
    }
    let within = |value: &'a Value| match value {
        Value::Block(inner) => value_spot(inner, spot, parameter),
        _ => None,
    };
    block.fields.iter().find_map(|field| match &field.value {
        Value::List(items) => items.iter().find_map(|item| within(&item.value)),
        value => within(value),
    })
}
