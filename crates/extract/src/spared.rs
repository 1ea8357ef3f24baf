//! Where requests lie on a zone that has spare sectors at the end of each few cylinders.

/// A zone of tracks that are all alike.
#[derive(Clone, Copy, Debug)]
pub struct SparedZone {
    /// Tracks of a cylinder.
    pub surfaces: i64,
    /// Sectors of a track.
    pub per_track: i64,
    /// Cylinders of the zone.
    pub cylinders: i64,
}

/// Where requests lie, as columns.
#[derive(Clone, Debug, Default)]
pub struct SparedPlaces {
    /// How many turns after its sector passed each was there.
    pub late: Vec<f64>,
    /// Of the track.
    pub head: Vec<i64>,
    /// Cylinders from the zone's first one.
    pub cylinder: Vec<f64>,
}

/// The places of the requests that lie in a zone.
///
/// # Arguments
/// * `lba`: rising, from the zone's first sector.
/// * `turns`: where the platter was at each.
/// * `sectors`, `width`: spare sectors, on average, at the end of each so many cylinders.
#[must_use]
pub fn places(
    lba: &[i64],
    turns: &[f64],
    zone: SparedZone,
    sectors: f64,
    width: i64,
) -> SparedPlaces {
    let SparedZone { surfaces, per_track, cylinders } = zone;
    if surfaces < 1 || per_track < 1 || width < 1 {
        return SparedPlaces::default();
    }
    let size = (width * surfaces * per_track) as f64 - sectors;
    let end = size * cylinders as f64 / width as f64;
    let count = lba.partition_point(|lba| (*lba as f64) < end);
    let mut found = SparedPlaces {
        late: Vec::with_capacity(count),
        head: Vec::with_capacity(count),
        cylinder: Vec::with_capacity(count),
    };
    for (lba, turns) in lba[..count].iter().zip(turns) {
        let first = (*lba as f64 / size).floor();
        let within = lba - (first * size).floor() as i64;
        let (track, sector) = (within.div_euclid(per_track), within.rem_euclid(per_track));
        found.late.push(turns - sector as f64 / per_track as f64);
        found.head.push(track.rem_euclid(surfaces));
        found.cylinder.push(first * width as f64 + track.div_euclid(surfaces) as f64);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONE: SparedZone = SparedZone { surfaces: 2, per_track: 10, cylinders: 6 };

    #[test]
    fn spares_at_the_end_of_a_range_move_the_next_one_on() {
        // Of two cylinders each, 40 sectors less 3.
        let found = places(&[0, 9, 10, 36, 37, 47, 110, 111], &[0.5; 8], ZONE, 3.0, 2);
        assert_eq!(found.head, [0, 0, 1, 1, 0, 1, 1]);
        assert_eq!(found.cylinder, [0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 5.0]);
        assert_eq!(found.late[1..4], [0.5 - 0.9, 0.5, 0.5 - 0.6]);
    }

    #[test]
    fn a_zone_without_tracks_holds_nothing() {
        let none = SparedZone { per_track: 0, ..ZONE };
        assert!(places(&[0, 1], &[0.0; 2], none, 0.0, 1).late.is_empty());
    }
}
