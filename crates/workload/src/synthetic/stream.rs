//! Named random streams for generators.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A stream of random numbers that depends on a seed and a name and on nothing else.
///
/// Every decision draws from a stream of its own, so that changing one (say, to sizes) leaves the
/// others (say, the addresses) as they were.
#[derive(Clone, Debug)]
pub(super) struct Stream(ChaCha8Rng);

impl Stream {
    pub(super) fn new(seed: u64, name: &str) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(fnv1a(name));
        Self(generator)
    }

    /// How far it has come.
    pub(super) fn place(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// Continues from a place that it has come to once, or would come to.
    pub(super) fn go_to(&mut self, place: u128) {
        self.0.set_word_pos(place);
    }

    /// A number in `[0, 1)`, a multiple of 2^-53.
    pub(super) fn unit(&mut self) -> f64 {
        unit(self.0.next_u64())
    }

    /// True with probability `share`.
    pub(super) fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// A whole number in `0..bound`; `bound` is at least 1. The bias is below `bound / 2^64`.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    pub(super) fn exponential(&mut self, mean: f64) -> f64 {
        exponential(self.unit(), mean)
    }

    /// A variate of mean 0 and variance 1 (Box and Muller).
    pub(super) fn gaussian(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(core::f64::consts::TAU * self.unit())
    }
}

/// The number in `[0, 1)`, a multiple of 2^-53, that random bits make.
#[must_use]
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The exponential variate that a `unit` in `[0, 1)` makes, by its inverse distribution. `libm`'s
/// logarithm is software, so it has the same bits on every machine.
#[must_use]
pub fn exponential(unit: f64, mean: f64) -> f64 {
    -mean * libm::log(1.0 - unit)
}

fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_seed_and_name_alone() {
        let draw = |seed, name| Stream::new(seed, name).below(u64::MAX);
        assert_eq!(draw(1, "size"), draw(1, "size"));
        assert_ne!(draw(1, "size"), draw(2, "size"));
        assert_ne!(draw(1, "size"), draw(1, "address"));
    }

    #[test]
    fn variates_have_their_mean_and_range() {
        let mut stream = Stream::new(7, "test");
        let mean = (0..100_000).map(|_| stream.exponential(4.0)).sum::<f64>() / 1e5;
        assert!((mean - 4.0).abs() < 0.05, "{mean}");
        assert!((0..10_000).all(|_| stream.below(3) < 3));
        assert!(!stream.chance(0.0) && stream.chance(1.0));
    }
}
