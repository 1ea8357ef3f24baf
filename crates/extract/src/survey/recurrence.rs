//! Whether skews recur after a few tracks, and over which of them.

use crate::clock::Turn;
use crate::pattern::Skews;
use crate::stats::fold;

/// Times that a cycle has to be seen.
const RECURRENCES: usize = 6;

/// Whether skews are those of a cycle, nearly all of them: not every second end of a long pass.
pub(super) fn recurs(found: &Skews, jumps: &[f64], tolerance: f64, turn: Turn) -> bool {
    let (Some(track), Some(cylinder)) = (found.track_skew_ms.ok(), found.cylinder_skew_ms.ok())
    else {
        return false;
    };
    let off: Vec<f64> = (0..jumps.len())
        .map(|index| {
            let cylindrical = found.is_cylinder(index) == Some(true);
            fold(jumps[index] - if cylindrical { cylinder } else { track }, turn.period)
        })
        .collect();
    // A completion that came late makes one jump longer and the next as much shorter.
    let late = |one: f64, next: f64| fold(one + next, turn.period).abs() <= tolerance;
    let fits = |index: usize| {
        off[index].abs() <= tolerance
            || off.get(index + 1).is_some_and(|next| late(off[index], *next))
            || index.checked_sub(1).is_some_and(|before| late(off[before], off[index]))
    };
    let fitting = (0..jumps.len()).filter(|index| fits(*index)).count();
    let cylinders =
        (0..jumps.len()).filter(|index| found.is_cylinder(*index) == Some(true)).count();
    let strays = jumps.len() - fitting;
    // One stray zone edge is no matter, a missing cylinder boundary in two is.
    strays * 20 <= jumps.len() && strays * 3 <= cylinders && cylinders >= RECURRENCES
}

/// The most cycles in a row that are one and the same, as the first track of the first, counted from
/// that of the first step, and the one behind the last: after spare regions, say, cylinders begin
/// elsewhere. One boundary that does not fit is a disturbance, two in a row are another phase.
pub(super) fn steady(
    found: &Skews,
    phase: usize,
    jumps: &[f64],
    tolerance: f64,
    turn: Turn,
) -> Option<(u64, u64)> {
    let (period, skew) = (found.surfaces.ok()? as usize, found.cylinder_skew_ms.ok()?);
    let fits: Vec<bool> = (phase..jumps.len())
        .step_by(period)
        .map(|index| fold(jumps[index] - skew, turn.period).abs() <= tolerance)
        .collect();
    let (mut best, mut from) = ((0, 0), 0);
    for at in 0..fits.len() {
        if !fits[at] && at.checked_sub(1).is_none_or(|before| !fits[before]) {
            from = at + 1;
        } else if fits[at] && at - from > best.1 - best.0 {
            best = (from, at);
        }
    }
    // A cylinder begins behind the step to it.
    let track = |boundary: usize| (phase + 1 + boundary * period) as u64;
    (best.1 - best.0 >= RECURRENCES).then(|| (track(best.0), track(best.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::skews;

    const TURN: Turn = Turn { period: 8.0, error: 1e-6, jitter: 0.003 };

    /// Skews of cycles of four tracks, of which the first cylinder ends behind so many.
    fn jumps(cycles: usize, before: usize) -> impl Iterator<Item = f64> {
        (0..4 * cycles).map(move |index| if index % 4 == before { 2.0 } else { 1.0 })
    }

    #[test]
    fn a_cycle_ends_where_cylinders_begin_elsewhere() {
        let same: Vec<f64> = jumps(60, 3).collect();
        let found = skews(&same, TURN, 0.01);
        let phase = found.phase.expect("a cycle");
        assert_eq!(steady(&found, phase, &same, 0.05, TURN), Some((4, 240)));
        // After fifty cycles, two tracks are left out.
        let shifted: Vec<f64> = jumps(50, 3).chain(jumps(10, 1)).collect();
        assert_eq!(steady(&found, phase, &shifted, 0.05, TURN), Some((4, 200)));
        // One late completion is no such place.
        let mut late = same;
        late[103] += 1.0;
        late[104] -= 1.0;
        assert_eq!(steady(&found, phase, &late, 0.05, TURN), Some((4, 240)));
    }
}
