//! The list of trace formats, and their names.

use std::fmt;
use std::str::FromStr;

use platterlab_units::nearest;

use super::Declared;

/// Makes the list of formats: the order is that of the lists users see.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident => $declared:path,)+) => {
        /// How a trace file is written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Format {
            $($(#[$doc])* $variant,)+
            /// A table whose columns the user names.
            Mapped,
        }

        impl Format {
            /// Every format that its content shows, in the order they are listed to users.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// What the format says of itself.
            #[must_use]
            pub const fn declared(self) -> &'static Declared {
                match self {
                    $(Self::$variant => &$declared,)+
                    Self::Mapped => &super::table::DECLARED,
                }
            }
        }
    };
}

formats! {
    /// HP Labs SRT 1.3, the format of the 1992 traces.
    HpSrt => super::hp_srt::DECLARED,
    /// DiskSim's `validate`: service times measured on a drive.
    DisksimValidate => super::disksim_validate::DECLARED,
    /// DiskSim's `ascii`: arrivals, device, address, length, flags.
    DisksimAscii => super::disksim_ascii::DECLARED,
    /// The binary events of Linux's block layer.
    Blktrace => super::blktrace::DECLARED,
    /// The same events as `blkparse` prints them.
    Blkparse => super::blkparse::DECLARED,
    /// Requests in a CSV with the words of blkparse.
    BlkparseCsv => super::blkparse_csv::DECLARED,
    /// The loads of blkreplay.
    Blkreplay => super::blkreplay::DECLARED,
    /// What fio did, without times.
    FioIologV2 => super::fio_iolog::V2,
    /// What fio did, with times.
    FioIologV3 => super::fio_iolog::V3,
    /// The latency or bandwidth log of fio.
    FioLog => super::fio_log::DECLARED,
    /// The table of `biosnoop`.
    Biosnoop => super::biosnoop::DECLARED,
    /// The traces of MSR Cambridge.
    MsrCambridge => super::msr_cambridge::DECLARED,
    /// The traces of UMass, in the SPC's format.
    Spc => super::spc::DECLARED,
    /// The traces of a virtual desktop infrastructure.
    Systor17 => super::systor17::DECLARED,
    /// The block traces of Alibaba's cloud.
    Alibaba => super::alibaba::DECLARED,
    /// The block traces of Tencent's cloud.
    Tencent => super::tencent::DECLARED,
    /// The binary traces of libCacheSim.
    OracleGeneral => super::oracle_general::DECLARED,
    /// The text of Windows' events, and Microsoft's production servers.
    Etw => super::etw::DECLARED,
    /// What Sysinternals DiskMon saves.
    Diskmon => super::diskmon::DECLARED,
    /// Our own per-request rows, as CSV.
    Rows => super::rows::DECLARED,
}

impl Format {
    /// The word that names it on the command line and in experiments.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.declared().name
    }

    /// The names of `formats`, as a list in a sentence.
    pub(super) fn list(formats: &[Self]) -> String {
        formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// The names of those that can be written, as a list in a sentence.
    pub(super) fn written() -> String {
        let written: Vec<_> =
            Self::ALL.into_iter().filter(|format| format.declared().is_written()).collect();
        Self::list(&written)
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
        let listed = Format::list(&Format::ALL);
        assert_eq!(
            nonsense,
            format!("`qqqqqqqqqqqqqqqqqq` is no trace format; there are {listed}")
        );
    }
}
