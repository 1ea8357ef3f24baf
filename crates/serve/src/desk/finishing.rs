//! Completions of the model: worked out shortly before its instant, and let go at it.

use super::{Desk, Due};
use crate::nbd::numbers::EIO;
use crate::pace::{now_ns, stay_awake_until};
use crate::tasks::{Syncer, Task};
use platterlab_results::Row;
use platterlab_sim::live::LiveDone;
use platterlab_units::{Span, Stamp};

/// An event is worked out so long before its instant, at least and at most. What comes meanwhile has to
/// wait.
pub(super) const LEAD_NS: [u64; 2] = [30_000, 150_000];
/// What the lead has beyond the time that this took.
const SPARE_NS: u64 = 5_000;

impl Desk {
    /// Continues to the host's present, and to an event that is as near as the lead, which is
    /// waited for; answers that are due go to `due`.
    pub(crate) fn finish(&mut self, due: &mut Vec<Due>) {
        let woken_ns = now_ns();
        let mut done = std::mem::take(&mut self.done);
        let soon = self.soon(woken_ns);
        if self.clock.is_unpaced() {
            self.go_on_unpaced(&mut done);
        } else {
            let to = soon.map_or(self.clock.at(woken_ns), |(event, _)| event);
            self.model.advance(self.before_cut(to), &mut done);
        }
        let first = due.len();
        for one in &done {
            self.is_done(one, woken_ns, due);
        }
        let mut now = now_ns();
        if let Some((_, at_ns)) = soon {
            self.lead.learn(now.saturating_sub(at_ns.saturating_sub(self.lead.ns())) + SPARE_NS);
            stay_awake_until(at_ns);
            now = now_ns();
        }
        for one in &mut due[first..] {
            one.late_ns =
                if one.deadline_ns == 0 { 0 } else { now.saturating_sub(one.deadline_ns) };
            self.tally.late_ns.add(one.late_ns);
        }
        self.counted.append(&mut done);
        self.done = done;
        while let Some((number, safe)) = self.syncer.as_ref().and_then(Syncer::next) {
            self.is_synced(number, safe, due);
        }
    }

    /// The model's next event and its instant, where that is so near that it is waited for.
    fn soon(&mut self, now_ns: u64) -> Option<(Stamp, u64)> {
        let next = self.model.next_event().filter(|at| self.is_before_cut(*at))?;
        let at_ns = self.clock.deadline_ns(next)?;
        (now_ns..=now_ns + self.lead.ns()).contains(&at_ns).then_some((next, at_ns))
    }

    /// From event to event, as far as there are any.
    fn go_on_unpaced(&mut self, done: &mut Vec<LiveDone>) {
        while let Some(at) = self.model.next_event().filter(|at| self.is_before_cut(*at)) {
            self.clock.go_to(at);
            self.model.advance(at, done);
        }
        if let (Some(_), Some(cut_at)) = (self.model.next_event(), self.cut_at) {
            self.clock.go_to(cut_at);
        }
    }

    fn is_before_cut(&self, at: Stamp) -> bool {
        self.cut_at.is_none_or(|cut_at| at < cut_at)
    }

    /// The model is done with a request.
    fn is_done(&mut self, done: &LiveDone, woken_ns: u64, due: &mut Vec<Due>) {
        self.land(done);
        let Some(task) = self.tasks.get_mut(done.tag) else { return };
        task.done = true;
        if task.syncing {
            return;
        }
        let (after_late_ns, lead_ns) = (task.after_late_ns, self.lead.ns());
        let deadline_ns = self.clock.deadline_ns(done.at);
        if let Some(deadline_ns) = deadline_ns {
            self.tally.wake_ns.add(woken_ns.saturating_sub(deadline_ns.saturating_sub(lead_ns)));
            if let Some(row) = &done.row
                && after_late_ns > 0
                && self.slipped(row, after_late_ns)
            {
                self.tally.slipped += 1;
            }
        }
        self.answer(done.tag, deadline_ns.unwrap_or(0), due);
    }

    /// Counts what is done, once the answers are on their way.
    pub(crate) fn count(&mut self) {
        for done in std::mem::take(&mut self.counted) {
            let Some(took) = done.took else { continue };
            let service_ns = self.clock.host_ns(took.span().unwrap_or(Span::MAX));
            self.tally.service_ns.add(service_ns);
            if service_ns < self.host.least_ns() {
                self.tally.faster_than_floor += 1;
            }
            if let (Some(rows), Some(row)) = (&mut self.rows, &done.row) {
                rows.push(row);
            }
        }
    }

    /// What a request wrote, or a flush covers, outlives the host.
    fn is_synced(&mut self, number: u64, safe: bool, due: &mut Vec<Due>) {
        let Some(task) = self.tasks.get_mut(number) else { return };
        task.syncing = false;
        let (cookie, replies, done) = (task.cookie, task.replies, task.done);
        if !safe {
            let answer = self.error(cookie, EIO, replies);
            if let Some(task) = self.tasks.get_mut(number) {
                task.answer = answer;
            }
        }
        if done {
            self.tally.waited_for_sync += 1;
            self.answer(number, 0, due);
        }
    }

    fn answer(&mut self, number: u64, deadline_ns: u64, due: &mut Vec<Due>) {
        let Some(task) = self.tasks.take(number) else { return };
        self.tally.in_flight -= 1;
        self.tally.answered += 1;
        let Task { connection, cookie, answer, held, .. } = task;
        due.push(Due { connection, cookie, answer, held, deadline_ns, late_ns: 0 });
    }

    /// Whether a request that came `late_ns` after it could have just missed its sector by that.
    fn slipped(&self, row: &Row, late_ns: u64) -> bool {
        let turn_ns = self.clock.host_ns(self.model.revolution());
        turn_ns > 0 && self.clock.host_ns(row.parts.rotation) + late_ns >= turn_ns
    }
}
