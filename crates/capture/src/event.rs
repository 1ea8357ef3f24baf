//! Events with types: the fields this crate reads, found by the traced kernel's own format files.

use std::collections::BTreeMap;
use std::path::Path;

use tracepoint_decode::PerfEventFormat;

use crate::CaptureError;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are the kernel's own")]
pub enum Kind {
    Switch { prev: i32, prev_state: u64, next: i32, name: [u8; 16] },
    Waking { pid: i32 },
    Runtime { pid: i32, ns: u64 },
    Fork { parent: i32, child: i32 },
    CallEnter { number: u16 },
    CallExit,
    BioQueue { device: u32, sector: u64, sectors: u32, flags: Flags },
    Issue { device: u32, sector: u64, sectors: u32, flags: Flags },
    Complete { device: u32, sector: u64, sectors: u32, flags: Flags },
    Requeue { device: u32, sector: u64, sectors: u32, flags: Flags },
    SyncReadAhead { device: u32, inode: u64, page: u64, pages: u64 },
    AsyncReadAhead { device: u32, inode: u64, page: u64 },
    GetPages { device: u32, inode: u64, first: u64, end: u64 },
    AddPage { device: u32, inode: u64, page: u64, order: u8 },
    FileFault { device: u32, inode: u64, page: u64 },
    WriteBegin { device: u32, inode: u64, position: u64, bytes: u32 },
    SyncFile { device: u32, inode: u64 },
    Evict { device: u32, inode: u64, links: u32 },
    Truncate { device: u32, inode: u64 },
    Mapped { device: u32, inode: u64, block: u64, blocks: u32, place: u64, status: u8 },
    Throttle { pause: i64 },
    QueueWork { work: u64 },
    WorkStart { work: u64 },
    WorkEnd,
    InterruptEnter,
    InterruptExit,
    SoftEnter,
    SoftExit,
}

/// The letters of a request's kind (`rwbs`), as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// It writes, flushes or discards.
    pub write: bool,
    /// The drive's cache is emptied before it.
    pub flush: bool,
    /// Its data must be on the medium.
    pub through: bool,
    /// The system thinks that somebody waits.
    pub sync: bool,
    /// It reads ahead.
    pub ahead: bool,
    /// It is metadata.
    pub meta: bool,
    /// It discards.
    pub discard: bool,
}

impl Flags {
    /// Reads the letters: `F` before the operation's letter is a flush, behind it a write-through.
    #[must_use]
    pub fn parse(letters: &[u8]) -> Self {
        let mut flags = Self::default();
        let mut operation = false;
        for letter in letters.iter().take_while(|letter| **letter != 0) {
            match letter {
                b'R' => operation = true,
                b'W' => (operation, flags.write) = (true, true),
                b'D' => (operation, flags.write, flags.discard) = (true, true, true),
                b'F' if operation => flags.through = true,
                b'F' => flags.flush = true,
                b'S' => flags.sync = true,
                b'A' => flags.ahead = true,
                b'M' => flags.meta = true,
                _ => {}
            }
        }
        flags.write |= flags.flush;
        flags
    }
}

/// An event with its circumstances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// By the clock of the trace.
    pub ns: u64,
    /// Where it happened.
    pub cpu: u32,
    /// The task that had the CPU.
    pub pid: i32,
    /// Whether an interrupt handler ran.
    pub interrupt: bool,
    /// What happened.
    pub kind: Kind,
}

/// The format of an event as the traced kernel describes it: where the fields lie that are read.
struct Layout {
    name: String,
    /// Offset and size of each wanted field, in the order of [`wanted`].
    fields: Vec<(usize, usize)>,
}

/// Every event of a raw capture and where its fields lie.
pub struct Formats(BTreeMap<u16, Layout>);

/// The events this crate understands, their wanted fields in order.
fn wanted(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "sched_switch" => &["prev_pid", "prev_state", "next_pid", "prev_comm"],
        "sched_waking" => &["pid"],
        "sched_stat_runtime" => &["pid", "runtime"],
        "sched_process_fork" => &["parent_pid", "child_pid"],
        "sys_enter" => &["id"],
        "block_bio_queue" | "block_rq_issue" | "block_rq_complete" | "block_rq_requeue" => {
            &["dev", "sector", "nr_sector", "rwbs"]
        }
        "page_cache_sync_ra" => &["s_dev", "i_ino", "index", "req_count"],
        "page_cache_async_ra" => &["s_dev", "i_ino", "index"],
        "mm_filemap_get_pages" => &["s_dev", "i_ino", "index", "last_index"],
        "mm_filemap_add_to_page_cache" => &["s_dev", "i_ino", "index", "order"],
        "mm_filemap_fault" => &["s_dev", "i_ino", "index"],
        "ext4_da_write_begin" | "ext4_write_begin" => &["dev", "ino", "pos", "len"],
        "xfs_file_buffered_write" => &["dev", "ino", "offset", "count"],
        "ext4_sync_file_enter" | "xfs_file_fsync" | "ext4_truncate_enter" => &["dev", "ino"],
        "ext4_evict_inode" => &["dev", "ino", "nlink"],
        "ext4_es_insert_extent" | "ext4_es_lookup_extent_exit" => {
            &["dev", "ino", "lblk", "len", "pblk", "status"]
        }
        "balance_dirty_pages" => &["pause"],
        "workqueue_queue_work" | "workqueue_execute_start" => &["work"],
        "sys_exit"
        | "workqueue_execute_end"
        | "irq_handler_entry"
        | "irq_handler_exit"
        | "softirq_entry"
        | "softirq_exit" => &[],
        _ => return None,
    })
}

impl Formats {
    /// Reads every format file of `folder/formats`.
    ///
    /// # Errors
    /// A file that is not a format, or an event of a known name without a field that is needed: the
    /// trace is of a kernel this does not know.
    pub fn read(folder: &Path) -> Result<Self, CaptureError> {
        let folder = folder.join("formats");
        let refuse = |error: std::io::Error| CaptureError::new(&folder, error.to_string());
        let mut layouts = BTreeMap::new();
        for entry in std::fs::read_dir(&folder).map_err(refuse)? {
            let path = entry.map_err(refuse)?.path();
            let text = std::fs::read_to_string(&path)
                .map_err(|error| CaptureError::new(&path, error.to_string()))?;
            let (id, layout) = layout(&path, &text)?;
            layouts.insert(id, layout);
        }
        Ok(Self(layouts))
    }

    /// The event of these bytes; `None` for one that is of no interest.
    ///
    /// # Errors
    /// It is shorter than its format says, or of a kind without format.
    pub fn decode(&self, ns: u64, cpu: u32, bytes: &[u8]) -> Result<Option<Event>, String> {
        let header = bytes.first_chunk::<8>().ok_or("an event without its common fields")?;
        let id = u16::from_le_bytes([header[0], header[1]]);
        let Some(layout) = self.0.get(&id) else {
            return Err(format!("an event of kind {id}, of which the capture has no format"));
        };
        let pid = i32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        // TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ of the kernel's trace entries.
        let interrupt = header[2] & 0x18 != 0;
        let fields = Fields { bytes, layout };
        let kind = fields.kind().ok_or_else(|| format!("a short {}", layout.name))?;
        Ok(Some(Event { ns, cpu, pid, interrupt, kind }))
    }
}

fn layout(path: &Path, text: &str) -> Result<(u16, Layout), CaptureError> {
    let refuse = |what: String| CaptureError::new(path, what);
    let format = PerfEventFormat::parse(true, "", text)
        .ok_or_else(|| refuse("is not the format of an event".into()))?;
    let name = format.name().to_owned();
    let names =
        wanted(&name).ok_or_else(|| refuse(format!("{name} is not an event of a capture")))?;
    let mut fields = Vec::new();
    for wanted in names {
        let field = format.fields().iter().find(|field| field.name() == *wanted);
        let field = field.ok_or_else(|| {
            refuse(format!(
                "{name} has no field `{wanted}`: the trace is of a kernel not known here"
            ))
        })?;
        fields.push((usize::from(field.offset()), usize::from(field.size())));
    }
    let id = u16::try_from(format.id()).map_err(|_| refuse(format!("id {}", format.id())))?;
    Ok((id, Layout { name, fields }))
}

struct Fields<'a> {
    bytes: &'a [u8],
    layout: &'a Layout,
}

impl Fields<'_> {
    fn raw(&self, field: usize) -> Option<&[u8]> {
        let (offset, size) = *self.layout.fields.get(field)?;
        self.bytes.get(offset..offset + size)
    }

    fn quad(&self, field: usize) -> Option<u64> {
        let raw = self.raw(field)?;
        let mut bytes = [0; 8];
        bytes.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(u64::from_le_bytes(bytes))
    }

    fn word(&self, field: usize) -> Option<u32> {
        self.quad(field).map(|value| value as u32)
    }

    fn pid(&self, field: usize) -> Option<i32> {
        self.word(field).map(u32::cast_signed)
    }

    fn kind(&self) -> Option<Kind> {
        Some(match self.layout.name.as_str() {
            "sched_switch" => Kind::Switch {
                prev: self.pid(0)?,
                prev_state: self.quad(1)?,
                next: self.pid(2)?,
                name: self.raw(3)?.try_into().ok()?,
            },
            "sched_waking" => Kind::Waking { pid: self.pid(0)? },
            "sched_stat_runtime" => Kind::Runtime { pid: self.pid(0)?, ns: self.quad(1)? },
            "sched_process_fork" => Kind::Fork { parent: self.pid(0)?, child: self.pid(1)? },
            "sys_enter" => Kind::CallEnter { number: self.quad(0)? as u16 },
            "sys_exit" => Kind::CallExit,
            "block_bio_queue" | "block_rq_issue" | "block_rq_complete" | "block_rq_requeue" => {
                self.block()?
            }
            "balance_dirty_pages" => Kind::Throttle { pause: self.quad(0)?.cast_signed() },
            "workqueue_queue_work" => Kind::QueueWork { work: self.quad(0)? },
            "workqueue_execute_start" => Kind::WorkStart { work: self.quad(0)? },
            "workqueue_execute_end" => Kind::WorkEnd,
            "irq_handler_entry" => Kind::InterruptEnter,
            "irq_handler_exit" => Kind::InterruptExit,
            "softirq_entry" => Kind::SoftEnter,
            "softirq_exit" => Kind::SoftExit,
            _ => return self.file(),
        })
    }

    fn block(&self) -> Option<Kind> {
        let (device, sector, sectors) = (self.word(0)?, self.quad(1)?, self.word(2)?);
        let flags = Flags::parse(self.raw(3)?);
        Some(match self.layout.name.as_str() {
            "block_bio_queue" => Kind::BioQueue { device, sector, sectors, flags },
            "block_rq_issue" => Kind::Issue { device, sector, sectors, flags },
            "block_rq_complete" => Kind::Complete { device, sector, sectors, flags },
            _ => Kind::Requeue { device, sector, sectors, flags },
        })
    }

    fn file(&self) -> Option<Kind> {
        let (device, inode) = (self.word(0)?, self.quad(1)?);
        Some(match self.layout.name.as_str() {
            "mm_filemap_get_pages" => {
                // The kernel's last page belongs to the access.
                let end = self.quad(3)?.saturating_add(1);
                Kind::GetPages { device, inode, first: self.quad(2)?, end }
            }
            "mm_filemap_add_to_page_cache" => {
                Kind::AddPage { device, inode, page: self.quad(2)?, order: self.quad(3)? as u8 }
            }
            "page_cache_sync_ra" => {
                let (page, pages) = (self.quad(2)?, self.quad(3)?);
                Kind::SyncReadAhead { device, inode, page, pages }
            }
            "page_cache_async_ra" => Kind::AsyncReadAhead { device, inode, page: self.quad(2)? },
            "mm_filemap_fault" => Kind::FileFault { device, inode, page: self.quad(2)? },
            "ext4_da_write_begin" | "ext4_write_begin" | "xfs_file_buffered_write" => {
                Kind::WriteBegin { device, inode, position: self.quad(2)?, bytes: self.word(3)? }
            }
            "ext4_sync_file_enter" | "xfs_file_fsync" => Kind::SyncFile { device, inode },
            "ext4_truncate_enter" => Kind::Truncate { device, inode },
            "ext4_evict_inode" => Kind::Evict { device, inode, links: self.word(2)? },
            _ => Kind::Mapped {
                device,
                inode,
                block: self.quad(2)?,
                blocks: self.word(3)?,
                place: self.quad(4)?,
                status: self.quad(5)? as u8,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_request() {
        let flush = Flags { write: true, flush: true, sync: true, ..Flags::default() };
        assert_eq!(Flags::parse(b"FS\0"), flush);
        let log = Flags { through: true, meta: true, ..flush };
        assert_eq!(Flags::parse(b"FWFSM\0junk"), log);
        let ahead = Flags { ahead: true, meta: true, ..Flags::default() };
        assert_eq!(Flags::parse(b"RAM"), ahead);
        assert_eq!(Flags::parse(b"R"), Flags::default());
    }
}
