//! Whether the order of tracks that one zone shows is that of others: heads may have no data in some, or tracks may
//! follow each other in another way.

use super::Survey;
use super::asked::{Asked, Why};
use super::movements::Movements;
use super::orders::Order;
use super::pattern::{PatternSearch, longest_run};
use super::pieces::Pieces;
use super::possible::{by_arm, inside, known_field, possible};

/// Movements within a zone, without which nothing is said of it.
const FEWEST: usize = 8;
/// Steps from one track or pass to the next, at most.
const MOST_STEPS: u64 = 26;
/// Groups of tracks that others go over.
const GROUPS: [u64; 5] = [1, 2, 3, 5, 8];
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
        let zones = zones(pattern, &self.walk.pieces);
        let told = orders.first().is_some_and(|order| order.surfaces > 1);
        if !told || orders.len() > MOST_ORDERS {
            return;
        }
        let pairs: Vec<(u64, u64)> =
            zones.iter().flat_map(|zone| questions(&orders[0], *zone)).collect();
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

/// The longest runs of like tracks before those of the pattern and behind them.
fn zones(pattern: &PatternSearch, pieces: &Pieces) -> Vec<(u64, u64)> {
    let list = &pieces.list;
    let before = list.partition_point(|piece| piece.first_track < pattern.field.0);
    let behind = list.partition_point(|piece| piece.first_track < pattern.field.1);
    [longest_run(&list[..before]), longest_run(&list[behind..])].into_iter().collect()
}

/// From track to track, or from pass to pass, and over whole groups of them.
fn questions(order: &Order, (first, end): (u64, u64)) -> Vec<(u64, u64)> {
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
