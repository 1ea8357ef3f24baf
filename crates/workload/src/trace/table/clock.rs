//! The time in a column: a count of a unit, or a date.

use chrono::{DateTime, NaiveDateTime};

use super::super::text::{self, Unit};
use super::mapping::ColumnKey;

/// What the values of a column of instants are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clock {
    /// A count of a unit, since whenever the clock began.
    Count(Unit),
    /// Dates of ISO 8601; without a zone they are UTC.
    Date,
}

impl Clock {
    /// The instant of a value, in picoseconds of its clock.
    pub(super) fn instant_ps(self, field: &[u8], key: ColumnKey) -> Result<u128, String> {
        match self {
            Self::Count(unit) => text::time(field, key.name(), unit).map_err(|what| {
                let hint = format!("; it is a date: write {}=COLUMN:date", key.name());
                if is_date(field) { what + &hint } else { what }
            }),
            Self::Date => date_ps(field).ok_or_else(|| {
                format!(
                    "{} `{}` is not a date after 1970, as 2026-01-31T23:59:59.5, with Z, +02:00 or \
                     UTC",
                    key.name(),
                    text::shown(field)
                )
            }),
        }
    }
}

/// Whether a value is a date that can be read.
pub(in crate::trace) fn is_date(field: &[u8]) -> bool {
    date_ps(field).is_some()
}

/// Picoseconds since 1970.
fn date_ps(field: &[u8]) -> Option<u128> {
    // A comma before the fraction is ISO's, too, and what logs of Python and Java write.
    let text = std::str::from_utf8(field).ok()?.trim().replace(',', ".");
    let zoned = || DateTime::parse_from_rfc3339(&text).ok().map(|date| date.to_utc());
    let plain = |layout| NaiveDateTime::parse_from_str(&text, layout).ok();
    let utc = zoned().or_else(|| {
        let layouts = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y/%m/%d %H:%M:%S%.f"];
        layouts.into_iter().find_map(plain).map(|date| date.and_utc())
    })?;
    let seconds = u128::try_from(utc.timestamp()).ok()?;
    Some((seconds * 1_000_000_000 + u128::from(utc.timestamp_subsec_nanos())) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_with_and_without_a_zone() {
        let ps = |text: &str| Clock::Date.instant_ps(text.as_bytes(), ColumnKey::Time);
        let second = 1_000_000_000_000_u128;
        // By `date --date=... +%s`.
        let at = 1_172_163_679 * second;
        for text in [
            "2007-02-22T17:01:19",
            "2007-02-22 17:01:19",
            "2007/02/22 17:01:19",
            "2007-02-22T17:01:19Z",
            "2007-02-22T19:01:19+02:00",
        ] {
            assert_eq!(ps(text), Ok(at), "{text}");
        }
        assert_eq!(ps("2007-02-22T17:01:19.000001"), Ok(at + second / 1_000_000));
        assert_eq!(ps("2007-02-22 17:01:19,250"), Ok(at + second / 4));
        assert_eq!(ps("1970-01-01T00:00:00Z"), Ok(0));
        for text in ["1969-12-31T23:59:59Z", "2007-02-30T00:00:00", "17:01:19", "", "1172163679"] {
            let error = ps(text).unwrap_err();
            assert!(
                error.starts_with(&format!("time `{text}` is not a date after 1970")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_date_where_a_number_is_expected_is_named() {
        let clock = Clock::Count(Unit::Second);
        let error = clock.instant_ps(b"2007-02-22T17:01:19", ColumnKey::End).unwrap_err();
        assert!(error.ends_with("; it is a date: write end=COLUMN:date"), "{error}");
        let error = clock.instant_ps(b"soon", ColumnKey::End).unwrap_err();
        assert_eq!(error, "end `soon` is not a number");
    }
}
