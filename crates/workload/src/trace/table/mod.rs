//! Tables of requests: CSV, TSV, columns between blanks. One reader for every format that is a line
//! per request; what is where, a [`Mapping`] says, the user's or the format's own.

mod arrange;
mod cells;
mod clock;
mod mapping;
mod order;
mod parquet;
mod parquet_cells;
mod parquet_column;
mod row;
mod split;

#[cfg(test)]
mod tests;

use super::over_source::over_source;
use platterlab_units::SECTOR_BYTES_DEFAULT;

pub(super) use self::clock::is_date;
pub use self::mapping::Mapping;
pub(super) use self::parquet::{is_parquet, open as open_parquet};
use self::split::is_number;
pub(super) use self::split::{Separator, is_comment, starts_a_number, whole_lines};

use self::arrange::Arrange;
use self::cells::Cells;
use self::row::Rows;
use super::{Declared, Format, Note, Opened, Position, Source, TraceError, TraceFacts};
use crate::Record;

/// A table by the user's mapping, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "table",
    title: "Any table whose columns `--columns` names: Parquet, CSV, TSV, between semicolons, bars or blanks",
    columns: &[
        [
            "time",
            "s, ms, us, ns, 100ns, ps, date",
            "when the request came; or `end`, when it was done",
        ],
        ["lba", "bytes, sectors, kib, or bytes in one", "where it starts"],
        ["size", "bytes, sectors, kib, or bytes in one", "how long it is"],
        ["op", "", "reads and writes in any usual spelling; `op=COLUMN:WORD`: which word reads"],
        ["device", "", "number, major:minor or name; may be left out"],
        ["queued", "s, ms, us, ...", "how long it waited for its issue; may be left out"],
        ["service", "s, ms, us, ...", "from its issue to its end; may be left out"],
        ["response", "s, ms, us, ...", "from its time to its end; may be left out"],
    ],
    silent: "Whatever has no column.",
    sniff: |_| false,
    open: |source, options| match &options.columns {
        Some(mapping) => open_by(source, Format::Mapped, mapping, &LINES),
        None => Err(source.error(
            Position::File,
            "is read as a table: `columns` has to name what its columns are",
        )),
    },
};

/// How the lines of a table are to be taken, where they are not plainly a row each.
pub(super) struct Lines {
    /// The separator; `None`: found in the first line.
    pub(super) separator: Option<Separator>,
    /// The line that has the names of the columns; `None`: the first, if it has names.
    pub(super) heading: Option<fn(&[u8]) -> bool>,
    /// What a line below the heading is, if it is not a row; `None` for a row.
    pub(super) skip: fn(&[u8]) -> Option<Note>,
    /// The column whose values may hold blanks, where blanks separate.
    pub(super) wide: Option<&'static str>,
}

/// Plain rows.
pub(super) const LINES: Lines =
    Lines { separator: None, heading: None, skip: |_| None, wide: None };

/// A table, of lines or of Parquet, by a mapping.
fn open_by(mut source: Source, format: Format, mapping: &Mapping, lines: &Lines) -> Opened {
    if parquet::is_parquet(source.peek()?) {
        parquet::open(source, format, |_| Ok(mapping.clone()))
    } else {
        Table::open(source, format, mapping, lines)
    }
}

/// A format that is a table: its own mapping, in the words of the user's.
pub(super) fn open_as(source: Source, format: Format, mapping: &str, lines: &Lines) -> Opened {
    let mapping = mapping.parse().map_err(|what: String| source.error(Position::File, what))?;
    Table::open(source, format, &mapping, lines)
}

/// A reader of lines.
struct Table {
    source: Source,
    facts: TraceFacts,
    skip: fn(&[u8]) -> Option<Note>,
    arrange: Arrange,
}

/// Where a table's rows begin, and what stands above them.
struct Beginning {
    separator: Separator,
    /// Names of the columns; empty where there are none.
    heading: Vec<String>,
    /// Lines above the rows.
    lines: u64,
}

impl Table {
    fn open(mut source: Source, format: Format, mapping: &Mapping, lines: &Lines) -> Opened {
        let beginning = Beginning::of(source.peek()?, mapping, lines);
        let bound = beginning.and_then(|beginning| {
            Cells::bind(mapping, &beginning.heading).map(|cells| (beginning, cells))
        });
        let (beginning, cells) = bound.map_err(|what| source.error(Position::File, what))?;
        let wide = lines.wide.and_then(|wide| beginning.heading.iter().position(|n| n == wide));
        let rows = Rows::new(cells, beginning.separator, wide, beginning.heading.len());
        let facts =
            TraceFacts { measures: rows.measures(), ..source.facts(format, SECTOR_BYTES_DEFAULT) };
        let mut arrange = Arrange::new(rows);
        for _ in 0..beginning.lines {
            source.line()?;
            arrange.notes.add(Note::HeaderLines);
        }
        Ok(Box::new(Self { source, facts, skip: lines.skip, arrange }))
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        loop {
            match self.arrange.pop() {
                Ok(None) => {}
                Ok(record) => return Ok(record),
                Err(what) => return Err(self.source.error_at_line(what)),
            }
            if self.arrange.ended {
                return Ok(None);
            }
            let Some(line) = self.source.line()? else {
                self.arrange.ended = true;
                continue;
            };
            if is_comment(line) {
                self.arrange.notes.add(Note::HeaderLines);
            } else if let Some(note) = (self.skip)(line) {
                self.arrange.notes.add(note);
            } else if let Err(what) = self.arrange.line(line) {
                return Err(self.source.error_at_line(what));
            }
        }
    }
}

impl Beginning {
    fn of(head: &[u8], mapping: &Mapping, lines: &Lines) -> Result<Self, String> {
        for (above, line) in (0..).zip(whole_lines(head)) {
            let is_heading = match lines.heading {
                Some(is_heading) => is_heading(line),
                None => !is_comment(line),
            };
            if is_heading {
                return Self::at(line, above, mapping, lines);
            }
        }
        Err("has no line with the names of its columns".into())
    }

    fn at(line: &[u8], above: u64, mapping: &Mapping, lines: &Lines) -> Result<Self, String> {
        let separator = lines.separator.unwrap_or_else(|| Separator::of(line));
        let columns = separator.columns(line);
        let text = |column: &&[u8]| String::from_utf8_lossy(column).into_owned();
        // Where columns go by number, a heading shows by a time that is not a number, and by
        // nothing that is one: else it is a row that is wrong.
        let named = mapping.names_columns();
        let stamp = mapping.stamp_column().and_then(|at| columns.get(at));
        let heading = named
            || stamp.is_some_and(|field| !starts_a_number(field))
                && !columns.iter().any(|field| is_number(field));
        Ok(Self {
            separator,
            heading: if heading { columns.iter().map(text).collect() } else { Vec::new() },
            lines: above + u64::from(heading),
        })
    }
}

over_source!(Table; arrange.notes; arrange.names());
