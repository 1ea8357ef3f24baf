//! The mapping of a table's columns: `time=ts_us:us, lba=offset:bytes, size=len:bytes, op=rw`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use platterlab_units::{named, words};

use super::super::{Position, TraceError};

words! {
    /// What a column can be.
    pub(in crate::trace) enum ColumnKey {
        /// When the request came.
        Time = "time",
        /// When it was done.
        End = "end",
        /// Where it starts.
        Lba = "lba",
        /// How long it is.
        Size = "size",
        /// Read or write.
        Op = "op",
        /// The device it is for.
        Device = "device",
        /// From its time to its issue.
        Queued = "queued",
        /// From its issue to its end.
        Service = "service",
        /// From its time to its end.
        Response = "response",
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::trace) enum Column {
    /// The column with this name in the heading.
    Named(String),
    /// The column with this number, from 1.
    Numbered(usize),
    /// The same in every row.
    Always(String),
}

impl Column {
    /// Which of the columns named in `heading` it is, from 0.
    pub(super) fn place(&self, heading: &[String]) -> Option<usize> {
        match self {
            Self::Named(name) => {
                heading.iter().position(|column| column.eq_ignore_ascii_case(name))
            }
            Self::Numbered(number) => Some(number - 1).filter(|place| *place < heading.len()),
            Self::Always(_) => None,
        }
    }
}

/// One column's part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::trace) struct Entry {
    pub(in crate::trace) key: ColumnKey,
    pub(in crate::trace) column: Column,
    pub(in crate::trace) unit: Option<String>,
}

/// Which columns of a table hold the parts of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub(super) entries: Vec<Entry>,
}

/// What a mapping looks like, for messages.
const EXAMPLE: &str = "write it as time=ts_us:us, lba=offset:bytes, size=len:bytes, op=rw (KEY=COLUMN:UNIT, a column by \
     name or by number from 1; KEY==VALUE where every row has the same)";

impl Mapping {
    /// That of the file `NAME.toml` in the folder of the trace `NAME`, if there is one.
    pub(in crate::trace) fn beside(trace: &Path) -> Result<Option<Self>, TraceError> {
        let mut name = trace.as_os_str().to_owned();
        name.push(".toml");
        let path = PathBuf::from(name);
        let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
        let refuse = |what: String| TraceError::new(&path, Position::File, what);
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            refuse(format!("is not TOML: {}", error.message().replace('\n', " ")))
        })?;
        let said = match table.get("columns") {
            Some(toml::Value::String(said)) => said.clone(),
            Some(toml::Value::Table(columns)) => {
                let entry = |(key, value): (&String, &toml::Value)| match value {
                    toml::Value::String(said) => Ok(format!("{key}={said}")),
                    toml::Value::Integer(number) => Ok(format!("{key}={number}")),
                    _ => Err(refuse(format!("columns.{key}: write \"COLUMN:UNIT\""))),
                };
                columns.iter().map(entry).collect::<Result<Vec<_>, _>>()?.join(",")
            }
            _ => return Err(refuse(format!("has no `columns`; {EXAMPLE}"))),
        };
        said.parse().map(Some).map_err(refuse)
    }

    /// The part of `key`.
    pub(super) fn get(&self, key: ColumnKey) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The columns that are wanted of those in `heading`, from 0, in order.
    pub(super) fn columns(&self, heading: &[String]) -> Vec<usize> {
        let mut places: Vec<usize> =
            self.entries.iter().filter_map(|entry| entry.column.place(heading)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Whether any column goes by its name.
    pub(super) fn names_columns(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.column, Column::Named(_)))
    }

    /// The column of the row's own time, from 0, where it goes by number.
    pub(super) fn stamp_column(&self) -> Option<usize> {
        match self.get(ColumnKey::Time).or_else(|| self.get(ColumnKey::End))?.column {
            Column::Numbered(number) => Some(number - 1),
            _ => None,
        }
    }

    fn check(self) -> Result<Self, String> {
        let has = |key| self.get(key).is_some();
        for (place, entry) in self.entries.iter().enumerate() {
            if self.entries[..place].iter().any(|other| other.key == entry.key) {
                return Err(format!("columns: {} is there twice", entry.key.name()));
            }
        }
        for key in [ColumnKey::Lba, ColumnKey::Size, ColumnKey::Op] {
            if !has(key) {
                return Err(format!("columns: {} is missing; {EXAMPLE}", key.name()));
            }
        }
        if !has(ColumnKey::Time) && !has(ColumnKey::End) {
            return Err(format!("columns: time (or end, of the completion) is missing; {EXAMPLE}"));
        }
        Ok(self)
    }
}

impl FromStr for Mapping {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let entries = parts.map(entry).collect::<Result<Vec<_>, _>>()?;
        Self { entries }.check()
    }
}

fn entry(part: &str) -> Result<Entry, String> {
    let (word, value) =
        part.split_once('=').ok_or_else(|| format!("columns: `{part}` has no `=`; {EXAMPLE}"))?;
    let key = named(word.trim(), ColumnKey::ALL, ColumnKey::name)
        .map_err(|meant| format!("columns: `{word}` is not a key; {meant}"))?;
    let (always, value) = match value.trim().strip_prefix('=') {
        Some(value) => (true, value),
        None => (false, value.trim()),
    };
    // The unit stands after the last colon; a name may hold others.
    let (name, unit) = match value.rsplit_once(':') {
        Some((name, unit)) => (name.trim(), Some(unit.trim().to_owned())),
        None => (value, None),
    };
    let column = match (always, name.parse::<usize>()) {
        _ if name.is_empty() => return Err(format!("columns: {word} names no column; {EXAMPLE}")),
        (true, _) => Column::Always(name.to_owned()),
        (false, Ok(0)) => return Err("columns: they are numbered from 1".into()),
        (false, Ok(number)) => Column::Numbered(number),
        (false, Err(_)) => Column::Named(name.to_owned()),
    };
    Ok(Entry { key, column, unit })
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => write!(f, "column `{name}`"),
            Self::Numbered(number) => write!(f, "column {number}"),
            Self::Always(value) => write!(f, "`{value}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_read() {
        let mapping: Mapping = "time=ts_us:us, lba=offset:bytes,size=4, op==read".parse().unwrap();
        let time = mapping.get(ColumnKey::Time).unwrap();
        assert_eq!(time.column, Column::Named("ts_us".into()));
        assert_eq!(time.unit.as_deref(), Some("us"));
        assert_eq!(mapping.get(ColumnKey::Size).unwrap().column, Column::Numbered(4));
        assert_eq!(mapping.get(ColumnKey::Op).unwrap().column, Column::Always("read".into()));
        assert!(mapping.get(ColumnKey::Device).is_none());
    }

    #[test]
    fn what_is_wrong_with_one_is_said() {
        for (text, message) in [
            ("", "columns: lba is missing; "),
            ("time", "columns: `time` has no `=`; "),
            ("tine=1:s", "columns: `tine` is not a key; did you mean `time`?"),
            ("time=1:s,time=2:s,lba=3,size=4,op=5", "columns: time is there twice"),
            ("lba=1,size=2,op=3", "columns: time (or end, of the completion) is missing; "),
            ("time=1,lba=2,size=3", "columns: op is missing; "),
            ("time=0", "columns: they are numbered from 1"),
            ("time=:s", "columns: time names no column; "),
        ] {
            let error = text.parse::<Mapping>().unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
