//! Dotted key paths, such as `zone[0].sectors_per_track`.

use crate::advice::quoted_unless_bare;
use std::fmt;
use toml::{Table, Value};

/// One step from a table or list to what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// By key.
    Key(String),
    /// By position, counted from 0.
    Index(usize),
}

/// The place of a value in a file: `zone[0].sectors_per_track`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPath(Vec<Step>);

impl KeyPath {
    /// Reads `zone[0].cylinders`, or `zone.0.cylinders`; `None` if it is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
            match name.parse() {
                Ok(index) if !steps.is_empty() => steps.push(Step::Index(index)),
                _ if name.is_empty() => return None,
                _ => steps.push(Step::Key(name.to_owned())),
            }
            for index in indices.split_inclusive(']') {
                let index = index.strip_prefix('[')?.strip_suffix(']')?;
                steps.push(Step::Index(index.parse().ok()?));
            }
        }
        Some(Self(steps))
    }

    /// This place's child `key`.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.with(Step::Key(key.to_owned()))
    }

    /// This place's item `index`.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Step::Index(index))
    }

    fn with(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// From the top of the file to here.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The first key.
    pub(crate) fn top(&self) -> &str {
        match self.0.first() {
            Some(Step::Key(key)) => key,
            _ => "",
        }
    }

    /// The last key on the way here, positions left out.
    pub(crate) fn last_name(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        })
    }

    /// The last step, and the place that holds it.
    pub(crate) fn split_last(&self) -> Option<(Self, &Step)> {
        let (last, rest) = self.0.split_last()?;
        Some((Self(rest.to_vec()), last))
    }

    /// Whether this place is `other` or lies within it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The same place with positions for names: of the tables in a list, a key is the `name` of one
    /// (`volume.array.layout` is `volume[0].layout` where the first volume is called `array`).
    #[must_use]
    pub fn numbered(self, table: &Table) -> Self {
        let mut found = Self::default();
        for step in self.0 {
            let list = found.find(table).and_then(Value::as_array);
            let named = |key: &str| {
                let is = |item: &Value| item.get("name").and_then(Value::as_str) == Some(key);
                list.and_then(|items| items.iter().position(is))
            };
            let position = match &step {
                Step::Key(key) => named(key).map(Step::Index),
                Step::Index(_) => None,
            };
            found.0.push(position.unwrap_or(step));
        }
        found
    }

    /// The value here.
    #[must_use]
    pub fn find<'a>(&self, table: &'a Table) -> Option<&'a Value> {
        let (first, rest) = self.0.split_first()?;
        let Step::Key(first) = first else { return None };
        rest.iter().try_fold(table.get(first)?, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.get(index),
        })
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if number == 0 => write!(f, "{}", quoted_unless_bare(key))?,
                Step::Key(key) => write!(f, ".{}", quoted_unless_bare(key))?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_write_an_index_name_the_same_place() {
        let key = KeyPath::parse("zone[0].sparing.kind").unwrap();
        assert_eq!(KeyPath::parse("zone.0.sparing.kind").unwrap(), key);
        assert_eq!(key.to_string(), "zone[0].sparing.kind");
        assert_eq!(KeyPath::parse("seek.points[1][0]").unwrap().to_string(), "seek.points[1][0]");
    }

    #[test]
    fn a_table_of_a_list_goes_by_its_name() {
        let file =
            "[[volume]]\nname = \"a\"\n[[volume]]\nname = \"b\"\nlayout = { kind = \"raid5\" }";
        let table: Table = file.parse().unwrap();
        let numbered = |text: &str| KeyPath::parse(text).unwrap().numbered(&table).to_string();
        assert_eq!(numbered("volume.b.layout.kind"), "volume[1].layout.kind");
        assert_eq!(numbered("volume.c.layout"), "volume.c.layout");
        assert_eq!(numbered("volume[0].name"), "volume[0].name");
        assert_eq!(numbered("host.b"), "host.b");
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["", ".", "a..b", "a[", "a[]", "a[x]", "a[1", "a]1[", "[1]", "a[1]b", "a.[1]"] {
            assert_eq!(KeyPath::parse(text), None, "{text}");
        }
    }
}
