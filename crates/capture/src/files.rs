//! The meaning of files' events: accesses, places on the disk, windows that are read.

use platterlab_workload::flow::Event as FlowEvent;

use crate::calls::{Call, meaning};
use crate::conversion::Conversion;
use crate::event::{Event, Kind};
use crate::tasks::ReadAhead;

impl Conversion<'_> {
    pub(crate) fn file(&mut self, event: &Event) {
        let (ns, pid) = (event.ns, event.pid);
        let here = self.snapshot.file_system_device;
        let page_bytes = u64::from(self.snapshot.header.machine.page_bytes);
        match event.kind {
            Kind::SyncReadAhead { device, inode, page, pages } if device == here => {
                self.miss(event, inode, page, pages);
                self.window(pid, ReadAhead::Window);
            }
            Kind::AsyncReadAhead { device, inode, page } if device == here => {
                self.access(event, inode, page);
                self.window(pid, ReadAhead::Ahead);
            }
            Kind::AddPage { device, inode, page, order } if device == here => {
                let file = self.cache.file(inode);
                for page in page..page + (1 << order.min(12)) {
                    self.cache.add(file, page);
                    self.tasks.get(pid).coming.push((file, page));
                }
            }
            Kind::GetPages { device, inode, first, end } if device == here && end > first => {
                self.read(event, inode, first, end);
            }
            Kind::FileFault { device, inode, page } if device == here => {
                self.tasks.step(pid, ns, FlowEvent::Trap);
                self.read(event, inode, page, page + 1);
                self.tasks.get(pid).trap = true;
                self.window(pid, ReadAhead::Window);
            }
            Kind::WriteBegin { device, inode, position, bytes } if device == here && bytes > 0 => {
                let file = self.cache.file(inode);
                let page = position / page_bytes;
                let end = (position + u64::from(bytes)).div_ceil(page_bytes);
                self.tasks.get(pid).coming.clear();
                self.cache.write(file, page, end);
                let pages = (end - page) as u32;
                self.tasks.step(pid, ns, FlowEvent::Write { file, page, pages });
            }
            Kind::SyncFile { device, inode } if device == here => {
                let file = self.cache.file(inode);
                self.tasks.get(pid).syncing = true;
                self.tasks.step(pid, ns, FlowEvent::Sync { file });
            }
            Kind::Evict { device, inode, links: 0 } if device == here => {
                if let Some(file) = self.cache.evict(inode) {
                    self.tasks.step(pid, ns, FlowEvent::Forget { file, page: 0 });
                }
            }
            Kind::Truncate { device, inode } if device == here => {
                let call = self.tasks.get(pid).call;
                let call = call.map(|number| meaning(&self.snapshot.architecture, number));
                if call == Some(Call::Open) {
                    let file = self.cache.file(inode);
                    self.tasks.step(pid, ns, FlowEvent::Forget { file, page: 0 });
                }
            }
            Kind::Mapped { device, inode, block, blocks, place, status } if device == here => {
                self.mapped(inode, block, blocks, place, status);
            }
            _ => {}
        }
    }

    fn window(&mut self, pid: i32, kind: ReadAhead) {
        let task = self.tasks.get(pid);
        task.read_ahead = kind;
        task.coming.clear();
    }

    /// A page is missing. The access is reported when it has been served, so what the process waits
    /// for first is a step of its own: no more than the window that is read because of it.
    fn miss(&mut self, event: &Event, inode: u64, page: u64, pages: u64) {
        if self.tasks.get(event.pid).trap {
            return;
        }
        let file = self.cache.file(inode);
        let window = self.snapshot.header.cache.read_ahead_pages.max(1);
        let pages = u32::try_from(pages).unwrap_or(window).clamp(1, window);
        self.tasks.step(event.pid, event.ns, FlowEvent::Read { file, page, pages });
    }

    /// A page that makes the system read ahead is one that the process has come to; its access is not
    /// always distinguished from that.
    fn access(&mut self, event: &Event, inode: u64, page: u64) {
        let file = self.cache.file(inode);
        self.tasks.step(event.pid, event.ns, FlowEvent::Read { file, page, pages: 1 });
    }

    fn read(&mut self, event: &Event, inode: u64, first: u64, end: u64) {
        let file = self.cache.file(inode);
        self.cache.touch(&mut self.block, event.ns, file, first, end);
        let task = self.tasks.get(event.pid);
        task.read_ahead = ReadAhead::None;
        task.coming.clear();
        let pages = u32::try_from(end - first).unwrap_or(u32::MAX);
        self.tasks.step(event.pid, event.ns, FlowEvent::Read { file, page: first, pages });
    }

    /// The file system says where blocks of a file lie; holes and blocks not yet placed are left out.
    fn mapped(&mut self, inode: u64, block: u64, blocks: u32, place: u64, status: u8) {
        const WRITTEN_OR_RESERVED: u8 = 3;
        if status & WRITTEN_OR_RESERVED == 0 || place == 0 || place >= 1 << 48 {
            return;
        }
        let header = &self.snapshot.header;
        let (page, sector) = (header.machine.page_bytes, header.device.sector_bytes);
        let per_page = u64::from((page / self.snapshot.block_bytes.max(1)).max(1));
        let sectors = u64::from(self.snapshot.block_bytes / sector);
        // Only whole pages have a place; what is cut off in front moves the place with it.
        let skip = block.next_multiple_of(per_page) - block;
        let pages = (u64::from(blocks).saturating_sub(skip) / per_page) as u32;
        let lba = self.snapshot.partition_start + (place + skip) * sectors;
        let file = self.cache.file(inode);
        self.cache.place(file, (block + skip) / per_page, pages, lba);
    }
}
