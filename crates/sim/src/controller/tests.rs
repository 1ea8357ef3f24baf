//! The cache against contents: whatever is under way and whenever it is done, a read never gives
//! what had been overwritten before it began.

use super::*;
use crate::array::Piece;
use crate::chance::LatencyStream;
use crate::scheduler::{QueueOptions, Scheduler};
use platterlab_units::{Operation, Partial, Span};
use proptest::prelude::*;
use std::collections::BTreeMap;

const SECTORS: u64 = 60;

pub(crate) fn options() -> CacheOptions {
    CacheOptions {
        buses: Vec::new(),
        sector_time: [Span::ZERO; 2],
        queue: QueueOptions::of(Scheduler::Fcfs),
        depth: 4,
        store: Store::Memory,
        size_sectors: 24,
        line_sectors: 4,
        granule_sectors: 1,
        max_request_sectors: 12,
        replacement: Replacement::Lru,
        allocation: Allocation::Any,
        write: WriteScheme::Back,
        flush: FlushOptions { period: None, idle_delay: None, max_cluster_lines: 2 },
        read_prefetch: Prefetch::None,
        write_prefetch: Prefetch::None,
        line_by_line: false,
        max_gather_lines: None,
    }
}

/// A value a sector had: when its write began, and when it was done.
#[derive(Clone, Copy, Debug)]
struct Version {
    value: u32,
    done: Option<u64>,
    begun: u64,
}

/// A command to a device, with what it writes.
#[derive(Clone, Debug)]
struct Command {
    piece: Piece,
    data: BTreeMap<u64, u32>,
}

#[derive(Debug, Default)]
struct OracleWork {
    want: Option<(Piece, u32, u64)>,
    later: Vec<Piece>,
    now: Vec<Command>,
    fetched: BTreeMap<u64, u32>,
    lifted: BTreeMap<u64, u32>,
    ready: bool,
    replied: bool,
}

/// The contents that a cache stands for.
struct Bench {
    cache: Cache,
    /// The slow device, and the one that keeps the data.
    disks: [Vec<u32>; 2],
    /// What the lines hold in memory.
    memory: BTreeMap<u64, u32>,
    works: BTreeMap<u32, OracleWork>,
    waiting: Vec<(Piece, u32, u64)>,
    versions: Vec<Vec<Version>>,
    clock: u64,
}

impl Bench {
    fn new(options: CacheOptions) -> Self {
        let slow = vec![0; SECTORS as usize];
        let first = Version { value: 0, done: Some(0), begun: 0 };
        Self {
            cache: Cache::new(options, vec![SECTORS, 1_000], LatencyStream::new(3)),
            disks: [slow, vec![u32::MAX; 1_000]],
            memory: BTreeMap::new(),
            works: BTreeMap::new(),
            waiting: Vec::new(),
            versions: vec![vec![first]; SECTORS as usize],
            clock: 1,
        }
    }

    fn range(piece: &Piece) -> std::ops::Range<u64> {
        piece.lba..piece.lba + u64::from(piece.sectors)
    }

    fn offer(&mut self, want: Piece) {
        self.clock += 1;
        let value = self.clock as u32;
        if want.operation == Operation::Write {
            for at in Self::range(&want) {
                let version = Version { value, done: None, begun: self.clock };
                self.versions[at as usize].push(version);
            }
        }
        self.waiting.push((want, value, self.clock));
        self.admit();
    }

    fn admit(&mut self) {
        for offered in std::mem::take(&mut self.waiting) {
            let mut out = Vec::new();
            match self.cache.begin(offered.0, &mut out) {
                None => self.waiting.push(offered),
                Some(job) => {
                    self.works
                        .insert(job, OracleWork { want: Some(offered), ..OracleWork::default() });
                    self.start(job, out);
                }
            }
        }
    }

    fn flush(&mut self) {
        let mut out = Vec::new();
        if let Some(job) = self.cache.begin_flush(&mut out) {
            assert!(!out.is_empty());
            self.works.insert(job, OracleWork::default());
            self.start(job, out);
        }
    }

    /// The commands of a job; those that write take along what they write.
    fn start(&mut self, job: u32, out: Vec<Piece>) {
        let work = self.works.get_mut(&job).expect("it is there");
        // A flush writes what the lines hold now, before they become something else.
        for piece in &out {
            if piece.device == 0 && piece.operation == Operation::Write {
                for at in Self::range(piece) {
                    if let Some(value) = self.memory.get(&at) {
                        work.lifted.insert(at, *value);
                    }
                }
            }
        }
        work.later = out;
        self.next_stage(job);
    }

    fn next_stage(&mut self, job: u32) {
        let work = self.works.get_mut(&job).expect("it is there");
        let Some(stage) = work.later.iter().map(|piece| piece.stage).min() else {
            return self.stage_over(job);
        };
        let (now, later) = work.later.drain(..).partition(|piece: &Piece| piece.stage == stage);
        work.later = later;
        let data = |piece: &Piece| {
            let want = work.want.filter(|(want, ..)| want.operation == Operation::Write);
            let each = |at: u64| {
                let new = want.filter(|(want, ..)| Self::range(want).contains(&at));
                // What goes past the cache or through it is new, what is flushed was in the lines.
                let own = new.filter(|_| work.ready || piece.stage == 2);
                let value = own.map(|(_, value, _)| value).or(work.lifted.get(&at).copied());
                (at, value.expect("a write has data"))
            };
            Self::range(piece).map(each).collect()
        };
        let command = |piece: Piece| Command {
            data: match piece.operation {
                Operation::Write => data(&piece),
                Operation::Read => BTreeMap::new(),
            },
            piece,
        };
        work.now = Vec::from_iter(<Vec<Piece>>::into_iter(now).map(command));
    }

    /// One of the commands under way is done.
    fn step(&mut self, which: usize) {
        self.clock += 1;
        let all: Vec<(u32, usize)> = self
            .works
            .iter()
            .flat_map(|(job, work)| (0..work.now.len()).map(|index| (*job, index)))
            .collect();
        if all.is_empty() {
            return;
        }
        let (job, index) = all[which % all.len()];
        let work = self.works.get_mut(&job).expect("it is there");
        let command = work.now.swap_remove(index);
        for at in Self::range(&command.piece) {
            match command.piece.operation {
                Operation::Read => {
                    work.fetched.insert(at, self.disks[0][at as usize]);
                }
                Operation::Write => self.disks[0][at as usize] = command.data[&at],
            }
        }
        if work.now.is_empty() {
            self.next_stage(job);
        }
    }

    fn stage_over(&mut self, job: u32) {
        let work = self.works.get_mut(&job).expect("it is there");
        if work.ready {
            return self.finish(job);
        }
        work.ready = true;
        let bypass = work
            .want
            .is_some_and(|(want, ..)| want.sectors > self.cache.options().max_request_sectors);
        if bypass {
            if let Some((want, ..)) = work.want
                && want.operation == Operation::Write
            {
                let cache = &self.cache;
                self.memory
                    .retain(|&at, _| !Self::range(&want).contains(&at) || cache.holds(0, at));
            }
        } else {
            // What is fetched does not cover what came meanwhile.
            for (&at, &value) in &work.fetched {
                if !self.cache.holds(0, at) {
                    self.memory.insert(at, value);
                }
            }
            if let Some((want, value, _)) = work.want
                && want.operation == Operation::Write
            {
                self.memory.extend(Self::range(&want).map(|at| (at, value)));
            }
        }
        let mut out = Vec::new();
        let ready = self.cache.ready(job, &mut out);
        if ready.reply {
            self.reply(job);
        }
        if ready.more {
            self.start(job, out);
        } else {
            self.finish(job);
        }
    }

    fn finish(&mut self, job: u32) {
        self.cache.finish(job);
        self.reply(job);
        self.works.remove(&job);
        self.admit();
    }

    fn reply(&mut self, job: u32) {
        let work = self.works.get_mut(&job).expect("it is there");
        let Some((want, value, begun)) = work.want else { return };
        if std::mem::replace(&mut work.replied, true) {
            return;
        }
        for at in Self::range(&want) {
            let versions = &mut self.versions[at as usize];
            if want.operation == Operation::Write {
                let mine = versions.iter_mut().find(|version| version.value == value);
                mine.expect("it was offered").done = Some(self.clock);
                continue;
            }
            let held = self
                .memory
                .get(&at)
                .filter(|_| want.sectors <= self.cache.options().max_request_sectors);
            let got = *held.or(work.fetched.get(&at)).expect("what is read is somewhere");
            let source = versions.iter().find(|version| version.value == got).expect("it existed");
            let overwritten = versions.iter().any(|later| {
                source.done.is_some_and(|done| done < later.begun)
                    && later.done.is_some_and(|done| done < begun)
            });
            assert!(!overwritten, "sector {at}: {got} is stale");
        }
    }

    fn settle(&mut self) {
        while !self.works.is_empty() {
            self.step(0);
        }
        assert!(self.waiting.is_empty(), "nobody waits for ever");
    }
}

fn schemes() -> impl Strategy<Value = CacheOptions> {
    let write = prop::sample::select(vec![
        WriteScheme::Through,
        WriteScheme::ThroughEarly,
        WriteScheme::BatteryBacked,
    ]);
    let replacement = prop::sample::select(vec![
        Replacement::Fifo,
        Replacement::Lifo,
        Replacement::Random,
        Replacement::Lru,
        Replacement::SegmentedLru { shares: vec![0.4, 0.6] },
        Replacement::Arc,
    ]);
    let kind =
        prop::sample::select(vec![Prefetch::None, Prefetch::Front, Prefetch::Rest, Prefetch::Line]);
    (write, replacement, kind, 1..=2_u32, 1..4_u32, any::<[bool; 3]>()).prop_map(
        |(write, replacement, prefetch, granule, cluster, flags)| CacheOptions {
            write,
            replacement,
            read_prefetch: prefetch,
            write_prefetch: prefetch,
            granule_sectors: granule,
            allocation: if flags[0] { Allocation::CleanFirst } else { Allocation::Any },
            line_by_line: flags[1],
            max_gather_lines: flags[2].then_some(2),
            flush: FlushOptions { max_cluster_lines: cluster, ..options().flush },
            ..options()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_read_never_gives_what_was_overwritten(
        options in schemes(),
        acts in prop::collection::vec((0..6_u32, any::<u64>(), 1..16_u32, any::<usize>()), 1..150),
    ) {
        let mut bench = Bench::new(options);
        for (kind, lba, sectors, which) in acts {
            let lba = lba % SECTORS;
            let sectors = sectors.min((SECTORS - lba) as u32);
            let want = |operation| Piece {
                device: 0, lba, sectors, operation, stage: 0, rewrite: false, partial: Partial::WHOLE, part: 0,
            };
            match kind {
                0 => bench.offer(want(Operation::Read)),
                1 => bench.offer(want(Operation::Write)),
                2 => bench.flush(),
                _ => bench.step(which),
            }
        }
        bench.settle();
        // In the end everything is on the device.
        while bench.cache.is_dirty() {
            bench.flush();
            bench.settle();
        }
        let last = |versions: &Vec<Version>, at: usize| {
            let value = bench.disks[0][at];
            let source = versions.iter().find(|version| version.value == value)
                .expect("it existed");
            let done = source.done.expect("all are done");
            versions.iter().all(|later| later.begun <= done)
        };
        for (at, versions) in bench.versions.iter().enumerate() {
            prop_assert!(last(versions, at), "sector {}", at);
        }
    }
}

#[test]
fn a_loss_of_power_costs_what_is_dirty_unless_a_battery_keeps_it() {
    for battery in [false, true] {
        let write = if battery { WriteScheme::BatteryBacked } else { WriteScheme::Back };
        let mut bench = Bench::new(CacheOptions { write, ..options() });
        let (operation, partial) = (Operation::Write, Partial::WHOLE);
        let (device, lba, sectors, stage, rewrite) = (0, 3, 5, 0, false);
        bench.offer(Piece { device, lba, sectors, operation, stage, rewrite, partial, part: 0 });
        bench.settle();
        assert_eq!(bench.cache.report().dirty_sectors, 5);
        bench.cache.lose_power();
        let report = bench.cache.report();
        let expected = if battery { (5, 0) } else { (0, 5) };
        assert_eq!((report.dirty_sectors, report.lost_sectors), expected);
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_would_be_right() {
    let refused = |cache: CacheOptions| {
        let cache = Some(cache);
        let options = ControllerOptions {
            overhead: [Span::ZERO; 2],
            max_outstanding: None,
            forgetful: false,
            cache,
        };
        check(&options).expect_err("it makes no sense").to_string()
    };
    assert!(refused(CacheOptions { line_sectors: 0, ..options() }).contains("multiple"));
    assert!(refused(CacheOptions { line_sectors: 128, ..options() }).contains("2 or more"));
    assert!(refused(CacheOptions { size_sectors: 3, ..options() }).contains("lines"));
    assert!(refused(CacheOptions { max_request_sectors: 22, ..options() }).contains("21 or less"));
    assert!(refused(CacheOptions { depth: 0, ..options() }).contains("1 or more"));
    let replacement = Replacement::SegmentedLru { shares: vec![0.5, 0.4] };
    assert!(refused(CacheOptions { replacement, ..options() }).contains("1 together"));
}
