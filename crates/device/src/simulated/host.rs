//! The host in front of a simulated drive: overheads, jitter, delays and disturbances.

use platterlab_units::Span;

/// The host between a probe and a simulated drive, and everything that disturbs a measurement.
///
/// [`HostModel::default`] costs nothing and disturbs nothing. Probabilities are per request, from
/// 0 to 1; no span is longer than an hour.
#[derive(Clone, Debug, PartialEq)]
pub struct HostModel {
    /// From the probe's call until the drive has the command.
    pub submit: Span,
    /// From the drive's completion until the probe sees it.
    pub complete: Span,
    /// From one completion until the probe's next call can begin.
    pub think: Span,
    /// Standard deviation of a Gaussian added to `complete`, which never falls below zero.
    pub jitter: Span,
    /// Rare long delays of the completion.
    pub tail: Tail,
    /// Probability that the drive misses its sector and takes one revolution more.
    pub extra_revolution: f64,
    /// The drive busy with itself before it serves.
    pub recalibration: Recalibration,
    /// Reads answered although nothing in the drive's model would: the head does not move.
    pub prefetch_hit: PrefetchHit,
    /// What the host's clock counts in: every time is the multiple below. Zero is picoseconds.
    pub clock_grain: Span,
    /// Completions are gathered: each is seen at the next multiple of this. Zero sees each at once.
    pub interrupt_grain: Span,
}

/// Exponential delays.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// Probability of one.
    pub probability: f64,
    /// Their mean.
    pub mean: Span,
}

/// Delays drawn evenly from an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalibration {
    /// Probability of one.
    pub probability: f64,
    /// The shortest.
    pub shortest: Span,
    /// The longest.
    pub longest: Span,
}

/// Reads answered from nowhere.
#[derive(Clone, Debug, PartialEq)]
pub struct PrefetchHit {
    /// Probability of one.
    pub probability: f64,
    /// What the drive takes for it.
    pub time: Span,
}

impl Default for HostModel {
    fn default() -> Self {
        Self {
            submit: Span::ZERO,
            complete: Span::ZERO,
            think: Span::ZERO,
            jitter: Span::ZERO,
            tail: Tail { probability: 0.0, mean: Span::from_us(50) },
            extra_revolution: 0.0,
            recalibration: Recalibration {
                probability: 0.0,
                shortest: Span::from_us(10_000),
                longest: Span::from_us(100_000),
            },
            prefetch_hit: PrefetchHit { probability: 0.0, time: Span::from_us(150) },
            clock_grain: Span::ZERO,
            interrupt_grain: Span::ZERO,
        }
    }
}

/// No part of a [`HostModel`] is longer: an hour.
const LONGEST: Span = Span::from_us(3_600_000_000);

impl HostModel {
    /// The first part that is out of range, and what would be right.
    pub(super) fn check(&self) -> Result<(), String> {
        let spans = [
            ("submit", self.submit),
            ("complete", self.complete),
            ("think", self.think),
            ("jitter", self.jitter),
            ("tail.mean", self.tail.mean),
            ("recalibration.shortest", self.recalibration.shortest),
            ("recalibration.longest", self.recalibration.longest),
            ("prefetch_hit.time", self.prefetch_hit.time),
            ("clock_grain", self.clock_grain),
            ("interrupt_grain", self.interrupt_grain),
        ];
        for (part, span) in spans {
            if span > LONGEST {
                return Err(format!("host model: {part} is {span}; it may be at most {LONGEST}"));
            }
        }
        let chances = [
            ("tail.probability", self.tail.probability),
            ("extra_revolution", self.extra_revolution),
            ("recalibration.probability", self.recalibration.probability),
            ("prefetch_hit.probability", self.prefetch_hit.probability),
        ];
        for (part, chance) in chances {
            if !(0.0..=1.0).contains(&chance) {
                return Err(format!("host model: {part} is {chance}; it must be from 0 to 1"));
            }
        }
        if self.recalibration.shortest > self.recalibration.longest {
            return Err("host model: recalibration.shortest is above recalibration.longest".into());
        }
        Ok(())
    }

    /// A quiet Linux host and a drive in good order: 8 µs in, 12 µs out, 3 µs between calls, 5 µs
    /// of jitter, 1 % tails of 20 µs, 0.1 % extra revolutions, 0.01 % recalibrations of 10 to
    /// 100 ms.
    #[must_use]
    pub fn typical() -> Self {
        let mut model = Self {
            submit: Span::from_us(8),
            complete: Span::from_us(12),
            think: Span::from_us(3),
            jitter: Span::from_us(5),
            tail: Tail { probability: 0.01, mean: Span::from_us(20) },
            extra_revolution: 0.001,
            ..Self::default()
        };
        model.recalibration.probability = 0.000_1;
        model
    }
}
