//! From a raw capture to a process flow.

use std::path::Path;

use platterlab_workload::flow::FlowSummary;

use crate::conversion::Conversion;
use crate::event::Formats;
use crate::merge::Merge;
use crate::snapshot::Snapshot;
use crate::{CaptureError, assemble};

/// What a flow's clock can hold.
const LONGEST_NS: u64 = 200 * 86_400 * 1_000_000_000;

/// Makes a process flow of the raw capture in `folder` and gives its totals.
///
/// # Errors
/// The capture lost events, is cut short or of a kernel not known here; the flow cannot be written.
pub fn convert(folder: &Path, page_bytes: usize, out: &Path) -> Result<FlowSummary, CaptureError> {
    let snapshot = Snapshot::read(folder)?;
    let lost = snapshot.accounts.lost_events;
    if lost > 0 {
        let what = format!("{lost} events were lost; take a larger buffer");
        return Err(CaptureError::new(folder, what));
    }
    let formats = Formats::read(folder)?;
    let mut merge = Merge::open(folder, page_bytes)?;
    let mut trace = Conversion::new(&snapshot);
    let mut origin = None;
    while let Some((ns, cpu, bytes)) = merge.advance()? {
        // The clock of the trace has run since the machine was started.
        let ns = ns - *origin.get_or_insert(ns);
        if ns > LONGEST_NS {
            return Err(CaptureError::new(folder, "a trace of more than 200 days"));
        }
        let event = formats.decode(ns, cpu, bytes);
        let event = event.map_err(|what| CaptureError::new(folder, what))?;
        if let Some(event) = event {
            trace.take(&event);
        }
    }
    assemble::write(&snapshot, trace, out)
}
