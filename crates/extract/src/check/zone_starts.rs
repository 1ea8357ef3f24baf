//! Where the zones begin that are said to be sure, and whether they can begin there.

use super::unbuilt::Unbuilt;
use super::{Evidence, MANY, Value};
use crate::survey::{Piece, TimedMovement, number_of};
use crate::{Extraction, Zone};
use std::collections::BTreeSet;
use std::ops::Range;

/// Tracks over which the first zone is taken to go on where no zone is sure.
const FEW: u64 = 24;

/// Zones, those that are not sure among them: behind these, others are.
pub(super) struct ZoneStarts {
    /// First sector and length of the tracks of each zone.
    pub(super) zones: Vec<(u64, u64)>,
    unsure: BTreeSet<usize>,
    /// Sectors whose place on their track is sure.
    pub(super) sure: Vec<Range<u64>>,
    /// Behind the last sector with only sure zones before it.
    pub(super) until_lba: u64,
}

/// What a zone leaves of its last cylinder.
pub(super) struct Rest {
    pub(super) sectors: u64,
    pub(super) track_sectors: u64,
}

impl ZoneStarts {
    pub(super) fn of(found: &Extraction, evidence: &Evidence<'_>) -> Result<Self, Unbuilt> {
        let outer = found.sectors_per_track.ok().ok_or(Unbuilt::Unknown("no track was counted"))?;
        let (outer, begin) = (outer as u64, evidence.goal.region_lba);
        let end = begin + evidence.goal.region_sectors;
        let (zones, unsure) = (vec![(begin, outer)], BTreeSet::new());
        let mut starts = Self { zones, unsure, sure: Vec::new(), until_lba: end };
        let mut from = Some(begin);
        for (index, zone) in found.zones.iter().enumerate() {
            let is_sure = zone.first_lba.ok().is_some() && zone.sectors_per_track.ok().is_some();
            if !is_sure && let Some(begun) = from.take() {
                let until = until(index, zone, outer, evidence).min(end);
                starts.sure.push(begun..until.max(begun));
                starts.until_lba = starts.until_lba.min(until);
            }
            match (zone.first_lba.value, zone.sectors_per_track.value) {
                (Some(first), Some(count)) if is_sure => {
                    let first = first as u64;
                    starts.add(index, (first, count as u64), &found.zones, evidence)?;
                    from.get_or_insert(first);
                }
                (Some(first), Some(count)) if starts.can_follow(index, first, count, end) => {
                    starts.zones.push((first as u64, count as u64));
                    starts.unsure.insert(index);
                }
                _ if index == 0 => {
                    starts.unsure.insert(index);
                }
                _ => break,
            }
        }
        if found.zones.is_empty() {
            starts.until_lba = first_until(outer, evidence).min(end);
            starts.sure.push(begin..starts.until_lba);
        } else if let Some(from) = from {
            starts.sure.push(from..end);
        }
        Ok(starts)
    }

    /// Whether a zone that is not sure can begin there, for those behind it to be told.
    fn can_follow(&self, index: usize, first: f64, count: f64, end: u64) -> bool {
        let last = self.zones.last().map_or(0, |(first, _)| *first);
        index > 0 && count >= 1.0 && first as u64 > last && (first as u64) < end
    }

    fn add(
        &mut self,
        index: usize,
        (first, count): (u64, u64),
        zones: &[Zone],
        evidence: &Evidence<'_>,
    ) -> Result<(), Unbuilt> {
        let end = evidence.goal.region_lba + evidence.goal.region_sectors;
        let (last, outer) = self.zones[self.zones.len() - 1];
        if index == 0 {
            let note = format!(
                "the first zone is said to begin at sector {first} with {count} sectors a track, \
                 the first track to have {outer}"
            );
            let both = vec![Value::SectorsPerTrack, Value::Zone(0)];
            let same = first == last && count == outer;
            return if same { Ok(()) } else { Err(Unbuilt::Contradiction(both, note)) };
        }
        if first <= last || first >= end {
            let note = format!("zone {index} is said to begin at sector {first}");
            return Err(Unbuilt::Contradiction(vec![Value::Zone(index)], note));
        }
        // Where surfaces differ, passes on either side of a zone's end may be alike.
        let width = evidence.map.layout.serpentine_cylinders.ok().map(|width| width as u64);
        let by_surface = |zone: &Zone| !zone.surface_sectors_per_track.is_empty();
        let mixed = zones[index - 1..=index].iter().any(by_surface)
            || begins_pass(&evidence.map.pieces, width, first);
        if evidence.map.pieces.iter().any(|piece| cannot_begin(piece, first, mixed)) {
            let note = format!(
                "zone {index} is said to begin at sector {first}, within a track or between tracks \
                 of one length by the map"
            );
            return Err(Unbuilt::Contradiction(vec![Value::Zone(index)], note));
        }
        self.zones.push((first, count));
        Ok(())
    }

    /// Zones leave the same part of a cylinder, or some edge lies elsewhere.
    pub(super) fn are_even(&self, rests: &[Rest], slack: &[u64]) -> Result<(), Unbuilt> {
        let Some(index) = self.uneven(rests, slack) else { return Ok(()) };
        let note = format!(
            "zones are whole cylinders but zone {index}, which leaves {} sectors of one",
            rests[index].sectors
        );
        // If its end is off, those behind may be off by as much: they are whole from there on, too.
        Err(Unbuilt::Contradiction((index..self.zones.len()).map(Value::Zone).collect(), note))
    }

    /// A zone that leaves another part of a cylinder than most do.
    fn uneven(&self, rests: &[Rest], slack: &[u64]) -> Option<usize> {
        let part = |rest: &Rest| {
            let track = rest.track_sectors.max(1);
            (rest.sectors / track, rest.sectors % track)
        };
        let (_, inner) = rests.split_last()?;
        let whole = |index: &usize| slack.get(*index).is_none_or(|slack| *slack == 0);
        let told =
            |index: &usize| !self.unsure.contains(index) && !self.unsure.contains(&(index + 1));
        let sound: Vec<usize> = (0..inner.len()).filter(told).collect();
        let parts: Vec<(u64, u64)> = sound.iter().map(|index| part(&inner[*index])).collect();
        let most = parts.iter().max_by_key(|one| parts.iter().filter(|it| it == one).count())?;
        let usual = parts.iter().filter(|it| *it == most).count();
        let mut others =
            sound.iter().copied().filter(whole).filter(|it| part(&inner[*it]) != *most);
        (usual >= 3 && 3 * usual >= 2 * parts.len()).then(|| others.next()).flatten()
    }
}

/// Whether no zone begins at a sector, by tracks of the map around it: within one, or among many of one length, of
/// which the first may be the last one of the zone before, short of its spares.
fn cannot_begin(piece: &Piece, lba: u64, mixed: bool) -> bool {
    let cycle: u64 = piece.sectors.iter().sum();
    let within = piece.first_lba < lba && lba < piece.first_lba + piece.cycles * cycle;
    let Some(offset) = lba.checked_sub(piece.first_lba).filter(|_| within) else { return false };
    let mut starts = piece.sectors.iter().scan(0, |start, count| {
        *start += count;
        Some(*start - count)
    });
    let begins_track = starts.any(|start| start == offset % cycle);
    let count = piece.sectors[0];
    let alike = !mixed && piece.tracks() >= MANY && piece.sectors.iter().all(|it| *it == count);
    !begins_track || alike && offset > count
}

/// Whether a track begins a pass, by its number: passes of the zone before that are short of their spares may be as long
/// as those of the next one.
fn begins_pass(pieces: &[Piece], width: Option<u64>, lba: u64) -> bool {
    let number = number_of(pieces, lba);
    width.zip(number).is_some_and(|(width, number)| number.is_multiple_of(width))
}

/// Behind the last sector of the first zone as far as the map, or a few tracks, tell.
fn first_until(outer: u64, evidence: &Evidence<'_>) -> u64 {
    evidence.alike(outer).unwrap_or(evidence.goal.region_lba + FEW * outer)
}

/// Movements of which it is known over how many cylinders they go: where no zones are known, those in the first one.
pub(super) fn placed(found: &Extraction, evidence: &Evidence<'_>) -> Vec<TimedMovement> {
    let outer = found.sectors_per_track.ok().filter(|_| found.zones.is_empty());
    let until = outer.map_or(u64::MAX, |outer| first_until(outer as u64, evidence));
    let within = |it: &&TimedMovement| it.from_lba.max(it.to_lba) < until;
    evidence.strokes.iter().filter(within).copied().collect()
}

/// Behind the last sector before a zone that is not sure whose place is sure.
fn until(index: usize, zone: &Zone, outer: u64, evidence: &Evidence<'_>) -> u64 {
    match (index, zone.first_lba.value) {
        (1.., Some(first)) => {
            let map = evidence.alike(outer).filter(|_| index == 1);
            map.unwrap_or(first as u64).max(outer)
        }
        _ => first_until(outer, evidence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    #[test]
    fn a_zone_begins_with_a_track_and_not_among_many_alike() {
        let piece = |sectors: &[u64], cycles: u64| Piece {
            first_lba: 1_000,
            first_track: 0,
            sectors: sectors.to_vec(),
            cycles,
        };
        let many = piece(&[26], 100);
        let told = |lba: u64| cannot_begin(&many, lba, false);
        assert!(told(1_000 + 26 * 50) && told(1_000 + 26 * 99 + 2));
        // But for passes of one surface of several.
        assert!(!cannot_begin(&many, 1_000 + 26 * 50, true));
        // Its own first sector, that behind the last, and one track later: it may be a short one.
        assert!(!told(1_000) && !told(1_000 + 26 * 100) && !told(1_026));
        // After fifty tracks a pass of 25 begins, none of 24, and none where heads come first.
        let begins = |width: Option<u64>| begins_pass(from_ref(&many), width, 1_000 + 26 * 50);
        assert!(begins(Some(25)) && !begins(Some(24)) && !begins(None));
        let cycle = piece(&[26, 24], 100);
        assert!(
            !cannot_begin(&cycle, 1_000 + 50 * 7 + 26, false)
                && cannot_begin(&cycle, 1_000 + 50 * 7 + 24, true)
        );
    }
}
