//! The answers to requests, as bytes: simple replies, and structured ones once they are agreed on.

use super::numbers::{
    ALLOCATION_ID, REPLY_FLAG_DONE, REPLY_TYPE_BLOCK_STATUS, REPLY_TYPE_ERROR, REPLY_TYPE_NONE,
    REPLY_TYPE_OFFSET_DATA, SIMPLE_REPLY_MAGIC, STATE_HOLE, STATE_ZERO, STRUCTURED_REPLY_MAGIC,
};
use super::{Command, Request};

/// How a connection is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replies {
    /// With simple replies.
    Simple,
    /// With structured ones, once they were agreed on.
    Structured,
    /// Within this process: an error's number in four bytes, 0 for none, and the data.
    Bare,
}

impl Replies {
    /// What stands before the data of a read; the data follows.
    pub fn read_header(self, request: &Request, out: &mut Vec<u8>) {
        match self {
            Self::Simple => simple(out, request.cookie, 0),
            Self::Structured => {
                let bytes = request.length + 8;
                chunk(out, REPLY_TYPE_OFFSET_DATA, request.cookie, bytes);
                out.extend(request.offset.to_be_bytes());
            }
            Self::Bare => out.extend(0_u32.to_be_bytes()),
        }
    }

    /// That a request without data in its answer is done.
    pub fn done(self, request: &Request, out: &mut Vec<u8>) {
        match self {
            Self::Structured if request.command == Command::Read => {
                chunk(out, REPLY_TYPE_NONE, request.cookie, 0);
            }
            Self::Simple | Self::Structured => simple(out, request.cookie, 0),
            Self::Bare => out.extend(0_u32.to_be_bytes()),
        }
    }

    /// That a request failed.
    pub fn error(self, cookie: u64, error: u32, out: &mut Vec<u8>) {
        match self {
            Self::Simple => simple(out, cookie, error),
            Self::Structured => {
                chunk(out, REPLY_TYPE_ERROR, cookie, 6);
                out.extend(error.to_be_bytes());
                out.extend(0_u16.to_be_bytes());
            }
            Self::Bare => out.extend(error.to_be_bytes()),
        }
    }

    /// Where data is: runs of bytes, and whether each is a hole.
    pub fn block_status(self, cookie: u64, runs: &[(u32, bool)], out: &mut Vec<u8>) {
        chunk(out, REPLY_TYPE_BLOCK_STATUS, cookie, 4 + 8 * runs.len() as u32);
        out.extend(ALLOCATION_ID.to_be_bytes());
        for &(bytes, hole) in runs {
            out.extend(bytes.to_be_bytes());
            let state = if hole { STATE_HOLE | STATE_ZERO } else { 0 };
            out.extend(state.to_be_bytes());
        }
    }
}

fn simple(out: &mut Vec<u8>, cookie: u64, error: u32) {
    out.extend(SIMPLE_REPLY_MAGIC.to_be_bytes());
    out.extend(error.to_be_bytes());
    out.extend(cookie.to_be_bytes());
}

fn chunk(out: &mut Vec<u8>, kind: u16, cookie: u64, bytes: u32) {
    out.extend(STRUCTURED_REPLY_MAGIC.to_be_bytes());
    out.extend(REPLY_FLAG_DONE.to_be_bytes());
    out.extend(kind.to_be_bytes());
    out.extend(cookie.to_be_bytes());
    out.extend(bytes.to_be_bytes());
}
