//! The place of an error in a file of faults. Who reads tables of several kinds forgets where their
//! keys stand: they are looked for by reading each by itself.

use toml::de::{DeTable, Error};
use toml::{Table, Value};

/// How the file and each of its faults are read.
pub(crate) struct Reads {
    pub(crate) whole: fn(Table) -> Result<(), Error>,
    pub(crate) fault: fn(Value) -> Result<(), Error>,
}

/// The line of what is wrong with a file that could not be read, and what it is.
pub(crate) fn place_of(text: &str, error: &Error, reads: &Reads) -> (usize, String) {
    let found = reads.wrong_in(text).unwrap_or_else(|| Wrong {
        at: error.span().map_or(0, |span| span.start),
        what: said(error),
    });
    let line = 1 + text.get(..found.at).unwrap_or_default().matches('\n').count();
    (line, found.what)
}

/// What is wrong, and at which byte.
struct Wrong {
    at: usize,
    what: String,
}

impl Reads {
    /// The key that is wrong; `None` where the file is not TOML at all.
    fn wrong_in(&self, text: &str) -> Option<Wrong> {
        let places = DeTable::parse(text).ok()?;
        let whole: Table = toml::from_str(text).ok()?;
        for (key, value) in whole.iter().filter(|(key, _)| *key != "fault") {
            let alone = Table::from_iter([(key.clone(), value.clone())]);
            if let Err(error) = (self.whole)(alone) {
                let at = places.get_ref().get_key_value(key.as_str())?.0.span().start;
                return Some(Wrong { at, what: format!("{key}: {}", said(&error)) });
            }
        }
        let (place, faults) = (places.get_ref().get("fault")?, whole.get("fault")?);
        let (Some(places), Some(faults)) = (place.get_ref().as_array(), faults.as_array()) else {
            let at = place.span().start;
            return Some(Wrong { at, what: "write [[fault]], once for each".into() });
        };
        (1..).zip(places.iter().zip(faults)).find_map(|(number, (place, fault))| {
            let error = (self.fault)(fault.clone()).err()?;
            let what = said(&error);
            let key = self.key_of(fault, error.message());
            let named = key.zip(place.get_ref().as_table()).and_then(|(key, names)| {
                let at = names.get_key_value(key.as_str())?.0.span().start;
                Some(Wrong { at, what: format!("fault {number}, {key}: {what}") })
            });
            let at = place.span().start;
            Some(named.unwrap_or_else(|| Wrong { at, what: format!("fault {number}: {what}") }))
        })
    }

    /// The key of a fault without which something else is wrong with it, or nothing.
    fn key_of(&self, fault: &Value, message: &str) -> Option<String> {
        if message.starts_with("missing field") {
            return None;
        }
        let keys = fault.as_table()?;
        // Without its kind all is wrong.
        let (kind, others): (Vec<_>, Vec<_>) = keys.keys().partition(|key| *key == "kind");
        let decides = |key: &&String| {
            let without = keys.clone().into_iter().filter(|(name, _)| name != *key).collect();
            let still = (self.fault)(Value::Table(without)).err();
            still.is_none_or(|error| error.message() != message)
        };
        others.into_iter().chain(kind).find(decides).cloned()
    }
}

/// What a reader says, in words of the file.
fn said(error: &Error) -> String {
    let message = error.message().replace('\n', " ");
    let words = [
        ("expected u64", "expected a whole number of 0 or more"),
        ("expected u32", "expected a whole number of 0 or more"),
        ("expected f64", "expected a number"),
    ];
    words.into_iter().fold(message, |message, (theirs, ours)| message.replace(theirs, ours))
}
