//! The skews of one zone, as whole sectors by which its angles come out.

use super::track_spares::Misfit;
use crate::stats::{fold, median, wrap};
use platterlab_drive::{Skew, ZoneParams};
use platterlab_units::Angle;

/// Whole sectors beside the nearest that are tried, on either side: of skews from track to track and
/// from cylinder to cylinder, and from pass to pass.
const BESIDE: i64 = 3;
const PASSES_BESIDE: i64 = 8;
/// The share of a zone's angles that have to come out by its skews.
pub(super) const SHARE: f64 = 0.7;
/// Angles that have to come out by one skew and not by any other.
pub(super) const MORE: usize = 6;

/// The angles within a zone, and how the skews are counted: from track to track and from cylinder to
/// cylinder, or from cylinder to cylinder and from pass to pass.
pub(super) struct ZoneAngles {
    pub(super) sector_ms: f64,
    pub(super) period_ms: f64,
    pub(super) room_ms: f64,
    pub(super) by_passes: bool,
    /// One surface has one skew.
    pub(super) both: bool,
    /// What each is off by with the nearest whole sectors, and how often it has each skew.
    pub(super) angles: Vec<(f64, [f64; 2])>,
}

impl ZoneAngles {
    /// None yet, of a zone on a drive of so many surfaces; with its period and what noise explains, in
    /// milliseconds.
    pub(super) fn of(zone: &ZoneParams, surfaces: u32, (period_ms, room_ms): (f64, f64)) -> Self {
        Self {
            sector_ms: period_ms / f64::from(zone.sectors_per_track.max(1)),
            period_ms,
            room_ms,
            by_passes: zone.order.seeks_first(),
            both: surfaces > 1,
            angles: Vec::new(),
        }
    }

    /// Skews that are so many sectors longer, in milliseconds.
    pub(super) fn longer(&self, more: [i64; 2]) -> [f64; 2] {
        more.map(|sectors| sectors as f64 * self.sector_ms)
    }

    /// What an angle is off by with skews so much longer, in milliseconds.
    pub(super) fn off(&self, (off, often): &(f64, [f64; 2]), longer_ms: [f64; 2]) -> f64 {
        fold(off - often[0] * longer_ms[0] - often[1] * longer_ms[1], self.period_ms)
    }

    /// How many of the angles that have skews so often come out, and of how many.
    pub(super) fn come_out(
        &self,
        longer_ms: [f64; 2],
        has: impl Fn([f64; 2]) -> bool,
    ) -> [usize; 2] {
        let mine = self.angles.iter().filter(|angle| has(angle.1));
        mine.fold([0, 0], |[right, all], angle| {
            [right + usize::from(self.off(angle, longer_ms).abs() <= self.room_ms), all + 1]
        })
    }

    /// What all angles are off by with skews so much longer.
    pub(super) fn misfit(&self, longer_ms: [f64; 2]) -> Misfit {
        let part = |angle: &(f64, [f64; 2])| self.off(angle, longer_ms).abs() / self.room_ms;
        let squares = self.angles.iter().map(|angle| part(angle).min(1.0).powi(2)).sum();
        Misfit { angles: self.angles.len(), squares }
    }

    /// How many of the angles come out, of those that have a skew, and of how many.
    fn right(&self, skew: Option<usize>, more: [i64; 2]) -> [usize; 2] {
        self.come_out(self.longer(more), |often| skew.is_none_or(|skew| often[skew] != 0.0))
    }

    /// Sectors more of the second skew that are worth a try.
    fn second(&self, first: i64) -> Vec<i64> {
        let near = |middle: i64, beside: i64| (middle - beside..=middle + beside).collect();
        if !self.by_passes {
            return near(0, BESIDE);
        }
        // Nothing else tells of a skew from pass to pass: the angles that have it once.
        let once = self.angles.iter().filter(|(_, often)| often[1].abs() == 1.0);
        let longer_ms = self.longer([first, 0]);
        let more: Vec<f64> = once.map(|it| it.1[1] * self.off(it, longer_ms)).collect();
        near(
            densest(&more, self.period_ms, self.room_ms)
                .map_or(0, |(middle, _)| (middle / self.sector_ms).round() as i64),
            PASSES_BESIDE,
        )
    }

    /// The skews by which angles come out best, the nearest ones where others are no better; and
    /// whether those that have each skew do, and by no other value of it. Between both, how many do.
    ///
    /// How many come out does not choose between skews: by one that is a little wrong as many may, each later.
    pub(super) fn best(&self) -> ([i64; 2], usize, bool) {
        let squares = |more| self.misfit(self.longer(more)).squares;
        let mut best = ([0, 0], squares([0, 0]));
        for first in -BESIDE..=BESIDE {
            for second in self.second(first) {
                let more = squares([first, second]);
                if more < best.1 {
                    best = ([first, second], more);
                }
            }
        }
        let [first, second] = best.0;
        let seconds: Vec<[i64; 2]> = self.second(first).into_iter().map(|it| [first, it]).collect();
        let firsts: Vec<[i64; 2]> = (-BESIDE..=BESIDE).map(|it| [it, second]).collect();
        let told = self.told(0, best.0, &firsts);
        let [right, _] = self.right(None, best.0);
        (best.0, right, told && (!self.both || self.told(1, best.0, &seconds)))
    }

    /// Whether no other two of those that are tried come out in nearly as many angles.
    pub(super) fn is_alone(&self, best: [i64; 2]) -> bool {
        let most = self.right(None, best)[0];
        let both = |first: i64| self.second(first).into_iter().map(move |second| [first, second]);
        let mut others = (-BESIDE..=BESIDE).flat_map(both).filter(|it| *it != best);
        others.all(|it| self.right(None, it)[0] + MORE <= most)
    }

    fn told(&self, skew: usize, best: [i64; 2], others: &[[i64; 2]]) -> bool {
        let [most, all] = self.right(Some(skew), best);
        let fewer = |it: &[i64; 2]| *it == best || self.right(Some(skew), *it)[0] + MORE <= most;
        most >= MORE && most as f64 >= SHARE * all as f64 && others.iter().all(fewer)
    }
}

/// The share of some that come out.
pub(super) fn share([right, all]: &[usize; 2]) -> f64 {
    *right as f64 / *all as f64
}

/// The middle of the most values on a circle that are alike, and how many these are.
pub(super) fn densest(values: &[f64], period: f64, room: f64) -> Option<(f64, usize)> {
    let mut once: Vec<f64> =
        values.iter().filter(|it| it.is_finite()).map(|it| wrap(*it, period)).collect();
    once.sort_unstable_by(f64::total_cmp);
    // Three times around, so that each has its neighbours on both sides.
    let around: Vec<f64> = [-period, 0.0, period]
        .iter()
        .flat_map(|more| once.iter().map(move |it| it + more))
        .collect();
    let (mut first, mut end, mut best) = (0, 0, 0..0);
    let mut most = 0.0;
    for &middle in &around[once.len()..2 * once.len()] {
        while around[first] < middle - room {
            first += 1;
        }
        while end < around.len() && around[end] <= middle + room {
            end += 1;
        }
        if end - first > best.len() {
            (best, most) = (first..end, middle);
        }
    }
    let close: Vec<f64> = around[best].iter().map(|it| it - most).collect();
    Some((fold(most + median(&close)?, period), close.len().min(once.len())))
}

/// A zone with skews of whole sectors, so many beside the nearest: from track to track and from
/// cylinder to cylinder, or from cylinder to cylinder and from pass to pass.
pub(super) fn whole(zone: &ZoneParams, surfaces: u32, beside: [i64; 2]) -> ZoneParams {
    let count = zone.most_sectors();
    let nearest = |skew: Skew, beside: i64| match skew {
        Skew::Turn(angle) => {
            let sectors = (angle.as_turns() * f64::from(count)).round() as i64 + beside;
            Skew::Sectors(sectors.rem_euclid(i64::from(count.max(1))) as u32)
        }
        sectors @ Skew::Sectors(_) => sectors,
    };
    let [track, along, pass] = parted(zone, surfaces, beside);
    ZoneParams {
        sectors_per_track: count,
        track_skew: nearest(zone.track_skew, track),
        cylinder_skew: nearest(zone.cylinder_skew, along),
        serpentine_skew: nearest(zone.serpentine_skew, pass),
        ..zone.clone()
    }
}

/// A zone whose skews are turns, so much longer: from track to track and from cylinder to cylinder, or
/// from cylinder to cylinder and from pass to pass.
pub(super) fn turned(zone: &ZoneParams, surfaces: u32, longer: [f64; 2]) -> ZoneParams {
    let count = zone.sectors_per_track.max(1);
    let turn = |skew: Skew, longer: f64| {
        let angle = match skew {
            Skew::Turn(angle) => angle,
            Skew::Sectors(sectors) => Angle::of_slots(u64::from(sectors), u64::from(count)),
        };
        Skew::Turn(Angle::of_turns((angle.as_turns() + longer).rem_euclid(1.0)))
    };
    let [track, along, pass] = parted(zone, surfaces, longer);
    ZoneParams {
        track_skew: turn(zone.track_skew, track),
        cylinder_skew: turn(zone.cylinder_skew, along),
        serpentine_skew: turn(zone.serpentine_skew, pass),
        ..zone.clone()
    }
}

/// What two skews are given, for those from track to track, from cylinder to cylinder and from pass to
/// pass.
fn parted<T: Default>(zone: &ZoneParams, surfaces: u32, [one, other]: [T; 2]) -> [T; 3] {
    match (zone.order.seeks_first(), surfaces) {
        (true, _) => [T::default(), one, other],
        // Each cylinder is one track.
        (false, 1) => [T::default(), one, T::default()],
        (false, _) => [one, other, T::default()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: f64 = 10.0;
    const SECTORS: f64 = 100.0;

    /// Angles over many tracks and passes, of a zone whose skews are so many sectors more than the
    /// nearest; each of 20 angles is late.
    fn angles(more: [f64; 2], by_passes: bool) -> ZoneAngles {
        let sector_ms = PERIOD / SECTORS;
        let (room_ms, both) = (0.02, true);
        let mut zone =
            ZoneAngles { sector_ms, period_ms: PERIOD, room_ms, by_passes, both, angles: vec![] };
        for number in 0..200_u32 {
            // From the pass before, or farther away.
            let often = [f64::from(number * 37 % 501), f64::from(number % 3)];
            let late = if number % 20 == 7 { 1.3 } else { 0.0 };
            let sectors = often[0] * more[0] + often[1] * more[1];
            zone.angles.push((fold(sectors * sector_ms + late, PERIOD), often));
        }
        zone
    }

    #[test]
    fn whole_sectors_by_which_far_angles_come_out_are_the_drives() {
        assert_eq!(angles([0.0, 0.0], false).best(), ([0, 0], 190, true));
        assert_eq!(angles([-2.0, 1.0], false).best(), ([-2, 1], 190, true));
        // Nothing told of the skew from pass to pass.
        assert_eq!(angles([1.0, 37.0], true).best(), ([1, 37], 190, true));
    }

    #[test]
    fn skews_between_two_sectors_are_not_sure() {
        let (_, right, agrees) = angles([0.4, 0.0], false).best();
        assert!(!agrees && right < 60, "{right}");
    }

    #[test]
    fn most_values_are_alike_across_the_cut_of_the_circle_too() {
        let values = [4.99, 3.0, -4.99, 5.0, 3.01, f64::NAN, 1.0];
        let (middle, alike) = densest(&values, PERIOD, 0.02).expect("some values");
        assert!((fold(middle - 5.0, PERIOD)).abs() < 1e-9 && alike == 3, "{middle} {alike}");
        assert_eq!(densest(&[f64::NAN], PERIOD, 0.02), None);
        let every = densest(&values, PERIOD, PERIOD).expect("some values");
        assert_eq!(every.1, 6);
    }

    #[test]
    fn two_skews_that_near_angles_show_together_are_not_alone() {
        let mut zone = angles([0.0, 0.0], false);
        assert!(zone.is_alone([0, 0]));
        // A sector more of one and two less of the other leave all of these as they are.
        zone.angles = vec![(0.0, [2.0, 1.0]); 200];
        assert!(zone.best().2 && !zone.is_alone([0, 0]));
    }

    #[test]
    fn skews_by_which_one_more_angle_comes_out_and_all_others_late_are_not_the_best() {
        let mut zone = angles([0.0, 0.0], false);
        zone.room_ms = 0.25;
        zone.angles = vec![(0.01, [1.0, 0.0]); 199];
        zone.angles.push((0.3, [1.0, 0.0]));
        assert_eq!(zone.right(None, [1, 0])[0], 200);
        let (more, right, _) = zone.best();
        assert_eq!((more, right), ([0, 0], 199));
    }

    #[test]
    fn a_skew_that_no_angle_has_is_not_sure() {
        let mut zone = angles([0.0, 0.0], false);
        zone.angles.retain(|(_, often)| often[1] == 0.0);
        assert!(!zone.best().2);
        // Of one surface there is none.
        zone.both = false;
        assert!(zone.best().2);
    }
}
