//! The keys of a value's origin, under `source` and `[provenance]`, and its confidence interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The source of a value and how sure we are of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// How the value was found.
    pub kind: OriginKind,
    /// Its source: a document and its table, a measurement, a fit, a reason.
    #[schemars(length(min = 1))]
    pub from: String,
    /// Bounds of the 95 % confidence interval, `[low, high]`, in the unit of the value.
    pub ci95: Option<[f64; 2]>,
    /// A note for the reader, such as sources that disagree.
    pub note: Option<String>,
}

/// How a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OriginKind {
    /// On the drive itself.
    Measured,
    /// In print.
    Published,
    /// By choosing what agrees best with measurements of the whole drive.
    Fitted,
    /// Without evidence of its own.
    Assumed,
}

impl fmt::Display for OriginKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Measured => "measured",
            Self::Published => "published",
            Self::Fitted => "fitted",
            Self::Assumed => "assumed",
        })
    }
}
