//! The protocol's handshake and requests, well-formed and not: every answer as the specification has
//! it, whatever comes and in whatever pieces.

use platterlab_serve::nbd::numbers as n;
use platterlab_serve::nbd::{
    Agreed, Command, Export, Fatal, Handshake, MAX_BYTES, Parsed, Request, Step, parse,
};
use proptest::prelude::*;

fn export() -> Export {
    Export {
        name: "drive".to_owned(),
        description: "A drive".to_owned(),
        bytes: 1 << 20,
        block_bytes: 512,
        preferred_bytes: 4096,
        read_only: false,
        rotational: true,
    }
}

fn option(option: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = n::IHAVEOPT.to_be_bytes().to_vec();
    bytes.extend(option.to_be_bytes());
    bytes.extend((data.len() as u32).to_be_bytes());
    bytes.extend(data);
    bytes
}

fn named(name: &str, rest: &[u8]) -> Vec<u8> {
    let mut data = (name.len() as u32).to_be_bytes().to_vec();
    data.extend(name.as_bytes());
    data.extend(rest);
    data
}

/// What `said` after the greeting is answered with: the types of the answers, and how it goes on.
fn answers(said: &[u8]) -> (Vec<u32>, Step) {
    let mut input = 3_u32.to_be_bytes().to_vec();
    input.extend(said);
    let (mut handshake, mut out) = (Handshake::default(), Vec::new());
    let (used, step) = handshake.take(&input, &export(), &mut out);
    assert!(used == input.len() || step == Step::Close);
    let mut kinds = Vec::new();
    let mut at = 0;
    while at < out.len() {
        let field =
            |from: usize| u32::from_be_bytes(out[from..from + 4].try_into().expect("four bytes"));
        assert_eq!(out[at..at + 8], n::REPLY_MAGIC.to_be_bytes());
        kinds.push(field(at + 12));
        at += 20 + field(at + 16) as usize;
    }
    assert_eq!(at, out.len());
    (kinds, step)
}

#[test]
fn malformed_options_are_refused_and_the_handshake_goes_on() {
    let with = |count: u16| named("drive", &count.to_be_bytes());
    let short_name = [0, 0, 0, 9, b'x'];
    for (said, kind) in [
        (option(n::OPT_LIST, b"x"), n::REP_ERR_INVALID),
        (option(n::OPT_STRUCTURED_REPLY, b"x"), n::REP_ERR_INVALID),
        (option(n::OPT_GO, b""), n::REP_ERR_INVALID),
        (option(n::OPT_GO, &short_name), n::REP_ERR_INVALID),
        (option(n::OPT_GO, &with(1)), n::REP_ERR_INVALID),
        (option(n::OPT_INFO, &[with(0), vec![0]].concat()), n::REP_ERR_INVALID),
        (option(n::OPT_GO, &named("other", &[0, 0])), n::REP_ERR_UNKNOWN),
        (option(n::OPT_INFO, &named(&"x".repeat(5000), &[0, 0])), n::REP_ERR_INVALID),
        (option(n::OPT_SET_META_CONTEXT, &named("", &[0; 4])), n::REP_ERR_INVALID),
        (option(n::OPT_LIST_META_CONTEXT, &[0; 3]), n::REP_ERR_INVALID),
        (option(5, b""), n::REP_ERR_UNSUP),
        (option(11, b""), n::REP_ERR_UNSUP),
        (option(0, b""), n::REP_ERR_UNSUP),
        (option(u32::MAX, &[7; 40]), n::REP_ERR_UNSUP),
        (option(n::OPT_LIST, &vec![0; 70_000]), n::REP_ERR_TOO_BIG),
    ] {
        assert_eq!(answers(&said), (vec![kind], Step::More), "{:x?}", &said[8..16]);
        let then = [said, option(n::OPT_ABORT, b"")].concat();
        assert_eq!(answers(&then), (vec![kind, n::REP_ACK], Step::Close));
    }
}

#[test]
fn what_is_no_option_ends_the_connection() {
    let mut bad_magic = option(n::OPT_LIST, b"");
    bad_magic[3] ^= 1;
    let mut endless = option(n::OPT_LIST, b"");
    endless[12..16].copy_from_slice(&u32::MAX.to_be_bytes());
    for said in [bad_magic, endless, option(n::OPT_EXPORT_NAME, b"other")] {
        assert_eq!(answers(&said), (vec![], Step::Close));
    }
    let mut handshake = Handshake::default();
    let flags = 4_u32.to_be_bytes();
    assert_eq!(handshake.take(&flags, &export(), &mut Vec::new()), (4, Step::Close));
}

#[test]
fn an_export_is_agreed_on_in_both_ways() {
    let plain = Step::Transmit(Agreed::default());
    let go = option(n::OPT_GO, &named("", &[0, 0]));
    let told = vec![n::REP_INFO, n::REP_INFO, n::REP_ACK];
    assert_eq!(answers(&go), (told.clone(), plain));
    let context = named("base:allocation", &[]);
    let query = named("drive", &[&1_u32.to_be_bytes(), context.as_slice()].concat());
    let all =
        [option(n::OPT_STRUCTURED_REPLY, b""), option(n::OPT_SET_META_CONTEXT, &query), go.clone()];
    let kinds = [vec![n::REP_ACK, n::REP_META_CONTEXT, n::REP_ACK], told].concat();
    let agreed = Agreed { structured: true, allocation: true };
    assert_eq!(answers(&all.concat()), (kinds, Step::Transmit(agreed)));
    let mut out = Vec::new();
    let mut old = Handshake::default();
    let said = [0_u32.to_be_bytes().to_vec(), option(n::OPT_EXPORT_NAME, b"drive")].concat();
    assert_eq!(old.take(&said, &export(), &mut out), (said.len(), plain));
    assert_eq!(out.len(), 8 + 2 + 124);
}

fn request(kind: u16, flags: u16, offset: u64, length: u32) -> Vec<u8> {
    let mut bytes = n::REQUEST_MAGIC.to_be_bytes().to_vec();
    bytes.extend(flags.to_be_bytes());
    bytes.extend(kind.to_be_bytes());
    bytes.extend(7_u64.to_be_bytes());
    bytes.extend(offset.to_be_bytes());
    bytes.extend(length.to_be_bytes());
    bytes
}

#[test]
fn requests_that_do_not_fit_are_answered_with_the_error_of_the_specification() {
    let agreed = Agreed { structured: true, allocation: true };
    let end = 1 << 20;
    for (bytes, error) in [
        (request(n::CMD_READ, 0, end, 512), n::EINVAL),
        (request(n::CMD_READ, 0, u64::MAX - 100, 512), n::EINVAL),
        (request(n::CMD_READ, 0, 0, 0), n::EINVAL),
        (request(n::CMD_READ, 0, 1, 512), n::EINVAL),
        (request(n::CMD_READ, 0, 0, 513), n::EINVAL),
        (request(n::CMD_READ, n::CMD_FLAG_REQ_ONE, 0, 512), n::EINVAL),
        (request(n::CMD_TRIM, 0, end - 512, 1024), n::EINVAL),
        (request(n::CMD_WRITE_ZEROES, 0, end - 512, 1024), n::ENOSPC),
        (request(n::CMD_WRITE_ZEROES, 1 << 4, 0, 512), n::EINVAL),
        (request(n::CMD_FLUSH, 0, 0, 512), n::EINVAL),
        (request(5, 0, 0, 512), n::EINVAL),
        (request(u16::MAX, 0, 0, 512), n::EINVAL),
    ] {
        let refused = Parsed::Refused { cookie: 7, error, bytes: bytes.len() };
        assert_eq!(parse(&bytes, &export(), agreed), Ok(refused), "{bytes:x?}");
    }
    let read_only = Export { read_only: true, ..export() };
    let zero = request(n::CMD_WRITE_ZEROES, 0, 0, 512);
    let refused = Parsed::Refused { cookie: 7, error: n::EPERM, bytes: 28 };
    assert_eq!(parse(&zero, &read_only, agreed), Ok(refused));
    let status = request(n::CMD_BLOCK_STATUS, 0, 0, 512);
    let refused = Parsed::Refused { cookie: 7, error: n::EINVAL, bytes: 28 };
    assert_eq!(parse(&status, &export(), Agreed::default()), Ok(refused));
}

#[test]
fn a_write_is_taken_with_its_data_or_not_at_all() {
    let agreed = Agreed::default();
    let mut bytes = request(n::CMD_WRITE, n::CMD_FLAG_FUA, 512, 512);
    assert_eq!(parse(&bytes, &export(), agreed), Ok(Parsed::More(540)));
    bytes.resize(540, 1);
    let command = Command::Write { forced: true };
    let whole = Request { cookie: 7, command, offset: 512, length: 512 };
    assert_eq!(parse(&bytes, &export(), agreed), Ok(Parsed::Whole(whole, 540)));
    // One that does not fit is answered after its data, or the next request would begin in it.
    let mut beyond = request(n::CMD_WRITE, 0, 1 << 20, 512);
    beyond.resize(540, 1);
    let refused = Parsed::Refused { cookie: 7, error: n::ENOSPC, bytes: 540 };
    assert_eq!(parse(&beyond, &export(), agreed), Ok(refused));
    let endless = request(n::CMD_WRITE, 0, 0, MAX_BYTES + 1);
    assert_eq!(parse(&endless, &export(), agreed), Err(Fatal::TooLong));
    assert_eq!(parse(b"GET / HTTP/1.1", &export(), agreed), Err(Fatal::Magic));
}

proptest! {
    /// The same bytes are answered alike in one piece and in many.
    #[test]
    fn a_handshake_in_pieces_is_the_same(
        parts in prop::collection::vec((0_u32..13, prop::collection::vec(any::<u8>(), 0..40)), 0..6),
        cuts in prop::collection::vec(1_usize..30, 1..40),
    ) {
        let mut input = 3_u32.to_be_bytes().to_vec();
        parts.iter().for_each(|(kind, data)| input.extend(option(*kind, data)));
        let mut whole = Vec::new();
        let (_, step) = Handshake::default().take(&input, &export(), &mut whole);
        let (mut handshake, mut out) = (Handshake::default(), Vec::new());
        let (mut from, mut to, mut last) = (0, 0, Step::More);
        for cut in cuts.iter().cycle() {
            if last != Step::More || to == input.len() {
                break;
            }
            to = (to + cut).min(input.len());
            let (used, next) = handshake.take(&input[from..to], &export(), &mut out);
            from += used;
            last = next;
        }
        prop_assert_eq!((out, last), (whole, step));
    }

    /// Whatever comes, a request is no longer than what is there, and fits the export.
    #[test]
    fn any_bytes_are_a_request_that_fits_or_an_error(
        mut bytes in prop::collection::vec(any::<u8>(), 0..600),
        (magic, kind, small) in (any::<bool>(), 0_u16..9, any::<bool>()),
    ) {
        if magic && bytes.len() >= 28 {
            bytes[..4].copy_from_slice(&n::REQUEST_MAGIC.to_be_bytes());
            bytes[4..8].copy_from_slice(&[0, 0, 0, kind as u8]);
            if small {
                bytes[16..26].fill(0);
            }
        }
        let agreed = Agreed { structured: true, allocation: true };
        match parse(&bytes, &export(), agreed) {
            Ok(Parsed::Whole(request, used)) => {
                prop_assert!(used <= bytes.len());
                let fits = request.offset + u64::from(request.length) <= 1 << 20;
                prop_assert!(fits || request.command == Command::Disconnect);
            }
            Ok(Parsed::Refused { bytes: used, .. }) => prop_assert!(used <= bytes.len()),
            Ok(Parsed::More(wanted)) => prop_assert!(wanted > bytes.len()),
            Err(_) => {}
        }
    }
}
