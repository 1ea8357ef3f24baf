//! The data that the buffer memory keeps between requests, and everything that changes it.
//!
//! [`segments`] says which addresses are there, [`overwrite`] what a write leaves of them; [`extent`]
//! says how far is read beyond a request, [`read_ahead`] is that work of the mechanism between
//! requests, computed only when the next request asks how far it came, and [`read_ahead_control`]
//! what lets it continue or ends it. [`write_behind`] is written data on its way to the media,
//! [`write_back`] such that waits for a quiet time.

pub(crate) mod extent;
mod overwrite;
mod read_ahead;
mod read_ahead_control;
mod segments;
mod write_back;
mod write_behind;

pub(crate) use read_ahead::{Behind, Growth, Stream, Unsent};

use crate::CacheParams;
use crate::mechanism::Rotation;
use platterlab_units::{Span, Time};
use segments::Segments;
use std::ops::Range;
use std::sync::Arc;
use write_back::Dirty;
use write_behind::WriteBehind;

/// The buffer memory of one drive.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    params: Arc<CacheParams>,
    segments: Segments,
    stream: Option<Stream>,
    /// Sectors that read-ahead has read since someone asked.
    read_ahead_sectors: u64,
    /// Writes that have been reported and are on their way to the media.
    pub(crate) write_behind: WriteBehind,
    /// Written data that waits for the media, in a drive with a write-back cache.
    dirty: Option<Dirty>,
}

impl Buffer {
    pub(crate) fn new(params: Arc<CacheParams>) -> Self {
        Self {
            segments: Segments::new(&params),
            stream: None,
            read_ahead_sectors: 0,
            write_behind: WriteBehind::default(),
            dirty: params.write_back.as_ref().map(Dirty::new),
            params,
        }
    }

    /// The segment that holds most of `sectors` from `lba` on, and how many it holds from there.
    #[inline]
    pub(crate) fn find(&self, lba: u64, sectors: u32) -> Option<(usize, u64)> {
        self.segments.find(lba, u64::from(sectors))
    }

    /// The most sectors that any segment holds from `lba` on, once `growing` has grown.
    pub(crate) fn held(&self, lba: u64, growing: Option<&(usize, Growth)>) -> u64 {
        self.segments.held(lba, growing)
    }

    /// First and end of what each segment holds, once `growing` has grown.
    pub(crate) fn ranges(&self, growing: Option<&(usize, Growth)>, ranges: &mut Vec<(u64, u64)>) {
        self.segments.ranges(growing, ranges);
    }

    /// Keeps what has been read in a segment of its own, if there is one for it.
    pub(crate) fn keep(&mut self, read: Range<u64>) -> Option<usize> {
        self.segments.take(read.start, read.end)
    }

    /// Adds to a segment what has been read up to `end`.
    pub(crate) fn extend(&mut self, segment: usize, end: u64) {
        self.segments.extend(segment, end);
    }

    /// A segment was used for data up to `end` that had been in it.
    pub(crate) fn after_hit(&mut self, segment: usize, end: u64) {
        self.segments.touch(segment);
        if !self.params.keep_after_hit {
            self.segments.discard_before(segment, end);
        }
    }

    /// A segment was filled from the media, for data up to `end`.
    pub(crate) fn after_miss(&mut self, segment: usize, end: u64) {
        if !self.params.keep_after_miss {
            self.segments.discard_before(segment, end);
        }
    }

    /// Marks a segment as the most recently used.
    pub(crate) fn touch(&mut self, segment: usize) {
        self.segments.touch(segment);
    }

    /// Does to segments what a write of these addresses does to them, but for one that is `spared`.
    pub(crate) fn overwrite(&mut self, written: Range<u64>, spared: Option<usize>) {
        self.segments.overwrite(written.start, written.end, spared);
    }

    /// Keeps written data where it can be read back; `sequential` says whether it continues from
    /// the last write.
    pub(crate) fn keep_written(&mut self, written: Range<u64>, sequential: bool) {
        if !self.params.hits_on_written {
            return;
        }
        match self.segments.find(written.start.saturating_sub(1), 1) {
            Some((segment, 1)) if sequential && self.params.combine_writes => {
                self.segments.extend(segment, written.end);
                self.segments.touch(segment);
            }
            _ => {
                self.segments.take_written(written.start, written.end);
            }
        }
    }

    /// Whether all of these addresses wait for the media.
    #[inline]
    pub(crate) fn waits(&self, asked: Range<u64>) -> bool {
        self.dirty.as_ref().is_some_and(|dirty| dirty.holds(asked.start, asked.end))
    }

    /// Has these addresses wait for the media; whether there was room.
    pub(crate) fn postpone(&mut self, written: Range<u64>) -> bool {
        self.dirty.as_mut().is_none_or(|dirty| dirty.add(written.start, written.end))
    }

    /// Whether all of a sector is here.
    pub(crate) fn knows(&self, lba: u64) -> bool {
        self.waits(lba..lba + 1) || self.segments.find(lba, 1).is_some()
    }

    /// Notes what is known of addresses that have just been postponed, as [`Dirty::complete`].
    pub(crate) fn complete(
        &mut self,
        postponed: Range<u64>,
        each: u16,
        written: impl Iterator<Item = (u64, (u16, u16))>,
        unread: &[Option<u64>],
    ) {
        if let Some(dirty) = &mut self.dirty {
            dirty.complete(postponed, each, written, unread);
        }
    }

    /// The next of these addresses that waits for the media and of which only a part is known.
    pub(crate) fn next_partial(&mut self, within: Range<u64>) -> Option<u64> {
        self.dirty.as_mut()?.take_partial(within.start, within.end)
    }

    /// The next run that waits for the media: its first address and its sectors.
    pub(crate) fn next_to_destage(&mut self) -> Option<(u64, u32)> {
        self.dirty.as_mut()?.take()
    }

    /// What was taken to be written is on the media at `at`.
    pub(crate) fn lands(&mut self, written: Range<u64>, at: Time) {
        if let Some(dirty) = &mut self.dirty {
            dirty.lands(written.start, written.end, at);
        }
    }

    /// What is on the media by `now` is of no more interest.
    pub(crate) fn forget_landed(&mut self, now: Time) {
        if let Some(dirty) = &mut self.dirty {
            dirty.forget_landed(now);
        }
    }

    /// Adds the runs that wait for the media or are on their way there at `now`.
    pub(crate) fn unwritten(&self, now: Time, runs: &mut Vec<(u64, u64)>) {
        if let Some(dirty) = &self.dirty {
            dirty.unwritten(now, runs);
        }
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        self.write_behind.rebase(by);
        if let Some(dirty) = &mut self.dirty {
            dirty.rebase(by);
        }
        if let Some(stream) = &mut self.stream {
            stream.rebase(by);
        }
    }

    /// The platter was turned under the head.
    pub(crate) fn turn(&mut self, rotation: &Rotation, by: Span, backwards: bool) {
        self.write_behind.turn(rotation, by, backwards);
        if let Some(stream) = &mut self.stream {
            stream.turn(rotation, by, backwards);
        }
    }
}
