//! The keys of a random quantity: its law and the law's parameters.

use platterlab_workload::synthetic::Law;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a random quantity varies. Its parameters have the unit that the key names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LawOptions {
    /// Always the same.
    Constant {
        /// The value.
        #[schemars(range(min = -1e12, max = 1e12))]
        value: f64,
    },
    /// Between two values, each alike.
    Uniform {
        /// The least.
        #[schemars(range(min = -1e12, max = 1e12))]
        least: f64,
        /// The most.
        #[schemars(range(min = -1e12, max = 1e12))]
        most: f64,
    },
    /// Gaussian.
    Normal {
        /// Its mean.
        #[schemars(range(min = -1e12, max = 1e12))]
        mean: f64,
        /// Its variance, in the unit squared.
        #[schemars(range(min = 0.0, max = 1e24))]
        variance: f64,
    },
    /// Exponential. Gaps of this kind make a Poisson process.
    Exponential {
        /// The mean, counted from the base.
        #[schemars(range(min = 0.0, max = 1e12))]
        mean: f64,
        /// The least value.
        #[serde(default)]
        #[schemars(range(min = -1e12, max = 1e12))]
        base: f64,
    },
    /// Whole numbers of a Poisson law.
    Poisson {
        /// The mean, counted from the base.
        #[schemars(range(min = 0.0, max = 1e9))]
        mean: f64,
        /// The least value.
        #[serde(default)]
        #[schemars(range(min = -1e12, max = 1e12))]
        base: f64,
    },
    /// Gaps of a bursty process: short ones within bursts, long ones between them, both
    /// exponential; bursts are of geometrically distributed length.
    Bursty {
        /// The mean number of requests in a burst.
        #[schemars(range(min = 1.0, max = 1e9))]
        length: f64,
        /// The mean gap within a burst.
        #[schemars(range(min = 0.0, max = 1e12))]
        within: f64,
        /// The mean gap between bursts.
        #[schemars(range(min = 0.0, max = 1e12))]
        between: f64,
    },
    /// One of two values.
    TwoValue {
        /// The usual one.
        #[schemars(range(min = -1e12, max = 1e12))]
        usual: f64,
        /// The other one.
        #[schemars(range(min = -1e12, max = 1e12))]
        other: f64,
        /// How often the other one comes.
        #[schemars(range(min = 0.0, max = 1.0))]
        share: f64,
    },
}

impl LawOptions {
    /// The law in the generator's terms.
    pub(crate) fn law(self) -> Law {
        match self {
            Self::Constant { value } => Law::Constant(value),
            Self::Uniform { least, most } => Law::Uniform { least, most },
            Self::Normal { mean, variance } => Law::Normal { mean, variance },
            Self::Exponential { mean, base } => Law::Exponential { base, mean },
            Self::Poisson { mean, base } => Law::Poisson { base, mean },
            Self::Bursty { length, within, between } => Law::Bursty { length, within, between },
            Self::TwoValue { usual, other, share } => Law::TwoValue { usual, other, share },
        }
    }
}
