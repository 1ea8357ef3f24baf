//! The skews of successive tracks, and where they are not the usual one.

use super::angles::Angles;
use super::find::{Find, Outcome};
use super::pass_width::pass_width;
use super::pieces::{Piece, Pieces, SEVERAL, come_back, longest_rounds};
use super::recurrence::{recurs, steady};
use crate::clock::Turn;
use crate::grain::Grain;
use crate::pattern::{Skews, least_ms, skews};
use crate::stats::{circular_median, fold, median, mode, wrap};

/// Successive tracks looked at for a pattern that recurs.
const TRACKS: u64 = 400;
/// Times a cycle that was found is looked at again, to know where it is the same one: twice as many
/// as any drive had surfaces, as passes come back to a surface by then.
const CYCLES: u64 = 55;
/// Grains of the host's clock, of which two are in each step between tracks, that two skews differ
/// by at least where the clock did not make the cycle.
const GRAINS: f64 = 4.0;
/// Times that starts which are still unknown are visited.
const TRIES: u32 = 6;
/// Passes of one width by which an end that did not show is passed over, and how many such ends are.
const ALIKE: usize = 3;
const MOST_MISSED: u32 = 4;
/// Ends of passes looked for at most.
const MOST_STEPS: usize = 49;

/// Skews that recur after a few tracks, the same way over some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cycle {
    /// The first track of one of them.
    pub(super) first: u64,
    /// The track behind the last of them.
    pub(super) end: u64,
    /// Tracks of a cycle.
    pub(super) period: u64,
    /// Whether the host's clock may have made it of skews that are alike.
    pub(super) grainy: bool,
}

impl Cycle {
    pub(super) fn count(&self) -> u64 {
        (self.end - self.first) / self.period
    }
}

/// A search for the pattern of skews.
#[derive(Clone, Debug)]
pub(super) struct PatternSearch {
    turn: Turn,
    /// Of the host's clock, and what completions are gathered over.
    grain_ms: f64,
    gathered_ms: f64,
    /// The tracks it stays within: from the first up to the second.
    pub(super) field: (u64, u64),
    /// How many of them are looked at for a cycle.
    wanted: u64,
    /// Skews of the first of them, once more are wanted.
    before: Vec<f64>,
    tries: u32,
    jumps: Option<Vec<f64>>,
    pub(super) skews: Option<Skews>,
    /// Tracks over which the cycle is one and the same; none where there is no cycle.
    steady: Option<(u64, u64)>,
    /// Whether skews may differ by the host's clock alone.
    grainy: bool,
    find: Option<Find>,
    /// Ends of passes that did not show.
    missed: u32,
    /// The same as `passes`, where lengths of tracks tell it.
    known_passes: Option<Vec<u64>>,
    /// The first track of each pass over a surface, and of what follows the last.
    pub(super) passes: Vec<u64>,
    /// Skew between tracks of a pass, and its standard error.
    pub(super) along_ms: Option<(f64, f64)>,
    /// Skews from pass to pass.
    pub(super) steps_ms: Vec<f64>,
    /// Whether the last of the passes ends with the field.
    pub(super) complete: bool,
}

impl PatternSearch {
    /// Of the tracks that were found, if they are enough.
    pub(super) fn new(pieces: &Pieces, angles: &Angles, grain: &Grain) -> Option<Self> {
        let left_ms = |grain_ms| angles.looks().left_ms(grain_ms);
        let (grain_ms, gathered_ms) = (left_ms(grain.ms()), left_ms(grain.gathered_ms()));
        let search = Self::over(field(pieces), angles.turn(), grain_ms, gathered_ms)?;
        let width = pass_width(&pieces.list).filter(|_| come_back(&pieces.list));
        let rounds = width.and_then(|width| Some((width, longest_rounds(&pieces.list)?)));
        Some(Self { known_passes: rounds.and_then(known_passes), ..search })
    }

    /// Of the first tracks, if they are enough and not among those of `other`.
    pub(super) fn of_first(pieces: &Pieces, other: &Self) -> Option<Self> {
        let length = |piece: &Piece| piece.sectors.iter().max().copied();
        let mut long = pieces.list.iter().filter(|piece| piece.tracks() >= SEVERAL);
        let first = long.next()?;
        let next = long.find(|piece| length(piece) != length(first));
        let end = next.map_or(pieces.tracks(), |piece| piece.first_track);
        (end <= other.field.0).then(|| {
            Self::over((first.first_track, end), other.turn, other.grain_ms, other.gathered_ms)
        })?
    }

    fn over(field: (u64, u64), turn: Turn, grain_ms: f64, gathered_ms: f64) -> Option<Self> {
        (field.1 - field.0 >= 4).then_some(Self {
            turn,
            grain_ms,
            gathered_ms,
            field,
            wanted: TRACKS,
            before: Vec::new(),
            tries: 0,
            jumps: None,
            skews: None,
            steady: None,
            grainy: true,
            find: None,
            missed: 0,
            known_passes: None,
            passes: Vec::new(),
            along_ms: None,
            steps_ms: Vec::new(),
            complete: false,
        })
    }

    fn tracks(&self) -> std::ops::Range<u64> {
        let from = self.field.0 + self.before.len() as u64;
        from..self.field.1.min(self.field.0 + self.wanted)
    }

    /// First track of a cycle of those looked at, the cycle's length, and the track behind the last
    /// of its cycles.
    pub(super) fn short_cycle(&self) -> Option<Cycle> {
        let period = self.skews.as_ref()?.surfaces.ok()? as u64;
        let (first, end) = self.steady?;
        Some(Cycle { first, end, period, grainy: self.grainy })
    }

    /// First track and length of each pass.
    pub(super) fn widths(&self) -> Vec<(u64, u64)> {
        self.passes.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect()
    }

    /// Sectors to visit next, from the last to the first.
    pub(super) fn next(&self, pieces: &Pieces, angles: &Angles) -> Option<Vec<u64>> {
        let mut lbas: Vec<u64> = match (&self.jumps, &self.find) {
            (None, _) => self
                .tracks()
                .map(|track| start(pieces, track))
                .filter(|lba| !angles.knows(*lba))
                .collect(),
            (Some(_), Some(find)) => find.lbas(angles, &|track| start(pieces, track)),
            (Some(_), None) => return None,
        };
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        lbas.dedup();
        Some(lbas)
    }

    /// Whether the skews were looked at.
    pub(super) fn is_seen(&self) -> bool {
        self.jumps.is_some()
    }

    /// Visits that brought nothing.
    pub(super) fn troubles(&self) -> u32 {
        self.find.as_ref().map_or(self.tries, Find::troubles)
    }

    pub(super) fn add(&mut self, angles: &mut Angles, pieces: &Pieces) {
        let Some(find) = &mut self.find else { return self.add_jumps(angles, pieces) };
        match find.add(angles, &|track| start(pieces, track), None) {
            Outcome::Searching => return,
            Outcome::Boundary(next, slope) => {
                let pass = (find.first(), next);
                self.add_pass(pass, slope, angles, pieces);
            }
            Outcome::End => {
                self.complete = true;
                self.passes.push(self.field.1);
                self.find = None;
            }
            Outcome::Hidden { .. } | Outcome::Failed => self.find_beyond(),
        }
        angles.forget();
    }

    /// Goes on behind a pass of which the end did not show, where others were as wide.
    fn find_beyond(&mut self) {
        self.find = None;
        self.missed += 1;
        let usual = mode(self.widths().into_iter().map(|(_, width)| width));
        let usual = usual.filter(|(_, count)| *count >= ALIKE && self.missed <= MOST_MISSED);
        let Some(next) = usual.zip(self.passes.last()).map(|((width, _), last)| last + width)
        else {
            return;
        };
        if next + 2 < self.field.1 {
            self.find = Some(Find::new(1, next, self.field.1, f64::INFINITY, 0.0));
        }
    }

    /// Takes passes of so many tracks from the first on, as movements show them.
    pub(super) fn take_passes(&mut self, width: u64) {
        let ends = (self.field.0..self.field.1).step_by(width.max(1) as usize);
        self.passes = ends.take(MOST_STEPS).collect();
    }

    /// Takes a cycle back that no order of tracks explains: skews may be those of passes.
    pub(super) fn take_back_cycle(&mut self) {
        if let Some(found) = &mut self.skews {
            found.phase = None;
        }
        self.steady = None;
        self.passes = vec![self.field.0];
        self.find = Some(Find::new(1, self.field.0, self.field.1, f64::INFINITY, 0.0));
    }

    fn add_jumps(&mut self, angles: &mut Angles, pieces: &Pieces) {
        self.tries += 1;
        let starts: Vec<u64> = self.tracks().map(|track| start(pieces, track)).collect();
        let known: Vec<Option<f64>> =
            starts.windows(2).map(|pair| angles.between(pair[0], pair[1])).collect();
        if known.contains(&None) && self.tries < TRIES {
            return;
        }
        let new = known.into_iter().map_while(|jump| jump.map(|jump| wrap(jump, self.turn.period)));
        let jumps: Vec<f64> = self.before.drain(..).chain(new).collect();
        let length = pieces.track(self.field.0).map_or(1, |(_, length)| length.max(1));
        let sector_ms = self.turn.period / length as f64;
        let found = self.skews.get_or_insert_with(|| {
            let least_ms = least_ms(sector_ms, self.gathered_ms);
            let mut found = skews(&jumps, self.turn, least_ms).read_by(self.grain_ms);
            if !recurs(&found, &jumps, angles.tolerance(), self.turn) {
                found.phase = None;
            }
            found
        });
        if let Some(phase) = found.phase {
            let cycles = found.surfaces.value.map_or(0, |period| CYCLES * period as u64);
            if self.wanted < cycles && self.field.0 + self.wanted < self.field.1 {
                (self.wanted, self.tries, self.before) = (cycles, 0, jumps);
                return angles.forget();
            }
            let steady = steady(found, phase, &jumps, angles.tolerance(), self.turn);
            self.steady = steady.map(|(from, to)| (self.field.0 + from, self.field.0 + to));
        }
        if let Some(passes) = self.known_passes.take() {
            let width = passes[1] - passes[0];
            self.along_ms = along(&jumps, width as usize, self.turn, self.grain_ms);
            (found.phase, self.steady, self.passes) = (None, None, passes);
        } else if self.steady.is_none() {
            found.phase = None;
            self.passes.push(self.field.0);
            self.find = Some(Find::new(1, self.field.0, self.field.1, f64::INFINITY, 0.0));
        }
        let apart = found.track_skew_ms.value.zip(found.cylinder_skew_ms.value);
        let apart = apart.map_or(0.0, |(one, other)| fold(one - other, self.turn.period).abs());
        self.grainy = apart <= GRAINS * self.gathered_ms;
        self.jumps = Some(jumps);
        angles.forget();
    }

    /// A pass goes from track `first` to that before `next`.
    fn add_pass(
        &mut self,
        (first, next): (u64, u64),
        slope: f64,
        angles: &Angles,
        pieces: &Pieces,
    ) {
        let period = self.turn.period;
        let tracks = (next - first).max(1) as f64;
        let error = self.turn.jitter * std::f64::consts::SQRT_2 / tracks;
        if self.along_ms.is_none_or(|(_, known)| error < known) {
            self.along_ms = Some((wrap(slope, period), error));
        }
        if let Some(step) = angles.between(start(pieces, next - 1), start(pieces, next)) {
            self.steps_ms.push(wrap(step, period));
        }
        self.passes.push(next);
        self.find = (self.passes.len() < MOST_STEPS)
            .then(|| Find::new(1, next, self.field.1, f64::INFINITY, 0.0));
    }
}

/// The first tracks of the passes of so many tracks, between two tracks.
fn known_passes((width, (from, end)): (u64, (u64, u64))) -> Option<Vec<u64>> {
    let firsts = from..=end;
    let passes: Vec<u64> = firsts.step_by(width as usize).take(MOST_STEPS).collect();
    (passes.len() > 3).then_some(passes)
}

/// The skew along passes of so many tracks, of which the first begins with the first step, and its
/// standard error: from the angle over half a pass, to which single steps count little. A late
/// completion may leave that a whole turn longer. The mean step tells the turns: of completions at a
/// host's ticks the middle one is too far off for so many steps.
fn along(jumps: &[f64], width: usize, turn: Turn, grain_ms: f64) -> Option<(f64, f64)> {
    let half = width / 2;
    let middle = circular_median(jumps, turn.period)?;
    let off = jumps.iter().map(|jump| fold(jump - middle, turn.period));
    let usual = middle + off.sum::<f64>() / jumps.len().max(1) as f64;
    let mut angle = 0.0;
    let before = std::iter::once(0.0).chain(jumps.iter().map(|jump| {
        angle += jump;
        angle
    }));
    let angles: Vec<f64> = before.collect();
    let skew = |(at, from): (usize, &f64)| {
        let within = at / width == (at + half) / width;
        let to = angles.get(at + half).filter(|_| within)?;
        Some(usual + fold(to - from - half as f64 * usual, turn.period) / half as f64)
    };
    let skews: Vec<f64> = angles.iter().enumerate().filter_map(skew).collect();
    let error = (turn.jitter * std::f64::consts::SQRT_2 + grain_ms) / half as f64;
    Some((wrap(median(&skews)?, turn.period), error))
}

/// The most tracks in a row that are alike. All of them where no stretch is long and lengths come back, as every
/// surface has its own.
fn field(pieces: &Pieces) -> (u64, u64) {
    let runs = runs(&pieces.list).into_iter().rev();
    let best = runs.max_by_key(|run| run.1 - run.0).unwrap_or_default();
    let short = best.1 - best.0 <= pieces.tracks() / 8;
    if short && come_back(&pieces.list) { (0, pieces.tracks()) } else { best }
}

/// Tracks in a row of the same length, single ones with defects or spares among them: the first, and that behind the
/// last.
pub(super) fn runs(pieces: &[Piece]) -> Vec<(u64, u64)> {
    /// Sectors that defects take from a track.
    const NEARLY: u64 = 4;
    let (mut runs, mut lengths): (Vec<(u64, u64)>, &[u64]) = (Vec::new(), &[]);
    for piece in pieces {
        let nearly = piece.tracks() < SEVERAL
            && lengths.iter().any(|length: &u64| length.abs_diff(piece.sectors[0]) <= NEARLY);
        if piece.sectors != lengths && !nearly {
            lengths = &piece.sectors;
            runs.push((piece.first_track, piece.first_track));
        }
        if let Some(run) = runs.last_mut() {
            run.1 = piece.first_track + piece.tracks();
        }
    }
    runs
}

/// First sector of a track; that of the last one for any beyond.
fn start(pieces: &Pieces, track: u64) -> u64 {
    let last = pieces.tracks().saturating_sub(1);
    pieces.track(track.min(last)).map_or(0, |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Turn = Turn { period: 8.0, error: 1e-6, jitter: 0.003 };

    #[test]
    fn a_late_completion_adds_no_turn_to_passes() {
        let mut steps = vec![1.0; 400];
        for at in [40, 60, 210, 230] {
            // Later than the skew: the next step seems to go nearly all the way around.
            (steps[at], steps[at + 1]) = (2.5, 7.5);
        }
        let (skew, _) = along(&steps, 171, TURN, 0.0).expect("passes");
        assert!((skew - 1.0).abs() < 1e-9, "{skew}");
        // A skew of 1.23 ms at ticks of 0.25 ms: two steps of three are seen as 1.32.
        let ticks: Vec<f64> = (1..=400)
            .map(|at| tick(1.23 * f64::from(at)) - tick(1.23 * f64::from(at - 1)))
            .collect();
        let (skew, _) = along(&ticks, 300, TURN, 0.0).expect("passes");
        assert!((skew - 1.23).abs() < 0.002, "{skew}");
    }

    fn tick(at_ms: f64) -> f64 {
        (at_ms / 0.25).ceil() * 0.25
    }
}
