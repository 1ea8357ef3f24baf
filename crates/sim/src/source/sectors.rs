//! Requests of a source that counts in sectors of its own, in those of the volumes.

use super::{Request, Tap, Tapped};
use platterlab_units::{Operation, Partial, SectorSizes, Stamp, Touched};

/// A source whose requests come out in the sectors of the volumes: all of those that they touch.
///
/// A request that the devices cannot be asked for comes out without sectors, and the system refuses it.
pub type InSectors<S> = Tapped<S, SectorSizes>;

impl<S> InSectors<S> {
    /// Puts what `source` asks for into other sectors.
    pub fn new(source: S, sizes: SectorSizes) -> Self {
        Self { source, tap: sizes }
    }
}

impl Tap for SectorSizes {
    fn pass(&mut self, _: Stamp, out: &mut Vec<Request>, kept: usize) {
        for request in &mut out[kept..] {
            put(self, request);
        }
    }
}

#[inline]
fn put(sizes: &SectorSizes, request: &mut Request) {
    let nothing = Touched { lba: request.lba, sectors: 0, partial: Partial::WHOLE };
    let touched = sizes.touched(request.lba, request.sectors.into()).unwrap_or(nothing);
    request.lba = touched.lba;
    request.sectors = u32::try_from(touched.sectors).unwrap_or(0);
    let writes = request.operation == Operation::Write;
    request.partial = if writes { touched.partial } else { Partial::WHOLE };
}
