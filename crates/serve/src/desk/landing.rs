//! Data on the media and data that only the drive holds: when a request is done, at a flush, and
//! when the power goes.

use super::Desk;
use crate::contents::Landed;
use crate::nbd::numbers::EIO;
use crate::report::PowerCut;
use platterlab_sim::live::{Ask, LiveDone};
use std::borrow::Cow;
use std::io;

impl Desk {
    /// What a request that is done means for the data.
    pub(super) fn land(&mut self, done: &LiveDone) {
        let number = done.tag;
        let Some(task) = self.tasks.get_mut(number) else { return };
        let (cookie, replies, ask, syncs) = (task.cookie, task.replies, task.ask, task.syncs());
        let mut kept = Ok(());
        if let Some(written) = task.written.take() {
            let landed = match done.on_media {
                _ if done.failed => Landed::Not,
                Some(at) if at <= done.at => Landed::OnMedia,
                _ => Landed::Held,
            };
            kept = self.contents.done(&written, landed);
        }
        let sync = syncs && !done.failed && self.contents.is_media_alone();
        if kept.is_ok() && sync && ask == Ask::Flush {
            // Nothing passes a flush: all that was answered by now is on the media, whatever the model,
            // which may be ahead with what came later, holds of the same sectors by now.
            kept = self.contents.settle(&mut Vec::new());
        } else if kept.is_ok() && self.contents.holds_much() {
            kept = self.settle();
        }
        let failed = done.failed || kept.is_err();
        let answer = failed.then(|| self.error(cookie, EIO, replies));
        let Some(task) = self.tasks.get_mut(number) else { return };
        if let Some(answer) = answer {
            task.answer = answer;
        } else if sync && let Some(syncer) = &self.syncer {
            task.syncing = true;
            syncer.ask(number);
        }
    }

    /// Data that is to be written, with the rest of its first and its last sector: where it
    /// begins then, and all of it. The drive hears of whole sectors alone.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn in_whole_sectors<'a>(
        &self,
        offset: u64,
        data: &'a [u8],
    ) -> io::Result<(u64, Cow<'a, [u8]>)> {
        let block = u64::from(self.sizes.workload);
        let end = offset + data.len() as u64;
        let (first, last) = (offset / block * block, end.next_multiple_of(block));
        if (first, last) == (offset, end) || last > self.export.bytes {
            return Ok((offset, Cow::Borrowed(data)));
        }
        let mut whole = Vec::new();
        self.contents.read(first, (last - first) as usize, &mut whole)?;
        let from = (offset - first) as usize;
        whole[from..from + data.len()].copy_from_slice(data);
        Ok((first, Cow::Owned(whole)))
    }

    /// Puts in the store what is on the media by now.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        let mut unwritten = self.unwritten();
        self.contents.settle(&mut unwritten)
    }

    /// The bytes that the drive holds and has not on its media, first and end of each run.
    fn unwritten(&mut self) -> Vec<(u64, u64)> {
        let bytes = u64::from(self.sizes.physical);
        let now = self.present();
        let runs = self.model.unwritten(now);
        runs.into_iter().map(|(lba, end)| (lba * bytes, end * bytes)).collect()
    }

    /// Whether the power is gone.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut_at.is_some_and(|cut_at| self.clock.now() >= cut_at)
    }

    /// The power goes: what is neither on the media nor in memory that outlives it is lost.
    ///
    /// # Errors
    /// What the store says of the rest.
    pub(crate) fn cut(&mut self) -> io::Result<()> {
        self.settle()?;
        let now = self.present();
        let held_bytes = self.contents.held_bytes();
        let outlives = self.model.outlives_power(now);
        if outlives {
            // It goes to the media as soon as the power is back.
            self.contents.settle(&mut Vec::new())?;
        }
        let lost_bytes = self.contents.held_bytes();
        self.contents.forget_held();
        self.tally.power_cut = Some(PowerCut {
            at_ms: now.as_ms(),
            lost_bytes,
            kept_bytes: held_bytes - lost_bytes,
            unanswered: self.tally.in_flight,
        });
        Ok(())
    }

    /// The drive is switched off as it should be: all that it holds goes to the media.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        self.contents.settle(&mut Vec::new())
    }

    /// The power goes at once.
    pub(crate) fn cut_now(&mut self) {
        self.cut_at = Some(self.clock.now());
    }
}
