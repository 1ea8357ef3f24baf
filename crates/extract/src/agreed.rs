//! What campaign and survey of one drive agree on.

use crate::survey::TrackMap;
use crate::{Extraction, Status};

/// In which order addresses go over a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    OneSurface,
    HeadFirst,
    SeekFirst,
}

/// What the survey leaves certain.
pub(crate) struct Agreed {
    /// None where several can be, or where campaign and survey count other surfaces.
    pub(crate) class: Option<Class>,
    /// The map covers the drive, and no track of it is in doubt.
    pub(crate) mapped: bool,
}

impl Agreed {
    pub(crate) fn of(found: &Extraction, map: &TrackMap, finished: bool) -> Self {
        let mapped = finished && map.status == Status::Ok;
        let class = map.layout.class.value.filter(|_| map.layout.class.status == Status::Ok);
        let surfaces = map.layout.surfaces.ok();
        // Counts that a campaign makes at one place are of cylinders whose tracks are alike.
        let agreed = found
            .surfaces
            .ok()
            .is_none_or(|count| Some(count) == surfaces || mapped && uneven(map));
        let class = match class.filter(|_| finished && surfaces.is_some()) {
            Some("one-surface") if agreed => Some(Class::OneSurface),
            Some("head-first") if agreed => Some(Class::HeadFirst),
            Some("seek-first") => Some(Class::SeekFirst),
            _ => None,
        };
        Self { class, mapped }
    }
}

/// Whether the tracks of the first cylinder are not all of one length.
pub(crate) fn uneven(map: &TrackMap) -> bool {
    let surfaces = map.layout.surfaces.ok().unwrap_or(0.0) as u64;
    let first = map.pieces.iter().take_while(|piece| piece.first_track < surfaces);
    let mut lengths = first.flat_map(|piece| &piece.sectors);
    let one = lengths.next();
    lengths.any(|length| Some(length) != one)
}
