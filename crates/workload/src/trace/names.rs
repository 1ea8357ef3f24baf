//! Devices of a trace: numbers as they are, Linux's `major:minor` as its number, names in the order
//! in which they come.

use super::text::shown;

/// Bits of a minor number in Linux's number of a device.
const MINOR_BITS: u32 = 20;

/// From what a trace calls a device to its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    names: Vec<String>,
    recent: usize,
    numbered: bool,
}

impl Names {
    /// The number of the device that `field` names.
    pub(super) fn device(&mut self, field: &[u8]) -> Result<u32, String> {
        match number(field) {
            Some(number) if self.names.is_empty() => {
                self.numbered = true;
                Ok(number)
            }
            _ if self.numbered => {
                Err(format!("device `{}` is not a number, and those above it are", shown(field)))
            }
            _ => self.named(field),
        }
    }

    /// The names met so far: that of device 0, of device 1, ...
    pub(super) fn list(&self) -> &[String] {
        &self.names
    }

    fn named(&mut self, field: &[u8]) -> Result<u32, String> {
        let is = |name: &String| name.as_bytes() == field;
        if !self.names.get(self.recent).is_some_and(is) {
            self.recent = match self.names.iter().position(is) {
                Some(known) => known,
                None => self.add(field)?,
            };
        }
        Ok(self.recent as u32)
    }

    fn add(&mut self, field: &[u8]) -> Result<usize, String> {
        if field.is_empty() {
            return Err("the device is missing".into());
        }
        if self.names.len() == 4_096 {
            return Err(
                "more than 4096 names of devices; is this column that of the device?".into()
            );
        }
        let name = std::str::from_utf8(field)
            .map_err(|_| format!("device `{}` is not text", shown(field)))?;
        self.names.push(name.to_owned());
        Ok(self.names.len() - 1)
    }
}

/// The number of the device that Linux calls by `name`, `8:16` or `8,16`.
#[must_use]
pub fn linux_number(name: &str) -> Option<u32> {
    name.contains([',', ':']).then(|| number(name.as_bytes())).flatten()
}

/// How people write the number of a device: from where Linux's begin on as `8:16`, which
/// [`linux_number`] reads again.
#[must_use]
pub fn linux_name(device: u32) -> String {
    match device >> MINOR_BITS {
        0 => device.to_string(),
        major => format!("{major}:{}", device & ((1 << MINOR_BITS) - 1)),
    }
}

/// A number, or Linux's for `major,minor` and `major:minor`.
fn number(field: &[u8]) -> Option<u32> {
    let mut parts = field.split(|byte| matches!(byte, b',' | b':'));
    let first = digits(parts.next()?)?;
    let Some(second) = parts.next() else { return Some(first) };
    let minor = digits(second).filter(|minor| minor >> MINOR_BITS == 0)?;
    let major = Some(first).filter(|major| major >> (32 - MINOR_BITS) == 0)?;
    parts.next().is_none().then_some(major << MINOR_BITS | minor)
}

fn digits(text: &[u8]) -> Option<u32> {
    let digit = |value: u32, byte: &u8| {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    };
    text.iter().try_fold(0, digit).filter(|_| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_numbers_pairs_or_names() {
        let mut numbers = Names::default();
        assert_eq!(numbers.device(b"7"), Ok(7));
        assert_eq!(numbers.device(b"8,16"), Ok(8 << 20 | 16));
        assert_eq!(numbers.device(b"259:0"), Ok(259 << 20));
        let mixed = numbers.device(b"sda").unwrap_err();
        assert_eq!(mixed, "device `sda` is not a number, and those above it are");
        let mut names = Names::default();
        assert_eq!(
            ["sdb", "sda", "sdb"].map(|n| names.device(n.as_bytes())),
            [Ok(0), Ok(1), Ok(0)]
        );
        assert_eq!(names.device(b"4").unwrap(), 2, "after names a number is one, too");
        assert_eq!(names.list(), ["sdb", "sda", "4"]);
        assert!(names.device(b"").is_err());
        assert_eq!([7, 8 << 20 | 16, 259 << 20].map(linux_name), ["7", "8:16", "259:0"]);
    }
}
