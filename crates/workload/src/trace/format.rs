//! The list of trace formats, and their names.

use std::fmt;
use std::str::FromStr;

use platterlab_units::nearest;

/// How a trace file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// HP Labs SRT 1.3, the format of the 1992 traces.
    HpSrt,
    /// DiskSim's `validate`: service times measured on a drive.
    DisksimValidate,
    /// DiskSim's `ascii`: arrivals, device, address, length, flags.
    DisksimAscii,
    /// The binary events of Linux's block layer.
    Blktrace,
    /// The loads of blkreplay.
    Blkreplay,
}

impl Format {
    /// Every format, in the order they are listed to users.
    pub const ALL: [Self; 5] =
        [Self::HpSrt, Self::DisksimValidate, Self::DisksimAscii, Self::Blktrace, Self::Blkreplay];

    /// The word that names it on the command line and in experiments.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HpSrt => "hp-srt",
            Self::DisksimValidate => "disksim-validate",
            Self::DisksimAscii => "disksim-ascii",
            Self::Blktrace => "blktrace",
            Self::Blkreplay => "blkreplay",
        }
    }

    /// The names of `formats`, as a list in a sentence.
    pub(super) fn list(formats: &[Self]) -> String {
        formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no trace format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no trace format; ", self.0)?;
        match nearest(&self.0, Format::ALL.map(Format::name)) {
            Some(name) => write!(f, "did you mean `{name}`?"),
            None => write!(f, "there are {}", Format::list(&Format::ALL)),
        }
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let named = Self::ALL.into_iter().find(|format| format.name() == word);
        named.ok_or_else(|| UnknownFormat(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_slips_are_answered() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let slip = "disksim-asci".parse::<Format>().unwrap_err().to_string();
        assert_eq!(slip, "`disksim-asci` is no trace format; did you mean `disksim-ascii`?");
        let nonsense = "qqqqqqqqqqqqqqqqqq".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            nonsense,
            "`qqqqqqqqqqqqqqqqqq` is no trace format; there are hp-srt, disksim-validate, \
             disksim-ascii, blktrace, blkreplay"
        );
    }
}
