//! Requests of a client once an export is agreed on: 28 bytes, and the data of a write.

use super::numbers::{
    CMD_BLOCK_STATUS, CMD_DISC, CMD_FLAG_DF, CMD_FLAG_FUA, CMD_FLAG_NO_HOLE, CMD_FLAG_REQ_ONE,
    CMD_FLUSH, CMD_READ, CMD_TRIM, CMD_WRITE, CMD_WRITE_ZEROES, EINVAL, ENOSPC, EPERM, MAX_BYTES,
    REQUEST_MAGIC,
};
use super::{Agreed, Export};

/// Bytes before the data.
pub const HEADER_BYTES: usize = 28;

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// To read.
    Read,
    /// To write the data that follows.
    Write {
        /// Only reported when it is on the media.
        forced: bool,
    },
    /// To write zeros.
    Zero {
        /// As of a write.
        forced: bool,
        /// Whether the space may be given back.
        may_punch: bool,
    },
    /// To forget what is there.
    Trim {
        /// As of a write.
        forced: bool,
    },
    /// To put all that was written on the media.
    Flush,
    /// To say where data is.
    BlockStatus {
        /// Only of the first run.
        one: bool,
    },
    /// To go.
    Disconnect,
}

/// A request that can be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The client's mark on it.
    pub cookie: u64,
    /// What to do.
    pub command: Command,
    /// From which byte on.
    pub offset: u64,
    /// For how many bytes.
    pub length: u32,
}

/// What stands at the beginning of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parsed {
    /// Less than a request: at least this many bytes are needed.
    More(usize),
    /// A request of this many bytes in all.
    Whole(Request, usize),
    /// A request of this many bytes that is answered with an error.
    Refused {
        /// Its mark.
        cookie: u64,
        /// The error.
        error: u32,
        /// How many bytes it has.
        bytes: usize,
    },
}

/// After this the two do not understand each other any more: the connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fatal {
    /// No request begins here.
    Magic,
    /// The data of a write is longer than was agreed on.
    TooLong,
}

/// Reads what stands at the beginning of `bytes`.
///
/// # Errors
/// What ends the connection.
pub fn parse(bytes: &[u8], export: &Export, agreed: Agreed) -> Result<Parsed, Fatal> {
    let Some((header, _)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        let begins = REQUEST_MAGIC.to_be_bytes();
        let known = bytes.len().min(begins.len());
        return if bytes[..known] == begins[..known] {
            Ok(Parsed::More(HEADER_BYTES))
        } else {
            Err(Fatal::Magic)
        };
    };
    if u32_at(header, 0) != REQUEST_MAGIC {
        return Err(Fatal::Magic);
    }
    let (flags, kind) = (u16_at(header, 4), u16_at(header, 6));
    let (cookie, offset, length) = (u64_at(header, 8), u64_at(header, 16), u32_at(header, 24));
    let data = if kind == CMD_WRITE { length } else { 0 };
    if data > MAX_BYTES {
        return Err(Fatal::TooLong);
    }
    let whole = HEADER_BYTES + data as usize;
    if bytes.len() < whole {
        return Ok(Parsed::More(whole));
    }
    let request = |command| Request { cookie, command, offset, length };
    Ok(match command(kind, flags, agreed).map(request) {
        Ok(request) => match check(&request, export) {
            Ok(()) => Parsed::Whole(request, whole),
            Err(error) => Parsed::Refused { cookie, error, bytes: whole },
        },
        Err(error) => Parsed::Refused { cookie, error, bytes: whole },
    })
}

/// What is asked, if the flags go with it.
fn command(kind: u16, flags: u16, agreed: Agreed) -> Result<Command, u32> {
    // All commands take this flag, for clients set it on those that do not write.
    let forced = flags & CMD_FLAG_FUA != 0;
    let (command, known) = match kind {
        CMD_READ if agreed.structured => (Command::Read, CMD_FLAG_DF),
        CMD_READ => (Command::Read, 0),
        CMD_WRITE => (Command::Write { forced }, 0),
        // Whoever goes is not answered, whatever flags come with it.
        CMD_DISC => return Ok(Command::Disconnect),
        CMD_FLUSH => (Command::Flush, 0),
        CMD_TRIM => (Command::Trim { forced }, 0),
        CMD_WRITE_ZEROES => {
            let may_punch = flags & CMD_FLAG_NO_HOLE == 0;
            (Command::Zero { forced, may_punch }, CMD_FLAG_NO_HOLE)
        }
        CMD_BLOCK_STATUS if agreed.allocation => {
            (Command::BlockStatus { one: flags & CMD_FLAG_REQ_ONE != 0 }, CMD_FLAG_REQ_ONE)
        }
        CMD_BLOCK_STATUS => return Err(EINVAL),
        _ => return Err(EINVAL),
    };
    if flags & !(known | CMD_FLAG_FUA) == 0 { Ok(command) } else { Err(EINVAL) }
}

/// Whether a request fits the export.
pub(crate) fn check(request: &Request, export: &Export) -> Result<(), u32> {
    let Request { command, offset, length, .. } = *request;
    let writes =
        matches!(command, Command::Write { .. } | Command::Zero { .. } | Command::Trim { .. });
    if matches!(command, Command::Disconnect) {
        return Ok(());
    }
    if matches!(command, Command::Flush) {
        return if offset == 0 && length == 0 { Ok(()) } else { Err(EINVAL) };
    }
    if writes && export.read_only {
        return Err(EPERM);
    }
    let end = offset.checked_add(u64::from(length));
    if end.is_none_or(|end| end > export.bytes) {
        // Only a request with data is told that there is no room for it.
        let forgets = matches!(command, Command::Trim { .. });
        return Err(if writes && !forgets { ENOSPC } else { EINVAL });
    }
    let block = u64::from(export.block_bytes);
    let aligned = offset.is_multiple_of(block) && u64::from(length).is_multiple_of(block);
    let too_long = command == Command::Read && length > MAX_BYTES;
    if length == 0 || !aligned || too_long { Err(EINVAL) } else { Ok(()) }
}

fn u16_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) << 16 | u32::from(u16_at(bytes, at + 2))
}

fn u64_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) << 32 | u64::from(u32_at(bytes, at + 4))
}
