//! The checksum of a journal's header and data.

/// FNV-1a, 64 bits: distinguishes a journal that was cut off or damaged from a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checksum(u64);

impl Checksum {
    pub(super) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    }

    pub(super) const fn value(self) -> u64 {
        self.0
    }

    pub(super) fn of(bytes: &[u8]) -> u64 {
        let mut checksum = Self::new();
        checksum.add(bytes);
        checksum.value()
    }
}
