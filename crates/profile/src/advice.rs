//! Advice on a key that is not known: the unit that is wanted, the key that was meant, or
//! all there are.

use platterlab_units::nearest;
use std::borrow::Cow;

/// Endings of keys that state a unit, longest first where one ends another, and what they mean.
const UNITS: [(&str, &str); 19] = [
    ("_mb_s", "megabytes of 10^6 bytes per second"),
    ("_kb_s", "kilobytes per second"),
    ("_mib_s", "mebibytes per second"),
    ("_ms", "milliseconds"),
    ("_us", "microseconds"),
    ("_ns", "nanoseconds"),
    ("_s", "seconds"),
    ("_rpm", "revolutions per minute"),
    ("_hz", "revolutions per second"),
    ("_ppm", "parts per million"),
    ("_percent", "percent"),
    ("_sectors", "sectors"),
    ("_bytes", "bytes"),
    ("_kb", "kilobytes"),
    ("_tracks", "tracks"),
    ("_cylinders", "cylinders"),
    ("_turns", "turns"),
    ("_deg", "degrees"),
    ("_rad", "radians"),
];

/// The key without its unit, and the unit in words.
fn split_unit(key: &str) -> (&str, Option<&'static str>) {
    UNITS
        .iter()
        .find_map(|(ending, words)| Some((key.strip_suffix(ending)?, Some(*words))))
        .unwrap_or((key, None))
}

/// The unit a key states, in words.
pub(crate) fn unit(key: &str) -> Option<&'static str> {
    split_unit(key).1
}

/// What is wrong with `key` where only `known` keys may stand, and what would be right.
pub(crate) fn unknown_key(key: &str, known: &[&str]) -> String {
    let stem = split_unit(key).0;
    let same_stem: Vec<String> = known
        .iter()
        .filter(|candidate| split_unit(candidate).0 == stem)
        .map(|candidate| match unit(candidate) {
            Some(words) => format!("`{candidate}` ({words})"),
            None => format!("`{candidate}`"),
        })
        .collect();
    if !same_stem.is_empty() {
        return format!("is not a key here; this value is stated as {}", or(&same_stem));
    }
    match nearest(key, known.iter().copied()) {
        Some(candidate) => format!("is not a key here; did you mean `{candidate}`?"),
        None if known.is_empty() => "is not a key here; nothing may stand here".to_owned(),
        None => format!("is not a key here; the keys are {}", known.join(", ")),
    }
}

/// What is wrong with `word` where only `known` words may stand, if one of them is near.
pub(crate) fn unknown_word(word: &str, known: &[&str], wanted: &str) -> String {
    match nearest(word, known.iter().copied()) {
        Some(candidate) => format!("\"{word}\" is not a choice; did you mean \"{candidate}\"?"),
        None => format!("\"{word}\" is not a choice; write {wanted}"),
    }
}

fn or(choices: &[String]) -> String {
    match choices.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => choices.concat(),
    }
}

/// The key as TOML wants it: in quotes unless it is made of letters, digits, `_` and `-`.
pub(crate) fn quoted_unless_bare(key: &str) -> Cow<'_, str> {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.into() } else { format!("{key:?}").into() }
}
