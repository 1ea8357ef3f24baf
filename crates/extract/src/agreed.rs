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
        let agreed = found.surfaces.ok().is_none_or(|count| Some(count) == surfaces);
        let class = match class.filter(|_| finished && surfaces.is_some()) {
            Some("one-surface") if agreed => Some(Class::OneSurface),
            Some("head-first") if agreed => Some(Class::HeadFirst),
            Some("seek-first") => Some(Class::SeekFirst),
            _ => None,
        };
        Self { class, mapped }
    }
}
