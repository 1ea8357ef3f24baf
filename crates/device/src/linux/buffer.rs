//! Aligned memory for direct transfers.

/// Every direct transfer starts at a multiple of this many bytes in memory: at least what any
/// block device asks for.
const ALIGNMENT: usize = 4096;

/// Memory that direct transfers accept.
#[derive(Debug, Default)]
pub(super) struct AlignedBuffer {
    memory: Vec<u8>,
}

impl AlignedBuffer {
    /// The first `length` bytes, aligned; every page has been touched before. What they hold is
    /// whatever was there.
    pub(super) fn bytes(&mut self, length: usize) -> &mut [u8] {
        let wanted = length + ALIGNMENT;
        if self.memory.len() < wanted {
            self.memory = vec![0; wanted];
            self.memory.fill(1);
        }
        let start = ALIGNMENT - self.memory.as_ptr().addr() % ALIGNMENT;
        &mut self.memory[start..start + length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_aligned_and_as_many_as_asked_for() {
        let mut buffer = AlignedBuffer::default();
        for length in [512, 1, 1 << 20, 4096, 0] {
            let bytes = buffer.bytes(length);
            assert_eq!(bytes.len(), length);
            assert_eq!(bytes.as_ptr().addr() % ALIGNMENT, 0);
        }
    }
}
