//! Fields and numbers of the text formats, with messages that name the field and what is right.

use platterlab_units::{MAX_LBA, Span};

/// The most characters of a bad field that a message repeats.
const SHOWN: usize = 40;

/// A unit of time that a text format writes in, as a power of ten of picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Millisecond,
    Microsecond,
    /// The tick of Windows' file times, 100 ns.
    Tick,
    Nanosecond,
    Picosecond,
}

impl Unit {
    pub(super) const fn digits(self) -> u32 {
        match self {
            Self::Second => 12,
            Self::Millisecond => 9,
            Self::Microsecond => 6,
            Self::Tick => 5,
            Self::Nanosecond => 3,
            Self::Picosecond => 0,
        }
    }
}

/// The fields of a line between blanks: exactly those `names` lists.
pub(super) fn fields<'a, const N: usize>(
    line: &'a [u8],
    names: &str,
) -> Result<[&'a [u8]; N], String> {
    collect(line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()), names)
}

/// The fields of a line between semicolons, without the blanks around them.
pub(super) fn fields_by_semicolon<'a, const N: usize>(
    line: &'a [u8],
    names: &str,
) -> Result<[&'a [u8]; N], String> {
    collect(line.split(|byte| *byte == b';').map(<[u8]>::trim_ascii), names)
}

fn collect<'a, const N: usize>(
    parts: impl Iterator<Item = &'a [u8]>,
    names: &str,
) -> Result<[&'a [u8]; N], String> {
    let mut found = [&b""[..]; N];
    let mut count = 0;
    for part in parts {
        if let Some(place) = found.get_mut(count) {
            *place = part;
        }
        count += 1;
    }
    if count == N {
        return Ok(found);
    }
    let plural = if count == 1 { "" } else { "s" };
    Err(format!("{count} field{plural} where {N} are expected: {names}"))
}

/// A whole number from 0 to [`MAX_LBA`].
pub(super) fn unsigned(field: &[u8], name: &str) -> Result<u64, String> {
    let mut value: u64 = 0;
    for byte in field {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(not_a_whole_number(field, name));
        }
        let next = value.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit)));
        match next {
            Some(next) if next <= MAX_LBA => value = next,
            _ => return Err(format!("{name} `{}` is above {MAX_LBA}", shown(field))),
        }
    }
    if field.is_empty() { Err(format!("{name} is missing")) } else { Ok(value) }
}

fn not_a_whole_number(field: &[u8], name: &str) -> String {
    let digits = field.strip_prefix(b"-").unwrap_or_default();
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        format!("{name} `{}` is negative", shown(field))
    } else {
        format!("{name} `{}` is not a whole number", shown(field))
    }
}

/// A whole number from 0 to 2^32 - 1.
pub(super) fn unsigned_32(field: &[u8], name: &str) -> Result<u32, String> {
    let value = unsigned(field, name)?;
    u32::try_from(value).map_err(|_| format!("{name} `{}` is above {}", shown(field), u32::MAX))
}

/// A time of zero or more, in picoseconds, exact as far as its digits are picoseconds.
pub(super) fn time(field: &[u8], name: &str, unit: Unit) -> Result<u128, String> {
    match plain_decimal(field, unit.digits()) {
        Some(ps) => Ok(ps),
        None => unusual_decimal(field, name, unit.digits()),
    }
}

/// A [`time`] that fits a [`Span`].
pub(super) fn span(field: &[u8], name: &str, unit: Unit) -> Result<Span, String> {
    let ps = time(field, name, unit)?;
    let ps = u64::try_from(ps).map_err(|_| format!("{name} is longer than 213 days"))?;
    Ok(Span::from_ps(ps))
}

/// `digits[.digits]` times `10^scale`, rounded to a whole number, without a detour through `f64`.
fn plain_decimal(field: &[u8], scale: u32) -> Option<u128> {
    let mut halves = field.splitn(2, |byte| *byte == b'.');
    let whole = halves.next()?;
    let fraction = halves.next().unwrap_or(b"");
    if whole.len() > 19 || whole.len() + fraction.len() == 0 {
        return None;
    }
    let mut value: u64 = 0;
    for byte in whole {
        value = value * 10 + decimal_digit(*byte)?;
    }
    let mut parts: u64 = 0;
    let mut kept = 0;
    let mut round_up = 0;
    for byte in fraction {
        let digit = decimal_digit(*byte)?;
        if kept < scale {
            parts = parts * 10 + digit;
        } else if kept == scale {
            round_up = u64::from(digit >= 5);
        }
        kept = (kept + 1).min(scale + 1);
    }
    parts = parts * 10u64.pow(scale.saturating_sub(kept)) + round_up;
    Some(u128::from(value) * 10u128.pow(scale) + u128::from(parts))
}

fn decimal_digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
}

/// What [`plain_decimal`] leaves: a power of ten, or the reason why it is not a time.
fn unusual_decimal(field: &[u8], name: &str, scale: u32) -> Result<u128, String> {
    let refuse = |why: &str| Err(format!("{name} `{}` {why}", shown(field)));
    let value: Option<f64> = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok());
    match value {
        None => refuse("is not a number"),
        Some(value) if !value.is_finite() => refuse("is not a finite number"),
        Some(value) if value < 0.0 => refuse("is negative"),
        Some(value) if value >= 1e18 => refuse("is too large"),
        Some(value) => Ok((value * 10f64.powi(scale as i32)).round() as u128),
    }
}

/// A bad field, made fit for a message.
pub(super) fn shown(field: &[u8]) -> String {
    shown_up_to(field, SHOWN)
}

/// A text with at most this many characters, made fit for a message.
pub(super) fn shown_up_to(field: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(field);
    let mut short: String = text.chars().take(most).flat_map(char::escape_default).collect();
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_are_checked() {
        let number = |text: &str| unsigned(text.as_bytes(), "block");
        assert_eq!(number("0"), Ok(0));
        assert_eq!(number("9223372036854775807"), Ok(MAX_LBA));
        for (text, message) in [
            ("9223372036854775808", "block `9223372036854775808` is above 9223372036854775807"),
            ("-5", "block `-5` is negative"),
            ("12x", "block `12x` is not a whole number"),
            ("-", "block `-` is not a whole number"),
            ("1.5", "block `1.5` is not a whole number"),
            ("", "block is missing"),
        ] {
            assert_eq!(number(text).unwrap_err(), message);
        }
    }

    #[test]
    fn decimals_are_exact_and_checked() {
        let ms = |text: &str| time(text.as_bytes(), "arrival", Unit::Millisecond);
        for (text, ps) in [
            ("13.191135", 13_191_135_000),
            ("0", 0),
            (".5", 500_000_000),
            ("5.", 5_000_000_000),
            ("1532949.045363", 1_532_949_045_363_000),
            ("0.0000000014", 1),
            ("0.9999999996", 1_000_000_000),
            ("1e3", 1_000_000_000_000),
            ("123456789012345678.000000001", 123_456_789_012_345_678_000_000_001),
        ] {
            assert_eq!(ms(text), Ok(ps), "{text}");
        }
        for (text, message) in [
            ("nan", "arrival `nan` is not a finite number"),
            ("inf", "arrival `inf` is not a finite number"),
            ("-0.5", "arrival `-0.5` is negative"),
            ("1e30", "arrival `1e30` is too large"),
            (".", "arrival `.` is not a number"),
            ("1.2.3", "arrival `1.2.3` is not a number"),
            ("\u{7}", "arrival `\\u{7}` is not a number"),
        ] {
            assert_eq!(ms(text).unwrap_err(), message);
        }
        let error = span(b"99999999", "service", Unit::Second).unwrap_err();
        assert_eq!(error, "service is longer than 213 days");
    }

    proptest! {
        #[test]
        fn any_count_of_picoseconds_survives_its_text(ps in 0..10u128.pow(24)) {
            let scale = 10u128.pow(Unit::Microsecond.digits());
            let text = format!("{}.{:06}", ps / scale, ps % scale);
            prop_assert_eq!(time(text.as_bytes(), "t", Unit::Microsecond), Ok(ps));
        }
    }
}
