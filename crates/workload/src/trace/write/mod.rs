//! Writing traces: one encoder per format, and [`convert`] from any reader to any of them.
//!
//! A format that cannot hold part of a record either loses it, and [`Losses`] says so, or cannot do
//! without it, and the conversion fails and leaves no file.

mod blkreplay;
mod disksim_ascii;
mod disksim_validate;
mod hp_srt;
mod losses;
mod rescale;
mod target;

use std::io::{self, Write};
use std::path::Path;

pub use losses::{Loss, Losses};

use self::rescale::Rescale;
use self::target::Target;
use super::{Format, Options, Position, TraceError, TraceReader};
use crate::Record;

/// What a conversion did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Requests written.
    pub requests: u64,
    /// What the new file does not hold of the old one.
    pub losses: Losses,
}

/// Writes the rest of `reader` to `path` in `format`.
///
/// The file appears when it is whole; until then it has another name beside `path`, and on an error
/// it goes away.
///
/// # Errors
/// The first error of the trace, a request that `format` cannot hold (with its number), or a file
/// that cannot be written.
pub fn convert(
    reader: &mut dyn TraceReader,
    path: &Path,
    format: Format,
    options: &Options,
) -> Result<Converted, TraceError> {
    let refuse = |what: String| TraceError::new(path, Position::File, what);
    let from = reader.facts().sector_bytes;
    let mut encoder = encoder(format, from, options).map_err(refuse)?;
    let rescale = Rescale { from, to: encoder.sector_bytes() };
    let mut losses = Losses::default();
    let mut requests = 0;
    // Nothing is created before the first request is known to fit.
    let mut beginning = Vec::new();
    let mut target: Option<Target> = None;
    for record in reader {
        let record = record?;
        requests += 1;
        let number = |what: String| refuse(format!("request {requests} of the trace: {what}"));
        let record = rescale.apply(&record).map_err(number)?;
        match &mut target {
            Some(target) => encoder.write(&record, target, &mut losses),
            None => encoder.write(&record, &mut beginning, &mut losses),
        }
        .map_err(|trouble| match trouble {
            Trouble::Unheld(what) => number(what),
            Trouble::Io(error) => refuse(unwritable(&error)),
        })?;
        if target.is_none() {
            let created = Target::create(path).and_then(|mut target| {
                target.write_all(&beginning)?;
                Ok(target)
            });
            target = Some(created.map_err(|error| refuse(unwritable(&error)))?);
        }
    }
    let Some(mut target) = target else {
        return Err(refuse("the trace holds no request, so there is nothing to write".into()));
    };
    let finished = encoder.finish(&mut target).and_then(|()| target.keep());
    finished.map_err(|error| refuse(unwritable(&error)))?;
    Ok(Converted { requests, losses })
}

fn unwritable(error: &io::Error) -> String {
    format!("cannot be written: {error}")
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

/// One format's way to write records.
trait Encoder {
    /// Bytes in a sector of the file written; records come rescaled to it.
    fn sector_bytes(&self) -> u32;

    /// Writes one record and counts what of it is lost.
    fn write(
        &mut self,
        record: &Record,
        out: &mut dyn Write,
        losses: &mut Losses,
    ) -> Result<(), Trouble>;

    /// Writes what is still held back.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

fn encoder(
    format: Format,
    sector_bytes: u32,
    options: &Options,
) -> Result<Box<dyn Encoder>, String> {
    Ok(match format {
        Format::HpSrt => Box::new(hp_srt::Encode::new(sector_bytes)),
        Format::DisksimValidate => Box::new(disksim_validate::Encode::new(options.gap)),
        Format::DisksimAscii => Box::new(disksim_ascii::Encode),
        Format::Blkreplay => Box::new(blkreplay::Encode::default()),
        Format::Blktrace => {
            return Err("a trace cannot be written as blktrace, only read; write one of hp-srt, \
                        disksim-validate, disksim-ascii, blkreplay"
                .into());
        }
    })
}
