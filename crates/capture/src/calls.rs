//! The numbers of the few system calls whose meaning matters; they differ between machines.

/// What a system call means to the file cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// Writes data of a file.
    Write,
    /// Writes everything that is dirty.
    SyncAll,
    /// Opens a file, and may cut it to nothing.
    Open,
    /// Anything else.
    Other,
}

/// The meaning of `number` on a machine of this kind (`uname -m`).
pub(crate) fn meaning(architecture: &str, number: u16) -> Call {
    let x86 = architecture == "x86_64";
    match number {
        1 | 18 | 20 | 296 | 328 if x86 => Call::Write,
        162 | 306 if x86 => Call::SyncAll,
        2 | 85 | 257 | 437 if x86 => Call::Open,
        64 | 66 | 68 | 70 | 287 if !x86 => Call::Write,
        81 | 267 if !x86 => Call::SyncAll,
        56 | 437 if !x86 => Call::Open,
        _ => Call::Other,
    }
}
