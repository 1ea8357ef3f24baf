//! Checks a file against its schema: known keys, types, words and ranges.

use crate::advice::{unit, unknown_key, unknown_word};
use crate::error::Fault;
use crate::form::{Form, Keys};
use crate::key::KeyPath;
use serde_json::Value as Json;
use toml::{Table, Value};

/// Checks a whole file.
///
/// # Errors
/// The first key, type, word or range that is wrong.
pub fn check(schema: &Json, file: &Table) -> Result<(), Fault> {
    faults(schema, file).into_iter().next().map_or(Ok(()), Err)
}

/// Checks what stands at some keys of the top of a file.
///
/// # Errors
/// As of [`check`].
pub(crate) fn check_at(schema: &Json, file: &Table, tops: &[&str]) -> Result<(), Fault> {
    let mut faults = Vec::new();
    if let Form::Table(keys) = Form::of(schema) {
        let top = KeyPath::default();
        let wanted = file.iter().filter(|(key, _)| tops.contains(&key.as_str()));
        wanted.for_each(|(key, item)| entry(keys, None, key, item, &top, &mut faults));
    }
    faults.into_iter().next().map_or(Ok(()), Err)
}

/// Every key, type, word and range of a file that is wrong, in the order of the file.
#[must_use]
pub(crate) fn faults(schema: &Json, file: &Table) -> Vec<Fault> {
    let mut faults = Vec::new();
    match Form::of(schema) {
        Form::Table(keys) => table(keys, None, file, &KeyPath::default(), &mut faults),
        Form::Tagged(kinds) => tagged(&kinds, file, &KeyPath::default(), &mut faults),
        _ => {}
    }
    faults
}

/// Checks one value.
fn value(schema: &Json, value: &Value, at: &KeyPath, faults: &mut Vec<Fault>) {
    let form = Form::of(schema);
    match (&form, value) {
        (Form::Tagged(kinds), Value::Table(found)) => tagged(kinds, found, at, faults),
        (Form::Table(keys), Value::Table(found)) => table(*keys, None, found, at, faults),
        (Form::Map(values), Value::Table(found)) => {
            found.iter().for_each(|(key, item)| self::value(values, item, &at.key(key), faults));
        }
        (Form::List(item, least), Value::Array(found)) => {
            if found.len() < *least {
                faults.push(Fault::new(at.clone(), "is empty; write at least one"));
            }
            let items = found.iter().enumerate();
            items.for_each(|(i, v)| self::value(item, v, &at.index(i), faults));
        }
        (Form::Tuple(items), Value::Array(found)) if found.len() == items.len() => {
            let pairs = items.iter().zip(found).enumerate();
            pairs.for_each(|(i, (item, v))| self::value(item, v, &at.index(i), faults));
        }
        _ => faults.extend(single(&form, value, at).err()),
    }
}

/// Checks a value that has no others in it.
fn single(form: &Form<'_>, value: &Value, at: &KeyPath) -> Result<(), Fault> {
    match (form, value) {
        (Form::Words(words), Value::String(word)) => one_word(words, word, form, at),
        (Form::Number(least, most), Value::Integer(number)) => {
            in_range((*least..=*most).contains(&(*number as f64)), &number, form, at)
        }
        (Form::Number(..), Value::Float(number)) if !number.is_finite() => {
            Err(Fault::new(at.clone(), format!("{value} is not a number; {}", write(form, at))))
        }
        (Form::Number(least, most), Value::Float(number)) => {
            in_range((*least..=*most).contains(number), &number, form, at)
        }
        (Form::Whole(least, most), Value::Integer(number)) => {
            in_range((*least..=*most).contains(number), &number, form, at)
        }
        (Form::Size, Value::Integer(bytes)) => in_range(*bytes >= 0, &bytes, form, at),
        (Form::Size, Value::String(text)) => match platterlab_units::parse_size(text) {
            Ok(_) => Ok(()),
            Err(error) => Err(Fault::new(at.clone(), error.to_string())),
        },
        (Form::Text(least), Value::String(text)) => {
            if text.chars().count() < *least {
                return Err(Fault::new(at.clone(), "is empty; write text in quotes"));
            }
            Ok(())
        }
        (Form::Truth, Value::Boolean(_)) => Ok(()),
        _ => {
            let found = found(value);
            Err(Fault::new(at.clone(), format!("{found} cannot stand here; {}", write(form, at))))
        }
    }
}

/// Checks a table's keys and values. `kind` is the word that chose these keys.
fn table(keys: Keys<'_>, kind: Option<&str>, found: &Table, at: &KeyPath, faults: &mut Vec<Fault>) {
    found.iter().for_each(|(key, item)| entry(keys, kind, key, item, at, faults));
    for key in keys.required().filter(|key| !found.contains_key(*key)) {
        let at = at.key(key);
        let form = keys.get(key).map(Form::of);
        let write = form.map_or_else(String::new, |form| write(&form, &at));
        faults.push(Fault::new(at, format!("is missing; {write}")));
    }
}

/// Checks one key of a table, and its value.
fn entry(
    keys: Keys<'_>,
    kind: Option<&str>,
    key: &str,
    item: &Value,
    at: &KeyPath,
    faults: &mut Vec<Fault>,
) {
    let at = at.key(key);
    if let Some(schema) = keys.get(key) {
        return value(schema, item, &at, faults);
    }
    let known: Vec<&str> = keys.names().collect();
    let mut what = unknown_key(key, &known);
    if let Some(kind) = kind {
        what = what.replacen("here", &format!("of kind \"{kind}\""), 1);
    }
    faults.push(Fault::new(at, what));
}

/// Checks a table whose keys depend on its `kind`.
fn tagged(kinds: &[(&str, Keys<'_>)], found: &Table, at: &KeyPath, faults: &mut Vec<Fault>) {
    let words: Vec<&str> = kinds.iter().map(|(word, _)| *word).collect();
    let kind_at = at.key("kind");
    let wanted = || Form::Words(words.clone()).wanted();
    match found.get("kind") {
        Some(Value::String(kind)) => match kinds.iter().find(|(word, _)| word == kind) {
            Some((word, keys)) => table(*keys, Some(word), found, at, faults),
            None => faults.push(Fault::new(kind_at, unknown_word(kind, &words, &wanted()))),
        },
        Some(other) => {
            let what = format!("{} cannot stand here; write {}", self::found(other), wanted());
            faults.push(Fault::new(kind_at, what));
        }
        None => faults.push(Fault::new(kind_at, format!("is missing; write {}", wanted()))),
    }
}

fn one_word(words: &[&str], word: &str, form: &Form<'_>, at: &KeyPath) -> Result<(), Fault> {
    if words.contains(&word) {
        return Ok(());
    }
    Err(Fault::new(at.clone(), unknown_word(word, words, &form.wanted())))
}

fn in_range(
    fits: bool,
    number: &dyn std::fmt::Display,
    form: &Form<'_>,
    at: &KeyPath,
) -> Result<(), Fault> {
    if fits {
        return Ok(());
    }
    Err(Fault::new(at.clone(), format!("{number} is out of range; {}", write(form, at))))
}

/// `write a number from 1 to 100000 (revolutions per minute)`.
fn write(form: &Form<'_>, at: &KeyPath) -> String {
    let numeric = matches!(form, Form::Number(..) | Form::Whole(..));
    match at.last_name().and_then(unit).filter(|_| numeric) {
        Some(unit) => format!("write {} ({unit})", form.wanted()),
        None => format!("write {}", form.wanted()),
    }
}

/// The value as its writer would call it.
fn found(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= 40 => format!("the text {text:?}"),
        Value::String(_) => "a text".to_owned(),
        Value::Integer(number) => format!("the number {number}"),
        Value::Float(number) => format!("the number {number:?}"),
        Value::Boolean(truth) => format!("{truth}"),
        Value::Datetime(date) => format!("the date {date}"),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Table(_) => "a table".to_owned(),
    }
}
