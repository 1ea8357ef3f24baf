//! Another simulator's scheduling decisions against ours, one by one.

use platterlab_drive::{CacheOutcome, Chance, Command, Drive};
use platterlab_experiment::Plan;
use platterlab_sim::drive::Model;
use platterlab_sim::scheduler::{DeviceView, Queue, Waiting};
use platterlab_units::{Angle, Operation, Partial, Span, Stamp, Time};
use platterlab_workload::Criticality;
use schemars::JsonSchema;
use serde::Serialize;

/// A request as the other simulator served it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// When it came.
    pub arrival: Time,
    /// When it was done; `None` if it never was.
    pub completion: Option<Time>,
    /// First sector.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
}

/// How often the driver of a plan picks the same request.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Choices {
    /// Requests that were dispatched.
    pub dispatches: u64,
    /// Of these, with several to choose from.
    pub choices: u64,
    /// Of these, where ours is the same.
    pub same: u64,
    /// Different, at the same address.
    pub same_address: u64,
    /// Different, but no sooner under the head than the other's by a tenth of a millisecond.
    pub as_near: u64,
    /// Different, and either one is in the drive's cache.
    pub cached: u64,
    /// Different after a write that may still be on its way to the media.
    pub after_write: u64,
    /// Different for none of these reasons.
    pub other: u64,
}

/// Positioning times that differ by less than this are as good as equal.
const NEAR: Span = Span::from_us(100);

/// No single request is off by more from rounding alone.
const ROUNDING: Span = Span::from_us(10);

/// Nothing is left to chance in a drive that keeps track of its platter.
struct NoChance;

impl Chance for NoChance {
    fn angle(&mut self) -> Angle {
        Angle::from_raw(0)
    }
}

/// At each dispatch of the other simulator, what the driver of `plan` picks from the same queue for
/// its first drive, which has served the same requests at the same times.
#[must_use]
pub fn choices(plan: &Plan, requests: &[Served]) -> Choices {
    let mut judge = Judge::new(plan);
    let mut order: Vec<usize> =
        (0..requests.len()).filter(|index| requests[*index].completion.is_some()).collect();
    order.sort_by_key(|index| requests[*index].completion);
    let mut arrivals: Vec<usize> = (0..requests.len()).collect();
    arrivals.sort_by_key(|index| (requests[*index].arrival, *index));
    let mut coming = arrivals.into_iter().peekable();
    let mut free = Time::ZERO;
    for index in order {
        let one = requests[index];
        // An idle drive gets a request when it comes.
        let now = if judge.waiting.is_empty() {
            coming.peek().map_or(free, |next| requests[*next].arrival.max(free))
        } else {
            free
        };
        while let Some(next) = coming.next_if(|next| requests[*next].arrival <= now) {
            judge.arrive(next, &requests[next]);
        }
        free = one.completion.unwrap_or(now);
        judge.dispatch(index, now, free);
    }
    judge.tally
}

/// Keeps the platter with the other simulator's, whose rotation period may be rounded: by what a
/// read from the media was early or late, unless that is too much for rounding.
fn follow(drive: &mut Drive, ours: Time, theirs: Time) {
    let late = theirs > ours;
    let by = if late { theirs - ours } else { ours - theirs };
    if by < ROUNDING {
        drive.turn(by, late);
    }
}

struct Judge {
    /// It has served what the other's queue has, one by one, and so stands where that stands.
    history: Queue,
    waiting: Vec<Waiting>,
    model: Model,
    after_write: bool,
    tally: Choices,
}

impl Judge {
    fn new(plan: &Plan) -> Self {
        let system = plan.system(0, false);
        let model = system.devices[0].model.clone();
        let queue = &system.driver.queue;
        Self {
            history: Queue::new(queue, model.sectors(), model.cylinders()),
            waiting: Vec::new(),
            model,
            after_write: false,
            tally: Choices::default(),
        }
    }

    fn arrive(&mut self, index: usize, request: &Served) {
        let place = self.model.place(request.lba);
        self.waiting.push(Waiting {
            id: index as u32,
            sequence: index as u64,
            arrival: Stamp::from(request.arrival).into(),
            lba: request.lba,
            sectors: request.sectors,
            operation: request.operation,
            criticality: Criticality::Unknown,
            order: None,
            place,
        });
    }

    /// The other simulator dispatches request `index`, which is done at `done`.
    fn dispatch(&mut self, index: usize, now: Time, done: Time) {
        self.tally.dispatches += 1;
        let Some(position) = self.waiting.iter().position(|one| one.id == index as u32) else {
            self.tally.other += 1;
            return;
        };
        let theirs = self.waiting[position];
        if self.waiting.len() > 1 {
            let mut queue = self.history.clone();
            self.waiting.iter().for_each(|one| queue.push(*one));
            if let Some(ours) = queue.pop(now.into(), &self.model.view()) {
                self.compare(&ours, &theirs, now);
            }
        }
        self.waiting.remove(position);
        self.history.push(theirs);
        self.history.pop(now.into(), &self.model.view());
        let Waiting { lba, sectors, operation, .. } = theirs;
        if let Model::Drive(drive) = &mut self.model {
            let command = Command {
                lba,
                sectors,
                operation,
                may_report_early: true,
                partial: Partial::WHOLE,
            };
            let service = drive.serve(now, command, &mut NoChance);
            if operation.is_read() && service.cache == CacheOutcome::Miss {
                follow(drive, service.completion, done);
            }
        }
        self.after_write = operation == Operation::Write;
    }

    fn compare(&mut self, ours: &Waiting, theirs: &Waiting, now: Time) {
        let tally = &mut self.tally;
        tally.choices += 1;
        let mut cached = Vec::new();
        let view = self.model.view();
        view.cached(now.into(), &mut cached);
        let held = |one: &Waiting| {
            let inside = |range: &(u64, u64)| range.0 <= one.lba && one.lba < range.1;
            one.operation.is_read() && cached.iter().any(inside)
        };
        let departure = view.depart(now.into());
        let time = |one: &Waiting| {
            let place = one.place.as_ref();
            place.map_or(Span::ZERO, |p| view.positioning(&departure, p, one.operation))
        };
        let kind = if ours.id == theirs.id {
            &mut tally.same
        } else if ours.lba == theirs.lba {
            &mut tally.same_address
        } else if time(theirs) < time(ours) + NEAR {
            &mut tally.as_near
        } else if held(ours) || held(theirs) {
            &mut tally.cached
        } else if self.after_write {
            &mut tally.after_write
        } else {
            &mut tally.other
        };
        *kind += 1;
    }
}
