//! Properties of the whole drive, over random drives and command sequences.

use crate::dice::Dice;
use crate::random_drive::{Wish, commands, drives, wishes};
use platterlab_drive::{
    CacheOutcome, Command, Drive, DriveParams, Latency, SeekCurve, Service, WriteReport,
};
use platterlab_units::{Operation, Span, Time};
use proptest::prelude::*;

/// A clock far enough on that its origin can move.
const START: Time = Time::from_ps(1 << 50);

fn run(params: &DriveParams, wishes: &[Wish]) -> Vec<(Time, Command, Service)> {
    let mut drive = Drive::new(params).expect("the drive is legal");
    let mut dice = Dice(7);
    let mut now = START;
    let mut served = Vec::new();
    for (command, wish) in commands(&drive, wishes).into_iter().zip(wishes) {
        now += wish.think;
        let service = drive.serve(now, command, &mut dice);
        served.push((now, command, service));
        now = service.completion;
    }
    served
}

fn sum(service: &Service) -> Span {
    let Service { overhead, wait, seek, rotation, transfer, bus, .. } = *service;
    [overhead, wait, seek, rotation, transfer, bus].into_iter().sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn the_parts_add_up_to_the_service_time(params in drives(), wishes in wishes()) {
        for (issue, command, service) in run(&params, &wishes) {
            prop_assert_eq!(service.completion - issue, sum(&service), "{:?} {:?}", command, service);
        }
    }

    #[test]
    fn a_hit_takes_overhead_and_bus_and_nothing_else(params in drives(), wishes in wishes()) {
        let mut params = params;
        params.controller.rules = vec![];
        params.controller.track_end = None;
        let mut previous = Operation::Read;
        for (issue, command, service) in run(&params, &wishes) {
            if service.cache == CacheOutcome::Hit {
                let before = params.controller.overhead[0][1][previous.index()];
                let bus = params.bus.read_sector * u64::from(command.sectors);
                // Only a buffer that takes written data in turn has anything to wait for.
                let in_turn = params.cache.write_report == WriteReport::BufferInTurn;
                let waits = if in_turn { service.wait } else { Span::ZERO };
                let expected = before + waits + bus + params.controller.completion[0];
                prop_assert_eq!(service.completion - issue, expected);
                let waiting = params.cache.write_back.map_or(0, |it| it.sectors);
                prop_assert!(command.sectors <= params.cache.segment_sectors.max(waiting));
            }
            previous = command.operation;
        }
    }

    #[test]
    fn outcomes_are_those_the_drive_is_able_to(params in drives(), wishes in wishes()) {
        use CacheOutcome::{Hit, InFlight, Miss, Partial, Reported};
        let cache = &params.cache;
        for (_, command, service) in run(&params, &wishes) {
            let able = match (command.operation, service.cache) {
                (_, Miss) => true,
                (Operation::Read, Hit) => cache.segments > 0 || cache.write_back.is_some(),
                (Operation::Read, Partial) => cache.segments > 0 && cache.partial_hits,
                (Operation::Read, InFlight) => {
                    cache.segments > 0 && cache.read_ahead != platterlab_drive::ReadAhead::None
                }
                (Operation::Write, Reported) => {
                    cache.write_report != platterlab_drive::WriteReport::Media
                        && command.may_report_early
                        && command.sectors
                            <= cache.write_back.map_or(cache.buffer_sectors.unwrap_or(u32::MAX), |it| it.sectors)
                }
                _ => false,
            };
            prop_assert!(able, "{:?} {:?}", command, service);
        }
    }

    #[test]
    fn the_media_is_never_faster_than_the_platter(params in drives(), wishes in wishes()) {
        prop_assume!(params.mechanism.media_transfer);
        let per_track = params.layout.zones.iter().map(platterlab_drive::ZoneParams::most_sectors).max();
        let turn_ps = u128::from(params.mechanism.rotation.as_ps());
        for (_, command, service) in run(&params, &wishes) {
            let cache = &params.cache;
            let on_arrival = match command.operation {
                Operation::Read => {
                    cache.zero_latency_read
                        || cache.read_ahead == platterlab_drive::ReadAhead::OnArrival
                }
                Operation::Write => cache.zero_latency_write,
            };
            if service.cache == CacheOutcome::Miss && !on_arrival {
                let sectors = u128::from(command.sectors);
                let least_ps = turn_ps * sectors / u128::from(per_track.unwrap_or(1));
                prop_assert!(u128::from(service.transfer.as_ps()) + sectors >= least_ps);
            }
        }
    }

    #[test]
    fn the_same_inputs_give_the_same_outputs(params in drives(), wishes in wishes()) {
        prop_assert_eq!(run(&params, &wishes), run(&params, &wishes));
    }

    #[test]
    fn moving_the_origin_changes_the_origin_alone(
        params in drives(),
        wishes in wishes(),
        by in 0u64..1 << 49,
        after in 0usize..60,
    ) {
        let mut drive = Drive::new(&params).expect("the drive is legal");
        let mut dice = Dice(7);
        let mut moved = Span::ZERO;
        for (number, (issue, command, service)) in run(&params, &wishes).into_iter().enumerate() {
            if number == after {
                moved = Span::from_ps(by);
                drive.rebase(moved);
            }
            let mut ours = drive.serve(issue - moved, command, &mut dice);
            ours.completion += moved;
            ours.bus_from += moved;
            ours.media_end += moved;
            prop_assert_eq!(ours, service);
        }
    }

    #[test]
    fn with_every_feature_off_all_commands_take_the_same_time(
        params in drives(),
        wishes in wishes(),
        constant_us in 0u64..20_000,
    ) {
        let mut params = params;
        params.mechanism.latency = Latency::Mean;
        params.mechanism.media_transfer = false;
        params.mechanism.seek = SeekCurve::Constant { time: Span::ZERO };
        params.mechanism.seek_back = None;
        params.mechanism.seek_scatter = None;
        params.mechanism.resettle = [Span::ZERO; 2];
        params.mechanism.head_switch = [Span::ZERO; 2];
        params.mechanism.track_switch = None;
        params.mechanism.settle = [Span::ZERO; 2];
        params.controller.overhead = [[[Span::from_us(constant_us); 2]; 2]; 2];
        params.controller.completion = [Span::ZERO; 2];
        params.controller.rules = vec![];
        params.controller.track_end = None;
        params.cache.segments = 0;
        params.cache.write_report = platterlab_drive::WriteReport::Media;
        params.cache.write_back = None;
        params.bus.read_sector = Span::ZERO;
        params.bus.write_sector = Span::ZERO;
        params.bus.reconnect = Span::ZERO;
        params.bus.write_delay = Span::ZERO;
        let expected = Span::from_us(constant_us) + params.mechanism.rotation / 2;
        for (issue, _, service) in run(&params, &wishes) {
            prop_assert_eq!(service.completion - issue, expected);
        }
    }
}
