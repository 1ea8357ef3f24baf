//! Simulated against measured service times of all requests, reads and writes, in constant memory.

use crate::ErrorFigures;
use crate::bins::Bins;
use crate::error_figures::GRACE_MS;
use platterlab_units::Operation;
use serde::Serialize;

/// The most requests that are compared exactly; of more, times are put into bins.
const MOST_EXACT: usize = 1 << 19;
/// Requests that are added together: bins are far away, and are used several times while they are near.
const TOGETHER: usize = 1 << 16;

/// Simulated against measured service times of any number of requests, in constant memory.
///
/// Up to half a million requests all figures are exact. Beyond, counts, means, the RMSE and the
/// shares still are; the demerit and the quantiles of the error come from times in bins of 0.025 %.
#[derive(Clone, Debug)]
pub struct Agreement {
    most_exact: usize,
    kinds: Kinds,
    /// What is not yet in these.
    more: [Pairs; 2],
}

#[derive(Clone, Debug)]
enum Kinds {
    Few([Pairs; 2]),
    Many(Box<[Binned; 2]>),
}

/// The figures of an agreement.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct AgreementSummary {
    /// All requests.
    pub all: ErrorFigures,
    /// Reads; `None` if there are none.
    pub reads: Option<ErrorFigures>,
    /// Writes; `None` if there are none.
    pub writes: Option<ErrorFigures>,
}

impl Default for Agreement {
    fn default() -> Self {
        Self::exact_up_to(MOST_EXACT)
    }
}

impl Agreement {
    /// No requests yet; this many of them will be compared exactly.
    fn exact_up_to(most_exact: usize) -> Self {
        Self { most_exact, kinds: Kinds::Few(Default::default()), more: Default::default() }
    }

    /// Adds requests: what each is, and how long it took, simulated and measured, in milliseconds. These
    /// are finite and not negative.
    pub fn extend(&mut self, requests: impl IntoIterator<Item = (Operation, f64, f64)>) {
        for (operation, simulated_ms, measured_ms) in requests {
            let pairs = &mut self.more[operation.index()];
            pairs.simulated_ms.push(simulated_ms);
            pairs.measured_ms.push(measured_ms);
        }
        if self.more.iter().map(Pairs::len).sum::<usize>() >= TOGETHER {
            self.settle();
        }
    }

    fn settle(&mut self) {
        let Self { most_exact, kinds, more } = self;
        if let Kinds::Few(few) = kinds
            && few.iter().chain(&*more).map(Pairs::len).sum::<usize>() > *most_exact
        {
            *kinds = Kinds::Many(Box::new(few.each_ref().map(Pairs::binned)));
        }
        match kinds {
            Kinds::Few(few) => few.iter_mut().zip(&*more).for_each(|(one, more)| one.extend(more)),
            Kinds::Many(many) => {
                many.iter_mut().zip(&*more).for_each(|(one, more)| one.extend(more));
            }
        }
        more.iter_mut().for_each(Pairs::clear);
    }

    /// Its figures; `None` if it is empty.
    #[must_use]
    pub fn summary(&self) -> Option<AgreementSummary> {
        let mut settled = self.clone();
        settled.settle();
        let [all, reads, writes] = match &settled.kinds {
            Kinds::Few([reads, writes]) => {
                let mut all = reads.clone();
                all.simulated_ms.extend(&writes.simulated_ms);
                all.measured_ms.extend(&writes.measured_ms);
                [all.figures(), reads.figures(), writes.figures()]
            }
            Kinds::Many(kinds) => {
                let [reads, writes] = kinds.as_ref();
                let mut all = reads.clone();
                all.append(writes);
                [all.figures(), reads.figures(), writes.figures()]
            }
        };
        Some(AgreementSummary { all: all?, reads, writes })
    }
}

/// Requests one by one.
#[derive(Clone, Debug, Default)]
struct Pairs {
    simulated_ms: Vec<f64>,
    measured_ms: Vec<f64>,
}

impl Pairs {
    fn len(&self) -> usize {
        self.measured_ms.len()
    }

    fn extend(&mut self, more: &Self) {
        self.simulated_ms.extend(&more.simulated_ms);
        self.measured_ms.extend(&more.measured_ms);
    }

    fn clear(&mut self) {
        self.simulated_ms.clear();
        self.measured_ms.clear();
    }

    fn binned(&self) -> Binned {
        let mut binned = Binned::default();
        binned.extend(self);
        binned
    }

    fn figures(&self) -> Option<ErrorFigures> {
        ErrorFigures::new(&self.simulated_ms, &self.measured_ms)
    }
}

/// Requests in bins.
#[derive(Clone, Debug, Default)]
struct Binned {
    simulated: Bins,
    measured: Bins,
    error: Bins,
    squares: f64,
    /// Requests at most so far off as [`ErrorFigures::WITHIN_MS`] says.
    within: [u64; 4],
}

impl Binned {
    fn extend(&mut self, Pairs { simulated_ms, measured_ms }: &Pairs) {
        let pairs = || simulated_ms.iter().zip(measured_ms);
        let errors_ms = || pairs().map(|(simulated, measured)| (simulated - measured).abs());
        self.simulated.extend(simulated_ms.iter().copied());
        self.measured.extend(measured_ms.iter().copied());
        self.error.extend(errors_ms());
        for error_ms in errors_ms() {
            self.squares += error_ms * error_ms;
            for (count, ms) in self.within.iter_mut().zip(ErrorFigures::WITHIN_MS) {
                *count += u64::from(error_ms <= ms + GRACE_MS);
            }
        }
    }

    fn append(&mut self, other: &Self) {
        self.simulated.append(&other.simulated);
        self.measured.append(&other.measured);
        self.error.append(&other.error);
        self.squares += other.squares;
        for (count, more) in self.within.iter_mut().zip(other.within) {
            *count += more;
        }
    }

    fn figures(&self) -> Option<ErrorFigures> {
        let (requests, measured_mean_ms) = (self.measured.count(), self.measured.mean_ms()?);
        let demerit_ms = self.simulated.distance_ms(&self.measured);
        let share = |at: usize| self.within[at] as f64 / requests as f64;
        Some(ErrorFigures {
            requests,
            exact: false,
            measured_mean_ms,
            simulated_mean_ms: self.simulated.mean_ms()?,
            demerit_ms,
            demerit_percent: 100.0 * demerit_ms / measured_mean_ms,
            rmse_ms: (self.squares / requests as f64).sqrt(),
            median_abs_error_ms: self.error.quantile_ms(0.5),
            p95_abs_error_ms: self.error.quantile_ms(0.95),
            within_100_us: share(0),
            within_250_us: share(1),
            within_500_us: share(2),
            within_1_ms: share(3),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uneven, repeatable times: the golden ratio's multiples, stretched.
    fn request(index: u32) -> (Operation, f64, f64) {
        let share = (f64::from(index) * 0.618_033_988_749_895).fract();
        let other = (f64::from(index) * 0.754_877_666_246_693).fract();
        let operation = if index.is_multiple_of(3) { Operation::Read } else { Operation::Write };
        (operation, 8.0 + 30.0 * share * share, 6.4 + 33.0 * other)
    }

    fn summary(most_exact: usize, requests: u32) -> AgreementSummary {
        let mut agreement = Agreement::exact_up_to(most_exact);
        agreement.extend((0..requests).map(request));
        agreement.summary().unwrap()
    }

    #[test]
    fn bins_say_what_single_requests_say() {
        let (exact, binned) = (summary(20_000, 20_000), summary(1_000, 20_000));
        assert!(exact.all.exact && !binned.all.exact);
        let groups = [
            (exact.all, binned.all),
            (exact.reads.unwrap(), binned.reads.unwrap()),
            (exact.writes.unwrap(), binned.writes.unwrap()),
        ];
        for (exact, binned) in groups {
            assert_eq!(exact.requests, binned.requests);
            assert_eq!(exact.within_100_us, binned.within_100_us);
            assert_eq!(exact.within_1_ms, binned.within_1_ms);
            for (exact, binned, off) in [
                (exact.measured_mean_ms, binned.measured_mean_ms, 1e-9),
                (exact.simulated_mean_ms, binned.simulated_mean_ms, 1e-9),
                (exact.rmse_ms, binned.rmse_ms, 1e-9),
                (exact.demerit_ms, binned.demerit_ms, 1e-3),
                (exact.median_abs_error_ms, binned.median_abs_error_ms, 5e-3),
                (exact.p95_abs_error_ms, binned.p95_abs_error_ms, 1e-2),
            ] {
                assert!((exact - binned).abs() <= off, "{exact} {binned}");
            }
        }
    }

    #[test]
    fn one_request_more_changes_little() {
        let (exact, binned) = (summary(5_000, 5_000).all, summary(5_000, 5_001).all);
        assert!(exact.exact && !binned.exact);
        assert!((exact.demerit_ms - binned.demerit_ms).abs() < 5e-3);
    }

    #[test]
    fn no_requests_no_figures() {
        assert_eq!(Agreement::default().summary(), None);
        let mut agreement = Agreement::default();
        agreement.extend([(Operation::Write, 2.0, 1.0)]);
        let summary = agreement.summary().unwrap();
        assert_eq!(summary.reads, None);
        assert_eq!(summary.writes, Some(summary.all));
    }
}
