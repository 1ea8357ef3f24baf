//! What a client may say, and what the specification has a server answer.

use platterlab_serve::nbd::numbers as n;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

pub(crate) const SIZE: usize = 1 << 20;
pub(crate) const SECTOR: usize = 512;
/// The longest request that moves data, most of the time.
const USUAL: u32 = 32 << 10;

/// What a request is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The data of a read.
    Data(Vec<u8>),
    /// No more than that it is done.
    Done,
    /// Where data is.
    Runs,
    /// One of these errors.
    Errors(Vec<u32>),
    /// Whatever: the specification says nothing.
    Any,
}

impl Answer {
    pub(crate) fn allows(&self, told: &Self) -> bool {
        match (self, told) {
            (Self::Any, _) => true,
            (Self::Errors(may), Self::Errors(is)) => may.contains(&is[0]),
            _ => self == told,
        }
    }
}

/// A request, whether it makes sense or not.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) flags: u16,
    pub(crate) kind: u16,
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) data: Vec<u8>,
}

fn below(chance: &mut ChaCha8Rng, end: u64) -> u64 {
    chance.next_u64() % end
}

fn one_in(chance: &mut ChaCha8Rng, of: u64) -> bool {
    below(chance, of) == 0
}

impl Message {
    pub(crate) fn random(chance: &mut ChaCha8Rng) -> Self {
        let mut kind = below(chance, 9) as u16;
        if kind == n::CMD_DISC {
            kind = chance.next_u32() as u16 | 16;
        }
        let flags = match below(chance, 8) {
            0 => chance.next_u32() as u16,
            1 | 2 => 1 << below(chance, 5),
            _ => 0,
        };
        let sector = SECTOR as u64;
        let mut offset = below(chance, SIZE as u64 / sector) * sector;
        let mut length = (1 + below(chance, u64::from(USUAL) / sector)) as u32 * SECTOR as u32;
        match below(chance, 24) {
            0 => offset += below(chance, sector),
            1 => offset = chance.next_u64(),
            2 => offset = SIZE as u64,
            3 => offset = u64::MAX - below(chance, 1 << 20),
            4 => length = 0,
            5 => length -= below(chance, sector) as u32,
            6 if kind != n::CMD_WRITE => length = chance.next_u32(),
            _ => {}
        }
        if kind == n::CMD_FLUSH && !one_in(chance, 4) {
            (offset, length) = (0, 0);
        }
        let mut data = vec![0; if kind == n::CMD_WRITE { length as usize } else { 0 }];
        chance.fill_bytes(&mut data);
        Self { flags, kind, offset, length, data }
    }

    pub(crate) fn bytes(&self, cookie: u64) -> Vec<u8> {
        let mut bytes = n::REQUEST_MAGIC.to_be_bytes().to_vec();
        bytes.extend(self.flags.to_be_bytes());
        bytes.extend(self.kind.to_be_bytes());
        bytes.extend(cookie.to_be_bytes());
        bytes.extend(self.offset.to_be_bytes());
        bytes.extend(self.length.to_be_bytes());
        bytes.extend(&self.data);
        bytes
    }

    /// What it is answered with, where the data is `shadow`, which it changes.
    pub(crate) fn answer(&self, structured: bool, context: bool, shadow: &mut [u8]) -> Answer {
        // "The server SHOULD return EINVAL if it receives an unknown command."
        let known = match self.kind {
            n::CMD_READ if structured => n::CMD_FLAG_DF,
            n::CMD_READ | n::CMD_WRITE | n::CMD_FLUSH | n::CMD_TRIM => 0,
            n::CMD_WRITE_ZEROES => n::CMD_FLAG_NO_HOLE,
            n::CMD_BLOCK_STATUS if context => n::CMD_FLAG_REQ_ONE,
            _ => return Answer::Errors(vec![n::EINVAL]),
        };
        let mut errors = Vec::new();
        // "EINVAL if it receives an unknown command flag", and FUA "MUST" be accepted by all commands.
        if self.flags & !(known | n::CMD_FLAG_FUA) != 0 {
            errors.push(n::EINVAL);
        }
        if self.kind == n::CMD_FLUSH {
            if (self.offset, self.length) != (0, 0) {
                errors.push(n::EINVAL);
            }
            return if errors.is_empty() { Answer::Done } else { Answer::Errors(errors) };
        }
        let writes = [n::CMD_WRITE, n::CMD_WRITE_ZEROES].contains(&self.kind);
        let end = self.offset.saturating_add(u64::from(self.length));
        if end > SIZE as u64 {
            // "ENOSPC if it receives a write request including one or more sectors beyond the size",
            // "EINVAL if it receives a read or trim request" so.
            errors.push(if writes { n::ENOSPC } else { n::EINVAL });
        }
        let sector = SECTOR as u64;
        if !self.offset.is_multiple_of(sector) || !u64::from(self.length).is_multiple_of(sector) {
            errors.push(n::EINVAL);
        }
        if self.length == 0 {
            return Answer::Any;
        }
        if !errors.is_empty() {
            return Answer::Errors(errors);
        }
        let place = &mut shadow[self.offset as usize..end as usize];
        match self.kind {
            n::CMD_READ => return Answer::Data(place.to_vec()),
            n::CMD_WRITE => place.copy_from_slice(&self.data),
            n::CMD_BLOCK_STATUS => return Answer::Runs,
            // What was trimmed may read as anything; this server says zeros.
            _ => place.fill(0),
        }
        Answer::Done
    }
}

/// Where data is: "the sum of the lengths of the first N-1 extents MUST be less than the requested
/// length", each a multiple of the least block, and one alone if no more is asked for.
pub(crate) fn check_runs(message: &Message, runs: &[u8]) {
    let field = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|by| runs[at + by]));
    let lengths: Vec<u32> = (0..runs.len()).step_by(8).map(field).collect();
    let sum: u64 = lengths.iter().map(|&one| u64::from(one)).sum();
    assert!(
        lengths.iter().all(|&one| one > 0 && (one as usize).is_multiple_of(SECTOR)),
        "{lengths:?}"
    );
    assert!(sum <= u64::from(message.length), "{lengths:?}");
    let one = message.flags & n::CMD_FLAG_REQ_ONE != 0;
    assert!(!lengths.is_empty() && (!one || lengths.len() == 1));
}

pub(crate) fn option(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = n::IHAVEOPT.to_be_bytes().to_vec();
    bytes.extend(kind.to_be_bytes());
    bytes.extend((data.len() as u32).to_be_bytes());
    bytes.extend(data);
    bytes
}

fn string(text: &[u8]) -> Vec<u8> {
    [&(text.len() as u32).to_be_bytes(), text].concat()
}

/// An option that is answered and goes on: none that ends the handshake.
pub(crate) fn random_option(chance: &mut ChaCha8Rng) -> (u32, Vec<u8>) {
    let kind = match below(chance, 8) {
        0 => chance.next_u32() | 16,
        1 => 4 + below(chance, 2) as u32,
        _ => [
            n::OPT_LIST,
            n::OPT_INFO,
            n::OPT_STRUCTURED_REPLY,
            n::OPT_LIST_META_CONTEXT,
            n::OPT_SET_META_CONTEXT,
            n::OPT_GO,
        ][below(chance, 6) as usize],
    };
    let name: &[u8] = [b"".as_slice(), b"drive", b"other"][below(chance, 3) as usize];
    let context: &[u8] =
        [b"base:allocation".as_slice(), b"base:", b"qemu:dirty"][below(chance, 3) as usize];
    let mut data = match kind {
        n::OPT_INFO => [string(name), vec![0, 1, 0, below(chance, 4) as u8]].concat(),
        // One that would be agreed to ends the handshake, and that comes later.
        n::OPT_GO => [string(b"other"), vec![0, 0]].concat(),
        n::OPT_LIST_META_CONTEXT | n::OPT_SET_META_CONTEXT => {
            let count = below(chance, 2) as usize;
            let queries = string(context).repeat(count);
            [string(name), (count as u32).to_be_bytes().to_vec(), queries].concat()
        }
        _ => Vec::new(),
    };
    match below(chance, 6) {
        0 => data.extend((0..=below(chance, 40)).map(|at| at as u8)),
        1 if kind != n::OPT_GO || data.len() > 1 => data.truncate(data.len() / 2),
        2 if one_in(chance, 50) => data = vec![1; 65_537 + below(chance, 1 << 20) as usize],
        _ => {}
    }
    (kind, data)
}

/// The types of the answers to an option.
pub(crate) fn option_answers(
    kind: u32,
    data: &[u8],
    structured: &mut bool,
    context: &mut bool,
) -> Vec<u32> {
    if data.len() > 65_536 {
        return vec![n::REP_ERR_TOO_BIG];
    }
    let bare = |answers: Vec<u32>| {
        if data.is_empty() { answers } else { vec![n::REP_ERR_INVALID] }
    };
    match kind {
        n::OPT_LIST => bare(vec![n::REP_SERVER, n::REP_ACK]),
        n::OPT_STRUCTURED_REPLY => {
            *structured |= data.is_empty();
            bare(vec![n::REP_ACK])
        }
        n::OPT_INFO | n::OPT_GO => info_answers(data),
        n::OPT_LIST_META_CONTEXT | n::OPT_SET_META_CONTEXT => {
            let sets = kind == n::OPT_SET_META_CONTEXT;
            let (answers, found) = context_answers(data, sets, *structured);
            if sets {
                // It "replaces all previously-set contexts (including when this command fails)".
                *context = found;
            }
            answers
        }
        _ => vec![n::REP_ERR_UNSUP],
    }
}

/// Takes bytes with their number before them off the front.
fn take_string<'a>(data: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (count, rest) = data.split_first_chunk::<4>()?;
    let (text, rest) = rest.split_at_checked(u32::from_be_bytes(*count) as usize)?;
    *data = rest;
    Some(text)
}

fn is_ours(name: &[u8]) -> bool {
    name.is_empty() || name == b"drive"
}

fn info_answers(mut data: &[u8]) -> Vec<u32> {
    let Some(name) = take_string(&mut data) else { return vec![n::REP_ERR_INVALID] };
    let Some((count, wanted)) = data.split_first_chunk::<2>() else {
        return vec![n::REP_ERR_INVALID];
    };
    if wanted.len() != usize::from(u16::from_be_bytes(*count)) * 2 {
        return vec![n::REP_ERR_INVALID];
    }
    if !is_ours(name) {
        return vec![n::REP_ERR_UNKNOWN];
    }
    let asks = |kind: u16| wanted.chunks(2).any(|one| one == kind.to_be_bytes());
    let more = usize::from(asks(n::INFO_NAME)) + usize::from(asks(n::INFO_DESCRIPTION));
    [vec![n::REP_INFO; 2 + more], vec![n::REP_ACK]].concat()
}

/// The answers, and whether one was found.
fn context_answers(mut data: &[u8], sets: bool, structured: bool) -> (Vec<u32>, bool) {
    let invalid = (vec![n::REP_ERR_INVALID], false);
    let Some(name) = take_string(&mut data) else { return invalid };
    let Some((count, mut queries)) = data.split_first_chunk::<4>() else { return invalid };
    let count = u32::from_be_bytes(*count);
    let mut found = count == 0 && !sets;
    for _ in 0..count {
        match take_string(&mut queries) {
            Some(b"base:allocation") => found = true,
            Some(b"base:") => found |= !sets,
            Some(_) => {}
            None => return invalid,
        }
    }
    if !queries.is_empty() || !structured {
        return invalid;
    }
    if !is_ours(name) {
        return (vec![n::REP_ERR_UNKNOWN], false);
    }
    (if found { vec![n::REP_META_CONTEXT, n::REP_ACK] } else { vec![n::REP_ACK] }, found)
}

/// What ends a connection, and whether that is as it should be.
pub(crate) fn last_words(chance: &mut ChaCha8Rng) -> (Vec<u8>, bool) {
    let message = Message::random(chance);
    let mut last = message.bytes(7);
    match below(chance, 3) {
        // "There is no reply to an NBD_CMD_DISC", whatever its flags are.
        0 => (Message { kind: n::CMD_DISC, data: vec![], ..message }.bytes(7), true),
        1 => {
            last[..4].copy_from_slice(&(n::REQUEST_MAGIC ^ 1 << below(chance, 32)).to_be_bytes());
            (last, false)
        }
        // More data than was agreed on.
        _ => {
            let length = n::MAX_BYTES + 1;
            (Message { kind: n::CMD_WRITE, length, data: vec![], ..message }.bytes(7), false)
        }
    }
}
