//! Lengths of tracks in a new zone, where surfaces have tracks of their own length: as expected from the zone
//! before, of which each surface has less in about the same proportion.

use super::pieces::Pieces;
use super::rounds::Round;

/// Tracks, or passes, of the new zone by which it is told with which surface it began.
const TOLD_BY: usize = 6;

/// Sectors by which lengths in the same proportion differ, as each is rounded.
const ROUNDED: f64 = 2.0;

/// The tracks that came back in the last zone that was leapt over.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// Lengths in their order, each over `step` tracks.
    lengths: Vec<u64>,
    step: u64,
    /// The number of the first track of some of them.
    first_track: u64,
}

impl Expected {
    /// Single tracks come back from that track on.
    pub(super) fn of_cycle(lengths: &[u64], first_track: u64) -> Self {
        Self { lengths: lengths.to_vec(), step: 1, first_track }
    }

    /// A round of passes comes back.
    pub(super) fn of_round(round: &Round, first_track: u64) -> Self {
        let step = round.width().max(1);
        let passes = round.lengths().iter().filter(|(_, tracks)| *tracks > 1);
        let lengths =
            passes.flat_map(|(length, tracks)| vec![*length; tracks.div_ceil(step) as usize]);
        Self { lengths: lengths.collect(), step, first_track }
    }

    /// How long a track would be if there were no new zone, or if one had begun so many surfaces further on; some
    /// pass begins with track `from`, as the last one of a zone may be narrower than the others.
    fn before(&self, track: u64, further: usize, from: u64) -> u64 {
        let step = self.step.max(1) as i64;
        let steps = |from: u64, to: u64| (to as i64 - from as i64).div_euclid(step);
        let place = steps(self.first_track, from) + steps(from, track) + further as i64;
        self.lengths[place.rem_euclid(self.lengths.len() as i64) as usize]
    }

    /// One track of each pass of the new zone, with its length, the last one first.
    fn since(&self, pieces: &Pieces) -> Vec<(u64, u64)> {
        let last = pieces.tracks().checked_sub(1);
        let back = |number: u64| last?.checked_sub(number * self.step);
        let track = |track: u64| Some((track, pieces.track(track)?.1));
        let before = |track: u64| self.before(track, 0, self.first_track);
        let new = |(track, length): &(u64, u64)| *length != before(*track);
        let most = 2 * self.lengths.len() as u64;
        (0..most).map_while(|number| track(back(number)?)).take_while(new).collect()
    }

    /// How many surfaces further on the new zone began than if it went on with those before: the fewest by which
    /// all its tracks have the same part of what was there before, but for rounding.
    fn further(&self, since: &[(u64, u64)], from: u64) -> usize {
        let least = since.iter().map(|(_, length)| *length).min().unwrap_or(1);
        let rounded = ROUNDED / least as f64;
        let spread = |further: &usize| {
            let told = since.iter().take(TOLD_BY);
            let parts = told.map(|it| it.1 as f64 / self.before(it.0, *further, from) as f64);
            let (least, most) = parts.fold((f64::INFINITY, 0.0_f64), |(least, most), part| {
                (least.min(part), most.max(part))
            });
            most - least
        };
        (0..self.lengths.len()).find(|further| spread(further) <= rounded).unwrap_or(0)
    }

    /// How long the track behind those that were found is, about, in whole units; none where all were alike. Of its
    /// pass so many were found.
    pub(super) fn next(&self, pieces: &Pieces, done: u64, unit: u64) -> Option<u64> {
        (self.lengths.len() > 1).then_some(())?;
        let (next, since) = (pieces.tracks(), self.since(pieces));
        if since.is_empty() {
            return Some(self.before(next, 0, self.first_track));
        }
        let from = next.saturating_sub(done);
        let further = self.further(&since, from);
        let found: u64 = since.iter().map(|(_, length)| length).sum();
        let before: u64 = since.iter().map(|(track, _)| self.before(*track, further, from)).sum();
        let part = found as f64 / before as f64;
        let units = part * self.before(next, further, from) as f64 / unit as f64;
        let seen = self.seen(next, (further, from), &since);
        Some(seen.unwrap_or(units.round() as u64 * unit))
    }

    /// Lengths of the tracks to come, by the cycle in which those of late recur, or those that were seen in the new
    /// zone, up to so many; none where a length is expected that is no part of either.
    pub(super) fn coming(
        &self,
        lengths: &[u64],
        pieces: &Pieces,
        (expected, most): (Option<u64>, u64),
        unit: u64,
    ) -> Option<Vec<u64>> {
        let [length] = *lengths else { return Some(lengths.to_vec()) };
        // Most tracks of a pass are as the one before, wherever it began.
        let Some(expected) = expected.filter(|_| self.step == 1) else { return Some(vec![length]) };
        let seen = Some(self.ahead(pieces, most)).filter(|seen| !seen.is_empty());
        seen.or_else(|| (expected.abs_diff(length) <= unit).then(|| vec![length]))
    }

    /// The lengths of the next single tracks, up to so many, of surfaces that were seen in the new zone.
    fn ahead(&self, pieces: &Pieces, most: u64) -> Vec<u64> {
        let since = if self.lengths.len() > 1 { self.since(pieces) } else { Vec::new() };
        if self.step > 1 || since.is_empty() {
            return Vec::new();
        }
        let next = pieces.tracks();
        let zone = (self.further(&since, next), next);
        (next..next + most).map_while(|track| self.seen(track, zone, &since)).collect()
    }

    /// The length of that track's surface in the new zone.
    fn seen(&self, track: u64, zone: (usize, u64), since: &[(u64, u64)]) -> Option<u64> {
        let before = |track: u64| self.before(track, zone.0, zone.1);
        let same = |it: &&(u64, u64)| before(it.0) == before(track);
        since.iter().find(same).map(|(_, length)| *length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zone of three surfaces and tracks of the next one.
    fn pieces(new: &[u64]) -> Pieces {
        let mut pieces = Pieces::default();
        pieces.push_cycles(0, &[500, 450, 480], 4);
        let mut at = 4 * 1_430;
        for length in new {
            pieces.push(at, *length);
            at += length;
        }
        pieces
    }

    #[test]
    fn each_surface_has_less_in_the_same_proportion() {
        let cycle = Expected::of_cycle(&[500, 450, 480], 6);
        assert_eq!(cycle.next(&pieces(&[]), 0, 1), Some(500));
        assert_eq!(cycle.next(&pieces(&[475]), 0, 1), Some(428));
        assert_eq!(cycle.next(&pieces(&[475]), 0, 8), Some(424));
        assert!(cycle.ahead(&pieces(&[475]), 4).is_empty());
        // All were seen once.
        assert_eq!(cycle.ahead(&pieces(&[475, 427, 456]), 4), [475, 427, 456, 475]);
        assert_eq!(cycle.next(&pieces(&[475, 427, 456, 475]), 0, 1), Some(427));
        // The zone begins with the second surface.
        assert_eq!(cycle.next(&pieces(&[427, 456]), 0, 1), Some(475));
        assert_eq!(Expected::of_cycle(&[500], 0).next(&pieces(&[475]), 0, 1), None);
        assert_eq!(Expected::default().next(&pieces(&[475]), 0, 1), None);
    }

    #[test]
    fn passes_are_counted_from_the_zone_on_that_a_narrow_one_ended() {
        let zones = [[531_u64, 521, 501, 535], [520, 510, 491, 524]];
        let (mut pieces, mut at) = (Pieces::default(), 0);
        let mut push = |pieces: &mut Pieces, length: u64, tracks: u64| {
            pieces.push_cycles(at, &[length], tracks);
            at += length * tracks;
        };
        zones[0].repeat(2).iter().for_each(|length| push(&mut pieces, *length, 400));
        let round = Round::of(&pieces.list, None).expect("a round");
        push(&mut pieces, zones[0][0], 266);
        let expected = Expected::of_round(&round, 0);
        zones[1][..2].iter().for_each(|length| push(&mut pieces, *length, 400));
        let mut found = Vec::new();
        for length in &zones[1][2..] {
            found.push(expected.next(&pieces, 0, 1));
            push(&mut pieces, *length, 100);
            found.push(expected.next(&pieces, 100, 1));
            push(&mut pieces, *length, 300);
        }
        let near =
            |(found, length): (&Option<u64>, u64)| found.is_some_and(|it| it.abs_diff(length) <= 1);
        assert!(found.iter().zip([491, 491, 524, 524]).all(near), "{found:?}");
    }
}
