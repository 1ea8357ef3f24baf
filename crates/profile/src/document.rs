//! The text of a profile file, and where in it each error belongs.

use crate::error::{Fault, OVERRIDDEN, ProfileError};
use crate::key::KeyPath;
use crate::place::{line_and_column, locate};
use toml::Table;
use toml::de::DeTable;

/// The text a profile was read from, and what was put in place of some of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    path: String,
    text: String,
    overridden: Vec<KeyPath>,
}

impl Document {
    /// Reads TOML. `path` stands for the file in messages.
    ///
    /// # Errors
    /// What keeps it from being TOML.
    pub fn read(bytes: &[u8], path: &str) -> Result<(Self, Table), ProfileError> {
        let document = |text: &str| Self {
            path: path.to_owned(),
            text: text.to_owned(),
            overridden: Vec::new(),
        };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            document(good).error_at(good.len(), "is not UTF-8 text from here on")
        })?;
        let document = document(text);
        DeTable::parse(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            document.error_at(offset, format!("cannot be read as TOML: {}", error.message()))
        })?;
        // What is TOML but no table of values holds a number beyond the range of its type.
        let table = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let number = text.get(span.clone()).unwrap_or_default();
            document.error_at(span.start, format!("{number} is too large a number"))
        })?;
        Ok((document, table))
    }

    /// The same document with other values at `keys`.
    #[must_use]
    pub fn with_overridden(&self, keys: Vec<KeyPath>) -> Self {
        let mut document = self.clone();
        document.overridden.extend(keys);
        document
    }

    /// The path under which messages name the document.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// A fault with its place in the text.
    #[must_use]
    pub fn error(&self, fault: Fault) -> ProfileError {
        let touches = |key: &KeyPath| key.is_within(&fault.key) || fault.key.is_within(key);
        let place = if self.overridden.iter().any(touches) {
            None
        } else {
            Some(locate(&self.text, &fault.key))
        };
        ProfileError {
            path: if self.overridden.is_empty() {
                self.path.clone()
            } else {
                format!("{}{OVERRIDDEN}", self.path)
            },
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            key: fault.key.to_string(),
            what: fault.what,
        }
    }

    fn error_at(&self, offset: usize, what: impl Into<String>) -> ProfileError {
        let (line, column) = line_and_column(&self.text, offset);
        ProfileError {
            path: self.path.clone(),
            line: Some(line),
            column: Some(column),
            key: String::new(),
            what: what.into(),
        }
    }
}
