//! The least and the longest seek of a drive, from what each measurement tells of movements of the arm.

use crate::agreed::{Agreed, Class};
use crate::survey::Still;
use crate::{Estimate, Extraction};

/// Seeks that differ by more are different ones.
const SEEK: f64 = 0.03;
/// What a seek leaves open of itself, where other measurements must not contradict it.
const OPEN: f64 = 0.02;
const MAP: &str = "map of the tracks";

/// The least and the longest seek, between tracks whose cylinders the map made certain.
pub(crate) struct Seeks {
    pub(crate) from_rest: Option<[Estimate; 2]>,
    pub(crate) by_pairs: Option<[Estimate; 2]>,
    /// What pairs of reads take without the arm and without their sector.
    pub(crate) still: Option<Still>,
}

/// A seek is one only where the arm is known to have moved. Where the movements that the survey chose
/// could not be timed, those of the campaign count as far as heads come first.
pub(crate) fn arm(found: &mut Extraction, known: &Agreed, seeks: Seeks, writes: bool) {
    let Some(class) = known.class else {
        let note = "which tracks share a cylinder is not known: the arm may not have moved";
        found.seek_min_ms.doubt(note);
        return found.seek_max_ms.doubt(note);
    };
    let unknown = || Estimate::unsupported(MAP, "no map of the tracks says where the arm moves");
    let mapped = |seeks: Option<[Estimate; 2]>| {
        seeks.filter(|_| known.mapped).unwrap_or_else(|| [unknown(), unknown()])
    };
    let by_pairs = mapped(seeks.by_pairs);
    // Pairs of reads are between cylinders that are known, the campaign's movements are not.
    let either = |one: Estimate, other: Estimate, by_pairs: &Estimate| match class {
        _ if one.value.is_some() => one,
        Class::HeadFirst if by_pairs.ok().is_none() => other,
        _ => by_pairs.clone(),
    };
    let [least, longest] = mapped(seeks.from_rest);
    let mut by_campaign = [campaign_least(found), found.seek_max_ms.clone()];
    if writes {
        // Of a short movement, the interface hides much.
        by_campaign[0].doubt("timed by writes, whose data comes over the interface meanwhile");
    }
    if found.cached {
        // What the drive reads on for itself before the arm leaves is told by pairs of reads only.
        by_campaign.iter_mut().for_each(|seek| seek.doubt("no pairs of reads confirm it"));
    }
    let [campaign_least, campaign_longest] = by_campaign;
    found.seek_min_ms = either(least, campaign_least, &by_pairs[0]);
    found.seek_max_ms = either(longest, campaign_longest, &by_pairs[1]);
    let settles = settles([&found.seek_min_ms, &found.seek_max_ms], &by_pairs);
    for (seek, by_pairs) in
        [&mut found.seek_min_ms, &mut found.seek_max_ms].into_iter().zip(by_pairs)
    {
        let Some(other) = by_pairs.value else { continue };
        let widths = seek.half_width() + by_pairs.half_width();
        let sure = by_pairs.ok().is_some();
        let more = |one: f64| other - one > widths.max(SEEK * one);
        // A write's data comes over the interface while the arm moves, and hides some of it.
        if sure && (settles || seek.ok().is_none_or(more)) {
            *seek = by_pairs;
        } else if seek.ok().is_some_and(|one| (one - other).abs() > widths.max(SEEK * one)) {
            seek.doubt(format!("pairs of reads take {other:.3} ms"));
        }
    }
}

/// With heads first, the switch to the next cylinder holds the seek to it, and takes no less but for what
/// the interface hides of a write: a seek that leaves some open is held against it.
pub(crate) fn shortest(found: &mut Extraction, known: &Agreed) {
    let (seek, switch) = (&mut found.seek_min_ms, &found.cylinder_switch_ms);
    let (Some(least), Some(most)) = (seek.ok(), switch.ok()) else { return };
    let widths = seek.half_width() + switch.half_width();
    let open = seek.half_width() > OPEN * least;
    if known.class == Some(Class::HeadFirst) && open && least - most > widths.max(SEEK * most) {
        seek.doubt(format!("the switch to the next cylinder, which holds it, takes {most:.3} ms"));
    }
}

/// Whether the least and the longest seek take the same more than by pairs of reads: what the head
/// settles longer for a write.
fn settles(seeks: [&Estimate; 2], by_pairs: &[Estimate; 2]) -> bool {
    let more = |number: usize| {
        let (one, other) = (seeks[number].ok()?, by_pairs[number].ok()?);
        Some((one - other, seeks[number].half_width() + by_pairs[number].half_width()))
    };
    let (Some((least, width)), Some((longest, other))) = (more(0), more(1)) else { return false };
    least > width && (least - longest).abs() <= width + other
}

/// The campaign's shortest seek, if it is one to the next cylinder.
fn campaign_least(found: &Extraction) -> Estimate {
    let mut shortest = found.seek_min_ms.clone();
    let least = found.seeks.iter().min_by(|a, b| a.seek_ms.total_cmp(&b.seek_ms));
    let one = least.is_some_and(|point| {
        point.distance_cylinders == Some(1) && point.seek_ms > 3.0 * point.half_width_ms
    });
    if !one {
        shortest.doubt("it is not that of the movement to the next cylinder");
    }
    shortest
}

/// The way to the last cylinder may go to another head: a seek that takes no longer than that switch may be that.
pub(crate) fn longest(found: &mut Extraction) {
    let (seek, switch) = (&mut found.seek_max_ms, &found.head_switch_ms);
    let head = switch.value.filter(|_| found.surfaces.value != Some(1.0));
    let (Some(most), Some(head)) = (seek.ok(), head) else { return };
    if most - head <= (seek.half_width() + switch.half_width()).max(SEEK * head) {
        seek.doubt(format!("the switch to another head, which it may hold, takes {head:.3} ms"));
    }
}
