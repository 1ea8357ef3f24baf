//! The map from pages of files to sectors of the device.

use std::collections::BTreeMap;

use super::FileId;
use super::record::Extent;

/// Where the pages of files lie: the extents read so far, newest first where two overlap.
#[derive(Clone, Debug, Default)]
pub struct PageMap {
    /// First page of every piece; pieces of a file never overlap.
    pieces: BTreeMap<(FileId, u64), (u32, u64)>,
    page_sectors: u64,
}

impl PageMap {
    /// A map of pages of `page_sectors` sectors.
    #[must_use]
    pub fn new(page_sectors: u32) -> Self {
        Self { pieces: BTreeMap::new(), page_sectors: u64::from(page_sectors) }
    }

    /// Adds a run; what was known of these pages is forgotten.
    pub fn insert(&mut self, extent: &Extent) {
        let (first, end) = (extent.page, extent.page + u64::from(extent.pages));
        let overlapping: Vec<_> = self
            .pieces
            .range((extent.file, 0)..(extent.file, end))
            .rev()
            .take_while(|((_, page), (pages, _))| page + u64::from(*pages) > first)
            .map(|((_, page), piece)| (*page, *piece))
            .collect();
        for (page, (pages, lba)) in overlapping {
            self.pieces.remove(&(extent.file, page));
            let past = page + u64::from(pages);
            if page < first {
                self.pieces.insert((extent.file, page), ((first - page) as u32, lba));
            }
            if past > end {
                let lba = lba + (end - page) * self.page_sectors;
                self.pieces.insert((extent.file, end), ((past - end) as u32, lba));
            }
        }
        self.join(extent);
    }

    /// A run that continues where the one before it ends becomes part of it.
    fn join(&mut self, extent: &Extent) {
        let Extent { file, page, pages, lba } = *extent;
        let before = self.pieces.range_mut((file, 0)..(file, page)).next_back();
        if let Some(((_, first), (count, start))) = before
            && first + u64::from(*count) == page
            && *start + u64::from(*count) * self.page_sectors == lba
            && let Some(sum) = count.checked_add(pages)
        {
            *count = sum;
            return;
        }
        self.pieces.insert((file, page), (pages, lba));
    }

    /// Every run, by file and page.
    pub fn extents(&self) -> impl Iterator<Item = Extent> + '_ {
        self.pieces.iter().map(|(&(file, page), &(pages, lba))| Extent { file, page, pages, lba })
    }

    /// The first sector of a page and how many pages lie in one run from it; `None` if unknown.
    #[must_use]
    pub fn find(&self, file: FileId, page: u64) -> Option<(u64, u32)> {
        let ((_, first), (pages, lba)) = self.pieces.range((file, 0)..=(file, page)).next_back()?;
        let inside = page - first;
        let left = u64::from(*pages).checked_sub(inside).filter(|left| *left > 0)?;
        Some((lba + inside * self.page_sectors, left as u32))
    }
}
