//! The random streams of one process, kept at work or made anew for each draw.

use super::stream::Stream;

/// Random decisions of a process, each by a stream of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    Kind,
    Address,
    Size,
    Operation,
    Class,
    Interval,
    Limit,
}

const NAMES: [&str; 7] = ["kind", "address", "size", "operation", "class", "interval", "limit"];

/// The streams of one process.
///
/// One at work holds what it has worked out ahead, a third of a KiB. Of many processes only the
/// places are kept: the same numbers, for more work.
#[derive(Clone, Debug)]
pub(super) enum Streams {
    AtWork(Box<[Stream; NAMES.len()]>),
    Places([u32; NAMES.len()]),
}

/// The owner of the streams.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whose {
    pub(super) seed: u64,
    pub(super) number: u32,
}

impl Whose {
    fn stream(self, choice: usize) -> Stream {
        Stream::new(self.seed, &format!("{} {}", NAMES[choice], self.number))
    }

    fn streams(self) -> Box<[Stream; NAMES.len()]> {
        Box::new(std::array::from_fn(|choice| self.stream(choice)))
    }
}

impl Streams {
    /// From their beginnings; at work, or as places alone.
    pub(super) fn new(whose: Whose, at_work: bool) -> Self {
        if at_work { Self::AtWork(whose.streams()) } else { Self::Places([0; NAMES.len()]) }
    }

    /// Draws from one of them.
    #[inline]
    pub(super) fn draw<T>(
        &mut self,
        whose: Whose,
        choice: Choice,
        by: impl FnOnce(&mut Stream) -> T,
    ) -> T {
        match self {
            Self::AtWork(streams) => by(&mut streams[choice as usize]),
            Self::Places(_) => self.draw_anew(whose, choice, by),
        }
    }

    #[inline(never)]
    fn draw_anew<T>(
        &mut self,
        whose: Whose,
        choice: Choice,
        by: impl FnOnce(&mut Stream) -> T,
    ) -> T {
        let Self::Places(places) = self else { return by(&mut whose.stream(choice as usize)) };
        let mut stream = whose.stream(choice as usize);
        stream.go_to(places[choice as usize].into());
        let drawn = by(&mut stream);
        match u32::try_from(stream.place()) {
            Ok(place) => places[choice as usize] = place,
            // After billions of draws a place no longer fits.
            Err(_) => {
                let mut at_work = whose.streams();
                for (one, place) in at_work.iter_mut().zip(*places) {
                    one.go_to(place.into());
                }
                at_work[choice as usize] = stream;
                *self = Self::AtWork(at_work);
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOSE: Whose = Whose { seed: 7, number: 3 };

    fn drawn(streams: &mut Streams, draws: u64) -> Vec<u64> {
        let choices = [Choice::Kind, Choice::Address, Choice::Address, Choice::Limit];
        let draw =
            |step| streams.draw(WHOSE, choices[step as usize % 4], |stream| stream.below(u64::MAX));
        (0..draws).map(draw).collect()
    }

    #[test]
    fn places_give_the_same_numbers() {
        let [mut at_work, mut places] = [true, false].map(|kept| Streams::new(WHOSE, kept));
        assert_eq!(drawn(&mut at_work, 500), drawn(&mut places, 500));
        assert!(size_of::<Streams>() <= 32);
    }

    #[test]
    fn a_place_that_does_not_fit_is_no_end() {
        let [mut at_work, mut places] = [true, false].map(|kept| Streams::new(WHOSE, kept));
        let far = u32::MAX - 5;
        let (Streams::AtWork(streams), Streams::Places(numbers)) = (&mut at_work, &mut places)
        else {
            panic!("neither")
        };
        streams.iter_mut().for_each(|stream| stream.go_to(far.into()));
        *numbers = [far; NAMES.len()];
        assert_eq!(drawn(&mut at_work, 200), drawn(&mut places, 200));
        assert!(matches!(places, Streams::AtWork(_)));
    }
}
