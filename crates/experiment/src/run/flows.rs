use crate::plan::FlowPlan;
use platterlab_units::{Stamp, Time};
use platterlab_workload::Record;
use platterlab_workload::flow::{FlowReader, Item, Observed};
use platterlab_workload::trace::TraceError;

/// The requests that the traced system made, in the order in which they came. A flow has them in that
/// of their ends, so all are held.
pub(super) fn requests(plan: &FlowPlan) -> Result<Vec<Record>, TraceError> {
    let mut all = Vec::new();
    for record in FlowReader::open(&plan.path)? {
        match record?.item {
            // A flush has no address.
            Item::Observed(request) if request.sectors > 0 => {
                all.push(as_record(&request, plan.volume));
            }
            _ => {}
        }
    }
    all.sort_by_key(|record| record.arrival);
    Ok(all)
}

fn as_record(request: &Observed, volume: u32) -> Record {
    Record {
        arrival: Stamp::from_ps(u128::from(request.arrival.since(Time::ZERO).as_ps())),
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
