//! Any bytes as what an NBD client says are understood, refused or the end: in pieces as in one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_serve::nbd::{Agreed, Export, Handshake, Parsed, Step, parse};

fuzz_target!(|bytes: &[u8]| {
    let Some((&[piece, structured, allocation], said)) = bytes.split_first_chunk::<3>() else {
        return;
    };
    let export = Export {
        name: "drive".to_owned(),
        description: String::new(),
        bytes: 1 << 20,
        block_bytes: 512,
        preferred_bytes: 4096,
        read_only: structured & 2 != 0,
        rotational: true,
    };
    let (step, used, answers) = converse(said, usize::from(piece) + 1, &export);
    assert_eq!((step, used, answers), converse(said, said.len() + 1, &export));
    let agreed = match step {
        Step::Transmit(agreed) => agreed,
        _ => Agreed { structured: structured & 1 != 0, allocation: allocation & 1 != 0 },
    };
    let mut rest = said;
    while let Ok(parsed) = parse(rest, &export, agreed) {
        match parsed {
            Parsed::More(wanted) => {
                assert!(wanted > rest.len());
                return;
            }
            Parsed::Whole(request, used) => {
                let end = request.offset.checked_add(request.length.into());
                let leaves = request.command == platterlab_serve::nbd::Command::Disconnect;
                assert!(leaves || end.is_some_and(|end| end <= export.bytes));
                rest = &rest[used..];
            }
            Parsed::Refused { error, bytes, .. } => {
                assert!(error != 0);
                rest = &rest[bytes..];
            }
        }
    }
});

/// A handshake whose bytes come in pieces: how it ends, what it took, what it answered.
fn converse(said: &[u8], piece: usize, export: &Export) -> (Step, usize, Vec<u8>) {
    let (mut handshake, mut out) = (Handshake::default(), Vec::new());
    let (mut used, mut came) = (0, 0);
    loop {
        came = (came + piece).min(said.len());
        let (taken, step) = handshake.take(&said[used..came], export, &mut out);
        used += taken;
        assert!(used <= came);
        if step != Step::More || came == said.len() {
            return (step, used, out);
        }
    }
}
