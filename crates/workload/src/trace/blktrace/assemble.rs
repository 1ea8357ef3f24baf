//! From events to requests: one small rule per kind of event.

use platterlab_units::SECTOR_BYTES_DEFAULT;

use super::super::{Note, Notes};
use super::event::{Action, BlktraceEvent, category};
use super::window::{Request, Stage, Window};

/// How far an event may be stamped before the one above it. The buffers of two CPUs are joined by
/// another clock than the one that stamps events, so small disorder is normal; more means that
/// files were concatenated.
const DISORDER_NS: u64 = 1_000_000;

/// Puts events together to requests.
pub(super) struct Assembly {
    window: Window,
    now: u64,
    /// What to do about events out of order.
    order_advice: &'static str,
}

impl Assembly {
    /// Nothing yet.
    pub(super) fn new(order_advice: &'static str) -> Self {
        Self { window: Window::default(), now: 0, order_advice }
    }

    /// The next request in order of arrival, once it is over; `forced`, even if it is not.
    pub(super) fn pop(&mut self, forced: bool) -> Option<(u64, Request)> {
        self.window.pop(forced)
    }

    /// Takes in the event that starts at byte `at`.
    pub(super) fn take(
        &mut self,
        at: u64,
        mut event: BlktraceEvent,
        notes: &mut Notes,
    ) -> Result<(), String> {
        if event.action == Action::Other {
            return Ok(());
        }
        event.time_ns = self.advance(event.time_ns, notes)?;
        if let Some(note) = without_data(&event) {
            if event.action == Action::Issue {
                notes.add(note);
            }
            return Ok(());
        }
        match event.action {
            Action::Queue => self.queue(at, &event),
            Action::Split(rest) => self.split(&event, rest)?,
            Action::BackMerge => self.merge(&event, notes),
            Action::FrontMerge => {
                self.merge(&event, notes);
                self.extend_to_front(&event);
            }
            Action::Issue => self.issue(at, &event),
            Action::Requeue => self.requeue(&event, notes),
            Action::Complete => self.complete(&event, notes),
            Action::Other => {}
        }
        Ok(())
    }

    /// The time of an event, no earlier than that of the event above it.
    fn advance(&mut self, time_ns: u64, notes: &mut Notes) -> Result<u64, String> {
        let back_ns = self.now.saturating_sub(time_ns);
        if back_ns > DISORDER_NS {
            let back_ms = back_ns as f64 / 1e6;
            return Err(format!(
                "time runs backwards: this event is {back_ms} ms before the one above it; {}",
                self.order_advice
            ));
        }
        if back_ns > 0 {
            notes.add(Note::ClockDisorder);
        }
        self.now = self.now.max(time_ns);
        Ok(self.now)
    }

    fn queue(&mut self, at: u64, event: &BlktraceEvent) {
        // Older kernels queue the rest of a split request once more.
        let split_off = self.window.newest(event, event.sector, Stage::Waiting).filter(|id| {
            self.window.get(*id).is_some_and(|r| r.split_off && r.bytes == event.bytes)
        });
        if split_off.is_none() {
            let request = Request { queued: Some(event.time_ns), ..new_request(at, event) };
            self.window.insert(event.time_ns, request);
        }
    }

    fn split(&mut self, event: &BlktraceEvent, rest: u64) -> Result<(), String> {
        let Some(id) = self.window.newest(event, event.sector, Stage::Waiting) else {
            return Ok(());
        };
        let Some(whole) = self.window.get(id).copied() else {
            return Ok(());
        };
        let first = rest.checked_sub(whole.lba).and_then(|s| s.checked_mul(512));
        let first = first.and_then(|bytes| u32::try_from(bytes).ok());
        let Some(first) = first.filter(|bytes| *bytes > 0 && *bytes < whole.bytes) else {
            return Err(format!(
                "a request of {} bytes from sector {} is split at sector {rest}, outside it",
                whole.bytes, whole.lba
            ));
        };
        self.window.update(id, |request| {
            request.bytes = first;
            request.rest.1 = first;
        });
        let bytes = whole.bytes - first;
        let part = Request { lba: rest, bytes, rest: (rest, bytes), split_off: true, ..whole };
        self.window.insert(id.0, part);
        Ok(())
    }

    /// Lets go of the request that became part of another.
    fn merge(&mut self, event: &BlktraceEvent, notes: &mut Notes) {
        if let Some(id) = self.window.newest(event, event.sector, Stage::Waiting) {
            notes.add(Note::Merged);
            self.window.remove(id);
        }
    }

    /// After a front merge the request behind starts where the merged one did.
    fn extend_to_front(&mut self, event: &BlktraceEvent) {
        let end = sector_after(event.sector, event.bytes);
        if let Some(id) = self.window.oldest(event, end, Stage::Waiting) {
            self.window.update(id, |request| {
                request.lba = event.sector;
                request.bytes = request.bytes.saturating_add(event.bytes);
                request.rest = (request.lba, request.bytes);
            });
        }
    }

    fn issue(&mut self, at: u64, event: &BlktraceEvent) {
        let waiting = self.window.oldest(event, event.sector, Stage::Waiting);
        let id = waiting.unwrap_or_else(|| {
            // Its Q lies before the trace: to us it arrives as it is issued.
            self.window.insert(event.time_ns, new_request(at, event))
        });
        self.window.update(id, |request| {
            request.stage = Stage::Issued;
            request.issued = Some(event.time_ns);
            // What was merged into it since its Q is in the issue's length.
            request.bytes = event.bytes;
            request.rest = (event.sector, event.bytes);
            request.category |= event.category;
        });
    }

    fn requeue(&mut self, event: &BlktraceEvent, notes: &mut Notes) {
        if let Some(id) = self.window.oldest(event, event.sector, Stage::Issued) {
            notes.add(Note::Requeued);
            self.window.update(id, |request| {
                request.stage = Stage::Waiting;
                request.issued = None;
            });
        }
    }

    fn complete(&mut self, event: &BlktraceEvent, notes: &mut Notes) {
        let issued = self.window.oldest(event, event.sector, Stage::Issued);
        let found = issued.or_else(|| self.window.oldest(event, event.sector, Stage::Waiting));
        let Some(id) = found else {
            notes.add(Note::StartNotSeen);
            return;
        };
        self.window.update(id, |request| {
            if event.bytes < request.rest.1 {
                // The first part is done; the device is still at work on the rest.
                request.rest.0 = sector_after(event.sector, event.bytes);
                request.rest.1 -= event.bytes;
            } else {
                request.stage = Stage::Over;
                request.completed = Some(event.time_ns);
            }
        });
    }
}

/// Why an event belongs to no request that moves data, if so.
fn without_data(event: &BlktraceEvent) -> Option<Note> {
    if event.has(category::DISCARD) {
        Some(Note::Discards)
    } else if event.has(category::PASSTHROUGH) {
        Some(Note::Passthrough)
    } else if event.bytes > 0 {
        None
    } else if event.has(category::FLUSH) {
        Some(Note::Flushes)
    } else {
        Some(Note::WithoutData)
    }
}

fn new_request(at: u64, event: &BlktraceEvent) -> Request {
    Request {
        stage: Stage::Waiting,
        queued: None,
        issued: None,
        completed: None,
        lba: event.sector,
        bytes: event.bytes,
        rest: (event.sector, event.bytes),
        category: event.category,
        device: event.device,
        at,
        split_off: false,
    }
}

fn sector_after(sector: u64, bytes: u32) -> u64 {
    sector.saturating_add(u64::from(bytes / SECTOR_BYTES_DEFAULT))
}
