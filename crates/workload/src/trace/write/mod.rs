//! Writing traces: one encoder per format, and [`convert`] from any reader to any of them.
//!
//! A format that cannot hold part of a record either loses it, and [`Losses`] says so, or cannot do
//! without it, and the conversion fails.

mod blkparse_csv;
mod blkreplay;
mod disksim_ascii;
mod disksim_validate;
mod fio_iolog;
mod hp_srt;
mod losses;
mod rescale;
mod rows_parquet;

use std::io::{self, Write};
use std::path::Path;

pub use losses::{Loss, Losses};

use self::rescale::Rescale;
use super::{Format, Measures, Note, Options, Position, TraceError, TraceFacts, TraceReader};
use crate::Record;
use platterlab_units::SECTOR_BYTES_DEFAULT;

/// What a conversion did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Requests written.
    pub requests: u64,
    /// What the new file does not hold of the old one.
    pub losses: Losses,
}

/// Why a trace was not written in another format.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The trace is wrong, or the format cannot hold it.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The new file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the rest of `reader` to `out` in `format`; `shown` stands for `out` in messages.
///
/// # Errors
/// The first error of the trace, a request that `format` cannot hold (with its number), or an `out`
/// that cannot be written; what is in it then is of no use.
pub fn convert(
    reader: &mut dyn TraceReader,
    out: &mut dyn Write,
    shown: &Path,
    format: Format,
    options: &Options,
) -> Result<Converted, ConvertError> {
    let refuse = |what: String| TraceError::new(shown, Position::File, what);
    let TraceFacts { sector_bytes: from, measures, .. } = *reader.facts();
    let mut encoder = encoder(format, from, measures, options).map_err(refuse)?;
    let rescale = Rescale { from, to: encoder.sector_bytes() };
    let mut losses = Losses::default();
    let responses = measures == Measures::Response;
    let mut requests = 0;
    while let Some(record) = reader.next() {
        let record = record?;
        let names = reader.device_names().len();
        requests += 1;
        let number = |what: String| refuse(format!("request {requests} of the trace: {what}"));
        let record = rescale.apply(&record).map_err(number)?;
        if requests == 1 {
            encoder.begin(out)?;
        }
        let timed = responses && encoder.has_service_times() && record.service.is_some();
        losses.note(Loss::Response, timed);
        losses.note(Loss::DeviceName, names > record.device as usize);
        encoder.write(&record, out, &mut losses).map_err(|trouble| match trouble {
            Trouble::Unheld(what) => ConvertError::Trace(number(what)),
            Trouble::Io(error) => ConvertError::Io(error),
        })?;
    }
    if requests == 0 {
        return Err(
            TraceError::new(&reader.facts().path, Position::File, none_left(&*reader)).into()
        );
    }
    encoder.finish(out)?;
    Ok(Converted { requests, losses })
}

/// What is said of a trace of which there is nothing to write: what was left out of it.
fn none_left(reader: &dyn TraceReader) -> String {
    let no_part = [Note::HeaderLines, Note::Events];
    let out: Vec<_> = reader
        .notes()
        .iter()
        .filter(|(note, _)| !no_part.contains(note))
        .map(|(note, count)| format!("{}: {count}", note.name().replace('_', " ")))
        .collect();
    let what = "holds no request, so there is nothing to write";
    if out.is_empty() { what.into() } else { format!("{what}; {}", out.join(", ")) }
}

/// Why a record was not written.
enum Trouble {
    /// The format cannot hold it: what, and what would do.
    Unheld(String),
    Io(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Whether a record was written.
type Written = Result<(), Trouble>;

/// One format's way to write records.
trait Encoder {
    /// Bytes in a sector of the file written; records come rescaled to it.
    fn sector_bytes(&self) -> u32 {
        SECTOR_BYTES_DEFAULT
    }

    /// Whether the file has service times.
    fn has_service_times(&self) -> bool;

    /// Writes what stands before the first record.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes one record and counts what of it is lost.
    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written;

    /// Writes what is still held back.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// What writes `format`; `None`: it is only read.
fn made(
    format: Format,
    sector_bytes: u32,
    measures: Measures,
    options: &Options,
) -> Option<Box<dyn Encoder>> {
    Some(match format {
        Format::HpSrt => Box::new(hp_srt::SrtEncode::new(sector_bytes)),
        Format::DisksimValidate => Box::new(disksim_validate::ValidateEncode::new(options.gap)),
        Format::DisksimAscii => Box::new(disksim_ascii::AsciiEncode),
        Format::BlkparseCsv => Box::new(blkparse_csv::CsvEncode),
        Format::Blkreplay => Box::new(blkreplay::BlkreplayEncode),
        Format::FioIologV3 => Box::<fio_iolog::IologEncode>::default(),
        Format::RowsParquet => Box::new(rows_parquet::ParquetEncode::new(measures)),
        _ => return None,
    })
}

/// Whether traces can be written in `format`.
#[must_use]
pub fn is_written(format: Format) -> bool {
    made(format, 1, Measures::Service, &Options::default()).is_some()
}

fn encoder(
    format: Format,
    sector_bytes: u32,
    measures: Measures,
    options: &Options,
) -> Result<Box<dyn Encoder>, String> {
    made(format, sector_bytes, measures, options).ok_or_else(|| {
        let written: Vec<_> = Format::ALL.into_iter().filter(|one| is_written(*one)).collect();
        format!(
            "a trace cannot be written as {format}, only read; write one of {}",
            Format::list(&written)
        )
    })
}
