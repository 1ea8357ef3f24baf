//! A write of a part of a sector: the rest of it has to be read first, which takes the drive its
//! time, and fails where the drive cannot read it.

use fuser::ReplyWrite;

/// A write that begins or ends within a sector.
#[derive(Debug)]
pub(crate) struct PartialWrite {
    pub(crate) reply: ReplyWrite,
    pub(crate) offset: u64,
    pub(crate) data: Vec<u8>,
    pub(crate) forced: bool,
    block_bytes: u32,
    /// Where the sectors begin that are still to be read.
    unread: Vec<u64>,
}

impl PartialWrite {
    /// Where the sectors begin that a write has a part of alone.
    pub(crate) fn beside(offset: u64, length: usize, block_bytes: u32) -> Vec<u64> {
        let (block, end) = (u64::from(block_bytes), offset + length as u64);
        let mut parts = Vec::new();
        for edge in [offset, end] {
            let first = edge / block * block;
            if first != edge && parts.last() != Some(&first) {
                parts.push(first);
            }
        }
        parts
    }

    /// One of `data`, with what is [`PartialWrite::beside`] it.
    pub(crate) fn new(
        reply: ReplyWrite,
        offset: u64,
        data: &[u8],
        forced: bool,
        block_bytes: u32,
        unread: Vec<u64>,
    ) -> Self {
        Self { reply, offset, data: data.to_vec(), forced, block_bytes, unread }
    }

    /// Where to read next, and how many bytes; `None` when it can be written.
    pub(crate) fn next_read(&mut self) -> Option<(u64, u32)> {
        self.unread.pop().map(|sector| (sector, self.block_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::PartialWrite;

    #[test]
    fn sectors_are_read_of_which_a_part_is_written() {
        let beside = |offset, length| PartialWrite::beside(offset, length, 512);
        assert!(beside(0, 512).is_empty());
        assert!(beside(1024, 2048).is_empty());
        assert_eq!(beside(100, 2), [0]);
        assert_eq!(beside(0, 1), [0]);
        assert_eq!(beside(511, 1), [0]);
        assert_eq!(beside(500, 20), [0, 512]);
        assert_eq!(beside(512, 513), [1024]);
        assert_eq!(beside(600, 4096), [512, 4608]);
    }
}
