//! The checks before a device is opened for writing: each gives its refusals.

use super::refusal::{Refusal, RefusalKind};
use super::region::Region;
use super::{others, signature};
use crate::DeviceError;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::sysfs::{DeviceNumber, Node};
use crate::linux::target::{Kind, Target, errno_of};
use crate::linux::usage;
use rustix::io::pread;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Refuses unless the user has named this very device.
pub(super) fn confirmation(target: &Target, words: &str) -> Option<Refusal> {
    let serial = target.serial();
    if words == target.name() || serial.as_deref().is_some_and(|serial| serial == words) {
        return None;
    }
    let reason = if words.is_empty() {
        "the loss of its data is not confirmed".to_owned()
    } else {
        format!("the confirmation `{words}` is neither its path nor its serial number")
    };
    let or = serial.map(|serial| format!(" or `{serial}`")).unwrap_or_default();
    let way_out = format!("confirm with exactly `{}`{or}", target.name());
    Some(Refusal::new(RefusalKind::Confirmation, reason, way_out))
}

/// Refuses a region that is not made of whole physical sectors of the device.
pub(super) fn region(target: &Target, region: Region) -> Option<Refusal> {
    let refuse =
        |reason: String, way_out: String| Some(Refusal::new(RefusalKind::Region, reason, way_out));
    let capacity = target.sectors();
    if region.sectors == 0 {
        return refuse("the region is empty".to_owned(), "give it a length".to_owned());
    }
    if region.first.checked_add(region.sectors).is_none_or(|end| end > capacity) {
        return refuse(
            format!("the region, {region}, lies beyond the device's {capacity} sectors"),
            format!("choose one that ends at sector {} or before", capacity.saturating_sub(1)),
        );
    }
    let offset = target.node().and_then(|node| node.attribute("alignment_offset"));
    if offset.is_some_and(|offset| offset != "0") {
        return refuse(
            "it does not begin with a whole physical sector".to_owned(),
            "use the whole disk, or a partition that begins on a multiple of 1 MiB".to_owned(),
        );
    }
    let step = u64::from(target.physical_bytes / target.logical_bytes).max(1);
    if !region.first.is_multiple_of(step) || !region.sectors.is_multiple_of(step) {
        return refuse(
            format!("the region, {region}, cuts through physical sectors"),
            format!("give first sector and length as multiples of {step} sectors"),
        );
    }
    None
}

/// Refuses whatever is in use by anyone, or must not be used.
pub(super) fn in_use(target: &Target) -> Vec<Refusal> {
    match &target.kind {
        Kind::Block { node, .. } => block_in_use(node),
        Kind::File { device, inode } => file_in_use(&target.canonical, (*device, *inode)),
    }
}

fn block_in_use(node: &Node) -> Vec<Refusal> {
    let family = node.family();
    let numbers: Vec<DeviceNumber> = family.iter().filter_map(Node::number).collect();
    let ours = |number: Option<DeviceNumber>| number.is_some_and(|n| numbers.contains(&n));
    let mut refusals = mounted(&node.disk(), ours);
    for swap in usage::swaps().iter().filter(|swap| ours(usage::block_number(swap))) {
        refusals.push(swap_refusal(swap));
    }
    for member in &family {
        for holder in member.holders() {
            let reason = format!("{} is part of {holder}", member.name());
            let way_out = format!("take {holder} down first");
            refusals.push(Refusal::new(RefusalKind::Held, reason, way_out));
        }
    }
    refusals.extend(attached(|path| ours(usage::block_number(path))));
    refusals.extend(unfit(node));
    refusals
}

/// Refuses what another process has open: it may write at any time.
pub(super) fn open_elsewhere(target: &Target) -> Option<Refusal> {
    let others = others::lasting(target);
    let who: Vec<String> = others.iter().map(ToString::to_string).collect();
    (!who.is_empty()).then(|| others::refusal(target, &who.join(", ")))
}

/// One refusal for each file system on a disk whose devices `ours` recognizes.
fn mounted(disk: &Node, ours: impl Fn(Option<DeviceNumber>) -> bool) -> Vec<Refusal> {
    let name = disk.name();
    let refusal = |point: &Path| {
        let point = point.display();
        let reason = format!("{name} is mounted at {point}");
        Refusal::new(RefusalKind::Mounted, reason, format!("run `umount {point}`"))
    };
    match usage::mounts() {
        Ok(mounts) => mounts
            .iter()
            .filter(|mount| ours(Some(mount.number)) || ours(usage::block_number(&mount.source)))
            .map(|mount| refusal(&mount.point))
            .collect(),
        Err(error) => {
            let reason = format!("nobody can say what is mounted: {error}");
            vec![Refusal::new(RefusalKind::Mounted, reason, "mount /proc")]
        }
    }
}

/// What speaks against a disk whoever uses it.
fn unfit(node: &Node) -> Vec<Refusal> {
    let disk = node.disk();
    let name = disk.name();
    let mut refusals = Vec::new();
    let root = usage::holding_number(Path::new("/")).and_then(Node::of);
    if root.is_some_and(|root| root.bottom_disks().contains(&disk)) {
        let reason = format!("the running system is on {name}");
        refusals.push(Refusal::new(RefusalKind::RootDisk, reason, "use another disk"));
    }
    if let Some(zones) = disk.attribute("queue/zoned").filter(|zones| zones != "none") {
        let reason = format!("{name} is a {zones} zoned disk");
        refusals.push(Refusal::new(RefusalKind::Zoned, reason, "measure it by reading"));
    }
    if node.attribute("ro").is_some_and(|flag| flag != "0") {
        let reason = format!("{} is read-only", node.name());
        let way_out = "take off its write protection, or measure it by reading";
        refusals.push(Refusal::new(RefusalKind::ReadOnly, reason, way_out));
    }
    refusals
}

fn swap_refusal(path: &Path) -> Refusal {
    let shown = path.display();
    let reason = format!("{shown} is in use as swap space");
    Refusal::new(RefusalKind::Swap, reason, format!("run `swapoff {shown}`"))
}

fn file_in_use(canonical: &Path, identity: (u64, u64)) -> Vec<Refusal> {
    let is_it =
        |path: &Path| fs::metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == identity);
    let mut refusals = attached(is_it);
    if usage::swaps().iter().any(|swap| is_it(swap)) {
        refusals.push(swap_refusal(canonical));
    }
    refusals
}

/// One refusal for each loop device on top of a file or device that `is_it`.
fn attached(is_it: impl Fn(&Path) -> bool) -> Vec<Refusal> {
    let refusal = |disk: Node| {
        let below = disk.attribute("loop/backing_file")?;
        let name = disk.name();
        let reason = format!("{below} is attached as {name}");
        let way_out = format!("run `losetup --detach /dev/{name}`");
        is_it(Path::new(&below)).then(|| Refusal::new(RefusalKind::Held, reason, way_out))
    };
    Node::disks().into_iter().filter_map(refusal).collect()
}

/// Refuses a device with something on it.
///
/// # Errors
/// A device that cannot be read.
pub(super) fn empty(target: &Target, file: &File) -> Result<Option<Refusal>, DeviceError> {
    let unit = u64::from(target.logical_bytes);
    let mut buffer = AlignedBuffer::default();
    // Direct reads start and end at sectors.
    let read = |at: u64, part: &mut [u8]| -> io::Result<()> {
        let start = at - at % unit;
        let end = (at + part.len() as u64).next_multiple_of(unit);
        let bytes = buffer.bytes((end - start) as usize);
        let done = pread(file, &mut *bytes, start)?;
        let from = (at - start) as usize;
        match bytes[..done].get(from..from + part.len()) {
            Some(wanted) => part.copy_from_slice(wanted),
            None => return Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
        }
        Ok(())
    };
    let found = signature::find(target.bytes, read)
        .map_err(|error| target.failed(0, 1, errno_of(&error)))?;
    Ok(found.map(|found| {
        let name = target.name();
        let way_out = format!(
            "if nobody needs it, run `wipefs --all {name}` and set its first and last MiB to zero"
        );
        Refusal::new(RefusalKind::NotEmpty, format!("{name} holds {found}"), way_out)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::sysfs::fake::FakeSysfs;
    use std::path::PathBuf;

    /// A disk that emulates sectors of 512 bytes on sectors of 4096.
    fn target() -> Target {
        Target {
            path: PathBuf::from("/dev/sdx"),
            canonical: PathBuf::from("/dev/sdx"),
            kind: Kind::File { device: 0, inode: 0 },
            bytes: 1 << 20,
            logical_bytes: 512,
            physical_bytes: 4096,
            direct: true,
        }
    }

    #[test]
    fn what_the_kernel_says_of_a_disk_speaks_against_it() {
        let sysfs = FakeSysfs::new(&[
            ("dev", "0:0"),
            ("ro", "1"),
            ("queue/zoned", "host-managed"),
            ("sdx1/partition", "1"),
            ("sdx1/holders/dm-0/dev", "0:0"),
        ]);
        let kinds = |node: &Node| -> Vec<RefusalKind> {
            block_in_use(node).iter().map(|refusal| refusal.kind).collect()
        };
        let expected = [RefusalKind::Held, RefusalKind::Zoned, RefusalKind::ReadOnly];
        assert_eq!(kinds(&sysfs.node("")), expected);
        assert_eq!(kinds(&sysfs.node("sdx1")), expected[..2], "a partition is its disk");
    }

    #[test]
    fn a_region_is_whole_physical_sectors_within_the_device() {
        for (first, sectors, fine) in [
            (0, 2048, true),
            (8, 16, true),
            (0, 0, false),
            (0, 2056, false),
            (2048, 8, false),
            (u64::MAX, 8, false),
            (4, 8, false),
            (8, 12, false),
        ] {
            let found = region(&target(), Region { first, sectors });
            assert_eq!(found.is_none(), fine, "{first} (+{sectors}): {found:?}");
        }
    }

    #[test]
    fn a_partition_that_begins_within_a_physical_sector_has_no_region() {
        for (offset, fine) in [("0", true), ("3584", false)] {
            let sysfs = FakeSysfs::new(&[("alignment_offset", offset)]);
            let kind = Kind::Block { number: (0, 0), node: sysfs.node("") };
            let found = region(&Target { kind, ..target() }, Region { first: 0, sectors: 8 });
            assert_eq!(found.is_none(), fine, "{found:?}");
        }
    }

    #[test]
    fn only_the_exact_path_confirms() {
        assert_eq!(confirmation(&target(), "/dev/sdx"), None);
        for words in ["", "/dev/sd", "/dev/sdx ", "yes", "/dev/../dev/sdx"] {
            let refusal = confirmation(&target(), words).unwrap();
            assert!(refusal.way_out.contains("`/dev/sdx`"), "{refusal}");
        }
    }
}
