//! Tells a table by the looks of its first rows.

use super::table::{Separator, is_comment, whole_lines};

/// What the values of a column look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// A whole number.
    Whole,
    /// A whole number of 15 digits or more: a clock that counts since long ago.
    Clock,
    /// A number with a point or a power of ten.
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
        let plain = |field: &[u8]| {
            let mut parts = field.splitn(2, |byte| *byte == b'.');
            let both = [parts.next(), parts.next()];
            whole(both[0].unwrap_or_default()) && both[1].is_none_or(whole)
        };
        // As programs write what is small: 5e-05.
        let number = |field: &[u8]| {
            let mut halves = field.splitn(2, |byte| matches!(byte, b'e' | b'E'));
            let (digits, power) = (halves.next().unwrap_or_default(), halves.next());
            let unsigned = |power: &[u8]| {
                whole(power.strip_prefix(b"-").or(power.strip_prefix(b"+")).unwrap_or(power))
            };
            plain(digits) && power.is_none_or(unsigned)
        };
        match self {
            Self::Whole => whole(field),
            Self::Clock => whole(field) && field.len() >= 15,
            Self::Point => number(field) && !whole(field),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_has_a_power_of_ten() {
        for field in ["0.5", "1e-3", "5E-05", "2.5e+3", "1e3"] {
            assert!(Look::Point.fits(field.as_bytes()), "{field}");
            assert!(Look::Number.fits(field.as_bytes()), "{field}");
            assert!(!Look::Text.fits(field.as_bytes()), "{field}");
        }
        for field in ["e5", "1e", "1e-", "1e2e3", "1.2.3", "0x1e3", ""] {
            assert!(!Look::Number.fits(field.as_bytes()), "{field}");
        }
        assert!(!Look::Point.fits(b"12"), "a whole number");
    }
}
