//! The simulator's named random streams.

use platterlab_drive::Chance;
use platterlab_units::{Angle, Span};
use platterlab_workload::synthetic::{exponential, unit};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The rotational latencies of drives that do not track the platter: one named random stream.
#[derive(Clone, Debug)]
pub(crate) struct LatencyStream {
    seed: u64,
    name: u64,
    /// Made for the first number: most drives never draw one.
    generator: Option<Box<ChaCha8Rng>>,
}

impl LatencyStream {
    /// Streams of one seed are independent of each other; this is the name of this one.
    const STREAM: u64 = u64::from_le_bytes(*b"rotation");

    pub(crate) fn new(seed: u64) -> Self {
        Self::named(seed, Self::STREAM)
    }

    /// The stream of another name.
    pub(crate) fn named(seed: u64, name: u64) -> Self {
        Self { seed, name, generator: None }
    }

    #[inline]
    fn draw(&mut self) -> u64 {
        let Self { seed, name, generator } = self;
        generator.get_or_insert_with(|| made(*seed, *name)).next_u64()
    }
}

#[cold]
fn made(seed: u64, name: u64) -> Box<ChaCha8Rng> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(name);
    Box::new(generator)
}

impl LatencyStream {
    /// An exponential variate of this mean.
    pub(crate) fn exponential(&mut self, mean: Span) -> Span {
        Span::from_ps(exponential(unit(self.draw()), mean.as_ps() as f64) as u64)
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        ((u128::from(self.draw()) * u128::from(count)) >> 64) as u32
    }
}

impl Chance for LatencyStream {
    fn angle(&mut self) -> Angle {
        Angle::from_raw(self.draw())
    }
}
