//! The generators of many processes alike.

use super::generator::{Alike, Generator, GeneratorParams};
use std::ops::Range;
use std::sync::Arc;

/// More processes than this keep the places of their random streams alone.
const MOST_AT_WORK: usize = 1024;

/// The generators of processes alike, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Generators {
    alike: Arc<Alike>,
    numbers: Range<u32>,
    at_work: bool,
}

impl Iterator for Generators {
    type Item = Generator;

    fn next(&mut self) -> Option<Generator> {
        let number = self.numbers.next()?;
        Some(Generator::of(&self.alike, number, self.at_work))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl Generator {
    /// Of processes alike, one after the other: all at once may not fit together with what they
    /// become.
    #[must_use]
    pub fn all(params: GeneratorParams, seed: u64, numbers: Range<u32>) -> Generators {
        let at_work = numbers.len() <= MOST_AT_WORK;
        Generators { alike: Arc::new(Alike::new(params, seed)), numbers, at_work }
    }
}
