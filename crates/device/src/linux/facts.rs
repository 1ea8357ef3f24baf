//! Facts of a device that need no measuring: size, sectors and what sysfs says of the disk.

use super::nature;
use super::sysfs::Node;
use super::target::{Kind, Target};
use crate::DeviceInfo;

/// What the kernel says of a disk: the fact's name and where it is in the disk's sysfs folder.
const DISK_FACTS: [(&str, &str); 15] = [
    ("vendor", "device/vendor"),
    ("model", "device/model"),
    ("firmware", "device/rev"),
    ("firmware", "device/firmware_rev"),
    ("rotational", "queue/rotational"),
    ("scheduler", "queue/scheduler"),
    ("zoned", "queue/zoned"),
    ("write_cache", "queue/write_cache"),
    ("fua", "queue/fua"),
    ("nr_requests", "queue/nr_requests"),
    ("queue_depth", "device/queue_depth"),
    ("backing_file", "loop/backing_file"),
    ("dm_name", "dm/name"),
    ("md_level", "md/level"),
    ("largest_request_kib", "queue/max_sectors_kb"),
];

/// Everything that is known of a target without measuring it.
pub(super) fn info(target: &Target) -> DeviceInfo {
    let mut facts = Vec::new();
    let mut add = |key: &str, value: String| facts.push((key.to_owned(), value));
    let path = target.canonical.display().to_string();
    match &target.kind {
        Kind::Block { node, .. } => {
            add("kind", "block device".to_owned());
            add("path", path);
            of_disk(node, &mut add);
        }
        Kind::File { .. } => {
            add("kind", "file".to_owned());
            add("path", path);
            if let Some(kind) = nature::file_system(&target.canonical) {
                add("file_system", kind);
            }
            if let Some(holder) = nature::holder(&target.canonical) {
                add("held_by", holder.disk().name());
            }
        }
    }
    if let Some(end) = nature::link(&target.path) {
        add("link_to", end.display().to_string());
    }
    if let Some(seen) = nature::cannot_rotate(target) {
        add("cannot_rotate", seen);
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
    if let Some(number) = node.attribute("partition") {
        add("partition", number);
    }
    if node.is_partition()
        && let Some(start) = node.attribute("start")
    {
        // The kernel counts these in 512 bytes whatever the sector size.
        add("partition_start_512_byte_units", start);
    }
    if let Some(transport) = disk.transport() {
        add("transport", transport.to_owned());
    }
    if let Some(driver) = disk.driver() {
        add("driver", driver);
    }
    if let Some(maker) = disk.attribute("dm/uuid") {
        // Who made it comes first, as in `LVM-` and `CRYPT-`; the rest is a number of his own.
        add("dm_kind", maker.split('-').next().unwrap_or_default().to_owned());
    }
    let below = nature::below(&disk);
    if !below.is_empty() {
        add("stands_on", below.join(", "));
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
