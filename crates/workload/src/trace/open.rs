//! Opens a trace by its format, named or recognized.

use std::path::Path;

use super::{
    Format, GapMeaning, Position, Source, TraceError, TraceReader, blkreplay, blktrace,
    disksim_ascii, disksim_validate, hp_srt,
};

/// What a trace file does not say about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// For [`Format::DisksimValidate`]: which request the gap column belongs to.
    pub gap: GapMeaning,
    /// For [`Format::DisksimAscii`]: arrivals are those of the file's clock, which begins with the
    /// run, rather than counted from the first.
    pub own_clock: bool,
}

/// Opens a trace of the `format` named, or of the one its content shows.
///
/// # Errors
/// The file cannot be read, its content is of no known format or of another than the one named, or
/// its header is wrong.
pub fn open(
    path: &Path,
    format: Option<Format>,
    options: &Options,
) -> Result<Box<dyn TraceReader + Send>, TraceError> {
    read(Source::open(path)?, format, options)
}

/// [`open`] for bytes that are already at hand.
///
/// # Errors
/// As for [`open`].
pub fn read(
    mut source: Source,
    format: Option<Format>,
    options: &Options,
) -> Result<Box<dyn TraceReader + Send>, TraceError> {
    let format = match format {
        Some(named) => confirm(&mut source, named)?,
        None => recognize(&mut source)?,
    };
    Ok(match format {
        Format::HpSrt => Box::new(hp_srt::HpSrt::new(source)?),
        Format::DisksimValidate => {
            Box::new(disksim_validate::DisksimValidate::new(source, options.gap))
        }
        Format::DisksimAscii => {
            Box::new(disksim_ascii::DisksimAscii::new(source, options.own_clock))
        }
        Format::Blktrace => Box::new(blktrace::Blktrace::new(source)?),
        Format::Blkreplay => Box::new(blkreplay::Blkreplay::new(source)),
    })
}

/// The format of the trace at `path`, by its content alone.
///
/// # Errors
/// The file cannot be read or its content is of no known format, or of more than one.
pub fn detect(path: &Path) -> Result<Format, TraceError> {
    recognize(&mut Source::open(path)?)
}

/// True if a trace that starts with `head` looks like `format`, right or wrong within it.
fn sniff(format: Format, head: &[u8]) -> bool {
    match format {
        Format::HpSrt => hp_srt::sniff(head),
        Format::DisksimValidate => disksim_validate::sniff(head),
        Format::DisksimAscii => disksim_ascii::sniff(head),
        Format::Blktrace => blktrace::sniff(head),
        Format::Blkreplay => blkreplay::sniff(head),
    }
}

fn candidates(source: &mut Source) -> Result<Vec<Format>, TraceError> {
    let head = source.peek()?;
    Ok(Format::ALL.into_iter().filter(|format| sniff(*format, head)).collect())
}

fn recognize(source: &mut Source) -> Result<Format, TraceError> {
    let what = match candidates(source)?.as_slice() {
        [one] => return Ok(*one),
        [] => format!("is of no format known here, which are {}", Format::list(&Format::ALL)),
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
