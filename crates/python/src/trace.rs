//! Trace files: which formats there are, what a trace holds, and writing it in another format.

use crate::answers::Answer;
use crate::error::input;
use crate::interrupt::Interruptible;
use platterlab_units::{Stamp, nearest};
use platterlab_workload::info::TraceInfo;
use platterlab_workload::trace::write::{ConvertError, convert, is_written};
use platterlab_workload::trace::{
    Beyond, Format, GapMeaning, LogValue, Mapping, Options, TraceReader, UnknownFormat, detect,
    open,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

#[pyfunction]
pub(crate) fn trace_formats() -> Vec<&'static str> {
    Format::ALL.map(Format::name).to_vec()
}

/// What a format says of itself.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FormatFacts {
    name: &'static str,
    title: &'static str,
    /// Name, unit and meaning of each column.
    columns: &'static [[&'static str; 3]],
    silent: &'static str,
    written: bool,
}

/// Every format; that of a table whose columns are named comes last.
#[pyfunction]
pub(crate) fn trace_format_facts() -> Vec<Answer<FormatFacts>> {
    Format::every()
        .map(|format| {
            let of = format.declared();
            let written = is_written(format);
            Answer(FormatFacts {
                name: of.name,
                title: of.title,
                columns: of.columns,
                silent: of.silent,
                written,
            })
        })
        .collect()
}

#[pyfunction]
pub(crate) fn trace_detect(py: Python<'_>, path: PathBuf) -> PyResult<&'static str> {
    py.detach(|| detect(&path)).map(Format::name).map_err(input)
}

#[pyfunction]
#[pyo3(signature = (path, format = None, options = None))]
pub(crate) fn trace_info(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Answer<TraceInfo>> {
    let (format, options) = (format_named(format)?, options_from(options)?);
    let info = py.detach(|| {
        let mut reader = reader(&path, format, &options)?;
        TraceInfo::of(&mut reader).map_err(|error| reader.explain(&error))
    })?;
    Ok(Answer(info))
}

/// The number of the device that a trace calls by this name.
#[pyfunction]
#[pyo3(signature = (path, name, format = None, options = None))]
pub(crate) fn trace_device(
    py: Python<'_>,
    path: PathBuf,
    name: &str,
    format: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<u32> {
    let (format, options) = (format_named(format)?, options_from(options)?);
    py.detach(|| {
        let mut reader = reader(&path, format, &options)?;
        loop {
            let known = reader.device_names().iter().position(|known| known == name);
            if let Some(number) = known.and_then(|number| u32::try_from(number).ok()) {
                return Ok(number);
            }
            match reader.next() {
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(reader.explain(&error)),
                None => return Err(input(no_device(&path, name, reader.device_names()))),
            }
        }
    })
}

fn no_device(path: &Path, name: &str, names: &[String]) -> String {
    let path = path.display();
    if names.is_empty() {
        return format!(
            "{path}: has numbers for its devices; `{name}` is none: write its number, or 259:0"
        );
    }
    let names = names.join(", ");
    format!("{path}: has no device `{name}`; it has {names}")
}

/// What a conversion did.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Conversion {
    from: &'static str,
    to: &'static str,
    requests: u64,
    /// Requests that lost something, by what they lost.
    losses: BTreeMap<&'static str, u64>,
    /// What the reader skipped, by reason.
    notes: BTreeMap<&'static str, u64>,
}

#[pyfunction]
#[pyo3(signature = (source, source_format, target, shown, target_format, options = None))]
pub(crate) fn trace_convert(
    py: Python<'_>,
    source: PathBuf,
    source_format: Option<&str>,
    target: PathBuf,
    shown: PathBuf,
    target_format: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Answer<Conversion>> {
    let (from, options) = (format_named(source_format)?, options_from(options)?);
    let to: Format = target_format.parse().map_err(|error: UnknownFormat| input(error))?;
    let done = py.detach(|| {
        let mut reader = reader(&source, from, &options)?;
        let mut out = BufWriter::new(File::create(&target)?);
        let converted = match convert(&mut reader, &mut out, &shown, to, &options) {
            Ok(converted) => converted,
            Err(ConvertError::Trace(error)) => return Err(reader.explain(&error)),
            Err(ConvertError::Io(error)) => return Err(error.into()),
        };
        out.flush()?;
        PyResult::Ok(Conversion {
            from: reader.facts().format.name(),
            to: to.name(),
            requests: converted.requests,
            losses: converted.losses.iter().map(|(loss, count)| (loss.name(), count)).collect(),
            notes: reader.notes().iter().map(|(note, count)| (note.name(), count)).collect(),
        })
    })?;
    Ok(Answer(done))
}

fn reader(path: &Path, format: Option<Format>, options: &Options) -> PyResult<Interruptible> {
    open(path, format, options).map(Interruptible::new).map_err(input)
}

/// The format of a word; `None` stays `None`.
pub(crate) fn format_named(word: Option<&str>) -> PyResult<Option<Format>> {
    word.map(str::parse).transpose().map_err(|error: UnknownFormat| input(error))
}

/// The rule of a word for requests that do not lie on their device.
pub(crate) fn beyond_named(word: &str) -> PyResult<Beyond> {
    let rule = Beyond::ALL.into_iter().find(|(name, _)| *name == word);
    rule.map(|(_, rule)| rule)
        .ok_or_else(|| input(format!("beyond = `{word}`: write stop, skip or wrap")))
}

/// What a trace does not say about itself, from a dictionary of words.
pub(crate) fn options_from(given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::default();
    for (key, value) in given.into_iter().flatten() {
        let key: String = key.extract()?;
        let word = value.str()?.to_string();
        match key.as_str() {
            "gap" => options.gap = gap_named(&word)?,
            "value" => options.value = value_named(&word)?,
            "from" => options.part.from = moment(&key, &word)?,
            "for" => options.part.length = Some(moment(&key, &word)?),
            "time_scale" => options.part.time_scale_e9 = scale_named(&word)?,
            "sample" => options.part.sample_one_in = sample_named(&word)?,
            "device" => options.part.device = Some(device_numbered(&word)?),
            "columns" => options.columns = Some(word.parse::<Mapping>().map_err(input)?),
            _ => {
                let hint = nearest(&key, KEYS)
                    .map_or_else(|| ".".to_owned(), |name| format!("; did you mean `{name}`?"));
                return Err(input(format!(
                    "`{key}` is not a trace option{hint} There are: gap = before or after, which \
                     side of its request a time between two lies on (disksim-validate); value = \
                     latency or bandwidth, what the second column is (fio-log); columns, as in \
                     --columns; from \
                     and for, a window of its time (90s, 10m, 1h); time_scale, what times between \
                     requests are multiplied by; sample = 1/N, of its addresses; device, the number of \
                     the only one"
                )));
            }
        }
    }
    Ok(options)
}

const KEYS: [&str; 8] =
    ["gap", "value", "columns", "from", "for", "time_scale", "sample", "device"];

/// A time from the beginning of a trace: seconds, or a number with a unit.
fn moment(key: &str, word: &str) -> PyResult<Stamp> {
    let split = word.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(word.len());
    let (number, unit) = word.split_at(split);
    let ms = match unit {
        "" | "s" => 1e3,
        "ms" => 1.0,
        "m" | "min" => 60e3,
        "h" => 3_600e3,
        "d" => 86_400e3,
        _ => f64::NAN,
    };
    let value = number.trim().parse::<f64>().unwrap_or(f64::NAN) * ms;
    if !(0.0..=1e15).contains(&value) {
        return Err(input(format!("{key} = `{word}`: write a time as 90s, 10m, 1h or 2d")));
    }
    Ok(Stamp::from_ps((value * 1e9).round() as u128))
}

fn device_numbered(word: &str) -> PyResult<u32> {
    word.parse().map_err(|_| input(format!("device = `{word}`: write the number of a device")))
}

fn scale_named(word: &str) -> PyResult<u64> {
    match word.parse::<f64>() {
        Ok(scale) if (1e-6..=1e6).contains(&scale) => Ok((scale * 1e9).round() as u64),
        _ => Err(input(format!(
            "time_scale = `{word}`: write a number from 0.000001 to 1000000; below 1 requests come \
             faster"
        ))),
    }
}

fn sample_named(word: &str) -> PyResult<u32> {
    let one_in = word.strip_prefix("1/").and_then(|number| number.parse::<u32>().ok());
    one_in
        .filter(|one_in| (1..=1 << 20).contains(one_in))
        .ok_or_else(|| input(format!("sample = `{word}`: write 1/N, as in 1/8, N up to 1048576")))
}

fn gap_named(word: &str) -> PyResult<GapMeaning> {
    match word {
        "after" => Ok(GapMeaning::After),
        "before" => Ok(GapMeaning::Before),
        _ => Err(input(format!("gap = `{word}`: the gap lies `before` or `after` its request"))),
    }
}

fn value_named(word: &str) -> PyResult<LogValue> {
    match word {
        "latency" => Ok(LogValue::Latency),
        "bandwidth" => Ok(LogValue::Bandwidth),
        _ => Err(input(format!("value = `{word}`: the value is a `latency` or a `bandwidth`"))),
    }
}
