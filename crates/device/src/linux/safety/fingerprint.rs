//! A fingerprint of the sectors around a region: whether it is the same device, unchanged there.

use super::checksum::Checksum;
use super::region::Region;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::target::Target;
use rustix::io::pread;
use std::fs::File;

/// What is looked at on either side of the region, and at either end of the device.
const WINDOW_BYTES: u64 = 1 << 20;

/// Stands for a window that cannot be read.
const UNREADABLE: &[u8] = b"unreadable";

/// Tells the content of the sectors around `region` and at both ends of the device, which a run
/// never writes, from any other. Of a region that is the whole device it says nothing.
pub(super) fn of(target: &Target, device: &File, region: Region) -> u64 {
    let logical = u64::from(target.logical_bytes);
    let mut checksum = Checksum::new();
    let mut buffer = AlignedBuffer::default();
    for (first, end) in windows(target.sectors(), WINDOW_BYTES / logical, region) {
        checksum.add(&first.to_le_bytes());
        let bytes = buffer.bytes(((end - first) * logical) as usize);
        let whole = pread(device, &mut *bytes, first * logical) == Ok(bytes.len());
        checksum.add(if whole { bytes } else { UNREADABLE });
    }
    checksum.value()
}

/// First sector, and the first after, of each window; none has a sector of the region.
fn windows(sectors: u64, window: u64, region: Region) -> Vec<(u64, u64)> {
    let (first, end) = (region.first, region.end());
    let before = [(0, window.min(first)), (first.saturating_sub(window), first)];
    let behind = [
        (end, end.saturating_add(window).min(sectors)),
        (sectors.saturating_sub(window).max(end), sectors),
    ];
    before.into_iter().chain(behind).filter(|(first, end)| first < end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_lie_around_the_region() {
        let of = |first, sectors| windows(1000, 100, Region { first, sectors });
        assert_eq!(of(400, 10), [(0, 100), (300, 400), (410, 510), (900, 1000)]);
        assert_eq!(of(0, 1000), []);
        assert_eq!(of(50, 900), [(0, 50), (0, 50), (950, 1000), (950, 1000)]);
        assert_eq!(of(0, 10), [(10, 110), (900, 1000)]);
    }
}
