//! Block devices as sysfs shows them: numbers, partitions, holders, serial numbers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A block device's number: major and minor.
pub(super) type DeviceNumber = (u32, u32);

/// A block device's folder in sysfs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node(PathBuf);

impl Node {
    /// The folder of the device with this number, if it is one.
    pub(super) fn of((major, minor): DeviceNumber) -> Option<Self> {
        fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok().map(Self)
    }

    /// All whole disks, in the order of their names.
    pub(super) fn disks() -> Vec<Self> {
        let mut disks: Vec<Self> = children(Path::new("/sys/block"))
            .into_iter()
            .filter_map(|path| fs::canonicalize(path).ok().map(Self))
            .collect();
        disks.sort_by(|one, other| one.0.cmp(&other.0));
        disks
    }

    /// The kernel's name for it.
    pub(super) fn name(&self) -> String {
        self.0.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(super) fn exists(&self) -> bool {
        self.0.exists()
    }

    /// Whether the kernel serves its disk no more, though it still lists it.
    pub(super) fn is_given_up(&self) -> bool {
        const STATES: [&str; 6] =
            ["offline", "transport-offline", "cancel", "deleted", "dead", "deleting"];
        let state = self.disk().attribute("device/state");
        state.is_some_and(|state| STATES.iter().any(|word| state.starts_with(word)))
    }

    /// An attribute's text without surrounding space; `None` if it is not there or empty.
    pub(super) fn attribute(&self, path: &str) -> Option<String> {
        let text = fs::read(self.0.join(path)).ok()?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The serial number its disk reports, by whichever way its driver shows it.
    pub(super) fn serial(&self) -> Option<String> {
        let disk = self.disk();
        ["serial", "device/serial"]
            .into_iter()
            .find_map(|path| disk.attribute(path))
            .or_else(|| disk.vital_product_serial())
    }

    /// What identifies it wherever it is attached: the serial number of its disk, its
    /// world-wide name, the name of a mapped or an assembled device, or the file behind a loop
    /// device; and which partition it is. Empty if there is none of these.
    pub(super) fn identity(&self) -> String {
        const NAMES: [&str; 5] = ["wwid", "device/wwid", "dm/uuid", "md/uuid", "loop/backing_file"];
        let disk = self.disk();
        let disk = self.serial().or_else(|| NAMES.iter().find_map(|path| disk.attribute(path)));
        match (disk, self.attribute("partition")) {
            (Some(disk), Some(partition)) => format!("{disk} partition {partition}"),
            (disk, _) => disk.unwrap_or_default(),
        }
    }

    /// The name of the driver of its disk.
    pub(super) fn driver(&self) -> Option<String> {
        let about = self.disk().attribute("device/uevent")?;
        about.lines().find_map(|line| Some(line.strip_prefix("DRIVER=")?.trim().to_owned()))
    }

    /// What its disk is attached by, as the way to it in sysfs shows.
    pub(super) fn transport(&self) -> Option<&'static str> {
        let numbered = |part: &str, word: &str| {
            part.strip_prefix(word).is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let way = self.0.to_string_lossy();
        let ways = ["usb", "virtio", "nvme", "ata"];
        ways.into_iter().find(|word| way.split('/').any(|part| numbered(part, word)))
    }

    /// SCSI's unit serial number page: a header of four bytes, then the number.
    fn vital_product_serial(&self) -> Option<String> {
        let page = fs::read(self.0.join("device/vpd_pg80")).ok()?;
        let text = String::from_utf8_lossy(page.get(4..)?);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
        (!text.is_empty()).then(|| text.to_owned())
    }

    pub(super) fn is_partition(&self) -> bool {
        self.0.join("partition").exists()
    }

    /// The whole disk: itself, unless it is a partition.
    pub(super) fn disk(&self) -> Self {
        match self.0.parent() {
            Some(parent) if self.is_partition() => Self(parent.to_owned()),
            _ => self.clone(),
        }
    }

    pub(super) fn number(&self) -> Option<DeviceNumber> {
        let text = self.attribute("dev")?;
        let (major, minor) = text.split_once(':')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }

    /// Its disk and all partitions of that, the disk first.
    pub(super) fn family(&self) -> Vec<Self> {
        let disk = self.disk();
        let mut partitions: Vec<Self> =
            children(&disk.0).into_iter().map(Self).filter(Self::is_partition).collect();
        partitions.sort_by(|one, other| one.0.cmp(&other.0));
        partitions.insert(0, disk);
        partitions
    }

    /// Names of the devices built on top of it: device mapper, md, bcache.
    pub(super) fn holders(&self) -> BTreeSet<String> {
        children(&self.0.join("holders"))
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect()
    }

    /// The disks below it, itself included if it stands on no other device.
    pub(super) fn bottom_disks(&self) -> Vec<Self> {
        let below = children(&self.0.join("slaves"));
        if below.is_empty() {
            return vec![self.disk()];
        }
        let below = below.into_iter().filter_map(|path| fs::canonicalize(path).ok());
        below.flat_map(|path| Self(path).bottom_disks()).collect()
    }
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[cfg(test)]
pub(super) mod fake {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    static NEXT: AtomicU32 = AtomicU32::new(0);

    /// A disk's folder with files of our choice, gone at the end.
    pub(in crate::linux) struct FakeSysfs {
        base: PathBuf,
        folder: PathBuf,
    }

    impl FakeSysfs {
        pub(in crate::linux) fn new(files: &[(&str, &str)]) -> Self {
            Self::named("sdx", files)
        }

        /// One of this name, or at the end of this way.
        pub(in crate::linux) fn named(disk: &str, files: &[(&str, &str)]) -> Self {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("platterlab-sysfs-{}-{number}", std::process::id());
            let base = std::env::temp_dir().join(name);
            let folder = base.join(disk);
            fs::create_dir_all(&folder).unwrap();
            for (path, text) in files {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self { base, folder }
        }

        pub(in crate::linux) fn node(&self, below: &str) -> Node {
            let folder = &self.folder;
            Node(if below.is_empty() { folder.clone() } else { folder.join(below) })
        }
    }

    impl Drop for FakeSysfs {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fake::FakeSysfs;
    use super::*;

    #[test]
    fn a_partition_belongs_to_its_disk() {
        let sysfs = FakeSysfs::new(&[
            ("dev", "8:16\n"),
            ("serial", " WD-1234  \n"),
            ("sdx2/partition", "2\n"),
            ("sdx2/dev", "8:18\n"),
            ("sdx1/partition", "1\n"),
            ("sdx1/holders/md0/dev", "9:0"),
            ("queue/zoned", "none\n"),
        ]);
        let (disk, second) = (sysfs.node(""), sysfs.node("sdx2"));
        assert_eq!(second.disk(), disk);
        assert_eq!(second.number(), Some((8, 18)));
        let names: Vec<String> = second.family().iter().map(Node::name).collect();
        assert_eq!(names, ["sdx", "sdx1", "sdx2"]);
        assert_eq!(sysfs.node("sdx1").holders(), BTreeSet::from(["md0".to_owned()]));
        assert_eq!(second.serial().as_deref(), Some("WD-1234"));
        assert_eq!(disk.identity(), "WD-1234");
        assert_eq!(second.identity(), "WD-1234 partition 2");
        assert_eq!(disk.attribute("queue/rotational"), None);
        assert_eq!(second.bottom_disks(), [disk]);
    }

    #[test]
    fn a_disk_that_is_given_up_says_so() {
        for (state, given_up) in
            [("running", false), ("live", false), ("offline", true), ("deleting (no IO)", true)]
        {
            let sysfs = FakeSysfs::new(&[("device/state", state), ("sdx1/partition", "1")]);
            assert_eq!(sysfs.node("").is_given_up(), given_up, "{state}");
            assert_eq!(sysfs.node("sdx1").is_given_up(), given_up, "{state}");
        }
        assert!(!FakeSysfs::new(&[]).node("").is_given_up());
    }

    #[test]
    fn what_a_disk_is_attached_by_is_on_the_way_to_it() {
        let by = |way: &str| FakeSysfs::named(way, &[]).node("").transport();
        assert_eq!(by("pci0/usb2/2-1/host6/block/sdx"), Some("usb"));
        assert_eq!(by("pci0/ata3/host2/block/sdx"), Some("ata"));
        assert_eq!(by("pci0/virtio1/block/vda"), Some("virtio"));
        assert_eq!(by("pci0/nvme/nvme0/nvme0n1"), Some("nvme"));
        assert_eq!(by("virtual/block/loop0"), None);
        let driven = FakeSysfs::new(&[("device/uevent", "MODALIAS=x\nDRIVER=sd\n")]);
        assert_eq!(driven.node("").driver().as_deref(), Some("sd"));
    }

    #[test]
    fn a_serial_number_is_read_from_where_the_driver_has_it() {
        let page = "\0\u{1}\0\u{8}  Z1X0ABCD ";
        let scsi = FakeSysfs::new(&[("device/vpd_pg80", page)]);
        assert_eq!(scsi.node("").serial().as_deref(), Some("Z1X0ABCD"));
        let nvme = FakeSysfs::new(&[("device/serial", "S4EV \n")]);
        assert_eq!(nvme.node("").serial().as_deref(), Some("S4EV"));
        assert_eq!(FakeSysfs::new(&[("dev", "1:1")]).node("").identity(), "");
        for path in ["wwid", "device/wwid", "dm/uuid", "md/uuid", "loop/backing_file"] {
            assert_eq!(FakeSysfs::new(&[(path, "it is me")]).node("").identity(), "it is me");
        }
    }
}
