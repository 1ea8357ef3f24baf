//! Named random streams for the noise of simulated devices.

use platterlab_drive::Chance;
use platterlab_units::{Angle, Span};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A stream of random numbers that depends on a seed and a name and on nothing else.
///
/// Each kind of noise draws from its own, so that turning one on leaves the others as they were.
#[derive(Clone, Debug)]
pub(crate) struct Stream(ChaCha8Rng);

impl Stream {
    pub(crate) fn new(seed: u64, name: [u8; 8]) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(u64::from_le_bytes(name));
        Self(generator)
    }

    /// A number in `[0, 1)`, a multiple of 2^-53.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `share`.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// A standard normal variate (Box–Muller). `libm` is software, so the bits are the same on
    /// every machine.
    pub(crate) fn gaussian(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// An exponential variate.
    pub(crate) fn exponential(&mut self, mean: Span) -> Span {
        scaled(mean, -libm::log(1.0 - self.unit()))
    }

    /// A span drawn evenly between two.
    pub(crate) fn between(&mut self, shortest: Span, longest: Span) -> Span {
        shortest + scaled(longest.less(shortest), self.unit())
    }
}

impl Chance for Stream {
    fn angle(&mut self) -> Angle {
        Angle::from_raw(self.0.next_u64())
    }
}

/// `span` times `factor`, which is not negative, to the picosecond below.
pub(crate) fn scaled(span: Span, factor: f64) -> Span {
    Span::from_ps((span.as_ps() as f64 * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: u32 = 100_000;

    #[test]
    fn streams_depend_on_seed_and_name_alone() {
        let draw = |seed, name| Stream::new(seed, name).angle();
        assert_eq!(draw(1, *b"jitter__"), draw(1, *b"jitter__"));
        assert_ne!(draw(1, *b"jitter__"), draw(2, *b"jitter__"));
        assert_ne!(draw(1, *b"jitter__"), draw(1, *b"rotation"));
    }

    #[test]
    fn variates_have_their_moments() {
        let mut stream = Stream::new(3, *b"testing_");
        let normal: Vec<f64> = (0..DRAWS).map(|_| stream.gaussian()).collect();
        let mean = normal.iter().sum::<f64>() / f64::from(DRAWS);
        let variance = normal.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((variance / f64::from(DRAWS) - 1.0).abs() < 0.02, "{variance}");
        let mean = Span::from_us(5);
        let total: Span = (0..DRAWS).map(|_| stream.exponential(mean)).sum();
        assert!(((total.as_ms() / f64::from(DRAWS)) / mean.as_ms() - 1.0).abs() < 0.02);
        let mut even = (0..DRAWS).map(|_| stream.between(mean, mean * 3));
        assert!(even.all(|span| (mean..mean * 3).contains(&span)));
    }

    #[test]
    fn the_bits_are_the_same_everywhere() {
        let mut stream = Stream::new(1994, *b"testing_");
        let bits = [stream.gaussian(), stream.gaussian(), stream.unit()].map(f64::to_bits);
        assert_eq!(bits, GOLDEN);
    }

    const GOLDEN: [u64; 3] =
        [13_816_679_658_798_957_952, 13_822_134_185_781_311_538, 4_606_213_638_850_724_980];
}
