//! Rows as lines of CSV: names and words in quotes, numbers in the fewest digits that give the same
//! number back, nothing where there is no value.

use crate::batch::{Column, Number, Values};
use crate::columns::TableColumn;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

/// Rows that one thread makes text of at once: half a megabyte of it.
const TOGETHER: usize = 1 << 12;

/// A CSV file that is being written.
pub(crate) struct CsvFile {
    file: File,
    heading: String,
    /// Of [`TOGETHER`] rows each; kept, as memory that is new costs more than to fill it.
    texts: Vec<Vec<u8>>,
}

impl CsvFile {
    /// Begins it with the names of the columns.
    pub(crate) fn new(file: File, columns: &[TableColumn]) -> Self {
        let names = columns.iter().map(|column| format!("\"{}\"", column.name));
        let heading = names.collect::<Vec<_>>().join(",") + "\n";
        Self { file, heading, texts: Vec::new() }
    }

    /// Appends this many rows, of which as many threads make text as there are processors.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&mut self, columns: &[Column<'_>], rows: usize) -> io::Result<()> {
        let parts = rows.div_ceil(TOGETHER);
        if self.texts.len() < parts {
            self.texts.resize_with(parts, Vec::new);
        }
        let texts = &mut self.texts[..parts];
        texts.par_iter_mut().enumerate().for_each(|(part, text)| {
            let from = part * TOGETHER;
            text.clear();
            lines(columns, from..rows.min(from + TOGETHER), text);
        });
        self.file.write_all(std::mem::take(&mut self.heading).as_bytes())?;
        texts.iter().try_for_each(|text| self.file.write_all(text))
    }

    /// Writes the heading, if there was no row to write it before.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.write_all(self.heading.as_bytes())
    }
}

/// A number that was written: its bits, and where its text stands.
#[derive(Clone, Copy, Default)]
struct Written {
    bits: u64,
    from: usize,
    to: usize,
}

fn lines(columns: &[Column<'_>], rows: Range<usize>, text: &mut Vec<u8>) {
    // Of each column, in the row above until it is written: that nothing waited makes times equal,
    // and the controller takes the same again and again.
    let mut written = vec![Written::default(); columns.len()];
    for row in rows {
        for (place, (column, values)) in columns.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            match values {
                Values::Doubles(values) if has(column, values[row]) => {
                    let near = place.saturating_sub(2)..=place;
                    written[place] = double(values[row], &written[near], text);
                }
                Values::Whole16(values) if has(column, values[row]) => whole(values[row], text),
                Values::Whole32(values) if has(column, values[row]) => whole(values[row], text),
                Values::Whole64(values) if has(column, values[row]) => whole(values[row], text),
                Values::Words(codes, words) => {
                    text.push(b'"');
                    text.extend_from_slice(words[usize::from(codes[row])].as_bytes());
                    text.push(b'"');
                }
                _ => {}
            }
        }
        text.push(b'\n');
    }
}

#[inline]
fn has(column: &TableColumn, value: impl Number) -> bool {
    !column.nullable || !value.is_none()
}

#[inline]
fn whole(value: impl itoa::Integer, text: &mut Vec<u8>) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a number, from where it was written before if it is one of those `near`.
#[inline]
fn double(value: f64, near: &[Written], text: &mut Vec<u8>) -> Written {
    let (bits, from) = (value.to_bits(), text.len());
    if value == 0.0 {
        // Half of the parts of a service are nothing.
        text.push(b'0');
    } else if let Some(same) = near.iter().find(|one| one.bits == bits) {
        text.extend_from_within(same.from..same.to);
    } else {
        let mut digits = zmij::Buffer::new();
        let digits = digits.format(value);
        text.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
    }
    Written { bits, from, to: text.len() }
}
