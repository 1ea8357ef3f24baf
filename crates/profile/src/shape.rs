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
    match Form::of(schema) {
        Form::Table(keys) => table(keys, None, file, &KeyPath::default()),
        Form::Tagged(kinds) => tagged(&kinds, file, &KeyPath::default()),
        _ => Ok(()),
    }
}

/// Checks one value.
fn value(schema: &Json, value: &Value, at: &KeyPath) -> Result<(), Fault> {
    let form = Form::of(schema);
    match (&form, value) {
        (Form::Words(words), Value::String(word)) => one_word(words, word, &form, at),
        (Form::Tagged(kinds), Value::Table(found)) => tagged(kinds, found, at),
        (Form::Table(keys), Value::Table(found)) => table(*keys, None, found, at),
        (Form::Map(values), Value::Table(found)) => {
            found.iter().try_for_each(|(key, item)| self::value(values, item, &at.key(key)))
        }
        (Form::List(item, least), Value::Array(found)) => {
            if found.len() < *least {
                return Err(Fault::new(at.clone(), "is empty; write at least one"));
            }
            found.iter().enumerate().try_for_each(|(i, v)| self::value(item, v, &at.index(i)))
        }
        (Form::Tuple(items), Value::Array(found)) if found.len() == items.len() => {
            let mut pairs = items.iter().zip(found).enumerate();
            pairs.try_for_each(|(i, (item, v))| self::value(item, v, &at.index(i)))
        }
        (Form::Number(least, most), Value::Integer(number)) => {
            in_range((*least..=*most).contains(&(*number as f64)), &number, &form, at)
        }
        (Form::Number(..), Value::Float(number)) if !number.is_finite() => {
            Err(Fault::new(at.clone(), format!("{value} is no number; {}", write(&form, at))))
        }
        (Form::Number(least, most), Value::Float(number)) => {
            in_range((*least..=*most).contains(number), &number, &form, at)
        }
        (Form::Whole(least, most), Value::Integer(number)) => {
            in_range((*least..=*most).contains(number), &number, &form, at)
        }
        (Form::Size, Value::Integer(bytes)) => in_range(*bytes >= 0, &bytes, &form, at),
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
            Err(Fault::new(at.clone(), format!("{found} cannot stand here; {}", write(&form, at))))
        }
    }
}

/// Checks a table's keys and values. `kind` is the word that chose these keys.
fn table(keys: Keys<'_>, kind: Option<&str>, found: &Table, at: &KeyPath) -> Result<(), Fault> {
    for (key, item) in found {
        let at = at.key(key);
        match keys.get(key) {
            Some(schema) => value(schema, item, &at)?,
            None => {
                let known: Vec<&str> = keys.names().collect();
                let mut what = unknown_key(key, &known);
                if let Some(kind) = kind {
                    what = what.replacen("here", &format!("of kind \"{kind}\""), 1);
                }
                return Err(Fault::new(at, what));
            }
        }
    }
    match keys.required().find(|key| !found.contains_key(*key)) {
        Some(key) => {
            let at = at.key(key);
            let form = keys.get(key).map(Form::of);
            let write = form.map_or_else(String::new, |form| write(&form, &at));
            Err(Fault::new(at, format!("is missing; {write}")))
        }
        None => Ok(()),
    }
}

/// Checks a table whose keys depend on its `kind`.
fn tagged(kinds: &[(&str, Keys<'_>)], found: &Table, at: &KeyPath) -> Result<(), Fault> {
    let words: Vec<&str> = kinds.iter().map(|(word, _)| *word).collect();
    let kind_at = at.key("kind");
    match found.get("kind") {
        Some(Value::String(kind)) => match kinds.iter().find(|(word, _)| word == kind) {
            Some((word, keys)) => table(*keys, Some(word), found, at),
            None => one_word(&words, kind, &Form::Words(words.clone()), &kind_at),
        },
        Some(other) => {
            let wanted = Form::Words(words).wanted();
            let what = format!("{} cannot stand here; write {wanted}", self::found(other));
            Err(Fault::new(kind_at, what))
        }
        None => {
            let wanted = Form::Words(words).wanted();
            Err(Fault::new(kind_at, format!("is missing; write {wanted}")))
        }
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

/// `write a number from 60 to 100000 (revolutions per minute)`.
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
