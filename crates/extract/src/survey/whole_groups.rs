//! Whether zones hold whole groups of passes, one pass over each surface.

use super::layout::LayoutGuess;
use super::pieces::Piece;
use super::stretches::stretches;

/// Whether a zone before the last ends with some passes of a group and without the others: they hold no data there, or
/// another number of surfaces does.
pub(super) fn leaves_passes(pieces: &[Piece], layout: &LayoutGuess) -> bool {
    let counts = layout.surfaces.ok().zip(layout.serpentine_cylinders.ok());
    let (Some((surfaces, width)), Some(zones)) = (counts, stretches(pieces)) else { return false };
    let (surfaces, width) = (surfaces as u64, width as u64);
    zones.windows(2).any(|pair| {
        let rest = (pair[1].first_track - pair[0].first_track) % (surfaces * width).max(1);
        width > 1 && rest > 0 && rest.is_multiple_of(width)
    })
}
