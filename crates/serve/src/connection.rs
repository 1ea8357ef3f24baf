//! A client's connection: what came and is not understood yet, what is to be said and is not sent yet.

use crate::listen::Socket;
use crate::nbd::{Agreed, Export, Handshake, Replies, Step};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, IoSlice, Read, Write};

/// So much is read at a time.
const PIECE: usize = 256 << 10;
/// Requests in flight at which a client is not listened to.
const MOST_IN_FLIGHT: usize = 1024;
/// Bytes of its requests and unsent answers at which it is not, either.
const MOST_BYTES: usize = 128 << 20;
/// Answers sent in one call.
const MOST_SLICES: usize = 64;
/// A handshake may take so long.
const PATIENCE_NS: u64 = 10_000_000_000;

/// A client's connection.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: Socket,
    /// `None` once the export is agreed on.
    handshake: Option<Handshake>,
    since_ns: u64,
    agreed: Agreed,
    /// Room for what comes; it is never made smaller, for every byte of it would be filled again.
    input: Vec<u8>,
    /// What of it has come.
    came: usize,
    /// What of that is understood.
    used: usize,
    output: VecDeque<Vec<u8>>,
    /// What of the first of them is sent.
    sent: usize,
    output_bytes: usize,
    /// Requests of it wait until it is listened to again.
    pub(crate) held_back: bool,
    pub(crate) in_flight: usize,
    pub(crate) in_flight_bytes: usize,
    /// How late, by the host's fault, the last answer went out.
    pub(crate) last_late_ns: u64,
    /// Nothing more is read: it closes when all is answered.
    leaving: bool,
    /// It is over, whatever is left.
    broken: bool,
}

impl Connection {
    /// One that has just come; the greeting is to be sent.
    pub(crate) fn new(socket: Socket, now_ns: u64) -> Self {
        let mut one = Self {
            socket,
            handshake: Some(Handshake::default()),
            since_ns: now_ns,
            agreed: Agreed::default(),
            input: Vec::new(),
            came: 0,
            used: 0,
            output: VecDeque::new(),
            sent: 0,
            output_bytes: 0,
            held_back: false,
            in_flight: 0,
            in_flight_bytes: 0,
            last_late_ns: 0,
            leaving: false,
            broken: false,
        };
        let mut greeting = Vec::new();
        Handshake::greet(&mut greeting);
        one.say(greeting);
        one
    }

    pub(crate) fn socket(&self) -> &Socket {
        &self.socket
    }

    /// What was agreed on; `None` before that.
    pub(crate) fn agreed(&self) -> Option<Agreed> {
        self.handshake.is_none().then_some(self.agreed)
    }

    pub(crate) fn replies(&self) -> Replies {
        if self.agreed.structured { Replies::Structured } else { Replies::Simple }
    }

    /// Whether more may come in.
    pub(crate) fn listens(&self) -> bool {
        let bytes = self.in_flight_bytes + self.output_bytes;
        !self.leaving && !self.broken && self.in_flight < MOST_IN_FLIGHT && bytes < MOST_BYTES
    }

    /// Whether requests that waited can continue now.
    pub(crate) fn goes_on(&self) -> bool {
        self.held_back && self.listens()
    }

    /// Whether answers wait for the client to take them.
    pub(crate) fn has_output(&self) -> bool {
        !self.output.is_empty() && !self.broken
    }

    /// Whether nothing will come of it any more.
    pub(crate) fn is_over(&self, now_ns: u64) -> bool {
        let tarries = self.handshake.is_some() && now_ns > self.since_ns + PATIENCE_NS;
        let done = self.leaving && self.in_flight == 0 && self.output.is_empty();
        self.broken || tarries || done
    }

    /// When it is over if nothing comes of its handshake.
    pub(crate) fn patience_ends_ns(&self) -> Option<u64> {
        self.handshake.is_some().then_some(self.since_ns + PATIENCE_NS)
    }

    /// Takes nothing more in.
    pub(crate) fn leave(&mut self) {
        self.leaving = true;
    }

    /// Ends at once: the two do not understand each other.
    pub(crate) fn give_up(&mut self) {
        self.broken = true;
    }

    /// Reads what is there; whether anything came.
    pub(crate) fn receive(&mut self) -> bool {
        self.input.copy_within(self.used..self.came, 0);
        self.came -= self.used;
        self.used = 0;
        let end = self.came + PIECE;
        if self.input.len() < end {
            self.input.resize(end, 0);
        }
        let result = self.socket.read(&mut self.input[self.came..end]);
        let came = *result.as_ref().unwrap_or(&0);
        self.came += came;
        match result {
            Ok(0) => self.broken = true,
            Ok(_) => {}
            Err(error) if is_passing(&error) => {}
            Err(_) => self.broken = true,
        }
        came > 0
    }

    /// What came and is not understood yet.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.input[self.used..self.came]
    }

    /// Bytes of it that are understood.
    pub(crate) fn understood(&mut self, bytes: usize) {
        self.used += bytes;
    }

    /// Continues with the handshake, as far as what came allows.
    pub(crate) fn shake_hands(&mut self, export: &Export) {
        let Some(handshake) = &mut self.handshake else { return };
        let mut out = Vec::new();
        let (used, step) = handshake.take(&self.input[self.used..self.came], export, &mut out);
        self.used += used;
        match step {
            Step::More => {}
            Step::Transmit(agreed) => {
                self.agreed = agreed;
                self.handshake = None;
            }
            Step::Close => self.leaving = true,
        }
        self.say(out);
    }

    /// Puts an answer behind the others.
    pub(crate) fn say(&mut self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.output_bytes += bytes.len();
            self.output.push_back(bytes);
        }
    }

    /// Sends what the socket takes.
    pub(crate) fn send(&mut self) {
        while !self.output.is_empty() && !self.broken {
            let mut slices = [IoSlice::new(&[]); MOST_SLICES];
            let mut count = 0;
            for (slice, bytes) in slices.iter_mut().zip(&self.output) {
                *slice = IoSlice::new(&bytes[if count == 0 { self.sent } else { 0 }..]);
                count += 1;
            }
            match self.socket.write_vectored(&slices[..count]) {
                Ok(sent) => self.has_sent(sent),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.broken = true,
            }
        }
    }

    fn has_sent(&mut self, bytes: usize) {
        self.output_bytes -= bytes;
        self.sent += bytes;
        while let Some(first) = self.output.front()
            && self.sent >= first.len()
        {
            self.sent -= first.len();
            self.output.pop_front();
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
