//! The job: replications of a plan on threads, their progress, rows and reports.

use super::across::across;
use super::{Interval, Rows, Run, RunError};
use crate::plan::Plan;
use platterlab_sim::host::HostReport;
use platterlab_sim::{Outcome, Report};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// The replications of a plan at work on threads of their own.
#[derive(Debug)]
pub struct Job {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    rows: Option<Receiver<Rows>>,
}

#[derive(Debug)]
struct Shared {
    plan: Plan,
    /// The next replication; the first one belongs to the first thread.
    next: AtomicU32,
    stop: AtomicBool,
    /// By replication, for the progress.
    served: Vec<AtomicU64>,
    /// Shares done, in millionths.
    shares: Vec<AtomicU32>,
    done: Mutex<Vec<Result<Replication, RunError>>>,
}

/// How far a job has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The share that is done, as far as it is known.
    pub share: f64,
    /// Requests served by all replications.
    pub served: u64,
}

/// What one replication gave.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Replication {
    /// Its number, from 0.
    pub number: u32,
    /// Its seed.
    pub seed: u64,
    /// The drive whose queue was full, where that ended the run.
    pub queue_full: Option<String>,
    /// Whether it was broken off from outside.
    pub interrupted: bool,
    /// Where a precision is wanted: its mean response by the means of batches, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision_ms: Option<Interval>,
    /// Where a precision is wanted: whether it was reached before something else ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision_reached: Option<bool>,
    /// Requests of its traces that were given another place on their volume.
    pub wrapped: u64,
    /// Its figures.
    pub report: Report,
    /// What the computers of process flows did, in the order of the workloads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostReport>,
}

/// What a job gave.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct JobReport {
    /// What the experiment is called.
    pub name: Option<String>,
    /// The drives, as devices are numbered.
    pub drives: Vec<String>,
    /// The buses, as they are numbered.
    pub buses: Vec<String>,
    /// The volumes, as they are numbered.
    pub volumes: Vec<String>,
    /// The streams, as they are numbered: one for each workload.
    pub streams: Vec<String>,
    /// Replications asked for.
    pub replications: u32,
    /// Requests that came, in all replications.
    pub offered: u64,
    /// Requests that were served.
    pub served: u64,
    /// Requests that did not fit their volume.
    pub refused: u64,
    /// Requests of traces that were given another place on their volume.
    pub wrapped: u64,
    /// Requests under way where a run was broken off.
    pub in_flight: u64,
    /// Mean response times of the replications.
    pub mean_response_ms: Option<Interval>,
    /// Mean response times of the driver's commands to devices, which parts of a request are.
    pub mean_command_ms: Option<Interval>,
    /// Every figure over the replications, where there are several: in the shape of a run's `report`,
    /// each number a mean and its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub across_runs: Option<Value>,
    /// Each replication that was begun.
    pub runs: Vec<Replication>,
}

impl Job {
    /// Starts the replications of a plan on at most `threads` threads. With `rows`, the rows of the
    /// first one can be taken as it goes.
    #[must_use]
    pub fn start(plan: Plan, threads: usize, rows: bool) -> Self {
        let count = plan.replications as usize;
        let shared = Arc::new(Shared {
            next: AtomicU32::new(1),
            stop: AtomicBool::new(false),
            served: (0..count).map(|_| AtomicU64::new(0)).collect(),
            shares: (0..count).map(|_| AtomicU32::new(0)).collect(),
            done: Mutex::new(Vec::new()),
            plan,
        });
        let (sender, receiver) = sync_channel(2);
        let threads = (0..threads.clamp(1, count))
            .map(|index| {
                let shared = Arc::clone(&shared);
                let first = (index == 0).then_some(0);
                let sender = sender.clone();
                spawn(move || {
                    let mut turn = Some((first, rows.then_some(sender)));
                    let mut work = || {
                        if let Some((first, rows)) = turn.take() {
                            shared.work(first, rows);
                        }
                    };
                    match &shared.plan.within {
                        Some(within) => within.enter(&mut work),
                        None => work(),
                    }
                })
            })
            .collect();
        Self { shared, threads, rows: rows.then_some(receiver) }
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let Shared { served, shares, .. } = &*self.shared;
        let millionths: u64 =
            shares.iter().map(|share| u64::from(share.load(Ordering::Relaxed))).sum();
        Progress {
            share: millionths as f64 / 1e6 / shares.len() as f64,
            served: served.iter().map(|served| served.load(Ordering::Relaxed)).sum(),
        }
    }

    /// Whether all is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.threads.iter().all(JoinHandle::is_finished)
    }

    /// Breaks off; what has been learnt is kept.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// The next rows, waited for as long as `patience`; empty if there are none yet, `None` if there
    /// are no more to come.
    pub fn rows(&self, patience: Duration) -> Option<Rows> {
        match self.rows.as_ref()?.recv_timeout(patience) {
            Ok(rows) => Some(rows),
            Err(RecvTimeoutError::Timeout) => Some(Rows::default()),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// What was wrong with a trace, of the first replication that met it.
    pub fn finish(mut self) -> Result<JobReport, RunError> {
        self.rows = None;
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        let done = std::mem::take(&mut *lock(&self.shared.done));
        let mut runs = done.into_iter().collect::<Result<Vec<_>, _>>()?;
        runs.sort_by_key(|run| run.number);
        let means = |of: fn(&Report) -> Option<f64>| {
            Interval::of(&runs.iter().filter_map(|run| of(&run.report)).collect::<Vec<f64>>())
        };
        let sum = |count: fn(&Report) -> u64| runs.iter().map(|run| count(&run.report)).sum();
        let plan = &self.shared.plan;
        Ok(JobReport {
            name: plan.name.clone(),
            drives: plan.drives.clone(),
            buses: plan.buses.clone(),
            volumes: plan.volumes.clone(),
            streams: plan.streams.clone(),
            replications: plan.replications,
            offered: sum(|report| report.offered),
            served: sum(|report| report.served),
            refused: sum(|report| report.refused),
            wrapped: runs.iter().map(|run| run.wrapped).sum(),
            in_flight: sum(|report| report.in_flight),
            mean_response_ms: means(|report| Some(report.response_ms.as_ref()?.mean_ms)),
            mean_command_ms: means(|report| Some(report.commands.response.as_ref()?.mean_ms)),
            across_runs: across(&runs.iter().map(|run| &run.report).collect::<Vec<_>>()),
            runs,
        })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Runs replications until none is left.
    fn work(&self, mut first: Option<u32>, rows: Option<SyncSender<Rows>>) {
        let mut rows = rows;
        loop {
            let next = || self.next.fetch_add(1, Ordering::Relaxed);
            let number = first.take().unwrap_or_else(next);
            if number >= self.plan.replications || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let sender = if number == 0 { rows.take() } else { None };
            let result = self.run(number, sender.as_ref());
            lock(&self.done).push(result);
        }
    }

    fn run(&self, number: u32, rows: Option<&SyncSender<Rows>>) -> Result<Replication, RunError> {
        let mut run = Run::new(&self.plan, number, rows.is_some())?;
        let mut interrupted = false;
        let mut more = true;
        while more {
            more = run.advance()?;
            self.served[number as usize].store(run.served(), Ordering::Relaxed);
            self.shares[number as usize].store((run.share() * 1e6) as u32, Ordering::Relaxed);
            interrupted = more && self.stop.load(Ordering::Relaxed);
            if let Some(sender) = rows
                && (run.rows_are_due() || interrupted || !more)
            {
                // Nobody listens any more where the job is given up.
                let _ = sender.send(run.take_rows());
            }
            if interrupted {
                break;
            }
        }
        self.shares[number as usize].store(1_000_000, Ordering::Relaxed);
        if !interrupted && run.outcome() == Outcome::Finished {
            run.check_stuck()?;
        }
        let queue_full = match run.outcome() {
            Outcome::QueueFull { device } => Some(self.plan.drives[device as usize].clone()),
            Outcome::ClockFull => return Err(RunError::ClockFull),
            Outcome::Finished => None,
        };
        Ok(Replication {
            number,
            seed: self.plan.seed_of(number),
            queue_full,
            interrupted,
            precision_ms: run.precision(),
            precision_reached: run.precision_reached(),
            wrapped: run.wrapped(),
            report: run.report(),
            hosts: run.hosts(),
        })
    }
}
