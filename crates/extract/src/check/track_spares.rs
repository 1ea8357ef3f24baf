//! How many spare sectors each track of a zone has, as angles show it.
//!
//! The pace of sectors under the head shows them too, but on hundreds of sectors one more is no more than the noise of
//! the pace. A track that is a sector longer has each of its sectors elsewhere, and so other angles.

use platterlab_drive::{LayoutParams, Sparing, ZoneParams};

/// Counts beside that of the pace that are tried, on either side.
const BESIDE: u32 = 3;
/// Angles whose variance is known, and what those of zones differ by at most.
const MANY: usize = 100;
const ALIKE: f64 = 1.5;
/// In variances of an angle, sums of squares differ by more where chance did not do it: 5.5 standard deviations; and by
/// such a part of them where nothing else did that all angles have in common.
const CHANCE: f64 = 30.0;
const SHARE: f64 = 0.02;

/// What the angles of a zone are off by, in parts of what noise explains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit {
    pub(super) angles: usize,
    /// The sum of their squares, none of them more than one.
    pub(super) squares: f64,
}

impl Misfit {
    fn variance(&self) -> f64 {
        self.squares / self.angles.max(1) as f64
    }
}

/// Spares of each track of a zone; none where all of a cylinder share them, or surfaces differ.
pub(super) fn of(zone: &ZoneParams) -> Option<u32> {
    match zone.sparing {
        _ if !zone.surface_sectors.is_empty() => None,
        Sparing::None => Some(0),
        Sparing::Track { sectors } => Some(sectors),
        _ => None,
    }
}

/// A zone whose tracks have as many sectors with an address, and so many spares.
fn with(zone: &ZoneParams, spares: u32) -> ZoneParams {
    let Some(before) = of(zone) else { return zone.clone() };
    let sparing = if spares == 0 { Sparing::None } else { Sparing::Track { sectors: spares } };
    ZoneParams {
        sectors_per_track: zone.sectors_per_track - before + spares,
        sparing,
        ..zone.clone()
    }
}

/// The counts that are worth a try: that of the pace first, its neighbours, those of the other zones, and none. Of a
/// zone that has none of its own kind, none at all but itself.
fn tried(zone: &ZoneParams, others: &[u32]) -> Vec<u32> {
    let Some(own) = of(zone) else { return vec![0] };
    let beside = own.saturating_sub(BESIDE)..=own + BESIDE;
    let mut counts = vec![own];
    for count in beside.chain(others.iter().copied()).chain([0, 1]) {
        if !counts.contains(&count) {
            counts.push(count);
        }
    }
    counts
}

/// Layouts in which each zone has one after another of the counts that are worth a try; which each zone has in them, if
/// there is one left.
pub(super) fn layouts(layout: &LayoutParams) -> Vec<(LayoutParams, Vec<Option<u32>>)> {
    let mut others: Vec<u32> = layout.zones.iter().filter_map(of).collect();
    others.sort_unstable();
    others.dedup();
    let tried: Vec<Vec<u32>> = layout.zones.iter().map(|zone| tried(zone, &others)).collect();
    let most = tried.iter().map(Vec::len).max().unwrap_or(0);
    let layout = |number: usize| {
        let counts: Vec<Option<u32>> = tried.iter().map(|all| all.get(number).copied()).collect();
        let zones = layout.zones.iter().zip(&counts).map(|(zone, count)| match count {
            Some(count) => with(zone, *count),
            None => zone.clone(),
        });
        (LayoutParams { zones: zones.collect(), ..layout.clone() }, counts)
    };
    (0..most).map(layout).collect()
}

/// By which count of those that were tried angles come out best, the first of them where others are hardly better; and
/// whether by no other they do nearly as well, both neighbours among them. What has no other count is sure.
pub(super) fn best(tried: &[(u32, Misfit)]) -> Option<(usize, bool)> {
    let least = tried.iter().map(|it| it.1).min_by(|a, b| a.squares.total_cmp(&b.squares))?;
    let more = least.variance() * CHANCE.max(SHARE * least.angles as f64);
    let nearly = |misfit: Misfit| misfit.squares <= least.squares + more;
    let index = tried.iter().position(|it| nearly(it.1))?;
    let (spares, has) = (tried[index].0, |count: u32| tried.iter().any(|it| it.0 == count));
    let alone = !tried.iter().any(|it| it.0 != spares && nearly(it.1));
    let inside = has(spares + 1) && (spares == 0 || has(spares - 1));
    Some((index, tried.len() == 1 || alone && inside))
}

/// Whether angles of a zone are off by about as much as those of others: else it has no such tracks, or they begin
/// elsewhere.
pub(super) fn fits(zone: Misfit, all: &[Misfit]) -> bool {
    let many = all.iter().filter(|it| it.angles >= MANY).map(Misfit::variance);
    let least = many.min_by(f64::total_cmp);
    least.is_none_or(|least| zone.variance() <= ALIKE * least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(angles: usize, misfits: &[(u32, f64)]) -> Option<(usize, bool)> {
        let tried =
            misfits.iter().map(|(count, squares)| (*count, Misfit { angles, squares: *squares }));
        best(&tried.collect::<Vec<_>>())
    }

    #[test]
    fn the_count_by_which_angles_come_out_best_is_sure_beside_its_neighbours_alone() {
        // A hundred angles, each off by a tenth of what noise explains.
        assert_eq!(told(100, &[(2, 1.4), (1, 1.0), (3, 9.0), (0, 4.0)]), Some((1, true)));
        // As well, or nearly so, by another one.
        assert_eq!(told(100, &[(2, 1.2), (1, 1.0), (3, 9.0), (0, 4.0)]), Some((0, false)));
        assert_eq!(told(100, &[(2, 1.0), (1, 1.0), (3, 9.0)]), Some((0, false)));
        // Of many, by little that they have in common.
        assert_eq!(told(10_000, &[(2, 101.0), (1, 100.0), (0, 400.0)]), Some((0, false)));
        // Who knows how well by one more?
        assert_eq!(told(100, &[(2, 4.0), (3, 1.0)]), Some((1, false)));
        assert_eq!(told(100, &[(0, 7.0)]), Some((0, true)));
        assert_eq!(told(100, &[]), None);
    }

    #[test]
    fn a_zone_whose_angles_are_off_by_more_than_others_tells_no_spares() {
        let all = [(1_000, 30.0), (500, 16.0), (600, 36.0), (4, 0.0)];
        let all = all.map(|(angles, squares)| Misfit { angles, squares });
        assert!(fits(all[0], &all) && fits(all[1], &all) && !fits(all[2], &all));
        assert!(fits(all[2], &all[2..]) && fits(all[3], &all[3..]));
    }
}
