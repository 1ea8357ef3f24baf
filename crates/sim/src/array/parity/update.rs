//! Writes with parity: read-modify-write or reconstruct-write, row by row.

use super::place::Extent;
use super::{Members, Parity, ParityUpdate, Piece, add};
use platterlab_units::Operation;
use std::ops::Range;

/// Where units count as a whole, parity of two parts of a row is one command if they lie within so
/// many sectors: DiskSim's does within 16, and does not within 64.
const HULL: u64 = 16;

/// How the new parity of a row is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ParityMethod {
    /// There is none to be written.
    None,
    /// From what is overwritten and the old parity.
    Modify,
    /// From what stays.
    Reconstruct,
    /// From all that can be read, because something that counts cannot.
    Recover,
}

/// A row to be written in part or whole.
struct Row<'a> {
    /// What is written, by different members.
    touched: &'a [Extent],
    /// The sectors of the row that change on any member.
    from: u64,
    to: u64,
    /// Where the row ends.
    end: u64,
    /// Whether units that are written in part count as written whole.
    by_units: bool,
    /// Whether a sector of it is written in part, so that the rest of it is wanted for the parity.
    partial: bool,
}

impl Row<'_> {
    fn number(&self) -> u64 {
        self.touched[0].row
    }

    fn sectors(&self) -> Range<u64> {
        self.from..self.to
    }

    /// What of a member is written.
    fn written(&self, member: usize) -> Option<&Extent> {
        self.touched.iter().find(|extent| extent.member == member)
    }

    /// The sectors of parity that are written: those that data changes in where the old parity is
    /// known, else all between the first and the last of them.
    fn changed(&self, way: ParityMethod) -> impl Iterator<Item = Range<u64>> {
        let hull = if self.by_units { self.is_one_command() } else { way != ParityMethod::Modify };
        let whole = hull.then_some(self.sectors());
        let parts = self.touched.iter().filter(move |_| !hull);
        whole.into_iter().chain(parts.map(Extent::sectors))
    }

    /// Where units count as a whole, whether parity of several parts is one command.
    fn is_one_command(&self) -> bool {
        self.to - self.from <= HULL
    }

    /// Names the part that each of its commands belongs to: what is written of one waits for no read of
    /// the other.
    fn split(&self, pieces: &mut [Piece]) {
        for piece in pieces {
            let of = |extent: &Extent| extent.from <= piece.lba && piece.end() <= extent.to;
            piece.part = self.touched.iter().position(of).map_or(0, |part| part as u8 + 1);
        }
    }

    fn covers(&self, extent: &Extent) -> bool {
        extent.from == self.from && extent.to == self.to
    }

    /// What of a member changes in the row but is not written: up to two ranges.
    fn kept(&self, member: usize) -> [Range<u64>; 2] {
        match self.written(member) {
            None => [self.sectors(), self.to..self.to],
            Some(extent) => [self.from..extent.from, extent.to..self.to],
        }
    }
}

impl Parity {
    /// Adds the commands that write part of a row; whether that can be done.
    pub(super) fn write_row(
        &self,
        touched: &[Extent],
        partial: bool,
        members: &Members,
        out: &mut Vec<Piece>,
    ) -> bool {
        let row = Row {
            touched,
            from: touched.iter().map(|extent| extent.from).min().unwrap_or(0),
            to: touched.iter().map(|extent| extent.to).max().unwrap_or(0),
            end: (touched[0].row + 1) * self.place.height(),
            by_units: matches!(self.update, ParityUpdate::ModifyUpTo { .. }),
            partial,
        };
        let Some(way) = self.way(&row, members) else { return false };
        let only_row = out.is_empty();
        // Data is written where it was read; parity is not known before all is read.
        let follows = way == ParityMethod::Modify && !self.synch_writes;
        match way {
            ParityMethod::None => {}
            ParityMethod::Modify => self.modify(&row, members, follows, out),
            ParityMethod::Reconstruct => self.read_kept(&row, members, out),
            ParityMethod::Recover => self.read_all(&row, members, out),
        }
        let at_once = !self.synch_writes
            && (way == ParityMethod::None
                || (way == ParityMethod::Reconstruct && self.keeps_nothing(&row)));
        let stage = u8::from(!at_once);
        let data = row.touched.iter().filter(|_| !follows);
        for extent in data {
            if let Some(device) = members.writes(extent.member, extent.from) {
                add(out, Piece::new(device, extent.sectors(), Operation::Write, stage));
            }
        }
        for member in self.place.parity_members(row.number()) {
            if let Some(device) = members.writes(member, row.from) {
                for changed in row.changed(way) {
                    add(out, Piece::new(device, changed, Operation::Write, stage));
                }
            }
        }
        let by_parts = row.by_units && way == ParityMethod::Reconstruct && !row.is_one_command();
        // Reads of a part are counted in bytes.
        let few = self.place.data() <= u64::from(u8::MAX);
        if only_row && by_parts && touched.len() == 2 && few && !self.synch_writes {
            row.split(out);
        }
        true
    }

    /// How to go about a row, if there is a way.
    fn way(&self, row: &Row<'_>, members: &Members) -> Option<ParityMethod> {
        let number = row.number();
        let written = |member: &usize| members.writes(*member, row.from).is_some();
        let read = |member: &usize| members.reads(*member, row.end).is_some();
        let parities = || self.place.parity_members(number);
        let homeless = row.touched.iter().filter(|extent| !written(&extent.member)).count();
        if parities().filter(written).count() < homeless {
            return None;
        }
        if !parities().any(|member| written(&member)) {
            return Some(ParityMethod::None);
        }
        let can_modify = row.touched.iter().all(|extent| read(&extent.member))
            && parities().filter(written).all(|member| read(&member));
        let can_reconstruct = self
            .place
            .data_members(number)
            .filter(|member| !read(member))
            .all(|member| row.written(member).is_some_and(|extent| row.covers(extent)));
        match (can_modify, can_reconstruct) {
            (true, true) if row.partial => Some(ParityMethod::Modify),
            (true, true) => Some(self.choose(row, members)),
            (true, false) => Some(ParityMethod::Modify),
            (false, true) => Some(ParityMethod::Reconstruct),
            (false, false) => {
                let all = self.place.data_members(number).chain(parities());
                let enough = all.filter(read).count() as u64 >= self.place.data();
                enough.then_some(ParityMethod::Recover)
            }
        }
    }

    fn choose(&self, row: &Row<'_>, members: &Members) -> ParityMethod {
        let touched = row.touched.len();
        let modify = match self.update {
            ParityUpdate::ModifyBelow { share } => {
                (touched as f64) < share * self.place.data() as f64
            }
            ParityUpdate::ModifyUpTo { share } => {
                let written: u64 = row.touched.iter().map(|extent| extent.to - extent.from).sum();
                written as f64 <= share * (self.place.data() * self.place.height()) as f64
            }
            ParityUpdate::FewestCommands => {
                let number = row.number();
                let parities = self.place.parity_members(number);
                let old = parities.filter(|&parity| members.reads(parity, row.end).is_some());
                let kept = |member| row.kept(member).iter().filter(|kept| !kept.is_empty()).count();
                let kept: usize = self.place.data_members(number).map(kept).sum();
                touched + old.count() <= kept
            }
        };
        if modify { ParityMethod::Modify } else { ParityMethod::Reconstruct }
    }

    fn keeps_nothing(&self, row: &Row<'_>) -> bool {
        let number = row.number();
        if row.by_units {
            return row.touched.len() as u64 == self.place.data();
        }
        self.place.data_members(number).all(|member| row.kept(member).iter().all(Range::is_empty))
    }

    /// Reads what is overwritten, for data to be written where it was read if it `follows`, and the
    /// old parity.
    fn modify(&self, row: &Row<'_>, members: &Members, follows: bool, out: &mut Vec<Piece>) {
        for extent in row.touched {
            if let Some(device) = members.reads(extent.member, row.end) {
                let read = Piece::new(device, extent.sectors(), Operation::Read, 0);
                add(out, Piece { rewrite: follows, ..read });
            }
        }
        for member in self.place.parity_members(row.number()) {
            if let Some(device) = members.reads(member, row.end) {
                for changed in row.changed(ParityMethod::Modify) {
                    add(out, Piece::new(device, changed, Operation::Read, 0));
                }
            }
        }
    }

    /// Reads what stays.
    fn read_kept(&self, row: &Row<'_>, members: &Members, out: &mut Vec<Piece>) {
        for member in self.place.data_members(row.number()) {
            let Some(device) = members.reads(member, row.end) else { continue };
            let read = |sectors| add(out, Piece::new(device, sectors, Operation::Read, 0));
            if !row.by_units {
                row.kept(member).into_iter().filter(|kept| !kept.is_empty()).for_each(read);
            } else if row.written(member).is_none() {
                row.changed(ParityMethod::Reconstruct).for_each(read);
            }
        }
    }

    /// Reads as many members as there is data in the row.
    fn read_all(&self, row: &Row<'_>, members: &Members, out: &mut Vec<Piece>) {
        let number = row.number();
        let all = self.place.data_members(number).chain(self.place.parity_members(number));
        let devices = all.filter_map(|member| members.reads(member, row.end));
        for device in devices.take(self.place.data() as usize) {
            add(out, Piece::new(device, row.sectors(), Operation::Read, 0));
        }
    }
}
