//! What is known of a device without measuring it: size, sectors and what sysfs says of the disk.

use super::sysfs::Node;
use super::target::{Kind, Target};
use crate::DeviceInfo;

/// What the kernel says of a disk: the fact's name and where it is in the disk's sysfs folder.
const DISK_FACTS: [(&str, &str); 11] = [
    ("vendor", "device/vendor"),
    ("model", "device/model"),
    ("firmware", "device/rev"),
    ("firmware", "device/firmware_rev"),
    ("rotational", "queue/rotational"),
    ("scheduler", "queue/scheduler"),
    ("zoned", "queue/zoned"),
    ("write_cache", "queue/write_cache"),
    ("nr_requests", "queue/nr_requests"),
    ("queue_depth", "device/queue_depth"),
    ("backing_file", "loop/backing_file"),
];

/// Everything that is known of a target without measuring it.
pub(super) fn info(target: &Target) -> DeviceInfo {
    let mut facts = Vec::new();
    let mut add = |key: &str, value: String| facts.push((key.to_owned(), value));
    match &target.kind {
        Kind::Block { node, .. } => {
            add("kind", "block device".to_owned());
            add("path", target.canonical.display().to_string());
            of_disk(node, &mut add);
        }
        Kind::File { .. } => {
            add("kind", "file".to_owned());
            add("path", target.canonical.display().to_string());
        }
    }
    let direct = if target.direct {
        "yes"
    } else {
        "no: the file system cannot; the times are those of the page cache"
    };
    add("direct_io", direct.to_owned());
    let tail = target.bytes % u64::from(target.logical_bytes);
    if tail != 0 {
        add("unused_tail_bytes", tail.to_string());
    }
    DeviceInfo {
        name: target.name(),
        capacity_sectors: target.sectors(),
        logical_sector_bytes: target.logical_bytes,
        physical_sector_bytes: target.physical_bytes,
        facts,
    }
}

fn of_disk(node: &Node, add: &mut impl FnMut(&str, String)) {
    let disk = node.disk();
    add("disk", disk.name());
    if node.is_partition()
        && let Some(start) = node.attribute("start")
    {
        // The kernel counts these in 512 bytes whatever the sector size.
        add("partition_start_512_byte_units", start);
    }
    if let Some(offset) = node.attribute("alignment_offset") {
        add("alignment_offset_bytes", offset);
    }
    if let Some(serial) = disk.serial() {
        add("serial", serial);
    }
    for (key, path) in DISK_FACTS {
        if let Some(value) = disk.attribute(path) {
            add(key, value);
        }
    }
}
