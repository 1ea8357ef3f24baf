//! An extracted value: its interval, its method and whether it can be used.

use schemars::JsonSchema;
use serde::Serialize;

/// Whether a value can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Yes, to within its interval.
    Ok,
    /// The samples allow more than one answer; `note` says which or why.
    Ambiguous,
    /// The samples say nothing about it; `note` says why.
    Unsupported,
}

/// One extracted quantity.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Estimate {
    /// The value, in the unit its name ends in; none where it would be a guess.
    pub value: Option<f64>,
    /// Where the true value lies with 95 % probability; equal bounds for an exact count.
    pub ci95: Option<[f64; 2]>,
    /// What it was read off from.
    pub method: &'static str,
    /// Whether it can be used.
    pub status: Status,
    /// What a reader should know; empty where all is well.
    pub note: String,
}

impl Estimate {
    /// A value and the half width of its interval.
    #[must_use]
    pub fn new(value: f64, half_width: f64, method: &'static str) -> Self {
        Self {
            value: Some(value),
            ci95: Some([value - half_width, value + half_width]),
            method,
            status: Status::Ok,
            note: String::new(),
        }
    }

    /// A count that was confirmed.
    #[must_use]
    pub fn exact(count: u64, method: &'static str) -> Self {
        Self::new(count as f64, 0.0, method)
    }

    /// No value, as the samples allow several.
    #[must_use]
    pub fn ambiguous(method: &'static str, note: impl Into<String>) -> Self {
        Self::none(method, Status::Ambiguous, note.into())
    }

    /// No value, as the samples have nothing to say.
    #[must_use]
    pub fn unsupported(method: &'static str, note: impl Into<String>) -> Self {
        Self::none(method, Status::Unsupported, note.into())
    }

    fn none(method: &'static str, status: Status, note: String) -> Self {
        Self { value: None, ci95: None, method, status, note }
    }

    /// The same with a note.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The same, no longer trusted; the value is kept as a hint.
    #[must_use]
    pub fn doubted(mut self, note: impl Into<String>) -> Self {
        self.status = Status::Ambiguous;
        self.note = note.into();
        self
    }

    /// No longer trusted from here on, if it was until now.
    pub(crate) fn doubt(&mut self, note: impl Into<String>) {
        if self.ok().is_some() {
            self.status = Status::Ambiguous;
            self.note = note.into();
        }
    }

    /// A part of it.
    #[must_use]
    pub fn divided(mut self, by: f64) -> Self {
        self.value = self.value.map(|value| value / by);
        self.ci95 = self.ci95.map(|bounds| bounds.map(|bound| bound / by));
        self
    }

    /// The same, with an interval that is wider by so much to either side.
    #[must_use]
    pub fn widened(mut self, by: f64) -> Self {
        self.ci95 = self.ci95.map(|[low, high]| [low - by, high + by]);
        self
    }

    /// So much less.
    #[must_use]
    pub fn less(mut self, by: f64) -> Self {
        self.value = self.value.map(|value| value - by);
        self.ci95 = self.ci95.map(|bounds| bounds.map(|bound| bound - by));
        self
    }

    /// The mean of it and another measurement of the same, each by what it is known to.
    #[must_use]
    pub fn weighted(mut self, other: &Self) -> Self {
        let weights =
            [self.half_width(), other.half_width()].map(|it| it.max(f64::EPSILON).powi(-2));
        if let (Some(one), Some(two)) = (self.value, other.value) {
            let all = weights[0] + weights[1];
            let mean = (weights[0] * one + weights[1] * two) / all;
            self.value = Some(mean);
            self.ci95 = Some([mean - all.powf(-0.5), mean + all.powf(-0.5)]);
        }
        self
    }

    /// The value, if it can be used.
    #[must_use]
    pub fn ok(&self) -> Option<f64> {
        self.value.filter(|_| self.status == Status::Ok)
    }

    /// Half the width of the interval, 0 without one.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        self.ci95.map_or(0.0, |[low, high]| (high - low) / 2.0)
    }
}
