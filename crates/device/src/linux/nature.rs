//! The nature of a device, as far as the kernel shows it: whether it can rotate at all, what drives
//! it, and on which other devices it stands.

use super::sysfs::Node;
use super::target::{Kind, Target};
use super::usage;
use std::fs;
use std::path::{Path, PathBuf};

/// Devices on files on devices are followed no further.
const DEPTH: u32 = 8;

/// File systems that are memory, by their numbers in `statfs`.
const IN_MEMORY: [(u64, &str); 3] =
    [(0x0102_1994, "tmpfs"), (0x8584_58f6, "ramfs"), (0x9584_58f6, "hugetlbfs")];

/// What makes disks that no platter need stand behind, as vendor and model begin.
const MAKERS_OF_OTHERS: [&str; 16] = [
    "QEMU", "VMware", "VBOX", "Msft", "Google", "Xen", "Virtual", "Amazon", "LSI", "AVAGO",
    "MegaRAID", "DELL", "HP ", "HPE", "Adaptec", "Areca",
];

/// What was seen that rules a rotation out; none where nothing does.
pub(super) fn cannot_rotate(target: &Target) -> Option<String> {
    match &target.kind {
        Kind::Block { node, .. } => of_device(node, DEPTH),
        Kind::File { .. } => of_file(&target.canonical, DEPTH),
    }
}

fn of_device(node: &Node, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let disk = node.disk();
    let name = disk.name();
    let rotational = disk.attribute("queue/rotational");
    let solid = rotational.as_deref() == Some("0");
    let seen = rotational.map(|flag| format!(", its queue/rotational is {flag}"));
    let seen = seen.unwrap_or_default();
    if let Some(path) = disk.attribute("loop/backing_file") {
        let why = of_file(Path::new(&path), depth)?;
        return Some(format!("/dev/{name} is the file {path}, and {why}"));
    }
    for (kind, what) in [
        ("zram", "compressed memory (zram)"),
        ("ram", "memory (brd)"),
        ("pmem", "persistent memory"),
        ("mtdblock", "flash memory (mtd)"),
    ] {
        if is_numbered(&name, kind) {
            return Some(format!("/dev/{name} is {what}{seen}"));
        }
    }
    let below = disk.bottom_disks();
    if below != [disk.clone()] {
        let why: Option<Vec<String>> = below.iter().map(|disk| of_device(disk, depth)).collect();
        return Some(format!("/dev/{name} stands on that alone: {}", why?.join("; ")));
    }
    let kind = match name {
        _ if name.starts_with("nvme") => "an NVMe drive",
        _ if name.starts_with("mmcblk") => "a flash card (mmc)",
        _ if name.starts_with("sd") && !is_of_others(&disk) => "a solid-state drive",
        _ => return None,
    };
    let driver = disk.driver().map(|driver| format!(", its driver is {driver}"));
    solid.then(|| format!("/dev/{name} is {kind}{seen}{}", driver.unwrap_or_default()))
}

/// Whether a name is a word and a number: `ram0`, but not `ramble`.
fn is_numbered(name: &str, word: &str) -> bool {
    let number = name.strip_prefix(word);
    number.is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
}

/// Whether a SCSI disk is what a hypervisor or a RAID controller makes up.
fn is_of_others(disk: &Node) -> bool {
    let said = ["device/vendor", "device/model"].map(|path| disk.attribute(path));
    said.into_iter()
        .flatten()
        .any(|said| MAKERS_OF_OTHERS.iter().any(|maker| said.starts_with(maker.trim_end())))
}

/// Of a file, or of a device by one of its names.
fn of_file(path: &Path, depth: u32) -> Option<String> {
    if let Some(node) = usage::block_number(path).and_then(Node::of) {
        return of_device(&node, depth);
    }
    let kind = rustix::fs::statfs(path).ok()?.f_type as u64;
    if let Some((_, name)) = IN_MEMORY.iter().find(|(number, _)| *number == kind) {
        return Some(format!("it is on {name}, which is memory"));
    }
    let why = of_device(&holder(path)?, depth)?;
    Some(format!("its file system is on a device that is none: {why}"))
}

/// The device that a file's file system is on.
pub(super) fn holder(path: &Path) -> Option<Node> {
    let number = usage::holding_number(path)?;
    // Some file systems have a number of their own, and the mount table has the device.
    Node::of(number).or_else(|| {
        let source = usage::mounts().ok()?.into_iter().find(|mount| mount.number == number)?.source;
        Node::of(usage::block_number(&source)?)
    })
}

/// The names of the disks that a device, not one of them itself, stands on, with what the kernel
/// says of their rotation.
pub(super) fn below(disk: &Node) -> Vec<String> {
    let below = disk.bottom_disks();
    if below == [disk.clone()] {
        return Vec::new();
    }
    let shown = |disk: &Node| {
        let flag = disk.attribute("queue/rotational").unwrap_or_else(|| "unknown".to_owned());
        format!("{} (rotational {flag})", disk.name())
    };
    let mut names: Vec<String> = below.iter().map(shown).collect();
    names.sort();
    names.dedup();
    names
}

/// What a link leads to, where a path is one.
pub(super) fn link(path: &Path) -> Option<PathBuf> {
    let is_link = fs::symlink_metadata(path).ok()?.file_type().is_symlink();
    is_link.then(|| fs::canonicalize(path).ok()).flatten()
}

/// The kind of file system that a file is on.
pub(super) fn file_system(path: &Path) -> Option<String> {
    usage::mount_of(path).map(|mount| mount.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::sysfs::fake::FakeSysfs;

    fn seen(name: &str, files: &[(&str, &str)]) -> Option<String> {
        of_device(&FakeSysfs::named(name, files).node(""), DEPTH)
    }

    const SOLID: (&str, &str) = ("queue/rotational", "0\n");
    const TURNS: (&str, &str) = ("queue/rotational", "1\n");

    #[test]
    fn what_is_made_of_silicon_cannot_rotate() {
        let driver = ("device/uevent", "DEVTYPE=scsi_device\nDRIVER=sd\n");
        for (name, files, words) in [
            ("zram0", &[SOLID][..], "zram"),
            ("ram1", &[TURNS], "memory (brd)"),
            ("pmem0", &[], "persistent memory"),
            ("mtdblock3", &[], "mtd"),
            ("nvme0n1", &[SOLID], "NVMe"),
            ("mmcblk0", &[SOLID], "mmc"),
            ("sda", &[SOLID, driver, ("device/model", "Samsung SSD 860")], "its driver is sd"),
        ] {
            let said = seen(name, files).unwrap();
            assert!(said.contains(words) && said.contains(name), "{said}");
            let flag = files.iter().find(|(path, _)| *path == "queue/rotational");
            let shown = flag.map(|(_, flag)| format!("queue/rotational is {}", flag.trim()));
            assert!(shown.is_none_or(|shown| said.contains(&shown)), "{said}");
        }
    }

    #[test]
    fn what_may_hide_a_platter_may_rotate() {
        for (name, files) in [
            ("sda", &[TURNS][..]),
            ("sda", &[]),
            ("nvme0n1", &[TURNS]),
            ("vda", &[SOLID]),
            ("xvda", &[SOLID]),
            ("nbd0", &[SOLID]),
            ("rbd0", &[SOLID]),
            ("sda", &[SOLID, ("device/vendor", "QEMU    ")]),
            ("sda", &[SOLID, ("device/vendor", "HP      "), ("device/model", "LOGICAL VOLUME")]),
            ("sda", &[SOLID, ("device/model", "MegaRAID SAS")]),
            ("ramble", &[SOLID]),
        ] {
            assert_eq!(seen(name, files), None, "{name} {files:?}");
        }
    }

    #[test]
    fn a_mapped_device_is_what_it_stands_on() {
        let solid = [("slaves/nvme0n1/queue/rotational", "0"), ("slaves/zram0/dev", "252:0")];
        let said = seen("dm-0", &solid).unwrap();
        assert!(said.contains("nvme0n1") && said.contains("zram0"), "{said}");
        let mixed = [solid[0], ("slaves/sda/queue/rotational", "1")];
        assert_eq!(seen("md0", &mixed), None);
        let sysfs = FakeSysfs::named("md0", &mixed);
        assert_eq!(below(&sysfs.node("")), ["nvme0n1 (rotational 0)", "sda (rotational 1)"]);
        let disk = FakeSysfs::named("sda", &[TURNS]);
        assert_eq!(below(&disk.node("")), [""; 0]);
    }

    #[test]
    fn a_partition_of_silicon_is_silicon() {
        let sysfs = FakeSysfs::named("zram0", &[SOLID, ("zram0p1/partition", "1")]);
        assert!(of_device(&sysfs.node("zram0p1"), DEPTH).is_some());
    }

    #[test]
    fn a_loop_device_over_what_is_gone_says_nothing() {
        let gone = ("loop/backing_file", "/no/such/file (deleted)");
        assert_eq!(seen("loop7", &[gone, SOLID]), None);
    }
}
