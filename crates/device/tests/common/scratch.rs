//! Scratch files, folders and loop devices that are gone when a test ends.

#![cfg(target_os = "linux")]

use platterlab_device::linux::{Region, WriteRequest};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of a scratch file: first and last MiB zeros, a pattern between.
pub const BYTES: usize = 8 << 20;

/// Where the tests write, in sectors of 512 bytes.
pub const REGION: Region = Region { first: 4096, sectors: 2048 };

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A folder of one test, gone at its end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("scratch-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub fn journals(&self) -> PathBuf {
        self.0.join("journals")
    }

    /// A new file of the pattern, and what is in it.
    pub fn file(&self) -> (PathBuf, Vec<u8>) {
        let content = pattern();
        let path = self.0.join("scratch.img");
        fs::write(&path, &content).unwrap();
        (path, content)
    }

    /// A new file of zeros with a master boot record: partitions of 4096 sectors from 2048 and
    /// from 8192 on.
    pub fn partitioned_file(&self) -> PathBuf {
        let mut content = vec![0; BYTES];
        for (entry, first) in [(446, 2048_u32), (462, 8192)] {
            content[entry + 4] = 0x83;
            content[entry + 8..entry + 12].copy_from_slice(&first.to_le_bytes());
            content[entry + 12..entry + 16].copy_from_slice(&4096_u32.to_le_bytes());
        }
        content[510..512].copy_from_slice(&[0x55, 0xaa]);
        let path = self.0.join("partitioned.img");
        fs::write(&path, &content).unwrap();
        path
    }

    /// A request that is in order.
    pub fn request(&self, device: &Path) -> WriteRequest {
        WriteRequest {
            device: device.to_owned(),
            confirmation: device.display().to_string(),
            region: REGION,
            journal_dir: self.journals(),
            write_through: false,
            even_if_open: false,
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Bytes that tell every sector from every other, between two MiB of zeros.
fn pattern() -> Vec<u8> {
    let mut content = vec![0; BYTES];
    let middle = &mut content[1 << 20..BYTES - (1 << 20)];
    for (index, byte) in middle.iter_mut().enumerate() {
        *byte = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0];
    }
    content
}

/// A loop device over a file, detached at the end.
pub struct Loop(pub PathBuf);

impl Loop {
    pub fn attach(file: &Path, options: &[&str]) -> Self {
        let file = file.to_str().unwrap();
        let arguments = [&["--find", "--show"], options, &[file]].concat();
        let device = PathBuf::from(run("losetup", &arguments).trim());
        // Of a write that failed behind it before, the next one to sync it is told.
        let _ = std::fs::File::open(&device).and_then(|opened| opened.sync_all());
        Self(device)
    }

    /// Over a file with a partition table, with its partitions.
    pub fn attach_partitioned(file: &Path) -> Self {
        let disk = Self::attach(file, &[]);
        run("partx", &["--add", disk.0.to_str().unwrap()]);
        assert!(disk.partition(2).exists());
        disk
    }

    /// One of its partitions, counted from 1.
    pub fn partition(&self, number: u32) -> PathBuf {
        PathBuf::from(format!("{}p{number}", self.0.display()))
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let path = self.0.display().to_string();
        if self.partition(1).exists() {
            undo("partx", &["--delete".to_owned(), path.clone()]);
        }
        undo("losetup", &["--detach".to_owned(), path]);
    }
}

/// A process that is killed at the end, if it still is.
pub struct Killed(pub Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Undoes what a test did to the host, however the test ends.
pub struct Undo(pub &'static str, pub Vec<String>);

impl Drop for Undo {
    fn drop(&mut self) {
        undo(self.0, &self.1);
    }
}

/// Never panics: a test may be unwinding.
fn undo(program: &str, arguments: &[String]) {
    let _ = Command::new(program).args(arguments).output();
}

/// What a command prints.
pub fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {}: {said}", arguments.join(" "));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
