//! Which movements are asked for next, as far as those that were timed leave several orders of tracks.

use super::asked::{self, Asked, Why};
use super::passes::usual_passes;
use super::two_skews::{Within, within};
use super::{Survey, equal_passes, map, nearly, possible, reach};
use crate::arm::averaged;
use crate::{Estimate, Status};

/// Rounds in which the width of passes is searched.
const MOST_WIDTHS_ASKED: u32 = 8;
/// Rounds in which movements that nearly contradict an order are timed more exactly.
const MOST_REFINED: u32 = 2;
/// Clocks that count in more, in milliseconds, and completions that scatter more, leave a seek open that is
/// timed by few reads.
const COARSE_MS: f64 = 0.01;
/// Rounds more of the movements that time a seek, where it is left open, each time twice as many, and how often.
const MORE_ROUNDS: u32 = 8;
const MOST_GONE_ON: u32 = 4;

impl Survey {
    /// Asks for what those that were timed leave open.
    pub(super) fn ask_for_movements(&mut self) {
        self.ask_more();
        self.ask_again();
        self.ask_of_other_zones();
        self.ask_for_seeks();
    }

    /// Asks for more movements, once, and once again, where these leave several orders; where none is
    /// left, more of the same tell nothing.
    fn ask_more(&mut self) {
        let (Some(pattern), Some(movements)) = (&self.pattern, &mut self.movements) else { return };
        let (pieces, apart) = (&self.walk.pieces, self.walk.forgetting().tracks);
        while self.asked_more < 2 && movements.next().is_none() {
            let orders = possible::possible(pattern, movements, pieces);
            if orders.is_empty() {
                return;
            }
            self.asked_more += 1;
            let one_surface = orders.first().is_some_and(|order| order.surfaces == 1);
            let again = self.asked_more == 2;
            if possible::agree(&orders) && within(pattern, &orders) != Within::Open {
                continue;
            }
            let mut more = Vec::new();
            if !again || one_surface {
                more = asked::more_questions(pattern, pieces.tracks(), (again, apart));
            }
            // What is left of the arm's times, without what each request takes, excludes more.
            more.extend((!again && !one_surface).then(|| asked::rest(pattern)));
            movements.ask(more, &self.walk);
        }
    }

    /// Times movements again that leave no order, or contradict the one that is left, once; where they leave none
    /// again, what seemed to be a cycle of skews is none.
    fn ask_again(&mut self) {
        let (Some(pattern), Some(movements)) = (&mut self.pattern, &mut self.movements) else {
            return;
        };
        if movements.next().is_some() || self.strokes.is_some() {
            return;
        }
        let orders = possible::possible(pattern, movements, &self.walk.pieces);
        if possible::agree(&orders) && within(pattern, &orders) != Within::Open {
            return movements.doubt(&possible::doubtful(pattern, movements));
        }
        if !orders.is_empty() && self.refined < MOST_REFINED {
            self.refined += 1;
            movements.refine(&nearly::nearly(&orders, pattern, movements));
            if movements.next().is_some() {
                return;
            }
        }
        movements.doubt(&possible::doubtful(pattern, movements));
        if !orders.is_empty() || movements.next().is_some() {
            return;
        }
        if pattern.short_cycle().is_some() {
            pattern.take_back_cycle();
            (self.movements, self.asked_more) = (None, 0);
        } else if self.widths_asked < MOST_WIDTHS_ASKED && usual_passes(pattern).is_none() {
            self.ask_for_widths();
        }
    }

    /// Looks for the width of passes where all skews are alike; once it is known, asks what is asked
    /// of passes.
    fn ask_for_widths(&mut self) {
        let (Some(pattern), Some(movements)) = (&mut self.pattern, &mut self.movements) else {
            return;
        };
        self.widths_asked += 1;
        let order = |(from, to)| Asked { why: Why::Order, from, to };
        if self.widths_asked == 1 {
            let pairs = equal_passes::first_questions(pattern.field);
            return movements.ask(pairs.into_iter().map(order).collect(), &self.walk);
        }
        let widths = equal_passes::widths(pattern.field, &movements.timings());
        if let [width] = widths[..] {
            self.widths_asked = MOST_WIDTHS_ASKED;
            pattern.take_passes(width);
            movements.ask(
                asked::questions(pattern, &self.walk.pieces, self.walk.forgetting().tracks),
                &self.walk,
            );
        } else if !widths.is_empty() {
            let pairs = equal_passes::questions(pattern.field, &widths);
            movements.ask(pairs.into_iter().map(order).collect(), &self.walk);
        }
    }

    /// Asks for what the arm takes, once tracks and orders are known, where a cache shows, or
    /// completions are known no better: pairs of reads tell it past both.
    fn ask_for_seeks(&mut self) {
        self.go_on_with_seeks();
        let Some(movements) = &self.movements else { return };
        let cached = self.angles.as_ref().is_some_and(|angles| angles.hit_ms() > 0.0);
        let jitter_ms = self.turn.map_or(0.0, |turn| turn.jitter);
        let needed = cached || movements.grain_ms().max(jitter_ms) > COARSE_MS;
        let open = movements.next().is_some() || self.strokes.is_some();
        if open || !needed || map::status(self).0 != Status::Ok {
            return;
        }
        let (Some(pattern), Some(movements)) = (&self.pattern, &mut self.movements) else { return };
        let (pieces, period) = (&self.walk.pieces, self.turn.map_or(0.0, |turn| turn.period));
        let gap_ms = |track| {
            let (_, sectors) = pieces.track(track)?;
            Some(period - sectors as f64 * self.walk.slope(sectors)?)
        };
        if let Some(strokes) = reach::strokes(pattern, movements, pieces) {
            // Where ticks show, one track alone is read: the last one, which is no other's neighbour.
            let one_track = cached || self.grain.ticks.every_ms > 0.0;
            let strokes = if one_track { strokes.rest_within(gap_ms) } else { strokes };
            movements.ask(strokes.asked(), &self.walk);
            self.strokes = Some(strokes);
        }
    }

    /// Times them in more rounds, as long as one is known no better than to a little more than it may be: readings
    /// of a coarse clock, and what completions scatter by, are averaged.
    fn go_on_with_seeks(&mut self) {
        let (Some(strokes), Some(movements)) = (&self.strokes, &mut self.movements) else { return };
        if movements.next().is_some() || self.gone_on == MOST_GONE_ON {
            return;
        }
        let seeks = strokes.seeks_ms(movements);
        let open = |seek: &Estimate| {
            seek.ok().is_some() && averaged(seek.clone(), self.grain.ms()).ok().is_none()
        };
        if seeks.iter().any(open) {
            movements.go_on(&strokes.asked(), MORE_ROUNDS << self.gone_on);
            self.gone_on += 1;
        }
    }

    /// Whether all that is asked for next makes a seek narrower: everything else is known.
    pub(crate) fn lingers(&self) -> bool {
        self.gone_on > 0
    }

    /// Whether these are told by more rounds than usual, by a coarse clock, and hold what one track alone tells of
    /// a request without the arm.
    pub(crate) fn seeks_by_coarse_clock(&self) -> bool {
        let one_track = || {
            let still = self.strokes.as_ref().zip(self.movements.as_ref());
            !still.is_some_and(|(strokes, movements)| strokes.is_of_many_tracks(movements))
        };
        self.lingers() && self.grain.ms() > COARSE_MS && one_track()
    }
}
