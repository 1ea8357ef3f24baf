//! The mark at the beginning of a text that says it is UTF-8, as editors on Windows write it.

/// The mark.
pub(super) const UTF_8: &[u8] = b"\xef\xbb\xbf";

/// How many of the first bytes are not part of the text.
pub(super) fn length(head: &[u8]) -> usize {
    if head.starts_with(UTF_8) { UTF_8.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use std::path::Path;

    #[test]
    fn the_mark_is_no_part_of_the_first_line() {
        let source = |bytes: &[u8]| Source::from_bytes(Path::new("t"), bytes);
        let mut lines = source(b"\xef\xbb\xbf1,2\n3,4\n").unwrap();
        assert_eq!(lines.line().unwrap().unwrap(), b"1,2");
        assert_eq!((lines.offset(), lines.line().unwrap().unwrap()), (7, &b"3,4"[..]));
        assert!(source(b"\xef\xbb\xbf").is_err(), "nothing is left");
    }
}
