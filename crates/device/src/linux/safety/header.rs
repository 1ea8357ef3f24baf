//! The header of a journal: the device, the region and the checksums, as bytes.

use super::checksum::Checksum;
use super::region::Region;
use crate::linux::sysfs::Node;
use crate::linux::target::{Kind, Target};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Bytes of a journal before the saved data.
pub(super) const HEADER_BYTES: usize = 8192;

/// The sizes a sector can have.
const SECTOR_BYTES: RangeInclusive<u32> = 512..=1 << 20;

/// A journal begins with these.
const MAGIC: [u8; 8] = *b"PLSAVED2";

/// Bytes of the header's own checksum, at its end.
const CHECK_BYTES: usize = 8;

/// What a journal says of the device and the region whose data it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) region: Region,
    pub(super) logical_bytes: u32,
    /// Size of the device.
    pub(super) device_bytes: u64,
    /// Number of the file within its file system; 0 for block devices.
    pub(super) inode: u64,
    /// FNV-1a of the data.
    pub(super) data_checksum: u64,
    /// [`super::fingerprint`] of sectors around the region: the run never writes them.
    pub(super) fingerprint: u64,
    /// Where the device was, without symbolic links.
    pub(super) path: PathBuf,
    /// Its [`Node::identity`]; empty for files.
    pub(super) identity: String,
    /// The boot of the machine that the run was of.
    pub(super) boot: String,
}

impl Header {
    pub(super) fn new(
        target: &Target,
        region: Region,
        data_checksum: u64,
        fingerprint: u64,
    ) -> Self {
        Self {
            region,
            logical_bytes: target.logical_bytes,
            device_bytes: target.bytes,
            inode: match target.kind {
                Kind::Block { .. } => 0,
                Kind::File { inode, .. } => inode,
            },
            data_checksum,
            fingerprint,
            path: target.canonical.clone(),
            identity: target.node().map(Node::identity).unwrap_or_default(),
            boot: boot(),
        }
    }

    /// Whether the machine has not been started anew since the run.
    pub(super) fn is_of_this_boot(&self) -> bool {
        !self.boot.is_empty() && self.boot == boot()
    }

    /// Whether `target` is the device the journal speaks of. A disk that can say who it is may have
    /// come back under another name.
    pub(super) fn is_of(&self, target: &Target) -> bool {
        let mut there = Self::new(target, self.region, self.data_checksum, self.fingerprint);
        there.boot.clone_from(&self.boot);
        if !self.identity.is_empty() {
            there.path.clone_from(&self.path);
        }
        *self == there
    }

    /// Bytes of saved data.
    pub(super) fn data_bytes(&self) -> u64 {
        self.region.sectors.saturating_mul(u64::from(self.logical_bytes))
    }

    /// The header as it stands in the file; `None` if its texts are too long.
    pub(super) fn encode(&self) -> Option<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        let numbers = [
            self.region.first,
            self.region.sectors,
            u64::from(self.logical_bytes),
            self.device_bytes,
            self.inode,
            self.data_checksum,
            self.fingerprint,
        ];
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        let texts =
            [self.path.as_os_str().as_bytes(), self.identity.as_bytes(), self.boot.as_bytes()];
        for text in texts {
            bytes.extend(u16::try_from(text.len()).ok()?.to_le_bytes());
            bytes.extend(text);
        }
        if bytes.len() > HEADER_BYTES - CHECK_BYTES {
            return None;
        }
        bytes.resize(HEADER_BYTES - CHECK_BYTES, 0);
        bytes.extend(Checksum::of(&bytes).to_le_bytes());
        Some(bytes)
    }

    /// Reads a header; `None` if it is not a whole one.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (content, check) = bytes.split_at_checked(HEADER_BYTES - CHECK_BYTES)?;
        if Checksum::of(content).to_le_bytes() != check {
            return None;
        }
        let mut rest = content.strip_prefix(&MAGIC)?;
        let mut take = |length: usize| {
            let (taken, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(taken)
        };
        let mut numbers = [0_u64; 7];
        for number in &mut numbers {
            *number = u64::from_le_bytes(take(8)?.try_into().ok()?);
        }
        let mut text = || {
            let length = u16::from_le_bytes(take(2)?.try_into().ok()?);
            take(usize::from(length))
        };
        let path = PathBuf::from(OsStr::from_bytes(text()?));
        let identity = String::from_utf8(text()?.to_vec()).ok()?;
        let boot = String::from_utf8(text()?.to_vec()).ok()?;
        let [first, sectors, logical_bytes, device_bytes, inode, data_checksum, fingerprint] =
            numbers;
        let region = Region { first, sectors };
        let logical_bytes = u32::try_from(logical_bytes).ok()?;
        if !SECTOR_BYTES.contains(&logical_bytes) {
            return None;
        }
        Some(Self {
            region,
            logical_bytes,
            device_bytes,
            inode,
            data_checksum,
            fingerprint,
            path,
            identity,
            boot,
        })
    }
}

/// The kernel's name for the time since the machine was started; empty if it gives none.
fn boot() -> String {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header() -> Header {
        Header {
            region: Region { first: 2048, sectors: 64 },
            logical_bytes: 512,
            device_bytes: 1 << 30,
            inode: 7,
            data_checksum: 99,
            fingerprint: 3,
            path: PathBuf::from("/dev/sdx"),
            identity: "WD-1234".to_owned(),
            boot: "7c1f".to_owned(),
        }
    }

    #[test]
    fn a_header_comes_back_as_it_went() {
        let bytes = header().encode().unwrap();
        assert_eq!(bytes.len(), HEADER_BYTES);
        assert_eq!(Header::decode(&bytes), Some(header()));
    }

    #[test]
    fn any_damage_shows() {
        let whole = header().encode().unwrap();
        for place in [0, 9, 60, 70, HEADER_BYTES - 1] {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            assert_eq!(Header::decode(&bytes), None, "byte {place}");
        }
        assert_eq!(Header::decode(&whole[..HEADER_BYTES - 1]), None);
    }

    #[test]
    fn a_sector_of_no_bytes_is_no_sector() {
        let bytes = Header { logical_bytes: 0, ..header() }.encode().unwrap();
        assert_eq!(Header::decode(&bytes), None);
    }

    #[test]
    fn a_text_too_long_for_it_is_not_cut() {
        for length in [HEADER_BYTES, 70_000] {
            let long = Header { identity: "x".repeat(length), ..header() };
            assert_eq!(long.encode(), None);
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut content = MAGIC.to_vec();
            content.extend(bytes);
            content.resize(HEADER_BYTES - CHECK_BYTES, 0xff);
            let check = Checksum::of(&content);
            content.extend(check.to_le_bytes());
            Header::decode(&content);
        }
    }
}
