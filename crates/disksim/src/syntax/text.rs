//! DiskSim's parameter text as tokens.

use super::error::Spot;
use std::sync::Arc;

/// The smallest piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// One of `{ } [ ] = ,`.
    Mark(char),
    /// Anything else between blanks.
    Word(String),
}

impl Token {
    /// The token for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Mark(mark) => format!("`{mark}`"),
            Self::Word(word) => format!("`{}`", shortened(word)),
        }
    }
}

fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

/// A file's tokens with their places, and the place where it ends.
pub(crate) struct Tokens {
    pub(crate) list: Vec<(Token, Spot)>,
    pub(crate) end: Spot,
}

fn is_mark(c: char) -> bool {
    matches!(c, '{' | '}' | '[' | ']' | '=' | ',')
}

/// Cuts `text` into tokens; `#` starts a comment that runs to the end of its line.
pub(crate) fn tokens(text: &str, file: &Arc<str>) -> Tokens {
    let mut list = Vec::new();
    let mut line_number = 0;
    for line in text.lines() {
        line_number += 1;
        let code = line.split('#').next().unwrap_or_default();
        let mut word = String::new();
        let mut word_column = 0;
        let spot = |column| Spot { file: Arc::clone(file), line: line_number, column };
        // A blank at the end closes the last word.
        for (index, c) in code.chars().chain([' ']).enumerate() {
            if !is_mark(c) && !c.is_whitespace() {
                if word.is_empty() {
                    word_column = index + 1;
                }
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                let word = std::mem::take(&mut word);
                list.push((Token::Word(unquoted(word)), spot(word_column)));
            }
            if is_mark(c) {
                list.push((Token::Mark(c), spot(index + 1)));
            }
        }
    }
    let end = Spot { file: Arc::clone(file), line: line_number.max(1), column: 1 };
    Tokens { list, end }
}

/// A word in quotes is the word.
fn unquoted(word: String) -> String {
    match word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.to_owned(),
        None => word,
    }
}

/// The number a word stands for: decimal, with or without a point and an exponent, or hexadecimal.
pub(crate) fn number(word: &str) -> Option<f64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|number| sign * number as f64);
    }
    let numeric = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let value: f64 = digits.parse().ok().filter(|_| numeric)?;
    value.is_finite().then_some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_marks_and_comments_are_told_apart() {
        let file: Arc<str> = "f".into();
        let tokens = tokens("a b={ # c = d\n \"x y\" [1.5,]", &file);
        let shown: Vec<String> = tokens.list.iter().map(|(t, _)| t.describe()).collect();
        assert_eq!(
            shown,
            ["`a`", "`b`", "`=`", "`{`", "`\"x`", "`y\"`", "`[`", "`1.5`", "`,`", "`]`"]
        );
        assert_eq!((tokens.list[8].1.line, tokens.list[8].1.column), (2, 12));
    }

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        for (word, value) in
            [("12", 12.0), ("-0.5", -0.5), ("1e3", 1e3), ("0x1F", 31.0), (".5", 0.5)]
        {
            assert_eq!(number(word), Some(value), "{word}");
        }
        for word in ["", "x", "0x", "0xg", "inf", "nan", "1e999", "--1", "1.2.3"] {
            assert_eq!(number(word), None, "{word}");
        }
    }
}
