//! The loop in which clients, the drive and the clock meet: one thread for each drive.

use crate::block_device::BlockDevice;
use crate::connection::Connection;
use crate::contents::Contents;
use crate::desk::{Caller, DEVICE, Desk, Due, FILE, Taken};
use crate::disk_file::Mounted;
use crate::listen::Listener;
use crate::nbd::{Command, HEADER_BYTES, Parsed, parse};
use crate::options::Options;
use crate::pace::{Favours, Measured, Waiter, Woken, now_ns};
use crate::report::HostReport;
use crate::shared::Shared;
use crate::store::Store;
use crate::tasks::Syncer;
use crate::told::Told;
use platterlab_sim::live::Live;
use rustix::event::{PollFd, PollFlags};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// More clients than this are not let in.
const MOST_CONNECTIONS: usize = 64;
/// After the end is asked for, what is in flight has so long.
const LAST_ANSWERS_NS: u64 = 5_000_000_000;

/// Where clients come in, opened.
pub(crate) struct OpenDoors {
    pub(crate) listener: Option<Listener>,
    pub(crate) file: Option<Mounted>,
    /// Who is told of the block device.
    pub(crate) told: Option<Told>,
}

/// The connections of one drive.
pub(crate) struct ServiceLoop {
    listener: Option<Listener>,
    file: Option<Mounted>,
    device: Option<BlockDevice>,
    connections: Vec<(u64, Option<Connection>)>,
    generation: u64,
    due: Vec<Due>,
    waiter: Waiter,
    ends_ns: Option<u64>,
}

impl ServiceLoop {
    /// One where clients may come from now on, on the thread that is to serve them.
    ///
    /// # Errors
    /// The host cannot be tried out.
    pub(crate) fn open(
        shared: &Arc<Shared>,
        model: Live,
        store: Store,
        syncer: Option<Syncer>,
        options: &Options,
        doors: OpenDoors,
    ) -> io::Result<(Self, Favours)> {
        let OpenDoors { listener, mut file, told } = doors;
        let favours = Favours::ask(options.real_time);
        let host = HostReport::new(&Measured::try_out()?, &favours);
        let waiter = Waiter::new(host.processors);
        let contents = Contents::new(store, options.power_cuts || options.power_cut.is_some());
        let device =
            told.map(|told| BlockDevice::new(&options.export, shared, told)).transpose()?;
        *shared.desk() = Some(Desk::new(options, model, contents, syncer, host));
        file.as_mut().map_or(Ok(()), Mounted::serve)?;
        let made = Self {
            listener,
            file,
            device,
            connections: Vec::new(),
            generation: 0,
            due: Vec::new(),
            waiter,
            ends_ns: None,
        };
        Ok((made, favours))
    }

    /// Serves until the end is asked for and what was in flight is answered.
    pub(crate) fn run(&mut self, shared: &Shared) -> io::Result<()> {
        loop {
            if shared.stop.load(Ordering::Acquire) && self.ends_ns.is_none() {
                self.ends_ns = Some(now_ns() + LAST_ANSWERS_NS);
                self.listener = None;
                self.each(Connection::leave);
            }
            let (due_ns, again) = match &mut *shared.desk() {
                Some(desk) => {
                    let turned = self.turn(desk);
                    if desk.is_cut() {
                        return desk.cut();
                    }
                    turned
                }
                None => return Ok(()),
            };
            let now = now_ns();
            self.reap(now);
            if let Some(ends_ns) = self.ends_ns
                && (self.is_idle() || now > ends_ns)
            {
                return shared.desk().as_mut().map_or(Ok(()), Desk::close);
            }
            if !again {
                self.wait(shared, due_ns)?;
            }
        }
    }

    /// Whether nobody waits for an answer.
    fn is_idle(&self) -> bool {
        self.connections.iter().all(|(_, one)| one.is_none())
            && self.file.as_ref().is_none_or(Mounted::is_idle)
            && self.device.as_ref().is_none_or(BlockDevice::is_idle)
    }

    /// What came is taken, what is due is answered: when the next is due, and whether there is more
    /// to take at once.
    fn turn(&mut self, desk: &mut Desk) -> (Option<u64>, bool) {
        for index in 0..self.connections.len() {
            self.take_in(index, desk);
        }
        desk.finish(&mut self.due);
        let mut goes_on = false;
        for due in self.due.drain(..) {
            let (index, generation) = due.connection;
            if due.connection == FILE {
                goes_on |= self.file.as_ref().is_some_and(|file| file.answer(&due, desk));
            } else if due.connection == DEVICE {
                if let Some(device) = &self.device {
                    device.answer(due);
                }
            } else if let Some((current, Some(one))) = self.connections.get_mut(index)
                && *current == generation
            {
                one.in_flight -= 1;
                one.in_flight_bytes -= due.held;
                one.last_late_ns = due.late_ns;
                one.say(due.answer);
            }
        }
        self.each(Connection::send);
        desk.count();
        let mut all = self.connections.iter().filter_map(|(_, one)| one.as_ref());
        (desk.work_due_ns(), all.any(Connection::goes_on) || goes_on)
    }

    /// Takes in what a client said, as far as it is listened to.
    fn take_in(&mut self, index: usize, desk: &mut Desk) {
        let Some((generation, Some(one))) = self.connections.get_mut(index) else { return };
        one.held_back = false;
        loop {
            let Some(agreed) = one.agreed() else {
                one.shake_hands(desk.export());
                if one.agreed().is_none() {
                    return;
                }
                continue;
            };
            if !one.listens() {
                one.held_back = !one.unread().is_empty();
                return;
            }
            let replies = one.replies();
            match parse(one.unread(), desk.export(), agreed) {
                Ok(Parsed::More(_)) => return,
                Ok(Parsed::Refused { cookie, error, bytes }) => {
                    one.understood(bytes);
                    one.say(desk.refuse(cookie, error, replies));
                }
                Ok(Parsed::Whole(request, bytes)) if request.command == Command::Disconnect => {
                    one.understood(bytes);
                    one.leave();
                    return;
                }
                Ok(Parsed::Whole(request, bytes)) => {
                    let connection = (index, *generation);
                    let after_late_ns = one.last_late_ns;
                    let caller = Caller { connection, replies, after_late_ns };
                    let data = &one.unread()[HEADER_BYTES..bytes];
                    match desk.take(&request, data, &caller) {
                        Taken::Answered(answer) => one.say(answer),
                        Taken::InFlight(bytes) => {
                            one.in_flight += 1;
                            one.in_flight_bytes += bytes;
                        }
                    }
                    one.understood(bytes);
                }
                Err(_) => {
                    one.give_up();
                    return;
                }
            }
        }
    }

    fn each(&mut self, act: impl Fn(&mut Connection)) {
        self.connections.iter_mut().filter_map(|(_, one)| one.as_mut()).for_each(act);
    }

    fn reap(&mut self, now_ns: u64) {
        for (_, one) in &mut self.connections {
            if one.as_ref().is_some_and(|one| one.is_over(now_ns)) {
                *one = None;
            }
        }
    }

    /// Waits until something is due or a client speaks, and hears what clients say.
    fn wait(&mut self, shared: &Shared, due_ns: Option<u64>) -> io::Result<()> {
        let patience =
            self.connections.iter().filter_map(|(_, one)| one.as_ref()?.patience_ends_ns());
        let until_ns = patience.chain(self.ends_ns).chain(due_ns).min();
        let mut fds = Vec::with_capacity(2 + self.connections.len());
        let mut whose = Vec::with_capacity(self.connections.len());
        fds.push(PollFd::new(&shared.wake, PollFlags::IN));
        if let Some(listener) = &self.listener {
            fds.push(PollFd::new(listener, PollFlags::IN));
        }
        let clients = fds.len();
        for (index, (_, one)) in self.connections.iter().enumerate() {
            let Some(one) = one else { continue };
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, one.listens());
            flags.set(PollFlags::OUT, one.has_output());
            fds.push(PollFd::new(one.socket(), flags));
            whose.push(index);
        }
        if self.waiter.wait(until_ns, &mut fds)? == Woken::Deadline {
            return Ok(());
        }
        let woken = !fds[0].revents().is_empty();
        let comes = clients == 2 && !fds[1].revents().is_empty();
        let said: Vec<(usize, PollFlags)> =
            whose.into_iter().zip(fds[clients..].iter().map(PollFd::revents)).collect();
        drop(fds);
        if woken {
            let _ = rustix::io::read(&shared.wake, &mut [0_u8; 8]);
        }
        for (index, flags) in said {
            self.hear(index, flags);
        }
        if comes { self.let_in(shared) } else { Ok(()) }
    }

    fn hear(&mut self, index: usize, flags: PollFlags) {
        let Some((_, Some(one))) = self.connections.get_mut(index) else { return };
        if flags.contains(PollFlags::IN) {
            one.receive();
        } else if flags.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            one.give_up();
        }
    }

    fn let_in(&mut self, shared: &Shared) -> io::Result<()> {
        let Some(listener) = &self.listener else { return Ok(()) };
        let socket = match listener.accept() {
            Ok(socket) => socket,
            // It went again, or the process has no descriptor left: the others are served on.
            Err(_) => return Ok(()),
        };
        if self.connections.iter().filter(|(_, one)| one.is_some()).count() >= MOST_CONNECTIONS {
            // A client that is let go at once can say so; one that waits for a greeting cannot.
            return Ok(());
        }
        if let Some(desk) = &mut *shared.desk() {
            desk.tally.connections += 1;
        }
        self.generation += 1;
        let one = (self.generation, Some(Connection::new(socket, now_ns())));
        match self.connections.iter_mut().find(|(_, place)| place.is_none()) {
            Some(place) => *place = one,
            None => self.connections.push(one),
        }
        Ok(())
    }
}
