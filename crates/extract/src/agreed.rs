//! What campaign and survey of one drive agree on.

use crate::grain::GATHERED_MS;
use crate::survey::{MOST_SURFACES, TrackMap};
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
    /// Whether the campaign took more tracks for a cylinder than any drive has surfaces: chance made them differ,
    /// or they are those of a pass, and so its skews are none.
    pub(crate) miscounted: bool,
}

impl Agreed {
    pub(crate) fn of(found: &Extraction, map: &TrackMap, finished: bool) -> Self {
        let mapped = finished && map.status == Status::Ok;
        let class = map.layout.class.value.filter(|_| map.layout.class.status == Status::Ok);
        let surfaces = map.layout.surfaces.ok();
        let most = MOST_SURFACES as f64;
        let miscounted = mapped && found.surfaces.ok().is_some_and(|count| count > most);
        let skews = found.track_skew_ms.value.zip(found.cylinder_skew_ms.value);
        // Interrupts that are gathered make boundaries differ that do not.
        let chance = skews.is_some_and(|(one, other)| (one - other).abs() <= GATHERED_MS);
        // Counts that a campaign makes at one place are of cylinders whose tracks are alike.
        let agreed = found
            .surfaces
            .ok()
            .filter(|_| !miscounted && !chance)
            .is_none_or(|count| Some(count) == surfaces || mapped && uneven(map));
        let class = match class.filter(|_| finished && surfaces.is_some()) {
            Some("one-surface") if agreed => Some(Class::OneSurface),
            Some("head-first") if agreed => Some(Class::HeadFirst),
            Some("seek-first") => Some(Class::SeekFirst),
            _ => None,
        };
        Self { class, mapped, miscounted }
    }
}

/// Leaves surfaces unsure where tracks of some zones come again after so many others: a head may have no data in
/// these. Where the tracks of a cylinder are not alike, steps from one to the next tell nothing of that.
pub(crate) fn doubt_surfaces(found: &mut Extraction, map: &TrackMap, of_zone: Option<u64>) {
    let (Some(count), Some(printed)) = (of_zone, found.surfaces.ok()) else { return };
    // Every so many cylinders a late completion may make a longer step.
    let again = count.is_multiple_of((printed as u64).max(1));
    if again || map.layout.class.value != Some("head-first") || uneven(map) {
        return;
    }
    let layout = found.layout.as_mut().map(|layout| &mut layout.surfaces);
    let doubted = [Some(&mut found.surfaces), layout, Some(&mut found.cylinder_skew_ms)];
    for estimate in doubted.into_iter().flatten() {
        estimate.doubt(format!("skews of some zones come again after {count} tracks"));
    }
}

/// Whether the tracks of the first cylinder are not all of one length.
pub(crate) fn uneven(map: &TrackMap) -> bool {
    map.shorter_tracks() > 0
}

/// Whether several of them are not, as where surfaces have tracks of their own length: one may be short of the
/// cylinder's spares.
pub(crate) fn surfaces_differ(map: &TrackMap) -> bool {
    map.shorter_tracks() > 1
}
