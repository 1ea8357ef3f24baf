//! The skews of one zone as any angles: near ones show them, and each farther one refines them.

use super::zone_angles::{MORE, SHARE, ZoneAngles, densest};

/// Of what noise explains, the standard deviation of one angle is a part.
const DEVIATIONS: f64 = 3.0;
/// Refinements, and rounds of each: each at least doubles how far the skews are known.
const REFINED: usize = 40;
const ROUNDS: usize = 3;

/// Skews that no whole sectors bind.
pub(super) struct Free {
    /// Beside the nearest whole sectors, in milliseconds.
    pub(super) longer_ms: [f64; 2],
    /// Angles that come out.
    pub(super) right: usize,
    /// Whether those that have each skew do, as far as the zone goes.
    pub(super) agrees: bool,
}

/// What is known of both skews, beside the nearest whole sectors: in milliseconds, with covariances.
#[derive(Clone, Copy)]
struct KnownSkews {
    longer_ms: [f64; 2],
    covariance: [[f64; 2]; 2],
}

impl KnownSkews {
    /// What an angle that has the skews so often may be off by.
    fn wide_ms(&self, [one, other]: [f64; 2]) -> f64 {
        let [[a, b], [_, d]] = self.covariance;
        2.0 * (one * one * a + 2.0 * one * other * b + other * other * d).max(0.0).sqrt()
    }
}

/// The skews by which the angles of a zone come out, of which the last sector has them so often more than
/// the first; none where no near angles show them.
pub(super) fn of(angles: &ZoneAngles, end: [f64; 2]) -> Option<Free> {
    let mut known = carried_on(angles, begun(angles)?);
    if let Some(both) = with_second(angles, &known) {
        known = carried_on(angles, both);
    }
    let right = |has: &dyn Fn([f64; 2]) -> bool| angles.come_out(known.longer_ms, has);
    let told = |skew: usize| {
        let [most, all] = right(&|often| often[skew] != 0.0);
        most >= MORE && most as f64 >= SHARE * all as f64
    };
    let agrees = known.wide_ms(end) <= angles.room_ms && told(0) && (!angles.both || told(1));
    Some(Free { longer_ms: known.longer_ms, right: right(&|_| true)[0], agrees })
}

/// The first skew as angles show it that have it once and not the other, which is not known.
fn begun(angles: &ZoneAngles) -> Option<KnownSkews> {
    let once = angles.angles.iter().filter(|(_, often)| often[0].abs() == 1.0 && often[1] == 0.0);
    let longer: Vec<f64> = once.map(|it| it.1[0] * angles.off(it, [0.0, 0.0])).collect();
    let (first_ms, variance) = shown(angles, &longer)?;
    // What no angle shows, no angle that has it is near.
    let unknown = angles.period_ms * angles.period_ms;
    Some(KnownSkews { longer_ms: [first_ms, 0.0], covariance: [[variance, 0.0], [0.0, unknown]] })
}

/// The same with the second skew, as angles show it that have it once, and the first no oftener than it is
/// known for.
fn with_second(angles: &ZoneAngles, known: &KnownSkews) -> Option<KnownSkews> {
    let near = |often: [f64; 2]| known.wide_ms([often[0], 0.0]) <= angles.room_ms;
    let once = angles.angles.iter().filter(|it| it.1[1].abs() == 1.0 && near(it.1));
    let [first_ms, _] = known.longer_ms;
    let longer: Vec<f64> = once.map(|it| it.1[1] * angles.off(it, [first_ms, 0.0])).collect();
    let (second_ms, variance) = shown(angles, &longer)?;
    let covariance = [[known.covariance[0][0], 0.0], [0.0, variance]];
    Some(KnownSkews { longer_ms: [first_ms, second_ms], covariance })
}

/// What most angles show, and its variance.
fn shown(angles: &ZoneAngles, longer_ms: &[f64]) -> Option<(f64, f64)> {
    let (middle, alike) = densest(longer_ms, angles.period_ms, angles.room_ms)?;
    let deviation = angles.room_ms / DEVIATIONS;
    (alike > 0).then(|| (middle, deviation * deviation / alike as f64))
}

/// Skews as far as angles carry them on, each no farther than those before tell.
fn carried_on(angles: &ZoneAngles, mut known: KnownSkews) -> KnownSkews {
    let mut reached = 0;
    for _ in 0..REFINED {
        let near = |often: &[f64; 2]| known.wide_ms(*often) <= angles.room_ms;
        let near: Vec<&(f64, [f64; 2])> = angles.angles.iter().filter(|it| near(&it.1)).collect();
        if near.len() <= reached {
            break;
        }
        reached = near.len();
        let refined = (0..ROUNDS).fold(known, |known, _| refined(angles, &near, &known));
        let off = |angle: &&&(f64, [f64; 2])| angles.off(angle, refined.longer_ms).abs();
        let right = near.iter().filter(|angle| off(angle) <= angles.room_ms).count();
        if (right as f64) < SHARE * near.len() as f64 {
            break;
        }
        known = refined;
    }
    known
}

/// The skews that the angles which come out by what is known have on average.
fn refined(angles: &ZoneAngles, near: &[&(f64, [f64; 2])], known: &KnownSkews) -> KnownSkews {
    let variance = (angles.room_ms / DEVIATIONS).powi(2);
    // What no angle tells stays as it is.
    let stays = variance / (angles.period_ms * angles.period_ms);
    let (mut a, mut b, mut d) = (stays, 0.0, stays);
    let mut sums = [0.0, 0.0];
    for angle in near {
        let off = angles.off(angle, known.longer_ms);
        if off.abs() <= angles.room_ms {
            let [one, other] = angle.1;
            (a, b, d) = (a + one * one, b + one * other, d + other * other);
            sums = [sums[0] + one * off, sums[1] + other * off];
        }
    }
    let determinant = a * d - b * b;
    let by = |p: f64, q: f64| (p * sums[0] + q * sums[1]) / determinant;
    let scaled = |value: f64| value * variance / determinant;
    KnownSkews {
        longer_ms: [known.longer_ms[0] + by(d, -b), known.longer_ms[1] + by(-b, a)],
        covariance: [[scaled(d), scaled(-b)], [scaled(-b), scaled(a)]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::fold;

    const PERIOD: f64 = 10.0;

    /// Angles over up to so many tracks and cylinders, of skews so much longer than the nearest; each of
    /// 20 is late, and all scatter.
    fn angles(longer_ms: [f64; 2], far: u32) -> ZoneAngles {
        let (sector_ms, room_ms) = (PERIOD / 100.0, 0.02);
        let (by_passes, both, angles) = (false, true, Vec::new());
        let mut zone =
            ZoneAngles { sector_ms, period_ms: PERIOD, room_ms, by_passes, both, angles };
        for number in 0..600_u32 {
            let reach = 1 << (number % 14);
            let often =
                [number * 37 % (reach + 1), number * 11 % (reach / 2 + 1)].map(|it| it.min(far));
            let often = often.map(f64::from);
            let scatter = f64::from(number / 14 % 7) / 1e3 - 0.003;
            let late = if number % 20 == 7 { 1.3 } else { scatter };
            let off = often[0] * longer_ms[0] + often[1] * longer_ms[1] + late;
            zone.angles.push((fold(off, PERIOD), often));
        }
        zone
    }

    #[test]
    fn angles_that_are_no_whole_sectors_are_found_as_far_as_the_zone_goes() {
        let end = [8_000.0, 4_000.0];
        let free = of(&angles([0.053_217, -0.041_003], u32::MAX), end).expect("near angles");
        assert!(free.agrees && free.right > 550, "{}", free.right);
        assert!((free.longer_ms[0] - 0.053_217).abs() < 2e-6, "{:?}", free.longer_ms);
        assert!((free.longer_ms[1] + 0.041_003).abs() < 2e-6, "{:?}", free.longer_ms);
    }

    #[test]
    fn what_near_angles_alone_show_is_not_sure_for_far_ones() {
        let free = of(&angles([0.053_217, -0.041_003], 3), [8e5, 4e5]).expect("near angles");
        assert!(!free.agrees && free.right > 550, "{}", free.right);
    }

    #[test]
    fn no_two_skews_have_angles_that_have_three() {
        let mut zone = angles([0.05, -0.04], u32::MAX);
        // Every other cylinder is farther around.
        zone.angles.iter_mut().for_each(|angle| {
            angle.0 = fold(angle.0 + 3.0 * (angle.1[1] % 2.0), PERIOD);
        });
        assert!(!of(&zone, [8_000.0, 4_000.0]).is_some_and(|free| free.agrees));
    }
}
