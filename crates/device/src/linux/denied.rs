//! Reasons why the kernel refuses to open something, as far as it states them, and the way out.

use super::sysfs::Node;
use super::usage::{self, Mount};
use rustix::fs::{IFlags, Mode, OFlags, ioctl_getflags, major, minor};
use rustix::io::Errno;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// What can be neither read nor ruled out: exceptions of a cgroup of version 1 and programs of one of
/// version 2 are shown to nobody.
const POLICY: &str = "most likely a device policy, that of its cgroup, as a container or a unit has \
                      one (docker run --device, DeviceAllow=), or that of the machine's kernel, as \
                      for the disk that a virtual machine runs from";

/// What it was to be opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Read,
    Write,
}

/// Root's powers over the modes of files, as bits of `CapEff`.
const DAC_OVERRIDE: u64 = 1 << 1;
const DAC_READ_SEARCH: u64 = 1 << 2;

/// What there is to be seen of a path and of who wants it.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Without links, as far as it can be followed.
    canonical: PathBuf,
    user: u32,
    status: String,
    /// `/proc/self/uid_map`.
    users: String,
    /// Of SELinux and AppArmor, where one of them holds this process to something.
    policy: Option<String>,
    /// The kernel's lockdown: `none [integrity] confidentiality`.
    lockdown: String,
    mount: Option<Mount>,
    /// Whose it is and its mode; none where not even that may be seen.
    owner: Option<(u32, u32)>,
    is_block: bool,
    is_read_only: bool,
    flags: Option<IFlags>,
}

/// Why `errno` came of opening `path`.
pub(super) fn why(path: &Path, wish: Wish, errno: Errno) -> String {
    Seen::of(path).why(wish, errno)
}

impl Seen {
    fn of(path: &Path) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let canonical = fs::canonicalize(path).unwrap_or(absolute);
        let found = fs::metadata(path).ok();
        let number = found
            .as_ref()
            .filter(|found| found.file_type().is_block_device())
            .map(|found| (major(found.rdev()), minor(found.rdev())));
        let node = number.and_then(Node::of);
        Self {
            user: rustix::process::geteuid().as_raw(),
            status: read("/proc/self/status"),
            users: read("/proc/self/uid_map"),
            policy: policy(&read("/sys/fs/selinux/enforce"), &read("/proc/self/attr/current")),
            lockdown: read("/sys/kernel/security/lockdown"),
            mount: usage::mount_of(&canonical),
            owner: found.as_ref().map(|found| (found.uid(), found.mode() & 0o7777)),
            is_block: number.is_some(),
            is_read_only: node.is_some_and(|node| node.attribute("ro").is_some_and(|ro| ro != "0")),
            flags: number.is_none().then(|| flags(path)).flatten(),
            canonical,
        }
    }

    fn why(&self, wish: Wish, errno: Errno) -> String {
        if let Some(found) = self.of_file_system().or_else(|| self.of_writing(wish)) {
            return format!("permission denied: {found}");
        }
        if errno == Errno::ROFS {
            return "it is read-only".to_owned();
        }
        if self.user != 0 {
            return "permission denied; run as root, or as a user who may use this device"
                .to_owned();
        }
        format!("permission denied, though this is root: {}", self.of_root(errno))
    }

    /// What a file system denies to anybody, root or not.
    fn of_file_system(&self) -> Option<String> {
        let mount = self.mount.as_ref()?;
        let point = mount.point.display();
        if self.is_block && mount.says("nodev") {
            return Some(format!(
                "{point} is mounted nodev, and no device can be opened there; use its name in \
                 /dev, or run `mount -o remount,dev {point}`"
            ));
        }
        let user = mount.value("user_id").filter(|_| mount.kind.starts_with("fuse"))?;
        let others = mount.says("allow_other") || (self.user == 0 && mount.says("allow_root"));
        (!others && user != self.user.to_string()).then(|| {
            format!(
                "{point} is a FUSE file system of user {user} and of nobody else; run as that \
                 user, or mount it with allow_other"
            )
        })
    }

    /// What holds writers back.
    fn of_writing(&self, wish: Wish) -> Option<String> {
        if wish == Wish::Read {
            return None;
        }
        let (path, reading) = (self.canonical.display(), "or measure it by reading");
        let flags = self.flags.unwrap_or(IFlags::empty());
        if flags.contains(IFlags::IMMUTABLE) {
            return Some(format!("it is immutable; run `chattr -i {path}`, {reading}"));
        }
        if flags.contains(IFlags::APPEND) {
            return Some(format!("it is append-only; run `chattr -a {path}`, {reading}"));
        }
        if self.is_read_only {
            return Some(format!(
                "the device is read-only; run `blockdev --setrw {path}`, {reading}"
            ));
        }
        let mount = self.mount.as_ref().filter(|mount| !self.is_block && mount.says("ro"))?;
        let point = mount.point.display();
        Some(format!("{point} is mounted read-only; run `mount -o remount,rw {point}`, {reading}"))
    }

    /// What root can meet, all that may be it.
    fn of_root(&self, errno: Errno) -> String {
        let mut may_be = Vec::new();
        let of_status = |key: &str| {
            let line = self.status.lines().find_map(|line| line.strip_prefix(key));
            line.map(str::trim).unwrap_or_default()
        };
        let powers = u64::from_str_radix(of_status("CapEff:"), 16).unwrap_or(u64::MAX);
        let over_files = DAC_OVERRIDE | DAC_READ_SEARCH;
        if errno == Errno::ACCESS && powers & over_files != over_files {
            let mut lacks = "this process lacks CAP_DAC_OVERRIDE".to_owned();
            if let Some((user, mode)) = self.owner {
                // A text takes any text.
                let _ = write!(lacks, ", and it is user {user}'s, mode {mode:o}");
            }
            may_be.push(lacks);
        }
        if !is_of_host(&self.users) {
            may_be.push("it is root of a user namespace, not of the host".to_owned());
        }
        if let Some(policy) = &self.policy {
            may_be.push(policy.clone());
        }
        if of_status("Seccomp:") == "2" {
            may_be.push("a seccomp filter holds this process back".to_owned());
        }
        if ["[integrity]", "[confidentiality]"].iter().any(|word| self.lockdown.contains(word)) {
            may_be.push("the kernel is locked down".to_owned());
        }
        if self.is_block && errno == Errno::PERM {
            may_be.push(POLICY.to_owned());
        }
        let kind = self.mount.as_ref().map_or("", |mount| &mount.kind);
        if kind.starts_with("nfs") {
            may_be.push("the NFS server takes root for nobody (root_squash)".to_owned());
        }
        if may_be.is_empty() {
            return format!("{errno}, and nothing that is known to forbid it was found");
        }
        may_be.join("; or ")
    }
}

/// Whether a map of users is that of the host: each is himself.
fn is_of_host(users: &str) -> bool {
    let mut words = users.split_whitespace();
    users.is_empty() || (words.next(), words.next(), words.next()) == WHOLE
}

const WHOLE: (Option<&str>, Option<&str>, Option<&str>) =
    (Some("0"), Some("0"), Some("4294967295"));

/// What SELinux or AppArmor has to do with it.
fn policy(enforce: &str, label: &str) -> Option<String> {
    let label = label.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if enforce.trim() == "1" {
        return Some(format!("SELinux holds {label} back: see `ausearch -m avc -ts recent`"));
    }
    let profile = label.strip_suffix("(enforce)")?;
    Some(format!("the AppArmor profile {} holds this process back", profile.trim()))
}

/// A file's flags as `chattr` sets them, where the file system has such.
fn flags(path: &Path) -> Option<IFlags> {
    let how = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, how, Mode::empty()).ok()?;
    ioctl_getflags(&file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::usage::parse_mounts;

    /// Root of the host with all its powers, before a device.
    fn root() -> Seen {
        Seen {
            canonical: PathBuf::from("/dev/sdx"),
            status: "CapEff:\t000001ffffffffff\nSeccomp:\t0\n".to_owned(),
            users: "         0          0 4294967295\n".to_owned(),
            lockdown: "[none] integrity confidentiality\n".to_owned(),
            is_block: true,
            owner: Some((0, 0o660)),
            ..Seen::default()
        }
    }

    fn mount(line: &str) -> Option<Mount> {
        parse_mounts(line.as_bytes()).pop()
    }

    #[test]
    fn who_is_not_root_is_told_to_be() {
        let said = Seen { user: 1000, ..root() }.why(Wish::Read, Errno::ACCESS);
        assert!(said.contains("run as root"), "{said}");
    }

    #[test]
    fn root_is_told_what_may_forbid_it() {
        let nfs = mount("1 0 0:9 / /far rw - nfs4 far:/ rw");
        let few = "CapEff:\t00000000a80425f9\nSeccomp:\t2\n".to_owned();
        for (seen, errno, words) in [
            (root(), Errno::PERM, "cgroup"),
            (root(), Errno::ACCESS, "nothing that is known"),
            (Seen { status: few.clone(), ..root() }, Errno::ACCESS, "CAP_DAC_OVERRIDE"),
            (Seen { status: few.clone(), ..root() }, Errno::ACCESS, "user 0's, mode 660"),
            (Seen { status: few, ..root() }, Errno::PERM, "seccomp"),
            (Seen { users: "0 1000 1".to_owned(), ..root() }, Errno::PERM, "user namespace"),
            (Seen { lockdown: "none [integrity]".to_owned(), ..root() }, Errno::PERM, "locked"),
            (Seen { policy: policy("1", "user_t\0"), ..root() }, Errno::ACCESS, "SELinux"),
            (Seen { policy: policy("", "lab (enforce)\n"), ..root() }, Errno::ACCESS, "AppArmor"),
            (Seen { mount: nfs, is_block: false, ..root() }, Errno::ACCESS, "root_squash"),
        ] {
            let said = seen.why(Wish::Read, errno);
            assert!(said.contains("though this is root") && said.contains(words), "{said}");
            assert!(!said.contains("run as root"), "{said}");
        }
        assert_eq!(policy("0", "unconfined"), None);
    }

    #[test]
    fn what_forbids_it_to_all_comes_first() {
        let nodev = mount("1 0 0:9 / /mnt/x rw,nodev - tmpfs none rw");
        let fuse = mount("1 0 0:9 / /mnt/y rw - fuse.sshfs far:/ rw,user_id=7,group_id=7");
        let read_only = mount("1 0 0:9 / /mnt/z ro - ext4 /dev/sda rw");
        let file = Seen { is_block: false, ..root() };
        let immutable = Some(IFlags::IMMUTABLE);
        for (seen, wish, words) in [
            (Seen { mount: nodev, ..root() }, Wish::Read, "/mnt/x is mounted nodev"),
            (Seen { mount: fuse.clone(), ..file.clone() }, Wish::Read, "of user 7"),
            (Seen { flags: immutable, ..file.clone() }, Wish::Write, "chattr -i /dev/sdx"),
            (Seen { flags: Some(IFlags::APPEND), ..file.clone() }, Wish::Write, "chattr -a"),
            (Seen { is_read_only: true, ..root() }, Wish::Write, "blockdev --setrw"),
            (Seen { mount: read_only, ..file.clone() }, Wish::Write, "remount,rw /mnt/z"),
        ] {
            let said = seen.why(wish, Errno::PERM);
            assert!(said.contains(words) && !said.contains("though"), "{said}");
        }
        let own = Seen { mount: fuse, user: 7, ..file.clone() }.why(Wish::Read, Errno::ACCESS);
        assert!(own.contains("run as root"), "{own}");
        let read = Seen { flags: immutable, ..file }.why(Wish::Read, Errno::ACCESS);
        assert!(!read.contains("immutable"), "{read}");
    }
}
