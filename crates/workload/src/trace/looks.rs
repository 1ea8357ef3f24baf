//! Tells a table by the looks of its first rows.

use super::table::{Separator, is_comment, whole_lines};

/// What the values of a column look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// A whole number.
    Whole,
    /// A whole number of 15 digits or more: a clock that counts since long ago.
    Clock,
    /// A number with a point.
    Point,
    /// A number, with a point or without.
    Number,
    /// 0 or 1.
    Bit,
    /// 0, 1 or 2.
    Three,
    /// `R` or `W`.
    Letter,
    /// `R`, `W` or nothing.
    LetterOrNone,
    /// `Read` or `Write`.
    Word,
    /// Any text but a number.
    Text,
}

impl Look {
    fn fits(self, field: &[u8]) -> bool {
        let whole = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
        let number = |field: &[u8]| {
            let mut parts = field.splitn(2, |byte| *byte == b'.');
            let both = [parts.next(), parts.next()];
            whole(both[0].unwrap_or_default()) && both[1].is_none_or(whole)
        };
        match self {
            Self::Whole => whole(field),
            Self::Clock => whole(field) && field.len() >= 15,
            Self::Point => number(field) && field.contains(&b'.'),
            Self::Number => number(field),
            Self::Bit => matches!(field, b"0" | b"1"),
            Self::Three => matches!(field, b"0" | b"1" | b"2"),
            Self::Letter => matches!(field, b"R" | b"W" | b"r" | b"w"),
            Self::LetterOrNone => field.is_empty() || Self::Letter.fits(field),
            Self::Word => {
                field.eq_ignore_ascii_case(b"read") || field.eq_ignore_ascii_case(b"write")
            }
            Self::Text => !field.is_empty() && !number(field),
        }
    }
}

/// How many rows are looked at.
const ROWS: usize = 8;

/// True if the first row, or the one below a heading, has columns that look like `looks`, and most
/// of those below it, too: a wrong row further down is for the reader to say.
pub(super) fn like(head: &[u8], separator: Separator, looks: &[Look]) -> bool {
    alike(head, separator, looks, |columns| columns == looks.len())
}

/// The same where there may be more columns behind these.
pub(super) fn begins_like(head: &[u8], separator: Separator, looks: &[Look]) -> bool {
    alike(head, separator, looks, |columns| columns >= looks.len())
}

fn alike(
    head: &[u8],
    separator: Separator,
    looks: &[Look],
    enough: impl Fn(usize) -> bool,
) -> bool {
    let fits = |line: &[u8]| {
        let columns = separator.columns(line);
        enough(columns.len()) && looks.iter().zip(&columns).all(|(l, field)| l.fits(field))
    };
    let lines: Vec<&[u8]> =
        whole_lines(head).filter(|line| !is_comment(line)).take(ROWS + 1).collect();
    let first = lines.iter().take(2).position(|line| fits(line));
    first.is_some_and(|at| {
        let rows = &lines[at..];
        2 * rows.iter().filter(|line| fits(line)).count() > rows.len()
    })
}
