//! Probability laws of generated quantities.

use super::stream::Stream;

/// How a random quantity varies. Its parameters have the unit of the quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Law {
    /// Always the same.
    Constant {
        /// The value.
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        value: f64,
    },
    /// Between two values, each alike.
    Uniform {
        /// The least.
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        least: f64,
        /// The most.
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        most: f64,
    },
    /// Gaussian.
    Normal {
        /// Its mean.
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        mean: f64,
        /// Its variance, in the unit squared.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e24)))]
        variance: f64,
    },
    /// Exponential. Gaps of this kind make a Poisson process.
    Exponential {
        /// The mean, counted from the base.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e12)))]
        mean: f64,
        /// The least value.
        #[cfg_attr(feature = "file", serde(default))]
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        base: f64,
    },
    /// Whole numbers of a Poisson law.
    Poisson {
        /// The mean, counted from the base.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e9)))]
        mean: f64,
        /// The least value.
        #[cfg_attr(feature = "file", serde(default))]
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        base: f64,
    },
    /// Gaps of a bursty process: short ones within bursts, long ones between them, both
    /// exponential; bursts are of geometrically distributed length.
    Bursty {
        /// The mean number of requests in a burst.
        #[cfg_attr(feature = "file", schemars(range(min = 1.0, max = 1e9)))]
        length: f64,
        /// The mean gap within a burst.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e12)))]
        within: f64,
        /// The mean gap between bursts.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e12)))]
        between: f64,
    },
    /// One of two values.
    TwoValue {
        /// The usual one.
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        usual: f64,
        /// The other one.
        #[cfg_attr(feature = "file", schemars(range(min = -1e12, max = 1e12)))]
        other: f64,
        /// How often the other one comes.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
        share: f64,
    },
}

/// Means above this are drawn in parts: `exp(-mean)` has to stay far from 0.
const POISSON_PART: f64 = 500.0;

impl Law {
    /// The law of this many times the quantity.
    #[must_use]
    pub fn scaled(self, by: f64) -> Self {
        match self {
            Self::Constant { value } => Self::Constant { value: value * by },
            Self::Uniform { least, most } => Self::Uniform { least: least * by, most: most * by },
            Self::Normal { mean, variance } => {
                Self::Normal { mean: mean * by, variance: variance * by * by }
            }
            Self::Exponential { base, mean } => {
                Self::Exponential { base: base * by, mean: mean * by }
            }
            Self::Poisson { base, mean } => Self::Poisson { base: base * by, mean: mean * by },
            Self::Bursty { length, within, between } => {
                Self::Bursty { length, within: within * by, between: between * by }
            }
            Self::TwoValue { usual, other, share } => {
                Self::TwoValue { usual: usual * by, other: other * by, share }
            }
        }
    }

    /// The mean. Where negative values make no sense and are cut at 0, it is that of the uncut law.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant { value } => value,
            Self::Uniform { least, most } => f64::midpoint(least, most),
            Self::Normal { mean, .. } => mean,
            Self::Exponential { base, mean } | Self::Poisson { base, mean } => base + mean,
            Self::Bursty { length, within, between } => within + (between - within) / length,
            Self::TwoValue { usual, other, share } => usual + share * (other - usual),
        }
    }

    pub(super) fn draw(&self, stream: &mut Stream) -> f64 {
        match *self {
            Self::Constant { value } => value,
            Self::Uniform { least, most } => least + stream.unit() * (most - least),
            Self::Normal { mean, variance } => mean + libm::sqrt(variance) * stream.gaussian(),
            Self::Exponential { base, mean } => base + stream.exponential(mean),
            Self::Poisson { base, mean } => base + poisson(mean, stream),
            Self::Bursty { length, within, between } => {
                let ends = stream.chance(1.0 / length);
                stream.exponential(if ends { between } else { within })
            }
            Self::TwoValue { usual, other, share } => {
                if stream.chance(share) {
                    other
                } else {
                    usual
                }
            }
        }
    }
}

/// Knuth's product of uniform numbers; the sum of Poisson numbers is one.
fn poisson(mean: f64, stream: &mut Stream) -> f64 {
    let (mut left, mut total) = (mean, 0.0);
    while left > 0.0 {
        let part = left.min(POISSON_PART);
        left -= part;
        let floor = libm::exp(-part);
        let mut product = stream.unit();
        while product > floor {
            total += 1.0;
            product *= stream.unit();
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_has_the_mean_it_states_and_its_variance() {
        let laws = [
            (Law::Constant { value: 3.0 }, 0.0),
            (Law::Uniform { least: 2.0, most: 8.0 }, 3.0),
            (Law::Normal { mean: 30.0, variance: 100.0 }, 100.0),
            (Law::Exponential { base: 2.0, mean: 5.0 }, 25.0),
            (Law::Poisson { base: 1.0, mean: 1_200.0 }, 1_200.0),
            // Of a mixture: the mean of the squares less the square of the mean.
            (
                Law::Bursty { length: 4.0, within: 2.0, between: 10.0 },
                2.0 * (0.75 * 4.0 + 0.25 * 100.0) - 16.0,
            ),
            (Law::TwoValue { usual: 1.0, other: 11.0, share: 0.25 }, 100.0 * 0.25 * 0.75),
        ];
        for (law, variance) in laws {
            let mut stream = Stream::new(5, "law");
            let draws: Vec<f64> = (0..40_000).map(|_| law.draw(&mut stream)).collect();
            let n = draws.len() as f64;
            let mean = draws.iter().sum::<f64>() / n;
            let spread = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            // Five standard errors.
            let slack = 5.0 * libm::sqrt(variance / n) + 1e-9;
            assert!((mean - law.mean()).abs() <= slack, "{law:?}: {mean}");
            assert!((spread - variance).abs() <= 0.08 * variance + 1e-9, "{law:?}: {spread}");
        }
    }
}
