//! Puts other values in place of a file's.

use crate::Origin;
use crate::error::Fault;
use crate::key::{KeyPath, Step};
use crate::origins::{DESCRIPTION, note};
use toml::{Table, Value};

/// Sets each value in `stated` and notes where it came from, by `origin`; gives the keys that were set. `full`
/// has the defaults as well, to find which `kind` holds where none is stated.
pub(crate) fn apply<'a, K: AsRef<str>>(
    stated: &mut Table,
    full: &dyn Fn() -> &'a Table,
    overrides: &[(K, Value)],
    origin: &dyn Fn(&str) -> Origin,
) -> Result<Vec<KeyPath>, Fault> {
    let mut edits = Vec::new();
    for (text, value) in overrides {
        edits.push((place(text.as_ref())?, value));
    }
    let is_kind =
        |key: &KeyPath| matches!(key.steps().last(), Some(Step::Key(key)) if key == "kind");
    edits.sort_by_key(|(key, _)| !is_kind(key));
    let mut changed = Vec::new();
    for (key, value) in edits {
        let table = key.split_last().map(|(table, _)| table).filter(|_| is_kind(&key));
        let before = || key.find(stated).or_else(|| key.find(full()));
        let edited = match table {
            // Another kind: what else the table says belongs to the old one.
            Some(table) if before() != Some(value) => {
                let fresh = Table::from_iter([("kind".to_owned(), value.clone())]);
                set(stated, &table, Value::Table(fresh))?;
                table
            }
            _ => {
                set(stated, &key, value.clone())?;
                key
            }
        };
        note(stated, &edited, Some(&origin(&edited.to_string())));
        changed.push(edited);
    }
    Ok(changed)
}

/// The place of a parameter.
fn place(text: &str) -> Result<KeyPath, Fault> {
    let Some(key) = KeyPath::parse(text) else {
        let what = "is not a dotted key; write one such as spindle.speed_rpm or zone[0].cylinders";
        return Err(Fault::new(KeyPath::default().key(text), what));
    };
    if DESCRIPTION.contains(&key.top()) {
        let what = "describes the file and is not a parameter of the drive; edit the file instead";
        return Err(Fault::new(key, what));
    }
    Ok(key)
}

/// Sets one value, making the tables around it.
///
/// # Errors
/// A list that is too short, or a step into what is not a table or list.
pub fn set(stated: &mut Table, key: &KeyPath, value: Value) -> Result<(), Fault> {
    let Some((first, rest)) = key.steps().split_first() else { return Ok(()) };
    let Step::Key(first) = first else { return Ok(()) };
    let mut at = KeyPath::default().key(first);
    let mut here = stated.entry(first.clone()).or_insert_with(|| Value::Table(Table::new()));
    for step in rest {
        here = match (step, here) {
            (Step::Key(key), Value::Table(table)) => {
                at = at.key(key);
                table.entry(key.clone()).or_insert_with(|| Value::Table(Table::new()))
            }
            (Step::Index(index), Value::Array(items)) => {
                at = at.index(*index);
                let count = items.len();
                items.get_mut(*index).ok_or_else(|| {
                    let what = format!("there are {count}, counted from 0");
                    Fault::new(at.clone(), what)
                })?
            }
            (Step::Key(key), Value::Array(items)) => {
                let name = items.first().and_then(|item| item.get("name")).and_then(Value::as_str);
                let by_name = name.map_or_else(String::new, |name| format!(" or {at}.{name}"));
                let what = format!("is a list, of which `{key}` is none: write {at}[0]{by_name}");
                return Err(Fault::new(at, what));
            }
            (Step::Key(key), _) => {
                let what = format!("has no `{key}`: it is not a table");
                return Err(Fault::new(at, what));
            }
            (Step::Index(index), _) => {
                let what = format!("has no item {index}: it is not a list in this profile");
                return Err(Fault::new(at, what));
            }
        };
    }
    *here = value;
    Ok(())
}
