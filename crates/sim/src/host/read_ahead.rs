use super::options::FileReadAhead;
use platterlab_workload::flow::FileId;
use std::collections::BTreeMap;

/// Where each file is being read, and how far ahead.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    policy: FileReadAhead,
    streams: BTreeMap<FileId, Stream>,
}

#[derive(Clone, Copy, Debug)]
struct Stream {
    /// The page a sequential read would need next.
    next: u64,
    /// Where the last window ends.
    end: u64,
    /// Pages of the last window.
    window: u32,
}

/// A first window is so many times what was asked for, as Linux has it.
const FIRST: u32 = 4;

impl Windows {
    pub(super) fn new(policy: FileReadAhead) -> Self {
        Self { policy, streams: BTreeMap::new() }
    }

    /// The pages to read ahead when `page..page + pages` of a file are read, some of them `missing`:
    /// first and end.
    pub(super) fn after(
        &mut self,
        file: FileId,
        page: u64,
        pages: u32,
        missing: bool,
    ) -> (u64, u64) {
        let end = page + u64::from(pages);
        let largest = match self.policy {
            FileReadAhead::Off => return (end, end),
            FileReadAhead::Next { cluster_pages } => {
                let goes_on = !end.is_multiple_of(u64::from(cluster_pages));
                return (end, end + u64::from(goes_on));
            }
            FileReadAhead::Window(largest) => largest,
        };
        let known = self.streams.get(&file).copied();
        let sequential = known.map_or(page == 0, |stream| stream.next == page);
        let stream = match known {
            // The reader has come to the last window: it is time for the next one.
            Some(stream) if sequential && end + u64::from(stream.window) > stream.end => {
                let window = stream.window.saturating_mul(2).clamp(1, largest);
                let from = stream.end.max(end);
                Stream { next: end, end: from + u64::from(window), window }
            }
            Some(stream) if sequential => Stream { next: end, ..stream },
            _ if missing && sequential => {
                let window = pages.saturating_mul(FIRST).min(largest);
                Stream { next: end, end: page + u64::from(window.max(pages)), window }
            }
            _ => Stream { next: end, end, window: pages.min(largest) },
        };
        let from = known.filter(|_| sequential).map_or(end, |stream| stream.end.max(end));
        self.streams.insert(file, stream);
        (from, stream.end.max(from))
    }
}
