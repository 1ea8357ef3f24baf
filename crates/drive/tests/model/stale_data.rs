//! The cache never has what it cannot have: data overwritten since it was read, and data that the
//! head has not passed yet.

use crate::dice::Dice;
use crate::random_drive::{commands, drives, wishes};
use platterlab_drive::{
    CacheOutcome, Command, Drive, DriveParams, Latency, OnHit, Overwritten, ReadAhead, Service,
};
use platterlab_units::{Operation, Time};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// What the buffer can hold at most, from nothing but the commands and their outcomes.
struct Oracle {
    can_hold: BTreeSet<u64>,
    /// Read-ahead goes on from this address since then.
    reading_on: Option<(u64, Time)>,
    capacity: u64,
    /// No sector passes faster; 0 if sectors take no time.
    fastest_sector_ps: u64,
    reads_ahead: bool,
    whole_tracks: bool,
    starts_on_hits: bool,
    keeps_written: bool,
    updates_written: bool,
}

impl Oracle {
    fn new(params: &DriveParams, drive: &Drive) -> Self {
        let per_track =
            params.layout.zones.iter().map(platterlab_drive::ZoneParams::most_sectors).max();
        let sector_ps = params.mechanism.rotation.as_ps() / u64::from(per_track.unwrap_or(1));
        let tracked = params.mechanism.latency == Latency::Tracked;
        Self {
            can_hold: BTreeSet::new(),
            reading_on: None,
            capacity: drive.layout().capacity(),
            fastest_sector_ps: if params.mechanism.media_transfer { sector_ps } else { 0 },
            reads_ahead: params.cache.read_ahead != ReadAhead::None,
            whole_tracks: match params.cache.read_ahead {
                ReadAhead::OnArrival => tracked,
                ReadAhead::WholeTrack => true,
                _ => false,
            },
            starts_on_hits: params.cache.read_ahead_on_hit == OnHit::Start,
            keeps_written: params.cache.hits_on_written || params.cache.write_back.is_some(),
            updates_written: matches!(
                params.cache.overwritten,
                Overwritten::Updated | Overwritten::Dropped
            ),
        }
    }

    /// The addresses read-ahead can have passed by `now`.
    fn passed(&self, now: Time) -> std::ops::Range<u64> {
        let Some((from, since)) = self.reading_on.filter(|_| self.reads_ahead) else {
            return 0..0;
        };
        let sectors = match self.fastest_sector_ps {
            0 => self.capacity,
            sector => (now - since).as_ps() / sector + 1,
        };
        from..(from + sectors).min(self.capacity)
    }

    fn can_hold(&self, lba: u64, now: Time) -> bool {
        self.can_hold.contains(&lba) || self.passed(now).contains(&lba)
    }

    fn stop_reading_on(&mut self, now: Time) {
        self.can_hold.extend(self.passed(now));
        self.reading_on = None;
    }

    /// The addresses on the track of `lba`.
    fn track(&self, drive: &Drive, lba: u64) -> Vec<u64> {
        let track = |lba| drive.layout().locate(lba).map(|at| (at.cylinder, at.surface));
        let near = lba.saturating_sub(40)..(lba + 40).min(self.capacity);
        near.filter(|other| track(*other) == track(lba)).collect()
    }

    /// Checks an answer, and learns from it.
    fn check(&mut self, drive: &Drive, issue: Time, command: &Command, service: &Service) -> bool {
        let addresses = command.lba..command.lba + u64::from(command.sectors);
        let now = service.completion;
        if command.operation == Operation::Write {
            self.stop_reading_on(now);
            for lba in addresses {
                if self.keeps_written {
                    self.can_hold.insert(lba);
                } else if !self.updates_written {
                    self.can_hold.remove(&lba);
                }
            }
            return true;
        }
        let possible = match service.cache {
            CacheOutcome::Hit => addresses.clone().all(|lba| self.can_hold(lba, now)),
            CacheOutcome::Partial => self.can_hold(command.lba, now),
            CacheOutcome::InFlight => self.reading_on.is_some() && self.reads_ahead,
            _ => true,
        };
        match service.cache {
            CacheOutcome::Miss | CacheOutcome::Partial => {
                self.stop_reading_on(now);
                self.reading_on = Some((addresses.end, issue));
                if self.whole_tracks {
                    self.can_hold.extend(self.track(drive, command.lba));
                }
                self.can_hold.extend(addresses);
            }
            CacheOutcome::InFlight => self.can_hold.extend(addresses),
            CacheOutcome::Hit if self.starts_on_hits => {
                self.stop_reading_on(now);
                let held = |lba: &u64| self.can_hold.contains(lba);
                let next = (addresses.end..self.capacity).find(|lba| !held(lba));
                self.reading_on = Some((next.unwrap_or(self.capacity), issue));
            }
            _ => {}
        }
        possible
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_the_buffer_answers_it_can_hold(params in drives(), wishes in wishes()) {
        let mut drive = Drive::new(&params).expect("the drive is legal");
        let mut oracle = Oracle::new(&params, &drive);
        let mut now = Time::from_ps(1 << 50);
        for (command, wish) in commands(&drive, &wishes).into_iter().zip(&wishes) {
            now += wish.think;
            let service = drive.serve(now, command, &mut Dice(1));
            let possible = oracle.check(&drive, now, &command, &service);
            prop_assert!(possible, "{:?} got {:?}", command, service);
            now = service.completion;
        }
    }
}
