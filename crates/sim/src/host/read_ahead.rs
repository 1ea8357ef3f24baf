//! Read-ahead of files: the window of each, by the operating system's policy.

use super::options::FileReadAhead;
use platterlab_workload::flow::FileId;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where each file is being read, and how far ahead.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    policy: FileReadAhead,
    streams: BTreeMap<FileId, Window>,
}

/// The last window of a file: what was read together, and the page in it that asks for the next.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    start: u64,
    pages: u32,
    /// How far before the window's end the page lies that asks for the next window.
    ahead: u32,
    /// The page after the last that a process read.
    next: u64,
}

impl Windows {
    pub(super) fn new(policy: FileReadAhead) -> Self {
        Self { policy, streams: BTreeMap::new() }
    }

    /// The end of what is read when `page` is missing, of which a process wants `wanted` pages.
    ///
    /// A window begins where reads are sequential or at the file's beginning; the larger the request
    /// is against the largest window, the less is added to it (Linux, `mm/readahead.c`).
    pub(super) fn miss(&mut self, file: FileId, page: u64, wanted: u32) -> u64 {
        let FileReadAhead::Window(largest) = self.policy else {
            return page + u64::from(wanted);
        };
        let stream = self.streams.entry(file).or_default();
        let sequential = page == 0 || page == stream.next || page + 1 == stream.next;
        if !sequential && wanted <= largest {
            return page + u64::from(wanted);
        }
        let rounded = wanted.max(1).checked_next_power_of_two().unwrap_or(largest);
        let pages = match rounded {
            small if small <= largest / 32 => small * 4,
            middle if middle <= largest / 4 => middle * 2,
            _ => largest,
        };
        let ahead = if pages > wanted { pages - wanted } else { pages / 2 };
        *stream = Window { start: page, pages, ahead, ..*stream };
        page + u64::from(pages)
    }

    /// The window to read ahead, if `page`, which is in memory, is the one that asks for it.
    pub(super) fn hit(&mut self, file: FileId, page: u64) -> Option<Range<u64>> {
        let FileReadAhead::Window(largest) = self.policy else { return None };
        let stream = self.streams.get_mut(&file)?;
        let end = stream.start + u64::from(stream.pages);
        if stream.pages == 0 || page != end - u64::from(stream.ahead) {
            return None;
        }
        let pages = match stream.pages {
            small if small < largest / 16 => small * 4,
            middle if middle <= largest / 2 => middle * 2,
            _ => largest,
        };
        *stream = Window { start: end, pages, ahead: pages, ..*stream };
        Some(end..end + u64::from(pages))
    }

    /// A process has read up to `end`; what is read ahead because of it.
    pub(super) fn after(&mut self, file: FileId, end: u64) -> Range<u64> {
        match self.policy {
            FileReadAhead::Off => end..end,
            FileReadAhead::Next { cluster_pages } => {
                let goes_on = !end.is_multiple_of(u64::from(cluster_pages));
                end..end + u64::from(goes_on)
            }
            FileReadAhead::Window(_) => {
                self.streams.entry(file).or_default().next = end;
                end..end
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_grow_while_reads_are_sequential() {
        let mut windows = Windows::new(FileReadAhead::Window(32));
        assert_eq!(windows.miss(1, 0, 1), 4, "four times a page");
        assert_eq!((windows.hit(1, 0), windows.hit(1, 1)), (None, Some(4..12)));
        windows.after(1, 4);
        assert_eq!(windows.hit(1, 4), Some(12..28), "the first page of a window asks");
        assert_eq!(windows.hit(1, 12), Some(28..60));
        assert_eq!(windows.hit(1, 28), Some(60..92), "no more than the largest");
        assert_eq!(windows.miss(1, 500, 3), 503, "one that jumps gets what it wants");
        assert_eq!(windows.miss(2, 0, 20), 32);
        assert_eq!(windows.miss(3, 0, 100), 32);
        assert_eq!(windows.hit(3, 16), Some(32..64), "halfway where it does not hold all");
    }

    #[test]
    fn the_next_page_and_no_more() {
        let mut windows = Windows::new(FileReadAhead::Next { cluster_pages: 16 });
        assert_eq!(
            (windows.miss(1, 7, 1), windows.hit(1, 7), windows.after(1, 8)),
            (8, None, 8..9)
        );
        assert_eq!(windows.after(1, 16), 16..16, "the end of a cluster");
        let mut off = Windows::new(FileReadAhead::Off);
        assert_eq!((off.miss(1, 7, 1), off.after(1, 8)), (8, 8..8));
    }
}
