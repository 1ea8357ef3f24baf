//! The requests that a flow's traced system made, as a trace.

use crate::plan::FlowPlan;
use platterlab_units::Span;
use platterlab_workload::Record;
use platterlab_workload::flow::{Arrivals, FlowReader, Observed};
use platterlab_workload::trace::TraceError;

/// The requests that the traced system made, in the order in which they came, as records of one
/// volume's trace.
pub(super) fn requests(
    plan: &FlowPlan,
    delay: Span,
) -> Result<impl Iterator<Item = Result<Record, TraceError>> + Send + use<>, TraceError> {
    let volume = plan.volume;
    let arrivals = Arrivals::new(FlowReader::open(&plan.path)?, delay);
    Ok(arrivals.map(move |request| request.map(|request| as_record(&request, volume))))
}

fn as_record(request: &Observed, volume: u32) -> Record {
    Record {
        arrival: request.arrival.into(),
        queued: None,
        service: None,
        think: None,
        lba: request.lba,
        sectors: request.sectors,
        device: volume,
        operation: request.operation,
        criticality: request.criticality,
    }
}
