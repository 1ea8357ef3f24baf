//! The beginning of a connection: the greeting, and options until an export is agreed on.

use super::numbers as n;

/// The longest option that is looked at; a longer one is passed over and refused.
const LONGEST_OPTION: u32 = 64 << 10;
/// An option longer than this ends the connection.
const LONGEST_SKIPPED: u32 = 32 << 20;
/// The longest name that the protocol knows.
const LONGEST_NAME: usize = 4096;
const CONTEXT: &[u8] = b"base:allocation";

/// What is offered.
#[derive(Clone, Debug)]
pub struct Export {
    /// Its name; the empty name means it too.
    pub name: String,
    /// A line on what it is.
    pub description: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The smallest piece that it can be asked for, in bytes.
    pub block_bytes: u32,
    /// The piece that it is best asked for, in bytes.
    pub preferred_bytes: u32,
    /// Whether it cannot be written.
    pub read_only: bool,
    /// Whether it turns.
    pub rotational: bool,
}

impl Export {
    /// What a client may ask of it.
    fn flags(&self, structured: bool) -> u16 {
        // A flush covers all connections: there is one drive behind them.
        let covered = n::FLAG_SEND_FLUSH | n::FLAG_CAN_MULTI_CONN;
        let always = n::FLAG_HAS_FLAGS | n::FLAG_SEND_FUA | covered;
        let written = n::FLAG_SEND_TRIM | n::FLAG_SEND_WRITE_ZEROES;
        always
            | if self.read_only { n::FLAG_READ_ONLY } else { written }
            | if self.rotational { n::FLAG_ROTATIONAL } else { 0 }
            | if structured { n::FLAG_SEND_DF } else { 0 }
    }
}

/// What client and server agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreed {
    /// Structured replies.
    pub structured: bool,
    /// The context `base:allocation` of block status.
    pub allocation: bool,
}

/// How a handshake continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// More bytes are needed.
    More,
    /// The export is agreed on: requests follow.
    Transmit(Agreed),
    /// The connection ends.
    Close,
}

/// A handshake under way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handshake {
    greeted: bool,
    no_zeroes: bool,
    /// Bytes of a refused option that are still to come.
    skip: usize,
    agreed: Agreed,
}

impl Handshake {
    /// What is said first.
    pub fn greet(out: &mut Vec<u8>) {
        out.extend(n::NBDMAGIC.to_be_bytes());
        out.extend(n::IHAVEOPT.to_be_bytes());
        out.extend((n::FLAG_FIXED_NEWSTYLE | n::FLAG_NO_ZEROES).to_be_bytes());
    }

    /// Takes what it can of `input`: how many bytes, and how it continues.
    pub fn take(&mut self, input: &[u8], export: &Export, out: &mut Vec<u8>) -> (usize, Step) {
        let mut used = 0;
        loop {
            let passed_over = self.skip.min(input.len() - used);
            used += passed_over;
            self.skip -= passed_over;
            if self.skip > 0 {
                return (used, Step::More);
            }
            let rest = &input[used..];
            let (taken, step) =
                if self.greeted { self.option(rest, export, out) } else { self.greeting(rest) };
            used += taken;
            if step != Step::More || (taken == 0 && self.skip == 0) {
                return (used, step);
            }
        }
    }

    fn greeting(&mut self, input: &[u8]) -> (usize, Step) {
        let Some((flags, _)) = input.split_first_chunk::<4>() else { return (0, Step::More) };
        let flags = u32::from_be_bytes(*flags);
        let known = u32::from(n::FLAG_FIXED_NEWSTYLE | n::FLAG_NO_ZEROES);
        if flags & !known != 0 {
            return (4, Step::Close);
        }
        self.greeted = true;
        self.no_zeroes = flags & u32::from(n::FLAG_NO_ZEROES) != 0;
        (4, Step::More)
    }

    fn option(&mut self, input: &[u8], export: &Export, out: &mut Vec<u8>) -> (usize, Step) {
        let Some((header, rest)) = input.split_first_chunk::<16>() else {
            return (0, Step::More);
        };
        let mut fields = Fields(header);
        if fields.u64() != Some(n::IHAVEOPT) {
            return (16, Step::Close);
        }
        let (Some(option), Some(bytes)) = (fields.u32(), fields.u32()) else {
            return (16, Step::Close);
        };
        if bytes > LONGEST_SKIPPED {
            return (16, Step::Close);
        }
        if bytes > LONGEST_OPTION {
            self.skip = bytes as usize;
            answer(out, option, n::REP_ERR_TOO_BIG, &[]);
            let step = if option == n::OPT_EXPORT_NAME { Step::Close } else { Step::More };
            return (16, step);
        }
        let Some(data) = rest.get(..bytes as usize) else { return (0, Step::More) };
        (16 + data.len(), self.answer_option(option, data, export, out))
    }

    fn answer_option(
        &mut self,
        option: u32,
        data: &[u8],
        export: &Export,
        out: &mut Vec<u8>,
    ) -> Step {
        let reply = match option {
            n::OPT_EXPORT_NAME => return self.export_name(data, export, out),
            n::OPT_ABORT => {
                answer(out, option, n::REP_ACK, &[]);
                return Step::Close;
            }
            n::OPT_LIST if data.is_empty() => {
                let name = export.name.as_bytes();
                let mut entry = (name.len() as u32).to_be_bytes().to_vec();
                entry.extend(name);
                answer(out, option, n::REP_SERVER, &entry);
                n::REP_ACK
            }
            n::OPT_STRUCTURED_REPLY if data.is_empty() => {
                self.agreed.structured = true;
                n::REP_ACK
            }
            n::OPT_INFO | n::OPT_GO => self.info(option, data, export, out),
            n::OPT_LIST_META_CONTEXT | n::OPT_SET_META_CONTEXT => {
                self.contexts(option, data, export, out)
            }
            n::OPT_LIST | n::OPT_STRUCTURED_REPLY => n::REP_ERR_INVALID,
            _ => n::REP_ERR_UNSUP,
        };
        answer(out, option, reply, &[]);
        if option == n::OPT_GO && reply == n::REP_ACK {
            Step::Transmit(self.agreed)
        } else {
            Step::More
        }
    }

    /// The old way to agree, which knows no refusal but to hang up.
    fn export_name(&self, data: &[u8], export: &Export, out: &mut Vec<u8>) -> Step {
        if !is_named(data, export) {
            return Step::Close;
        }
        out.extend(export.bytes.to_be_bytes());
        out.extend(export.flags(self.agreed.structured).to_be_bytes());
        if !self.no_zeroes {
            out.extend([0; 124]);
        }
        Step::Transmit(self.agreed)
    }

    fn info(&self, option: u32, data: &[u8], export: &Export, out: &mut Vec<u8>) -> u32 {
        let mut fields = Fields(data);
        let Some(name) = fields.string() else { return n::REP_ERR_INVALID };
        let Some(count) = fields.u16() else { return n::REP_ERR_INVALID };
        let wanted: Vec<u16> = std::iter::from_fn(|| fields.u16()).take(count.into()).collect();
        if wanted.len() != usize::from(count) || !fields.0.is_empty() || name.len() > LONGEST_NAME {
            return n::REP_ERR_INVALID;
        }
        if !is_named(name, export) {
            return n::REP_ERR_UNKNOWN;
        }
        let flags = export.flags(self.agreed.structured).to_be_bytes();
        let mut inform = |kind: u16, parts: &[&[u8]]| {
            let mut body = kind.to_be_bytes().to_vec();
            parts.iter().for_each(|part| body.extend(*part));
            answer(out, option, n::REP_INFO, &body);
        };
        inform(n::INFO_EXPORT, &[&export.bytes.to_be_bytes(), &flags]);
        if wanted.contains(&n::INFO_NAME) {
            inform(n::INFO_NAME, &[export.name.as_bytes()]);
        }
        if wanted.contains(&n::INFO_DESCRIPTION) {
            inform(n::INFO_DESCRIPTION, &[export.description.as_bytes()]);
        }
        let sizes = [export.block_bytes, export.preferred_bytes, n::MAX_BYTES];
        let [least, best, most] = sizes.map(u32::to_be_bytes);
        inform(n::INFO_BLOCK_SIZE, &[&least, &best, &most]);
        n::REP_ACK
    }

    fn contexts(&mut self, option: u32, data: &[u8], export: &Export, out: &mut Vec<u8>) -> u32 {
        let sets = option == n::OPT_SET_META_CONTEXT;
        if sets {
            self.agreed.allocation = false;
        }
        let mut fields = Fields(data);
        let (Some(name), Some(count)) = (fields.string(), fields.u32()) else {
            return n::REP_ERR_INVALID;
        };
        let mut queries = Vec::new();
        for _ in 0..count {
            match fields.string() {
                Some(query) => queries.push(query),
                None => return n::REP_ERR_INVALID,
            }
        }
        if !fields.0.is_empty() || !self.agreed.structured {
            return n::REP_ERR_INVALID;
        }
        if !is_named(name, export) {
            return n::REP_ERR_UNKNOWN;
        }
        let all = !sets && (queries.is_empty() || queries.contains(&b"base:".as_slice()));
        if all || queries.contains(&CONTEXT) {
            self.agreed.allocation |= sets;
            let mut body = n::ALLOCATION_ID.to_be_bytes().to_vec();
            body.extend(CONTEXT);
            answer(out, option, n::REP_META_CONTEXT, &body);
        }
        n::REP_ACK
    }
}

fn is_named(name: &[u8], export: &Export) -> bool {
    name.is_empty() || name == export.name.as_bytes()
}

fn answer(out: &mut Vec<u8>, option: u32, kind: u32, body: &[u8]) {
    out.extend(n::REPLY_MAGIC.to_be_bytes());
    out.extend(option.to_be_bytes());
    out.extend(kind.to_be_bytes());
    out.extend((body.len() as u32).to_be_bytes());
    out.extend(body);
}

/// What is left of some bytes, field by field.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take<const BYTES: usize>(&mut self) -> Option<[u8; BYTES]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }

    /// Bytes with their number before them.
    fn string(&mut self) -> Option<&'a [u8]> {
        let bytes = self.u32()? as usize;
        let (first, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(first)
    }
}
