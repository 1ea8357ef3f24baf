//! What a scheduler is told before a command is what then happens.

use crate::dice::Dice;
use crate::random_drive::{commands, drives, wishes};
use platterlab_drive::{CacheOutcome, Drive, Latency};
use platterlab_units::{Operation, Time};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn reads_meet_the_estimates(mut params in drives(), wishes in wishes()) {
        params.mechanism.latency = Latency::Tracked;
        params.mechanism.seek_scatter = None;
        params.cache.write_back = None;
        let mut drive = Drive::new(&params).expect("the drive is legal");
        let mut now = Time::from_ps(1 << 50);
        for (command, wish) in commands(&drive, &wishes).into_iter().zip(&wishes) {
            now += wish.think;
            let before = drive.clone();
            let service = drive.serve(now, command, &mut Dice(1));
            if command.operation == Operation::Read {
                let told = before.would_hit(now, command.lba, command.sectors);
                let hit = service.cache == CacheOutcome::Hit;
                prop_assert_eq!(told, hit, "{:?} got {:?}", command, service);
                if service.cache == CacheOutcome::Miss {
                    let first = service.media_end - service.transfer;
                    let told = before.positioning(now, command.lba, command.operation);
                    prop_assert_eq!(now + told, first, "{:?} got {:?}", command, service);
                }
            }
            prop_assert!(service.bus_from >= now);
            prop_assert!(service.bus_from + service.bus_held <= service.completion);
            prop_assert!(service.bus_span <= service.bus_held);
            prop_assert!(service.bus_from + service.bus_span + service.bus_rest <= service.completion);
            now = service.completion;
        }
    }
}
