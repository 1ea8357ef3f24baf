//! Whether the order of tracks that one zone shows is that of others: heads may have no data in some, or tracks may
//! follow each other in another way.

use super::Survey;
use super::asked::{Asked, Why};
use super::movements::Movements;
use super::orders::Order;
use super::pattern::{PatternSearch, runs};
use super::pieces::Pieces;
use super::possible::{by_arm, inside, known_field, possible};

/// Movements within a zone, without which nothing is said of it.
const FEWEST: usize = 4;
/// Steps from one track or pass to the next, at most.
const MOST_STEPS: u64 = 26;
/// Groups of tracks that others go over.
const GROUPS: [u64; 2] = [1, 3];
/// Orders beyond which none is known well enough to ask about it.
const MOST_ORDERS: usize = 8;

/// How far it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OtherZones {
    #[default]
    Open,
    /// Movements were asked for.
    Asked,
    /// And were timed once more, as they contradict the order.
    AskedAgain,
    /// What was timed agrees, or nothing was.
    Same,
    Another,
}

impl Survey {
    /// Asks for movements in the other zones, once those of one have left some orders, and holds these against them.
    pub(super) fn ask_of_other_zones(&mut self) {
        let (Some(pattern), Some(movements)) = (&self.pattern, &mut self.movements) else { return };
        let settled = matches!(self.other_zones, OtherZones::Same | OtherZones::Another);
        if settled || movements.next().is_some() {
            return;
        }
        let orders = possible(pattern, movements, &self.walk.pieces);
        let order = orders.first().filter(|order| order.surfaces > 1);
        let Some(order) = order.filter(|_| orders.len() <= MOST_ORDERS) else { return };
        let zones = zones(pattern, &self.walk.pieces, order);
        let pairs: Vec<(u64, u64)> =
            zones.iter().flat_map(|zone| questions(order, *zone)).collect();
        self.other_zones = match self.other_zones {
            OtherZones::Open if !pairs.is_empty() => {
                let asked =
                    pairs.iter().map(|(from, to)| Asked { why: Why::Order, from: *from, to: *to });
                movements.ask(asked.collect(), &self.walk);
                OtherZones::Asked
            }
            OtherZones::Asked if contradict(&orders, pattern, movements, &zones) => {
                movements.doubt(&pairs);
                OtherZones::AskedAgain
            }
            OtherZones::AskedAgain if contradict(&orders, pattern, movements, &zones) => {
                OtherZones::Another
            }
            _ => OtherZones::Same,
        };
    }
}

/// The first zone and the last one of several groups of tracks, but for that of the pattern.
fn zones(pattern: &PatternSearch, pieces: &Pieces, order: &Order) -> Vec<(u64, u64)> {
    /// Groups.
    const ROOM: u64 = 3;
    let long = |run: &(u64, u64)| run.1 - run.0 >= ROOM * order.surfaces * order.width.unwrap_or(1);
    let runs: Vec<(u64, u64)> = runs(&pieces.list).into_iter().filter(long).collect();
    let ends = [runs.first(), runs.last()].into_iter().flatten();
    let others = ends.filter(|run| run.1 <= pattern.field.0 || run.0 >= pattern.field.1);
    others.copied().collect()
}

/// From track to track, or from pass to pass, and over whole groups of them.
fn questions(order: &Order, zone: (u64, u64)) -> Vec<(u64, u64)> {
    let (first, end) = zone;
    let step = order.width.unwrap_or(1);
    let (group, steps) = (order.surfaces * step, (2 * order.surfaces + 1).min(MOST_STEPS));
    let room = (end - first).saturating_sub((steps + 1) * step) / 2;
    let from = first + room / step * step + step / 2;
    let near = (0..steps).map(|number| (from + number * step, from + (number + 1) * step));
    let far = GROUPS.iter().zip(1..).map(|(groups, number)| {
        let from = from + number * 2 * step;
        (from, from + groups * group)
    });
    near.chain(far).filter(|(_, to)| *to < end).collect()
}

/// Whether all orders, begun with any track, are contradicted by what was timed in some zone.
fn contradict(
    orders: &[Order],
    pattern: &PatternSearch,
    movements: &Movements,
    zones: &[(u64, u64)],
) -> bool {
    let timed = by_arm(&movements.timings_to_sectors(), movements);
    let known = inside(timed.clone(), known_field(pattern));
    zones.iter().any(|zone| {
        let there = inside(timed.clone(), *zone);
        let breaks = |order: &Order| {
            let mut begun = order.begun_from(zone.0);
            !begun.any(|begun| !order.is_broken_with(&known, &begun, &there))
        };
        there.len() >= FEWEST && orders.iter().all(breaks)
    })
}
