//! The contents of a device, recognized by the marks that formats leave at fixed places.

use std::io;
use std::ops::Range;

/// A mark that a format leaves at a fixed distance from the start.
struct Mark {
    format: &'static str,
    offset: usize,
    bytes: &'static [u8],
}

const fn mark(format: &'static str, offset: usize, bytes: &'static [u8]) -> Mark {
    Mark { format, offset, bytes }
}

/// The more telling come first: many formats also have the mark of a master boot record.
const MARKS: [Mark; 34] = [
    mark("a GPT partition table", 512, b"EFI PART"),
    mark("a GPT partition table", 4096, b"EFI PART"),
    mark("an NTFS file system", 3, b"NTFS    "),
    mark("an exFAT file system", 3, b"EXFAT   "),
    mark("a BitLocker volume", 3, b"-FVE-FS-"),
    mark("a FAT file system", 54, b"FAT12   "),
    mark("a FAT file system", 54, b"FAT16   "),
    mark("a FAT file system", 82, b"FAT32   "),
    mark("a LUKS volume", 0, b"LUKS\xba\xbe"),
    mark("an LVM2 physical volume", 0, b"LABELONE"),
    mark("an LVM2 physical volume", 512, b"LABELONE"),
    mark("an LVM2 physical volume", 1024, b"LABELONE"),
    mark("an LVM2 physical volume", 1536, b"LABELONE"),
    mark("an md RAID member", 0, b"\xfc\x4e\x2b\xa9"),
    mark("an md RAID member", 4096, b"\xfc\x4e\x2b\xa9"),
    mark("an XFS file system", 0, b"XFSB"),
    mark("a squashfs file system", 0, b"hsqs"),
    mark("a Ceph volume", 0, b"bluestore block device"),
    mark("an APFS container", 32, b"NXSB"),
    mark("an ext2, ext3 or ext4 file system", 1080, b"\x53\xef"),
    mark("an F2FS file system", 1024, b"\x10\x20\xf5\xf2"),
    mark("an HFS+ file system", 1024, b"H+"),
    mark("a bcache member", 4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca"),
    mark("swap space", 4086, b"SWAPSPACE2"),
    mark("swap space", 4086, b"SWAP-SPACE"),
    mark("swap space", 8182, b"SWAPSPACE2"),
    mark("swap space", 16_374, b"SWAPSPACE2"),
    mark("swap space", 32_758, b"SWAPSPACE2"),
    mark("swap space", 65_526, b"SWAPSPACE2"),
    mark("an ISO 9660 file system", 32_769, b"CD001"),
    mark("a UDF file system", 32_769, b"BEA01"),
    mark("a ReiserFS file system", 65_588, b"ReIsEr"),
    mark("a Btrfs file system", 65_600, b"_BHRfS_M"),
    mark("a master boot record", 510, b"\x55\xaa"),
];

/// Where the uberblocks of ZFS's first label may be, and how far apart.
const ZFS_RING: Range<usize> = 128 << 10..256 << 10;
const ZFS_STEP: usize = 1024;
const ZFS_MAGIC: u64 = 0x00ba_b10c;

/// What is looked at at either end: every mark lies in it.
const END_BYTES: u64 = 1 << 20;

/// What is on a device of `bytes` bytes; `None` if it looks empty: no mark of a known format, and
/// nothing but zeros in its first and last MiB. `read` gives bytes from an offset.
///
/// # Errors
/// What `read` answers.
pub(super) fn find(
    bytes: u64,
    mut read: impl FnMut(u64, &mut [u8]) -> io::Result<()>,
) -> io::Result<Option<String>> {
    let length = bytes.min(END_BYTES);
    let mut part = vec![0; length as usize];
    for start in [0, bytes - length] {
        read(start, &mut part)?;
        if start == 0
            && let Some(format) = known_format(&part)
        {
            return Ok(Some(format.to_owned()));
        }
        if let Some(place) = part.iter().position(|byte| *byte != 0) {
            return Ok(Some(format!("data of an unknown kind at byte {}", start + place as u64)));
        }
    }
    Ok(None)
}

fn known_format(start: &[u8]) -> Option<&'static str> {
    let has =
        |mark: &&Mark| start.get(mark.offset..).is_some_and(|rest| rest.starts_with(mark.bytes));
    if let Some(mark) = MARKS.iter().find(has) {
        return Some(mark.format);
    }
    let uberblock = |at: usize| {
        let magic = start.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        magic.is_some_and(|magic: [u8; 8]| {
            u64::from_le_bytes(magic) == ZFS_MAGIC || u64::from_be_bytes(magic) == ZFS_MAGIC
        })
    };
    ZFS_RING.step_by(ZFS_STEP).any(uberblock).then_some("a ZFS pool member")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(image: &[u8]) -> Option<String> {
        find(image.len() as u64, |at, part| {
            let at = at as usize;
            part.copy_from_slice(&image[at..at + part.len()]);
            Ok(())
        })
        .unwrap()
    }

    #[test]
    fn every_mark_names_its_format() {
        for Mark { format, offset, bytes } in &MARKS {
            let mut image = vec![0; 3 << 20];
            image[*offset..offset + bytes.len()].copy_from_slice(bytes);
            assert_eq!(look(&image).as_deref(), Some(*format));
        }
        let mut image = vec![0; 3 << 20];
        image[(129 << 10)..(129 << 10) + 8].copy_from_slice(&ZFS_MAGIC.to_le_bytes());
        assert_eq!(look(&image).as_deref(), Some("a ZFS pool member"));
    }

    #[test]
    fn anything_at_either_end_is_something() {
        let mut image = vec![0; 3 << 20];
        assert_eq!(look(&image), None);
        image[(3 << 20) / 2] = 1;
        assert_eq!(look(&image), None, "the middle is not looked at");
        for place in [0, (1 << 20) - 1, 2 << 20, (3 << 20) - 1] {
            image[place] = 1;
            let found = look(&image).unwrap();
            assert!(found.contains(&format!("byte {place}")), "{found}");
            image[place] = 0;
        }
    }

    #[test]
    fn a_small_image_is_looked_at_whole() {
        assert_eq!(look(&[0; 512]), None);
        assert!(look(&[0, 0, 7]).is_some());
        assert_eq!(look(&[]), None);
    }
}
