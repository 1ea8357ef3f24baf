//! Whether the seek profile falls: farther movements that take less than nearer ones are none of a drive whose
//! addresses go once over its cylinders.

/// Farther, and quicker, by more than what sectors of other zones take: by such factors of the other.
const FARTHER: f64 = 1.15;
const QUICKER: f64 = 0.93;
/// Pairs of movements, without one that is in both: one movement may be disturbed.
const PAIRS: usize = 2;

/// Whether it does from so many tracks on; points are tracks, time and half the width of its interval.
pub(super) fn falls(profile: impl Iterator<Item = (u64, f64, f64)>, from_tracks: u64) -> bool {
    let mut points: Vec<_> = profile.filter(|(tracks, ..)| *tracks >= from_tracks).collect();
    points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut pairs = 0;
    while let Some((near, far)) = pair(&points) {
        points.remove(far);
        points.remove(near);
        pairs += 1;
    }
    pairs >= PAIRS
}

/// The last movement that takes less than one that is nearer, and that one.
fn pair(points: &[(u64, f64, f64)]) -> Option<(usize, usize)> {
    let less = |near: &(u64, f64, f64), far: &(u64, f64, f64)| {
        far.0 as f64 > FARTHER * near.0 as f64 && far.1 + far.2 < QUICKER * (near.1 - near.2)
    };
    (0..points.len()).rev().find_map(|far| {
        let near = points[..far].iter().rposition(|near| less(near, &points[far]))?;
        Some((near, far))
    })
}

#[cfg(test)]
mod tests {
    use super::falls;

    /// A seek curve with noise of a hundredth, of which some points take other times.
    fn profile(other: &[(usize, f64)]) -> Vec<(u64, f64, f64)> {
        let time = |tracks: u64| 1.0 + (tracks as f64).sqrt() / 8.0;
        let lengths = std::iter::successors(Some(1_u64), |on| Some((on * 3).div_ceil(2)));
        let mut points: Vec<_> =
            lengths.take(20).map(|tracks| (tracks, time(tracks), 0.01)).collect();
        for &(at, ms) in other {
            points[at].1 = ms;
        }
        points
    }

    #[test]
    fn two_movements_that_are_too_quick_are_seen_and_one_is_not() {
        assert!(!falls(profile(&[]).into_iter(), 1));
        assert!(!falls(profile(&[(17, 1.0)]).into_iter(), 1));
        assert!(falls(profile(&[(17, 1.0), (19, 1.0)]).into_iter(), 1));
    }

    #[test]
    fn near_movements_may_be_over_passes_and_back() {
        let quick = [(2, 0.5), (4, 0.5), (6, 0.5)];
        assert!(falls(profile(&quick).into_iter(), 1));
        assert!(!falls(profile(&quick).into_iter(), profile(&[])[7].0));
    }
}
