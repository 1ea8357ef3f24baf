//! The generated tasks against their published characteristics.

use super::{Placing, Task};
use crate::flow::{Event, Item};
use std::collections::BTreeMap;

fn steps(task: Task, seed: u64) -> Vec<crate::flow::Step> {
    let (_, records) = task.flow(seed);
    let step = |record: crate::flow::FlowRecord| match record.item {
        Item::Step(step) => Some(step),
        _ => None,
    };
    records.into_iter().filter_map(step).collect()
}

#[test]
fn tasks_compute_and_move_what_is_published() {
    for (task, computation_ms, read, written) in [
        (Task::Compress, 162_000.0, 7_936, 2_816),
        (Task::Uncompress, 91_000.0, 2_816, 7_936),
        (Task::Copytree, 17_600.0, 3_584, 3_584),
        (Task::Removetree, 3_050.0, 0, 0),
    ] {
        let steps = steps(task, 3);
        let computation: f64 = steps.iter().map(|step| step.compute.as_ms()).sum();
        assert!((computation / computation_ms - 1.0).abs() < 0.001, "{task:?}: {computation} ms");
        let reads = steps.iter().filter(|step| matches!(step.event, Event::Read { .. })).count();
        let writes = steps.iter().filter(|step| matches!(step.event, Event::Write { .. })).count();
        assert_eq!((reads, writes), (read, written), "{task:?}");
        assert_eq!(steps.last().map(|step| step.event), Some(Event::Exit));
    }
}

#[test]
fn files_do_not_overlap_and_lie_on_the_disk() {
    for task in Task::ALL {
        let (header, records) = task.flow(5);
        let mut taken = BTreeMap::new();
        for record in records {
            if let Item::Extent(extent) = record.item {
                let end = extent.lba + u64::from(extent.pages) * 8;
                assert!(end <= header.device.sectors, "{task:?}: {extent:?}");
                let before = taken.range(..end).next_back();
                assert!(before.is_none_or(|(_, before)| *before <= extent.lba), "{extent:?}");
                taken.insert(extent.lba, end);
            }
        }
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    assert_eq!(Task::Copytree.flow(1).1, Task::Copytree.flow(1).1);
    assert_ne!(Task::Copytree.flow(1).1, Task::Copytree.flow(2).1);
}

#[test]
fn files_begin_where_they_are_told_to_and_all_else_stays() {
    let lbas = |begins| {
        let placing = Placing { begins, ..Placing::default() };
        let (_, records) = Task::Removetree.flow_placed(1, placing);
        let written = |record: &crate::flow::FlowRecord| match record.item {
            Item::Step(crate::flow::Step { event: Event::WriteBlock { lba, .. }, .. }) => Some(lba),
            _ => None,
        };
        records.iter().filter_map(written).collect::<Vec<u64>>()
    };
    let (drawn, outer, middle) =
        (lbas([None; 2]), lbas([Some(0), None]), lbas([Some(500_000), None]));
    assert!(drawn.len() == outer.len() && outer.len() == middle.len());
    // The first directory is in the group after.
    let group = |lba: u64| lba / (16 * 1_001);
    assert_eq!((group(outer[0]), group(middle[0])), (1, 65));
    assert_eq!(lbas([None, Some(7)]), drawn, "it asks for one group alone");
}
