//! Files, their pages, where they lie and when they were touched.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use platterlab_workload::flow::{Extent, FileId, PageMap};

use crate::block::{Block, PieceId};

/// Pages that one access is followed over; longer ones touch the rest when they get there.
const TOUCHED_AT_ONCE: u64 = 256;

/// What is known of the traced file system's pages.
#[derive(Debug)]
pub(crate) struct Cache {
    files: HashMap<u64, FileId>,
    next_file: FileId,
    map: PageMap,
    page_sectors: u64,
    /// Read and not yet touched, with the piece that reads it.
    coming: HashMap<(FileId, u64), PieceId>,
    /// Came into memory while the trace ran.
    added: BTreeSet<(FileId, u64)>,
    /// Were touched before they came.
    resident: BTreeSet<(FileId, u64)>,
    /// Were touched behind the first page of an access; resident if they never came.
    perhaps: BTreeSet<(FileId, u64)>,
    written: BTreeMap<FileId, (u64, u64)>,
}

impl Cache {
    pub(crate) fn new(page_sectors: u32) -> Self {
        Self {
            files: HashMap::new(),
            next_file: 0,
            map: PageMap::new(page_sectors),
            page_sectors: u64::from(page_sectors),
            coming: HashMap::new(),
            added: BTreeSet::new(),
            resident: BTreeSet::new(),
            perhaps: BTreeSet::new(),
            written: BTreeMap::new(),
        }
    }

    pub(crate) fn file(&mut self, inode: u64) -> FileId {
        *self.files.entry(inode).or_insert_with(|| {
            self.next_file += 1;
            self.next_file - 1
        })
    }

    /// The inode is gone; its number may come back as another file.
    pub(crate) fn evict(&mut self, inode: u64) -> Option<FileId> {
        self.files.remove(&inode)
    }

    pub(crate) fn place(&mut self, file: FileId, page: u64, pages: u32, lba: u64) {
        if pages > 0 {
            self.map.insert(&Extent { file, page, pages, lba });
        }
    }

    pub(crate) fn add(&mut self, file: FileId, page: u64) {
        self.added.insert((file, page));
    }

    /// The pages a read brings, in the order of its sectors.
    pub(crate) fn reads(&mut self, piece: PieceId, sector: u64, pages: &[(FileId, u64)]) {
        for (index, &(file, page)) in pages.iter().enumerate() {
            self.place(file, page, 1, sector + index as u64 * self.page_sectors);
            self.coming.insert((file, page), piece);
        }
    }

    /// A process needs these pages now.
    pub(crate) fn touch(&mut self, block: &mut Block, ns: u64, file: FileId, first: u64, end: u64) {
        for page in first..end.min(first.saturating_add(TOUCHED_AT_ONCE)) {
            let key = (file, page);
            if let Some(piece) = self.coming.remove(&key) {
                block.pieces[piece].needed.get_or_insert(ns);
            }
            if self.added.contains(&key) {
                continue;
            }
            if page == first {
                self.resident.insert(key);
            } else {
                self.perhaps.insert(key);
            }
        }
    }

    /// A process writes these pages.
    pub(crate) fn write(&mut self, file: FileId, first: u64, end: u64) {
        let range = self.written.entry(file).or_insert((first, end));
        *range = (range.0.min(first), range.1.max(end));
    }

    /// Every run of pages that has a place.
    pub(crate) fn extents(&self) -> impl Iterator<Item = Extent> + '_ {
        self.map.extents()
    }

    /// Runs of pages that were in memory before the trace began: file, first page, pages.
    pub(crate) fn residents(&self) -> Vec<(FileId, u64, u32)> {
        let never_came = self.perhaps.difference(&self.added);
        let all: BTreeSet<_> = self.resident.iter().chain(never_came).copied().collect();
        let mut runs: Vec<(FileId, u64, u32)> = Vec::new();
        for (file, page) in all {
            match runs.last_mut() {
                Some((last, first, pages))
                    if *last == file && *first + u64::from(*pages) == page =>
                {
                    *pages += 1;
                }
                _ => runs.push((file, page, 1)),
            }
        }
        runs
    }

    /// Pages that were written and have no place: the file system had not chosen one, or the trace
    /// has no events of it.
    pub(crate) fn unplaced(&self) -> u64 {
        let mut unplaced = 0;
        for (file, &(first, end)) in &self.written {
            let mut page = first;
            while page < end {
                let known = self.map.find(*file, page).map(|(_, pages)| u64::from(pages));
                unplaced += u64::from(known.is_none());
                page += known.unwrap_or(1);
            }
        }
        unplaced
    }
}
