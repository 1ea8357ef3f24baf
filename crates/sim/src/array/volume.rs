//! A volume at work: from a request to the commands of its members.

use super::balanced::Balanced;
use super::concat::Concat;
use super::members::Members;
use super::mirror::Mirror;
use super::parity::Parity;
use super::piece::{Dealt, Fleet, Piece, add};
use super::rebuild::{Next, Rebuild, RebuildReport, Step};
use super::stripe::Stripe;
use super::{ArrayError, Capacity, LayoutOptions, VolumeOptions, check};
use crate::chance::LatencyStream;
use crate::outside::ReadChooser;
use crate::source::Request;
use platterlab_units::{Operation, Stamp};

/// A volume at work.
///
/// Contract: [`Volume::plan`] adds all commands of a request, each with its stage; those of stage
/// `n + 1` are given once all of stage `n` are done. If a device fails under one of them, the
/// request is planned anew on what is left.
#[derive(Clone, Debug)]
pub struct Volume {
    layout: Layout,
    members: Members,
    rebuild: Option<Box<Rebuild>>,
    /// The parts of the request at hand, by data device.
    parts: Vec<Dealt>,
}

#[derive(Clone, Debug)]
enum Layout {
    Plain(Deal),
    Balanced(Balanced, u64),
    Mirror(Deal, Mirror),
    Parity(Box<Parity>),
}

/// How data without parity is dealt out.
#[derive(Clone, Debug)]
enum Deal {
    Concat(Concat),
    Stripe(Stripe),
}

impl Deal {
    fn sectors(&self) -> u64 {
        match self {
            Self::Concat(deal) => deal.sectors(),
            Self::Stripe(deal) => deal.sectors(),
        }
    }

    #[inline]
    fn locate(&self, lba: u64) -> (usize, u64, u64) {
        match self {
            Self::Concat(deal) => deal.locate(lba),
            Self::Stripe(deal) => deal.locate(lba),
        }
    }

    /// The parts of a request.
    #[inline]
    fn each(&self, request: &Request, mut visit: impl FnMut(Dealt) -> bool) -> bool {
        let (mut lba, end) = (request.lba, request.lba + u64::from(request.sectors));
        while lba < end {
            let (member, from, run) = self.locate(lba);
            let sectors = run.min(end - lba);
            let mut partial = request.partial;
            if lba > request.lba {
                partial.before = 0;
            }
            lba += sectors;
            if lba < end {
                partial.after = 0;
            }
            if !visit(Dealt { member, from, to: from + sectors, partial }) {
                return false;
            }
        }
        true
    }
}

impl Volume {
    /// Puts a volume together over `devices`, which are all of the system. Random choices of the
    /// `index`-th volume come from `seed`.
    ///
    /// # Errors
    /// What cannot be, and what would be right.
    pub fn new(
        options: &VolumeOptions,
        devices: &[Capacity],
        seed: u64,
        index: usize,
    ) -> Result<Self, ArrayError> {
        let sectors = check::volume(options, devices)?;
        let smallest = sectors.iter().copied().min().unwrap_or(0);
        let name = u64::from_le_bytes(*b"volume  ").wrapping_add(index as u64);
        let chance = LatencyStream::named(seed, name);
        let (layout, member_sectors) = match &options.layout {
            LayoutOptions::Concat => {
                (Layout::Plain(Deal::Concat(Concat::new(sectors.iter().copied()))), smallest)
            }
            LayoutOptions::Stripe { unit_sectors } => {
                let stripe = Stripe::new(sectors.len(), *unit_sectors, smallest);
                (Layout::Plain(Deal::Stripe(stripe)), smallest)
            }
            LayoutOptions::Balanced(balance) => {
                let balanced = Balanced::new(*balance, sectors.len() as u32, chance);
                (Layout::Balanced(balanced, smallest), smallest)
            }
            LayoutOptions::Mirror { copies, unit_sectors, read_choice } => {
                let data = sectors.len() / *copies as usize;
                let deal = match unit_sectors {
                    Some(unit) => Deal::Stripe(Stripe::new(data, *unit, smallest)),
                    None => Deal::Concat(Concat::new((0..data).map(|_| smallest))),
                };
                (Layout::Mirror(deal, Mirror::new(*copies, *read_choice, chance)), smallest)
            }
            LayoutOptions::Parity(options) => {
                let parity = Box::new(Parity::new(options, sectors.len(), smallest));
                let member_sectors = parity.member_sectors();
                (Layout::Parity(parity), member_sectors)
            }
        };
        let sector_bytes = devices[options.devices[0] as usize].sector_bytes;
        let rebuild = options
            .rebuild
            .as_ref()
            .map(|one| Box::new(Rebuild::new(one, sector_bytes, member_sectors)));
        let members = Members::new(&options.devices);
        Ok(Self { layout, members, rebuild, parts: Vec::new() })
    }

    /// From now on, where there is a choice of copies, what `make` gives decides which one is read.
    pub(crate) fn read_by(&mut self, make: impl FnOnce() -> Box<dyn ReadChooser>) {
        if let Layout::Mirror(_, mirror) = &mut self.layout {
            mirror.read_by(make());
        }
    }

    /// Sectors it holds.
    #[must_use]
    #[inline]
    pub fn sectors(&self) -> u64 {
        match &self.layout {
            Layout::Plain(deal) | Layout::Mirror(deal, _) => deal.sectors(),
            Layout::Balanced(_, sectors) => *sectors,
            Layout::Parity(parity) => parity.sectors(),
        }
    }

    /// Adds the commands of a request, which is within the volume. Where `false` comes back the data
    /// is lost, and what was added means nothing.
    #[must_use]
    pub fn plan(&mut self, request: &Request, fleet: &impl Fleet, out: &mut Vec<Piece>) -> bool {
        let (members, operation) = (&self.members, request.operation);
        match &mut self.layout {
            Layout::Plain(deal) => deal.each(request, |Dealt { member, from, to, partial }| {
                let Some(device) = members.reads(member, to) else { return false };
                add(out, Piece { partial, ..Piece::new(device, from..to, operation, 0) });
                true
            }),
            Layout::Balanced(balanced, _) => {
                let to = request.lba + u64::from(request.sectors);
                let Some(device) = members.reads(balanced.choose(), to) else { return false };
                let piece = Piece::new(device, request.lba..to, operation, 0);
                add(out, Piece { partial: request.partial, ..piece });
                true
            }
            Layout::Mirror(deal, mirror) => {
                // Which copy is read is decided once for all that lies together.
                let parts = &mut self.parts;
                parts.clear();
                deal.each(request, |new| {
                    let goes_on =
                        |part: &&mut Dealt| part.member == new.member && part.to == new.from;
                    match parts.iter_mut().find(goes_on) {
                        Some(part) => (part.to, part.partial.after) = (new.to, new.partial.after),
                        None => parts.push(new),
                    }
                    true
                });
                parts.iter().all(|&part| mirror.plan(part, operation, members, fleet, out))
            }
            Layout::Parity(parity) => parity.plan(request, members, out),
        }
    }

    /// Whether every member is there, whole.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.members.all_alive()
    }

    /// The rebuilds there have been.
    #[must_use]
    pub fn rebuilds(&self) -> &[RebuildReport] {
        self.rebuild.as_deref().map_or(&[], Rebuild::reports)
    }

    /// A device of the system does not answer any more.
    pub(crate) fn fail(&mut self, device: u32, now: Stamp) -> Next {
        let member = self.members.of(device);
        if let Some(member) = member {
            self.members.fail(member);
        }
        match &mut self.rebuild {
            Some(rebuild) if member.is_some() => rebuild.failed(device, now),
            Some(rebuild) => {
                rebuild.remove_spare(device);
                Next::Nothing
            }
            None => Next::Nothing,
        }
    }

    /// Adds the commands of the next step of a rebuild, if there is one to be done.
    pub(crate) fn rebuild(&mut self, now: Stamp, out: &mut Vec<Piece>) -> Option<Step> {
        let rebuild = self.rebuild.as_mut()?;
        let step = rebuild.step(&mut self.members, now)?;
        let chunk = || step.from..step.to;
        let found = match &self.layout {
            Layout::Mirror(_, mirror) => mirror.recover(step.member, chunk(), &self.members, out),
            Layout::Parity(parity) => parity.recover(step.member, chunk(), &self.members, out),
            Layout::Plain(_) | Layout::Balanced(..) => false,
        };
        if !found {
            rebuild.give_up();
            return None;
        }
        add(out, Piece::new(step.spare, chunk(), Operation::Write, 1));
        Some(step)
    }

    /// The step of a rebuild is over; `copied` unless something failed on the way.
    pub(crate) fn rebuilt(&mut self, copied: bool, now: Stamp) -> Next {
        let members = &mut self.members;
        self.rebuild.as_mut().map_or(Next::Nothing, |one| one.stepped(copied, members, now))
    }
}
