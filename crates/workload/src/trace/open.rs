//! Opens a trace by its format, named or recognized.

use std::path::Path;

use super::part::Parted;
use super::{
    Format, Mapping, Opened, Options, Part, Position, Source, TraceError, TraceReader, blktrace,
    unknown,
};

/// Opens a trace of the `format` named, or of the one its content shows. Where a file `NAME.toml`
/// is in the folder of `NAME`, and neither columns nor another format than a table is given, it
/// names the columns.
///
/// # Errors
/// The file cannot be read, its content is of no known format or of another than the one named, or
/// its header is wrong.
pub fn open(path: &Path, format: Option<Format>, options: &Options) -> Opened {
    let without_columns = options.columns.is_none();
    if without_columns
        && matches!(format, None | Some(Format::Mapped))
        && let Some(columns) = Mapping::beside(path)?
    {
        let options = Options { columns: Some(columns), ..options.clone() };
        return read(Source::open(path)?, None, &options);
    }
    if without_columns
        && format.is_none()
        && let Some(set) = blktrace::set_of(path)
    {
        return blktrace::open_set(path, &set).map(|reader| parted(reader, options));
    }
    read(Source::open(path)?, format, options)
}

/// [`open`] for bytes that are already at hand.
///
/// # Errors
/// As for [`open`].
pub fn read(mut source: Source, format: Option<Format>, options: &Options) -> Opened {
    let format = match (format, &options.columns) {
        // Nothing shows a table: it is what its user says it is.
        (Some(Format::Mapped), _) | (None, Some(_)) => Format::Mapped,
        (Some(named), Some(_)) => {
            let what = format!("is of format {named} or of the columns named: give one of the two");
            return Err(source.error(Position::File, what));
        }
        (Some(named), None) => confirm(&mut source, named)?,
        (None, None) => recognize(&mut source)?,
    };
    (format.declared().open)(source, options).map(|reader| parted(reader, options))
}

/// The part of a trace that is wanted.
fn parted(reader: Box<dyn TraceReader + Send>, options: &Options) -> Box<dyn TraceReader + Send> {
    if options.part == Part::default() {
        reader
    } else {
        Box::new(Parted::new(reader, options.part))
    }
}

/// The format that [`open`] reads the trace at `path` as, where none is named.
///
/// # Errors
/// As for [`open`].
pub fn detect(path: &Path) -> Result<Format, TraceError> {
    if Mapping::beside(path)?.is_some() {
        return Ok(Format::Mapped);
    }
    if blktrace::set_of(path).is_some() {
        return Ok(Format::Blktrace);
    }
    recognize(&mut Source::open(path)?)
}

fn candidates(source: &mut Source) -> Result<Vec<Format>, TraceError> {
    let head = source.peek()?;
    Ok(Format::ALL.into_iter().filter(|format| (format.declared().sniff)(head)).collect())
}

fn recognize(source: &mut Source) -> Result<Format, TraceError> {
    let what = match candidates(source)?.as_slice() {
        [one] => return Ok(*one),
        [] => unknown::message(source.peek()?),
        several => format!("could be any of {}; name its format", Format::list(several)),
    };
    Err(source.error(Position::File, what))
}

/// The format named, unless the content is plainly another's.
fn confirm(source: &mut Source, named: Format) -> Result<Format, TraceError> {
    let found = candidates(source)?;
    match found.first() {
        Some(other) if !found.contains(&named) => {
            let what = format!("is not of format {named}: it looks like {other}");
            Err(source.error(Position::File, what))
        }
        _ => Ok(named),
    }
}
