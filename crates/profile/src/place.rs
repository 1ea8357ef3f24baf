//! The place of a key in the text.

use crate::key::{KeyPath, Step};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line and column of the byte at `offset`, both counted from 1, the column in characters.
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Line and column of the value at `key`, or of the nearest table or list around it.
pub(crate) fn locate(text: &str, key: &KeyPath) -> (usize, usize) {
    let offset = DeTable::parse(text).map_or(0, |file| offset(file.get_ref(), key.steps()));
    line_and_column(text, offset)
}

fn offset(file: &DeTable<'_>, steps: &[Step]) -> usize {
    let mut offset = 0;
    let mut here: Option<&Spanned<DeValue<'_>>> = None;
    for step in steps {
        let table = here.map_or(Some(file), |value| value.get_ref().as_table());
        let next = match step {
            Step::Key(key) => table.and_then(|table| {
                let (key, value) = table.iter().find(|(name, _)| name.get_ref() == key)?;
                offset = key.span().start;
                Some(value)
            }),
            Step::Index(index) => here.and_then(|value| {
                let item = value.get_ref().as_array()?.get(*index)?;
                offset = item.span().start;
                Some(item)
            }),
        };
        match next {
            Some(value) => here = Some(value),
            None => break,
        }
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_on_their_lines() {
        let text = "id = 1\n[a]\nx = 2\n\n[[z]]\nk = 1\n[[z]]\nk = [1,\n  2]\n";
        let at = |key: &str| locate(text, &KeyPath::parse(key).unwrap());
        assert_eq!(at("id"), (1, 1));
        assert_eq!(at("a.x"), (3, 1));
        assert_eq!(at("a.missing.more"), (2, 2));
        assert_eq!(at("z[1]"), (7, 1));
        assert_eq!(at("z[1].k"), (8, 1));
        assert_eq!(at("z[1].k[1]"), (9, 3));
        assert_eq!(at("z[7]"), (5, 3));
        assert_eq!(at("nothing"), (1, 1));
        assert_eq!(line_and_column("é\nµx", 5), (2, 2));
    }
}
