//! Zipf's law, drawn by rejection.

use super::stream::Stream;

/// Ranks of Zipf's law: rank `k` of `n` comes with a probability in proportion to `1 / k^theta`.
///
/// Drawn by rejection from the law's continuous envelope (Hörmann and Derflinger 1996), so that
/// neither time nor memory grows with `n`.
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    theta: f64,
    ranks: u64,
    first: f64,
    last: f64,
    squeeze: f64,
}

impl Zipf {
    /// `ranks` is at least 1 and `theta` above 0.
    pub(super) fn new(ranks: u64, theta: f64) -> Self {
        let mut zipf = Self { theta, ranks, first: 0.0, last: 0.0, squeeze: 0.0 };
        zipf.first = zipf.area(1.5) - 1.0;
        zipf.last = zipf.area(ranks as f64 + 0.5);
        zipf.squeeze = 2.0 - zipf.rank_at(zipf.area(2.5) - zipf.height(2.0));
        zipf
    }

    /// A rank, counted from 0.
    pub(super) fn draw(&self, stream: &mut Stream) -> u64 {
        loop {
            let area = self.last + stream.unit() * (self.first - self.last);
            let place = self.rank_at(area);
            let rank = libm::round(place).clamp(1.0, self.ranks as f64);
            let near = rank - place <= self.squeeze;
            if near || area >= self.area(rank + 0.5) - self.height(rank) {
                return rank as u64 - 1;
            }
        }
    }

    fn height(&self, place: f64) -> f64 {
        libm::exp(-self.theta * libm::log(place))
    }

    /// The integral of the envelope up to `place`.
    fn area(&self, place: f64) -> f64 {
        let log = libm::log(place);
        let slope = (1.0 - self.theta) * log;
        let grown = if slope.abs() > 1e-8 { libm::expm1(slope) / slope } else { 1.0 };
        grown * log
    }

    /// The place up to which the envelope has this area.
    fn rank_at(&self, area: f64) -> f64 {
        let slope = (area * (1.0 - self.theta)).max(-1.0);
        let shrunk = if slope.abs() > 1e-8 { libm::log1p(slope) / slope } else { 1.0 };
        libm::exp(shrunk * area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_come_as_often_as_the_law_says() {
        for theta in [0.5, 0.9, 1.0, 1.4] {
            let (ranks, draws) = (50, 200_000);
            let zipf = Zipf::new(ranks, theta);
            let mut stream = Stream::new(3, "zipf");
            let mut counts = vec![0_u32; ranks as usize];
            (0..draws).for_each(|_| counts[zipf.draw(&mut stream) as usize] += 1);
            let weight = |rank: usize| libm::pow(rank as f64 + 1.0, -theta);
            let total: f64 = (0..ranks as usize).map(weight).sum();
            for (rank, count) in counts.iter().enumerate() {
                let expected = f64::from(draws) * weight(rank) / total;
                let slack = 5.0 * libm::sqrt(expected) + 1.0;
                assert!((f64::from(*count) - expected).abs() < slack, "{theta} {rank}: {count}");
            }
        }
    }

    #[test]
    fn one_rank_is_always_that_one() {
        let mut stream = Stream::new(3, "zipf");
        assert!((0..100).all(|_| Zipf::new(1, 0.9).draw(&mut stream) == 0));
    }
}
