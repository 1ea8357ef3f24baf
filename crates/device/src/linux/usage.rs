//! Users of a block device, from the kernel's tables.

use super::sysfs::DeviceNumber;
use rustix::fs::{major, minor};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One line of the mount table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// Of the file system: for some kinds not that of the device below it.
    pub(super) number: DeviceNumber,
    pub(super) point: PathBuf,
    /// The device, where the kind of file system has one.
    pub(super) source: PathBuf,
    /// Of file system.
    pub(super) kind: String,
    /// How it is mounted here, and how the file system itself is: words with commas.
    options: [String; 2],
}

impl Mount {
    /// Whether it is mounted with this word.
    pub(super) fn says(&self, word: &str) -> bool {
        self.options.iter().any(|words| words.split(',').any(|one| one == word))
    }

    /// What follows `key=` among its words.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let mut words = self.options.iter().flat_map(|words| words.split(','));
        words.find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }
}

/// The mount that holds `path`, which is absolute and without links: by its name alone, as nothing
/// may be allowed to look at it.
pub(super) fn mount_of(path: &Path) -> Option<Mount> {
    holding(mounts().ok()?, path)
}

/// The longest of those that lead to `path`; of equals the last, which hides the others.
fn holding(mounts: Vec<Mount>, path: &Path) -> Option<Mount> {
    let leads = mounts.into_iter().filter(|mount| path.starts_with(&mount.point));
    leads.max_by_key(|mount| mount.point.components().count())
}

/// The mounts of this process's name space.
pub(super) fn mounts() -> io::Result<Vec<Mount>> {
    fs::read("/proc/self/mountinfo").map(|table| parse_mounts(&table))
}

/// Devices and files in use as swap; a kernel that knows no swap has no table.
pub(super) fn swaps() -> Vec<PathBuf> {
    fs::read("/proc/swaps").map(|table| parse_swaps(&table)).unwrap_or_default()
}

/// The number of the block device at `path`, if there is one.
pub(super) fn block_number(path: &Path) -> Option<DeviceNumber> {
    let metadata = fs::metadata(path).ok()?;
    let number = (major(metadata.rdev()), minor(metadata.rdev()));
    metadata.file_type().is_block_device().then_some(number)
}

/// The number of the file system that holds `path`.
pub(super) fn holding_number(path: &Path) -> Option<DeviceNumber> {
    let metadata = fs::metadata(path).ok()?;
    Some((major(metadata.dev()), minor(metadata.dev())))
}

/// The table of `/proc/self/mountinfo`: after six fields and any number of optional ones comes a
/// dash, then kind and source.
pub(super) fn parse_mounts(table: &[u8]) -> Vec<Mount> {
    let lines = table.split(|byte| *byte == b'\n');
    lines.filter_map(parse_mount).collect()
}

fn parse_mount(line: &[u8]) -> Option<Mount> {
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    let (major, minor) = std::str::from_utf8(fields.get(2)?).ok()?.split_once(':')?;
    let dash = fields.iter().position(|field| *field == b"-")?;
    Some(Mount {
        number: (major.parse().ok()?, minor.parse().ok()?),
        point: unescape(fields.get(4)?),
        source: unescape(fields.get(dash + 2)?),
        kind: String::from_utf8_lossy(fields.get(dash + 1)?).into_owned(),
        options: [words(fields.get(5)), words(fields.get(dash + 3))],
    })
}

fn words(field: Option<&&[u8]>) -> String {
    String::from_utf8_lossy(field.copied().unwrap_or_default()).into_owned()
}

/// The table of `/proc/swaps`: a heading, then one path per line.
fn parse_swaps(table: &[u8]) -> Vec<PathBuf> {
    let lines = table.split(|byte| *byte == b'\n').skip(1);
    let paths = lines.filter_map(|line| line.split(u8::is_ascii_whitespace).next());
    paths.filter(|path| !path.is_empty()).map(unescape).collect()
}

/// The tables write a space, a tab, a line end and a backslash as a backslash and three octal
/// digits.
fn unescape(field: &[u8]) -> PathBuf {
    let mut path = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let octal = (*first == b'\\')
            .then(|| after.get(..3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        path.push(octal.unwrap_or(*first));
        rest = if octal.is_some() { &after[3..] } else { after };
    }
    PathBuf::from(OsString::from_vec(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_mount_table_is_read() {
        let table = b"24 30 0:22 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n\
            30 1 8:17 / /mnt/my\\040disk rw - ext4 /dev/sdb1 rw,discard\n\
            31 1 0:40 /sub /data rw shared:1 master:2 - btrfs /dev/sdc rw\n";
        let mounts = parse_mounts(table);
        assert_eq!(mounts.len(), 3);
        assert_eq!(mounts[1].number, (8, 17));
        assert_eq!(mounts[1].point, PathBuf::from("/mnt/my disk"));
        assert_eq!(mounts[2].source, PathBuf::from("/dev/sdc"));
        assert_eq!(mounts[1].kind, "ext4");
        assert!(mounts[1].says("discard") && mounts[0].says("nosuid"));
        assert!(!mounts[1].says("disc"));
    }

    #[test]
    fn a_path_is_held_by_the_last_of_the_longest_mounts() {
        let table = b"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
            2 1 0:5 / /mnt/a rw - tmpfs none rw\n\
            3 1 0:6 / /mnt/a rw,nodev - fuse.sshfs far:/ rw,user_id=1000,group_id=7\n";
        let holds = |path: &str| holding(parse_mounts(table), Path::new(path)).unwrap();
        assert_eq!(holds("/mnt/ab/c").number, (8, 1));
        let far = holds("/mnt/a/c");
        assert_eq!((far.number, far.kind.as_str()), ((0, 6), "fuse.sshfs"));
        assert_eq!(far.value("user_id"), Some("1000"));
        assert_eq!(far.value("user"), None);
    }

    #[test]
    fn the_swap_table_is_read() {
        let table = b"Filename\tType\tSize\tUsed\tPriority\n/dev/sdb2   partition\t1\t0\t-2\n\
            /swap\\040file file\t1\t0\t-3\n";
        assert_eq!(parse_swaps(table), ["/dev/sdb2", "/swap file"].map(PathBuf::from));
    }

    proptest! {
        #[test]
        fn no_table_is_too_odd(table in proptest::collection::vec(any::<u8>(), 0..200)) {
            parse_mounts(&table);
            parse_swaps(&table);
        }
    }
}
