//! Figures of requests by stream and by class of criticality.

use platterlab_results::{Distribution, DistributionSummary, Histogram, Row};
use platterlab_units::Lapse;
use serde::Serialize;

/// What is kept of the requests of one kind, a stream or a class, and of their commands.
#[derive(Clone, Debug, Default)]
pub(super) struct FigureGroup {
    pub(super) response: Distribution,
    pub(super) queue: Distribution,
    pub(super) service: Distribution,
    pub(super) mechanics: Moves,
}

/// Sums over the mechanics' part of commands.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    seek: Lapse,
    rotation: Lapse,
    transfer: Lapse,
    distance: u64,
}

/// Means over the mechanics' part of commands.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct MeanMoves {
    /// Mean seek, head switches included.
    pub mean_seek_ms: f64,
    /// Mean rotational latency.
    pub mean_rotation_ms: f64,
    /// Mean media transfer.
    pub mean_transfer_ms: f64,
    /// Mean distance of the arm's moves, those of zero included.
    pub mean_seek_distance_cylinders: f64,
}

/// The figures of the requests of one kind, and of their commands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Of requests, from arrival to completion.
    pub response_ms: Option<DistributionSummary>,
    /// Of commands, from the driver until their device began.
    pub queue_ms: Option<DistributionSummary>,
    /// Of commands, from there to the end.
    pub service_ms: Option<DistributionSummary>,
    /// The mechanics' part of commands.
    #[serde(flatten)]
    pub moves: MeanMoves,
    /// How many took how long.
    pub histograms: Counts,
}

/// The figures of one operation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct OperationFigures {
    /// `reads` or `writes`.
    pub name: &'static str,
    /// Of its requests, from arrival to completion.
    pub response_ms: Option<DistributionSummary>,
}

/// The figures of a class of criticality.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct ClassFigures {
    /// The class.
    pub name: &'static str,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// The figures of a stream. `offered = served + refused + lost + in_flight` always holds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct StreamFigures {
    /// Requests that came.
    pub offered: u64,
    /// Requests that were served.
    pub served: u64,
    /// Requests that did not fit their volume.
    pub refused: u64,
    /// Requests whose data no device holds any more.
    pub lost: u64,
    /// Requests still under way, if the run was broken off.
    pub in_flight: u64,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Counts by time, in the bins of [`super::Histograms::from_ms`].
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Requests by response time.
    pub response: Vec<u64>,
    /// Commands by time in the queue.
    pub queue: Vec<u64>,
    /// Commands by service time.
    pub service: Vec<u64>,
}

impl FigureGroup {
    /// A command is done.
    #[inline]
    pub(super) fn command(&mut self, row: &Row) {
        self.queue.add(row.queue());
        self.service.add(row.service());
        self.mechanics.add(row);
    }

    pub(super) fn figures(&self, bins: &Bins) -> Figures {
        Figures {
            response_ms: self.response.summary(),
            queue_ms: self.queue.summary(),
            service_ms: self.service.summary(),
            moves: self.mechanics.means(self.service.count()),
            histograms: bins
                .counts([&self.response, &self.queue, &self.service].map(Distribution::histogram)),
        }
    }
}

impl Moves {
    #[inline]
    pub(super) fn add(&mut self, row: &Row) {
        if row.parts.has_moved() {
            self.seek += row.parts.seek;
            self.rotation += row.parts.rotation;
            self.transfer += row.parts.transfer;
        }
        self.distance += u64::from(row.seek_distance);
    }

    /// Over this many commands.
    pub(super) fn means(&self, commands: u64) -> MeanMoves {
        let mean = |sum: f64| sum / commands.max(1) as f64;
        MeanMoves {
            mean_seek_ms: mean(self.seek.as_ms()),
            mean_rotation_ms: mean(self.rotation.as_ms()),
            mean_transfer_ms: mean(self.transfer.as_ms()),
            mean_seek_distance_cylinders: mean(self.distance as f64),
        }
    }
}

/// The bins of all histograms of a report.
pub(super) struct Bins(Vec<u64>);

impl Bins {
    /// Twenty bins a decade from 10 µs to 1000 s, and one for all that is shorter.
    pub(super) fn new() -> Self {
        let steps = (0..=160).map(|step| 1e4 * libm::pow(10.0, f64::from(step) / 20.0));
        Self(std::iter::once(0).chain(steps.map(|ns| ns as u64)).collect())
    }

    /// Where each begins.
    pub(super) fn begin_ms(&self) -> Vec<f64> {
        self.0.iter().map(|ns| *ns as f64 / 1e6).collect()
    }

    /// How much of each, response, queue and service, lies in which bin.
    pub(super) fn counts<const BITS: u32>(&self, times: [&Histogram<BITS>; 3]) -> Counts {
        let [response, queue, service] = times.map(|times| times.counts_between(&self.0));
        Counts { response, queue, service }
    }
}
