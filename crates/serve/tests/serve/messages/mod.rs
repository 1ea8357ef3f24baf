//! Messages at random, well-formed and not, to a whole server: each is answered as the specification
//! has it, in the data that it moves too.
//!
//! What is right is worked out here once more, from `doc/proto.md` of the NBD project: a request that
//! breaks several rules may have the error of any of them.

mod expected;

use expected::{Answer, Message, SECTOR, SIZE, option, option_answers};
use platterlab_drive::Drive;
use platterlab_profile::Profile;
use platterlab_serve::nbd::{Export, numbers as n};
use platterlab_serve::{Doors, Listener, Options, Running, Speed, Store, start};
use platterlab_sim::drive::Model;
use platterlab_sim::live::{Live, LiveDevice};
use platterlab_sim::scheduler::Scheduler;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Requests of one client.
const REQUESTS: usize = 500;

fn serve(socket: &Path) -> Running {
    let profile = Profile::from_library("hp-97560").expect("the library has it");
    let drive = Drive::new(profile.params()).expect("the library's drives make sense");
    let device = LiveDevice::new(Model::Drive(Box::new(drive)), Scheduler::Fcfs, 1, 0);
    let export = Export {
        name: "drive".to_owned(),
        description: "A drive".to_owned(),
        bytes: SIZE as u64,
        block_bytes: SECTOR as u32,
        preferred_bytes: 4096,
        read_only: false,
        rotational: true,
    };
    let options = Options {
        export,
        speed: Speed::Unpaced,
        real_time: false,
        keep_rows: false,
        power_cuts: false,
        power_cut: None,
    };
    let store = Store::memory(SIZE as u64).expect("there is memory");
    let listener = Listener::unix(socket).expect("nobody listens there");
    let doors = Doors { listener: Some(listener), folder: None, device: false };
    start(Live::Device(Box::new(device)), store, doors, options).expect("there is a thread")
}

/// A client's side of a connection.
struct Client {
    socket: UnixStream,
    structured: bool,
    context: bool,
}

impl Client {
    fn connect(path: &Path) -> Self {
        let socket = UnixStream::connect(path).expect("it listens");
        let mut one = Self { socket, structured: false, context: false };
        let greeting = one.take::<18>().expect("it greets");
        assert_eq!(greeting[..16], *b"NBDMAGICIHAVEOPT");
        one.say(&3_u32.to_be_bytes());
        one
    }

    fn say(&mut self, bytes: &[u8]) {
        // It may have hung up by now, which shows in what it answers.
        let _ = self.socket.write_all(bytes);
    }

    fn take<const BYTES: usize>(&mut self) -> Option<[u8; BYTES]> {
        let mut bytes = [0; BYTES];
        self.socket.read_exact(&mut bytes).ok().map(|()| bytes)
    }

    fn u32(&mut self) -> u32 {
        u32::from_be_bytes(self.take().expect("four bytes"))
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.socket.read_exact(&mut bytes).expect("all of them");
        bytes
    }

    fn has_ended(&mut self) -> bool {
        self.take::<1>().is_none()
    }

    /// Options, most of them malformed, and an export that is agreed on in the end.
    fn shake_hands(&mut self, chance: &mut ChaCha8Rng) {
        let mut wanted = Vec::new();
        let mut said = Vec::new();
        for _ in 0..chance.next_u32() % 12 {
            let (kind, data) = expected::random_option(chance);
            wanted
                .push((kind, option_answers(kind, &data, &mut self.structured, &mut self.context)));
            said.extend(option(kind, &data));
        }
        let data = [0; 6];
        wanted.push((n::OPT_GO, option_answers(n::OPT_GO, &data, &mut false, &mut false)));
        said.extend(option(n::OPT_GO, &data));
        self.say(&said);
        for (kind, answers) in wanted {
            for answer in answers {
                let header = self.take::<20>().expect("an answer");
                let field = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|by| header[at + by]));
                assert_eq!(header[..8], n::REPLY_MAGIC.to_be_bytes());
                assert_eq!((field(8), field(12)), (kind, answer), "option {kind}");
                self.bytes(field(16) as usize);
            }
        }
    }

    /// The next answer: to which request, and what it says.
    fn answer(&mut self, asked: &BTreeMap<u64, (Message, Answer)>) -> (u64, Answer) {
        let magic = self.u32();
        if magic == n::SIMPLE_REPLY_MAGIC {
            let error = self.u32();
            let cookie = u64::from_be_bytes(self.take().expect("a cookie"));
            let (message, _) = &asked[&cookie];
            assert!(!self.structured || message.kind != n::CMD_READ, "a read is structured");
            let reads = message.kind == n::CMD_READ;
            let told = match error {
                0 if reads => Answer::Data(self.bytes(message.length as usize)),
                0 => Answer::Done,
                error => Answer::Errors(vec![error]),
            };
            return (cookie, told);
        }
        assert_eq!(magic, n::STRUCTURED_REPLY_MAGIC);
        assert!(self.structured);
        let head = self.take::<16>().expect("a chunk");
        assert_eq!(head[..2], n::REPLY_FLAG_DONE.to_be_bytes());
        let cookie = u64::from_be_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|by| head[4 + by]));
        let length = u32::from_be_bytes([12, 13, 14, 15].map(|at| head[at]));
        let body = self.bytes(length as usize);
        let first = || u32::from_be_bytes([body[0], body[1], body[2], body[3]]);
        let (message, _) = &asked[&cookie];
        let told = match u16::from_be_bytes([head[2], head[3]]) {
            n::REPLY_TYPE_ERROR => Answer::Errors(vec![first()]),
            n::REPLY_TYPE_NONE => Answer::Done,
            n::REPLY_TYPE_OFFSET_DATA => {
                assert_eq!(body[..8], message.offset.to_be_bytes());
                Answer::Data(body[8..].to_vec())
            }
            n::REPLY_TYPE_BLOCK_STATUS => {
                assert_eq!(first(), n::ALLOCATION_ID);
                expected::check_runs(message, &body[4..]);
                Answer::Runs
            }
            other => panic!("a chunk of type {other}"),
        };
        (cookie, told)
    }
}

/// One client: what it says, and that all of it is answered as it should be.
fn talk(path: &Path, seed: u64) {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut client = Client::connect(path);
    client.shake_hands(&mut chance);
    let mut shadow = read_all(&mut client);
    let mut asked = BTreeMap::new();
    let mut said = Vec::new();
    for number in 0..REQUESTS as u64 {
        let cookie = number << 32 | u64::from(chance.next_u32());
        let message = Message::random(&mut chance);
        let answer = message.answer(client.structured, client.context, &mut shadow);
        said.extend(message.bytes(cookie));
        asked.insert(cookie, (message, answer));
    }
    // After a disconnect all is answered still; after what is not a request nothing need be.
    let (last, is_polite) = expected::last_words(&mut chance);
    if is_polite {
        said.extend(&last);
    }
    // What it says goes out while it hears, or two full sockets would wait for each other.
    let mut mouth = client.socket.try_clone().expect("a descriptor");
    std::thread::scope(|scope| {
        scope.spawn(move || mouth.write_all(&said));
        for _ in 0..REQUESTS {
            let (cookie, told) = client.answer(&asked);
            let (message, wanted) = asked.remove(&cookie).expect("it was asked, and once");
            assert!(wanted.allows(&told), "{message:?}: {told:?} and not {wanted:?}");
        }
    });
    if !is_polite {
        client.say(&last);
    }
    assert!(client.has_ended(), "after its last words");
}

/// All the data.
fn read_all(client: &mut Client) -> Vec<u8> {
    let all = Message { flags: 0, kind: n::CMD_READ, offset: 0, length: SIZE as u32, data: vec![] };
    client.say(&all.bytes(0));
    match client.answer(&BTreeMap::from([(0, (all, Answer::Done))])) {
        (0, Answer::Data(data)) => data,
        other => panic!("{other:?}"),
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("platterlab-nbd-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// With the 256 cases of `make test` 128,000 messages, with the 20,000 of `make soak` ten million.
#[test]
fn every_message_is_answered_as_the_specification_has_it() {
    let folder = folder();
    let socket = folder.join("nbd");
    let mut server = serve(&socket);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let ran = runner.run(&any::<u64>().no_shrink(), |seed| {
        talk(&socket, seed);
        Ok(())
    });
    let messages = server.report().map_or(0, |report| report.requests);
    server.stop().expect("it ends well");
    std::fs::remove_dir_all(folder).expect("it was ours");
    if let Err(error) = ran {
        panic!("{error}");
    }
    assert!(messages >= REQUESTS as u64);
}
