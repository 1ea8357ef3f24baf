//! The declaration of every trace format, and their names.

use std::fmt;
use std::str::FromStr;

use platterlab_units::nearest;

use super::{Declared, Format};

/// Which declaration is whose: the order is that of the lists users see.
macro_rules! declarations {
    ($($variant:ident => $declared:path,)+) => {
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

declarations! {
    HpSrt => super::hp_srt::DECLARED,
    DisksimValidate => super::disksim_validate::DECLARED,
    DisksimAscii => super::disksim_ascii::DECLARED,
    Blktrace => super::blktrace::DECLARED,
    Blkparse => super::blkparse::DECLARED,
    BlkparseCsv => super::blkparse_csv::DECLARED,
    Blkreplay => super::blkreplay::DECLARED,
    FioIologV2 => super::fio_iolog::V2,
    FioIologV3 => super::fio_iolog::V3,
    FioLog => super::fio_log::DECLARED,
    Biosnoop => super::biosnoop::DECLARED,
    MsrCambridge => super::msr_cambridge::DECLARED,
    Spc => super::spc::DECLARED,
    Systor17 => super::systor17::DECLARED,
    Alibaba => super::alibaba::DECLARED,
    Tencent => super::tencent::DECLARED,
    OracleGeneral => super::oracle_general::DECLARED,
    Etw => super::etw::DECLARED,
    Diskmon => super::diskmon::DECLARED,
    Rows => super::rows::DECLARED,
    RowsParquet => super::rows_parquet::DECLARED,
}

impl Format {
    /// Those that their content shows, and last that of a table whose columns are named.
    pub fn every() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain([Self::Mapped])
    }

    /// The word that names it on the command line and in experiments.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.declared().name
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
        write!(f, "`{}` is not a trace format; ", self.0)?;
        // The kind of a file is a part of the name: `parquet`, `fio-iolog`.
        let within = |name: &&str| self.0.len() > 2 && name.contains(&*self.0);
        let names = Format::ALL.map(Format::name);
        match names.into_iter().find(within).or_else(|| nearest(&self.0, names)) {
            Some(name) => write!(f, "did you mean `{name}`?"),
            None => write!(f, "there are {}", Format::list(&Format::ALL)),
        }
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let named = Self::every().find(|format| format.name() == word);
        named.ok_or_else(|| UnknownFormat(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_slips_are_answered() {
        for format in Format::every() {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let slip = "disksim-asci".parse::<Format>().unwrap_err().to_string();
        assert_eq!(slip, "`disksim-asci` is not a trace format; did you mean `disksim-ascii`?");
        let part = "parquet".parse::<Format>().unwrap_err().to_string();
        assert_eq!(part, "`parquet` is not a trace format; did you mean `rows-parquet`?");
        let nonsense = "qqqqqqqqqqqqqqqqqq".parse::<Format>().unwrap_err().to_string();
        let listed = Format::list(&Format::ALL);
        assert_eq!(
            nonsense,
            format!("`qqqqqqqqqqqqqqqqqq` is not a trace format; there are {listed}")
        );
    }
}
