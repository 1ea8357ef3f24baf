//! Other processes that have a target open, from `/proc/*/fd`.

use super::refusal::{Refusal, RefusalKind};
use crate::linux::sysfs::Node;
use crate::linux::target::{Kind, Target};
use rustix::fs::{OFlags, major, minor};
use std::fmt;
use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A disk that has just come is looked at by others for a moment.
const LOOKS: u32 = 5;
const BETWEEN_LOOKS: Duration = Duration::from_millis(60);

/// Another process that has the target open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Other {
    process: u32,
    name: String,
    /// Whether it may write, for all that is known.
    pub(super) writes: bool,
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} ({})", self.process, self.name)
    }
}

/// The refusal of what others have open.
pub(super) fn refusal(target: &Target, who: &str) -> Refusal {
    let reason = format!("{who} has {} open", target.name());
    let way_out = "end that, or say --even-if-open: what it writes meanwhile may then be lost";
    Refusal::new(RefusalKind::Open, reason, way_out)
}

/// Those that have it open for longer than a look.
pub(super) fn lasting(target: &Target) -> Vec<Other> {
    let mut found = now(target);
    for _ in 1..LOOKS {
        if found.is_empty() {
            break;
        }
        std::thread::sleep(BETWEEN_LOOKS);
        found = now(target);
    }
    found
}

/// Those that have it open now, as far as this user may see. A process that has it open more than
/// once is named as often.
pub(super) fn now(target: &Target) -> Vec<Other> {
    let same = Same::of(target);
    let us = std::process::id();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let process: Option<u32> = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(process) = process.filter(|process| *process != us) else { continue };
        for open in fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten() {
            if fs::metadata(open.path()).is_ok_and(|metadata| same.is(&metadata)) {
                let info = entry.path().join("fdinfo").join(open.file_name());
                let writes = may_write(&info);
                found.push(Other { process, name: name_of(&entry.path()), writes });
            }
        }
    }
    found
}

/// The paths of a target by which others may open it.
pub(super) fn paths(target: &Target) -> Vec<PathBuf> {
    let backing = target.node().and_then(|node| node.disk().attribute("loop/backing_file"));
    let mut paths = vec![target.canonical.clone()];
    paths.extend(target.node().into_iter().flat_map(overlapping).filter_map(|node| {
        let path = Path::new("/dev").join(node.name());
        (path != target.canonical && path.exists()).then_some(path)
    }));
    paths.extend(backing.map(PathBuf::from).filter(|path| path.exists()));
    paths
}

/// The devices that share sectors with one: a partition's disk, a disk's partitions.
fn overlapping(node: &Node) -> Vec<Node> {
    if node.is_partition() { vec![node.clone(), node.disk()] } else { node.family() }
}

/// What counts as the same target.
struct Same {
    devices: Vec<(u32, u32)>,
    files: Vec<(u64, u64)>,
}

impl Same {
    fn of(target: &Target) -> Self {
        match &target.kind {
            Kind::File { device, inode } => {
                Self { devices: Vec::new(), files: vec![(*device, *inode)] }
            }
            Kind::Block { node, .. } => {
                let backing = node.disk().attribute("loop/backing_file");
                let backing = backing.and_then(|path| fs::metadata(path).ok());
                Self {
                    devices: overlapping(node).iter().filter_map(Node::number).collect(),
                    files: backing.iter().map(|found| (found.dev(), found.ino())).collect(),
                }
            }
        }
    }

    fn is(&self, found: &Metadata) -> bool {
        if found.file_type().is_block_device() {
            return self.devices.contains(&(major(found.rdev()), minor(found.rdev())));
        }
        found.is_file() && self.files.contains(&(found.dev(), found.ino()))
    }
}

/// By the flags the kernel lists of an open file; what cannot be read may write.
fn may_write(info: &Path) -> bool {
    let text = fs::read_to_string(info).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|octal| u32::from_str_radix(octal.trim(), 8).ok());
    flags.is_none_or(|flags| flags & OFlags::ACCMODE.bits() != OFlags::RDONLY.bits())
}

fn name_of(process: &Path) -> String {
    let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
    name.trim().to_owned()
}
