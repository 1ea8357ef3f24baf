//! The columns of a line, and the heading above them.

/// What stands between two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace) enum Separator {
    /// One such byte; blanks around a value are not part of it.
    Byte(u8),
    /// Any number of blanks.
    Blanks,
}

impl Separator {
    /// The one that `line` has most of; blanks where it has none.
    pub(in crate::trace) fn of(line: &[u8]) -> Self {
        let count = |wanted: u8| line.iter().filter(|byte| **byte == wanted).count();
        let most = [b',', b'\t', b';', b'|'].into_iter().max_by_key(|byte| count(*byte));
        most.filter(|byte| count(*byte) > 0).map_or(Self::Blanks, Self::Byte)
    }

    /// The columns of `line`, into `columns`.
    pub(in crate::trace) fn split<'a>(self, line: &'a [u8], columns: &mut Vec<&'a [u8]>) {
        columns.clear();
        match self {
            Self::Blanks => {
                let fields = line.split(u8::is_ascii_whitespace);
                columns.extend(fields.filter(|field| !field.is_empty()));
            }
            Self::Byte(byte) if !line.contains(&b'"') => {
                columns.extend(line.split(|other| *other == byte).map(<[u8]>::trim_ascii));
            }
            Self::Byte(byte) => {
                let mut quoted = false;
                let fields = line.split(|other| {
                    quoted ^= *other == b'"';
                    !quoted && *other == byte
                });
                columns.extend(fields.map(|field| {
                    let field = field.trim_ascii();
                    let inner = field.strip_prefix(b"\"").and_then(|f| f.strip_suffix(b"\""));
                    inner.unwrap_or(field)
                }));
            }
        }
    }

    /// The columns of `line`.
    pub(in crate::trace) fn columns(self, line: &[u8]) -> Vec<&[u8]> {
        let mut columns = Vec::new();
        self.split(line, &mut columns);
        columns
    }
}

/// The lines of a beginning that are whole, or the only one.
pub(in crate::trace) fn whole_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let cut = if head.ends_with(b"\n") { usize::MAX } else { head.split(|b| *b == b'\n').count() };
    let lines = head.split(|byte| *byte == b'\n').enumerate();
    // The last of several may be cut off where the beginning ends.
    let whole = lines.filter(move |(at, _)| *at == 0 || at + 1 < cut);
    whole.map(|(_, line)| line.strip_suffix(b"\r").unwrap_or(line))
}

/// True for a line that says nothing: empty, or a comment.
pub(in crate::trace) fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii().first(), None | Some(b'#'))
}

/// True for what a number starts with.
pub(in crate::trace) fn starts_a_number(field: &[u8]) -> bool {
    field.first().is_some_and(|first| first.is_ascii_digit() || b".-+".contains(first))
}

/// True for a whole number or a decimal.
pub(super) fn is_number(field: &[u8]) -> bool {
    starts_a_number(field)
        && std::str::from_utf8(field).is_ok_and(|text| text.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_told_and_quotes_kept_together() {
        let text = |line: &'static str| {
            let separator = Separator::of(line.as_bytes());
            let columns = separator.columns(line.as_bytes());
            columns.into_iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(text("a, b,c"), ["a", "b", "c"]);
        assert_eq!(text("a\tb c\t"), ["a", "b c", ""]);
        assert_eq!(text("a;b"), ["a", "b"]);
        assert_eq!(text("  a   b "), ["a", "b"]);
        assert_eq!(text("\"a,b\",\"c\""), ["a,b", "c"]);
    }

    #[test]
    fn a_line_that_may_be_cut_off_is_left_out() {
        let lines = |text: &'static str| whole_lines(text.as_bytes()).count();
        assert_eq!(lines("a\nb\nc"), 2);
        assert_eq!(lines("a"), 1);
        assert_eq!(lines("a\nb\n"), 3, "the last is empty");
    }
}
