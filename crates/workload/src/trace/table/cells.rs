//! A mapping bound to a table's columns: where each value stands and what one of it is worth.

use platterlab_units::meant;

use super::super::text::{self, Unit};
use super::clock::Clock;
use super::mapping::{Column, ColumnKey, Mapping};

/// A value's place and unit.
#[derive(Clone, Debug)]
pub(super) struct Cell<U> {
    /// Its column, from 0.
    at: Option<usize>,
    /// Where it stands in no column: the value.
    always: Vec<u8>,
    pub(super) unit: U,
}

impl<U> Cell<U> {
    /// The number of its column, from 1; `None` where it stands in none.
    pub(super) fn column(&self) -> Option<usize> {
        self.at.map(|at| at + 1)
    }

    /// The value in a row.
    pub(super) fn of<'a>(&'a self, row: &[&'a [u8]], key: ColumnKey) -> Result<&'a [u8], String> {
        match self.at {
            None => Ok(&self.always),
            Some(at) => row.get(at).copied().ok_or_else(|| {
                let plural = if row.len() == 1 { "" } else { "s" };
                let (have, word) = (row.len(), key.name());
                format!("{have} column{plural}, and {word} is in column {}", at + 1)
            }),
        }
    }
}

/// Which word means a read, where it is not one of the usual.
pub(super) type ReadWord = Option<Vec<u8>>;

/// Every value's place.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub(super) time: Option<Cell<Clock>>,
    pub(super) end: Option<Cell<Clock>>,
    /// Bytes in one.
    pub(super) lba: Cell<u64>,
    pub(super) size: Cell<u64>,
    pub(super) op: Cell<ReadWord>,
    pub(super) device: Option<Cell<()>>,
    pub(super) queued: Option<Cell<Unit>>,
    pub(super) service: Option<Cell<Unit>>,
    pub(super) response: Option<Cell<Unit>>,
}

impl Cells {
    /// `mapping` for a table with the columns `heading`; empty where it has no heading.
    pub(super) fn bind(mapping: &Mapping, heading: &[String]) -> Result<Self, String> {
        let binder = Binder { mapping, heading };
        let needed =
            |key: ColumnKey| binder.place(key)?.ok_or_else(|| format!("{} is missing", key.name()));
        let bytes = |key: ColumnKey| {
            let cell = needed(key)?;
            let unit = bytes_in(&cell, key)?;
            Ok::<_, String>(Cell { at: cell.at, always: cell.always, unit })
        };
        let op = needed(ColumnKey::Op)?;
        let read = op.unit.unit.clone().map(String::into_bytes);
        let device = binder.place(ColumnKey::Device)?;
        Ok(Self {
            time: binder.instant(ColumnKey::Time)?,
            end: binder.instant(ColumnKey::End)?,
            lba: bytes(ColumnKey::Lba)?,
            size: bytes(ColumnKey::Size)?,
            op: Cell { at: op.at, always: op.always, unit: read },
            device: device.map(|cell| Cell { at: cell.at, always: cell.always, unit: () }),
            queued: binder.lapse(ColumnKey::Queued)?,
            service: binder.lapse(ColumnKey::Service)?,
            response: binder.lapse(ColumnKey::Response)?,
        })
    }
}

/// A unit as it was written, or from the column's name.
#[derive(Clone, Debug)]
struct Said {
    column: String,
    name: String,
    unit: Option<String>,
}

struct Binder<'a> {
    mapping: &'a Mapping,
    heading: &'a [String],
}

impl Binder<'_> {
    fn place(&self, key: ColumnKey) -> Result<Option<Cell<Said>>, String> {
        let Some(entry) = self.mapping.get(key) else { return Ok(None) };
        let (at, always, name) = match &entry.column {
            Column::Always(value) => (None, value.clone().into_bytes(), String::new()),
            Column::Numbered(number) => {
                let name = self.heading.get(number - 1).cloned().unwrap_or_default();
                (Some(number - 1), Vec::new(), name)
            }
            Column::Named(name) => {
                (Some(self.find(&entry.column, name)?), Vec::new(), name.clone())
            }
        };
        let unit = Said { column: entry.column.to_string(), name, unit: entry.unit.clone() };
        Ok(Some(Cell { at, always, unit }))
    }

    fn find(&self, column: &Column, name: &str) -> Result<usize, String> {
        column.place(self.heading).ok_or_else(|| {
            let columns = self.heading.iter().map(String::as_str).collect::<Vec<_>>();
            let hint = meant(name, &columns);
            format!("columns: there is no column `{name}`; {hint}")
        })
    }

    /// A column of instants: of a unit, or of dates.
    fn instant(&self, key: ColumnKey) -> Result<Option<Cell<Clock>>, String> {
        self.timed(key, " or date", |word| match word.to_ascii_lowercase().as_str() {
            "date" | "iso8601" => Some(Clock::Date),
            _ => unit_named(word).map(Clock::Count),
        })
    }

    /// A column of lengths of time.
    fn lapse(&self, key: ColumnKey) -> Result<Option<Cell<Unit>>, String> {
        self.timed(key, "", unit_named)
    }

    fn timed<U>(
        &self,
        key: ColumnKey,
        besides: &str,
        named: impl Fn(&str) -> Option<U>,
    ) -> Result<Option<Cell<U>>, String> {
        let Some(cell) = self.place(key)? else { return Ok(None) };
        let said = &cell.unit;
        let key = key.name();
        let unit = match &said.unit {
            Some(word) => named(word).ok_or_else(|| {
                format!(
                    "columns: {key}: `{word}` is not a time; write s, ms, us, ns, 100ns{besides}"
                )
            })?,
            None => named(last_part(&said.name)).ok_or_else(|| {
                format!("columns: say the unit of {}, as in {key}=...:us{besides}", said.column)
            })?,
        };
        Ok(Some(Cell { at: cell.at, always: cell.always, unit }))
    }
}

/// The unit at the end of a name: `arrival_ms`, `LAT(ms)`.
fn last_part(name: &str) -> &str {
    let name = name.trim_end_matches([')', ']']);
    name.rsplit(['_', '(', '[', ' ']).next().unwrap_or_default()
}

fn unit_named(word: &str) -> Option<Unit> {
    Some(match word.to_ascii_lowercase().as_str() {
        "s" | "sec" | "seconds" => Unit::Second,
        "ms" | "msec" => Unit::Millisecond,
        "us" | "usec" | "µs" => Unit::Microsecond,
        "100ns" | "filetime" => Unit::Tick,
        "ns" | "nsec" => Unit::Nanosecond,
        "ps" => Unit::Picosecond,
        _ => return None,
    })
}

/// How many bytes one of an address or of a length is.
fn bytes_in(cell: &Cell<Said>, key: ColumnKey) -> Result<u64, String> {
    let said = &cell.unit;
    let word = said.unit.as_deref().unwrap_or_else(|| last_part(&said.name));
    let bytes = match word.to_ascii_lowercase().as_str() {
        "bytes" | "byte" | "b" => Some(1),
        "sectors" | "sector" | "lba" => Some(512),
        "kib" | "k" => Some(1 << 10),
        "mib" | "m" => Some(1 << 20),
        number => number.parse().ok().filter(|bytes| (1..=1 << 30).contains(bytes)),
    };
    bytes.ok_or_else(|| match &said.unit {
        Some(unit) => format!(
            "columns: {}: `{unit}` is not a unit of it; write bytes, sectors (of 512 bytes), kib, \
             or a number of bytes",
            key.name()
        ),
        None => format!("columns: say the unit of {}, as in {}=...:bytes", said.column, key.name()),
    })
}

/// A whole number of an address or a length: decimal, `0x` hexadecimal, with nothing but zeros
/// behind a point, or with a power of ten.
pub(super) fn whole(field: &[u8], key: ColumnKey) -> Result<u64, String> {
    if let Some(digits) = field.strip_prefix(b"0x").or_else(|| field.strip_prefix(b"0X")) {
        let value = std::str::from_utf8(digits).ok().and_then(|d| u64::from_str_radix(d, 16).ok());
        return value.ok_or_else(|| {
            format!("{} `{}` is not a hexadecimal number", key.name(), text::shown(field))
        });
    }
    let plain = match field.iter().position(|byte| *byte == b'.') {
        Some(point) if field[point + 1..].iter().all(|byte| *byte == b'0') => &field[..point],
        _ => field,
    };
    text::unsigned(plain, key.name()).or_else(|what| with_power_of_ten(field).ok_or(what))
}

/// A number as 1.024e3, where it is whole and small enough to be exact.
fn with_power_of_ten(field: &[u8]) -> Option<u64> {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    if !field.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        return None;
    }
    let value: f64 = std::str::from_utf8(field).ok()?.parse().ok()?;
    let whole = value.fract() == 0.0 && (0.0..=EXACT).contains(&value);
    whole.then_some(value as u64)
}
