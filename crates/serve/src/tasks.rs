//! Requests in flight: what each of them answers when the model is done with it.

use crate::contents::Written;
use crate::nbd::Replies;
use platterlab_sim::live::Ask;
use std::fs::File;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::{io, thread};

/// A request in flight.
#[derive(Debug)]
pub(crate) struct Task {
    /// Whose it is: a place among the connections, and which connection had it then.
    pub(crate) connection: (usize, u64),
    /// The client's mark on it.
    pub(crate) cookie: u64,
    /// Bytes that are held for it.
    pub(crate) held: usize,
    /// How its connection is answered.
    pub(crate) replies: Replies,
    /// What is sent when it is done.
    pub(crate) answer: Vec<u8>,
    /// How late the answer before went out on its connection.
    pub(crate) after_late_ns: u64,
    /// Whether what was written has to outlive the host first, and does not yet.
    pub(crate) syncing: bool,
    /// Whether the model is done with it.
    pub(crate) done: bool,
    /// What it wrote, where the store holds no more than the media.
    pub(crate) written: Option<Written>,
    /// What the model is asked.
    pub(crate) ask: Ask,
}

impl Task {
    /// Whether it is answered only when the media's data outlives the host.
    pub(crate) fn syncs(&self) -> bool {
        matches!(self.ask, Ask::Flush | Ask::Write { forced: true })
    }
}

/// Requests in flight, under the numbers that the model gives back.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    places: Vec<Option<Task>>,
    free: Vec<usize>,
}

impl Tasks {
    /// Keeps a request; its number.
    pub(crate) fn keep(&mut self, task: Task) -> u64 {
        let place = self.free.pop().unwrap_or(self.places.len());
        if place == self.places.len() {
            self.places.push(None);
        }
        self.places[place] = Some(task);
        place as u64
    }

    /// One of them.
    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut Task> {
        self.places.get_mut(usize::try_from(number).ok()?)?.as_mut()
    }

    /// Gives a request back.
    pub(crate) fn take(&mut self, number: u64) -> Option<Task> {
        let place = usize::try_from(number).ok()?;
        let task = self.places.get_mut(place)?.take();
        if task.is_some() {
            self.free.push(place);
        }
        task
    }
}

/// A thread that syncs the store, for that takes as long as the host's disk wants.
#[derive(Debug)]
pub(crate) struct Syncer {
    jobs: Option<Sender<u64>>,
    results: Receiver<(u64, bool)>,
    thread: Option<JoinHandle<()>>,
}

impl Syncer {
    /// One for `file`, that calls `tell` after each.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(crate) fn new(file: File, tell: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (jobs, orders) = channel::<u64>();
        let (done, results) = channel();
        let work = move || {
            for number in orders {
                if done.send((number, file.sync_data().is_ok())).is_err() {
                    return;
                }
                tell();
            }
        };
        let thread = thread::Builder::new().name("sync".to_owned()).spawn(work)?;
        Ok(Self { jobs: Some(jobs), results, thread: Some(thread) })
    }

    /// Asks for a sync on behalf of a request.
    pub(crate) fn ask(&self, number: u64) {
        if let Some(jobs) = &self.jobs {
            // It listens for as long as this is there.
            let _ = jobs.send(number);
        }
    }

    /// The next request whose data is safe, and whether it is.
    pub(crate) fn next(&self) -> Option<(u64, bool)> {
        self.results.try_recv().ok()
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to say but what its results said.
            let _ = thread.join();
        }
    }
}
