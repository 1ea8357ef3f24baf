//! Chance that is the same every time, and times at random.

use platterlab_drive::Chance;
use platterlab_units::{Angle, Span};
use proptest::prelude::*;

/// A stream of angles that looks random and is the same every time.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a stream repeat early; this mixes the high ones in.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
    }
}

impl Chance for Dice {
    fn angle(&mut self) -> Angle {
        Angle::from_raw(self.next())
    }
}

/// Nothing, something below a millisecond or something below `most_us`.
pub(crate) fn span(most_us: u64) -> impl Strategy<Value = Span> {
    prop_oneof![
        Just(Span::ZERO),
        (0u64..1_000_000_000).prop_map(Span::from_ps),
        (0..most_us * 1_000_000).prop_map(Span::from_ps),
    ]
}
