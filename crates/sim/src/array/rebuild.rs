//! Rebuilds: chunk by chunk from the surviving members onto a spare.

use super::members::Members;
use super::{RebuildOptions, RebuildRate};
use platterlab_units::{MIB, Span, Stamp};
use serde::Serialize;
use std::collections::VecDeque;

/// What became of the rebuild of a member.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct RebuildReport {
    /// The member, by its place in the volume.
    pub member: u32,
    /// The device that takes its place.
    pub spare: u32,
    /// When the rebuild began.
    pub begun_ms: f64,
    /// When all was there again; not there if it never was.
    pub finished_ms: Option<f64>,
    /// Sectors that were there again in the end.
    pub rebuilt_sectors: u64,
    /// Sectors of a member.
    pub sectors: u64,
}

/// What comes next in a rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A step, at this time.
    At(Stamp),
    /// Nothing, until another device fails.
    Nothing,
}

/// A chunk to be copied: the member, its sectors, and where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(super) member: usize,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) spare: u32,
}

/// The spares of a volume and the rebuild under way.
#[derive(Clone, Debug)]
pub(super) struct Rebuild {
    spares: VecDeque<u32>,
    rate: RebuildRate,
    chunk_sectors: u64,
    delay: Span,
    sector_bytes: u32,
    member_sectors: u64,
    /// Whether a step is to come or under way.
    awake: bool,
    current: Option<Current>,
    under_way: Option<Step>,
    reports: Vec<RebuildReport>,
}

#[derive(Clone, Copy, Debug)]
struct Current {
    member: usize,
    spare: u32,
    done: u64,
    step_from: Stamp,
}

impl Rebuild {
    pub(super) fn new(options: &RebuildOptions, sector_bytes: u32, member_sectors: u64) -> Self {
        Self {
            spares: options.spares.iter().copied().collect(),
            rate: options.rate,
            chunk_sectors: u64::from(options.chunk_sectors),
            delay: options.delay,
            sector_bytes,
            member_sectors,
            awake: false,
            current: None,
            under_way: None,
            reports: Vec::new(),
        }
    }

    pub(super) fn reports(&self) -> &[RebuildReport] {
        &self.reports
    }

    /// A spare that stood by has failed.
    pub(super) fn remove_spare(&mut self, device: u32) {
        self.spares.retain(|&spare| spare != device);
    }

    /// A member has failed, or the spare that takes its place; the members know it already.
    pub(super) fn failed(&mut self, device: u32, now: Stamp) -> Next {
        if self.current.is_some_and(|current| current.spare == device) {
            self.current = None;
        }
        if self.awake || self.spares.is_empty() {
            return Next::Nothing;
        }
        self.awake = true;
        Next::At(now + self.delay)
    }

    /// The next chunk, if there is one to be copied.
    pub(super) fn step(&mut self, members: &mut Members, now: Stamp) -> Option<Step> {
        if self.current.is_none() {
            self.current = self.begin(members, now);
        }
        let Some(current) = &mut self.current else {
            self.awake = false;
            return None;
        };
        current.step_from = now;
        let Current { member, spare, done: from, .. } = *current;
        let to = (from + self.chunk_sectors).min(self.member_sectors);
        members.rebuild(member, spare, from, to);
        self.under_way = Some(Step { member, from, to, spare });
        self.under_way
    }

    fn begin(&mut self, members: &Members, now: Stamp) -> Option<Current> {
        let member = members.first_dead()?;
        let spare = self.spares.pop_front()?;
        self.reports.push(RebuildReport {
            member: member as u32,
            spare,
            begun_ms: now.as_ms(),
            finished_ms: None,
            rebuilt_sectors: 0,
            sectors: self.member_sectors,
        });
        Some(Current { member, spare, done: 0, step_from: now })
    }

    /// What the step asks for cannot be had any more.
    pub(super) fn give_up(&mut self) {
        self.current = None;
        self.awake = false;
    }

    /// The step under way is over; `copied` unless something failed on the way.
    pub(super) fn stepped(&mut self, copied: bool, members: &mut Members, now: Stamp) -> Next {
        let (Some(current), Some(step)) = (&mut self.current, self.under_way.take()) else {
            return Next::At(now);
        };
        if !copied || current.spare != step.spare {
            return Next::At(now);
        }
        current.done = step.to;
        let Current { member, spare, step_from, .. } = *current;
        members.rebuild(member, spare, step.to, step.to);
        if let Some(report) = self.reports.last_mut() {
            report.rebuilt_sectors = step.to;
            if step.to == self.member_sectors {
                report.finished_ms = Some(now.as_ms());
            }
        }
        if step.to == self.member_sectors {
            members.revive(member, spare);
            self.current = None;
            return Next::At(now);
        }
        let took = now.since(step_from);
        Next::At(match self.rate {
            RebuildRate::Unlimited => now,
            RebuildRate::MibPerSecond(rate) => {
                let mib = (step.to - step.from) as f64 * f64::from(self.sector_bytes) / MIB;
                let at_least = Span::from_ms(mib / rate * 1_000.0).unwrap_or(Span::ZERO);
                now.max(step_from + at_least)
            }
            RebuildRate::Share(share) => {
                let rest = took.as_ms() * (1.0 - share) / share;
                now + Span::from_ms(rest).unwrap_or(Span::ZERO)
            }
        })
    }
}
