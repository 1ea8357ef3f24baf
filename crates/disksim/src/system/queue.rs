//! `disksim_ioqueue`: scheduling.

use super::ExperimentSheet;
use crate::syntax::{Block, DiskSimError, Fields, QUEUE};
use platterlab_experiment::ms;
use platterlab_experiment::options::{
    Combine, Key, Overlap, Rules, Scheduler, TimeoutRule, Together,
};
use platterlab_profile::Size;
use platterlab_sim::scheduler::QueueOptions;
use platterlab_units::SECTOR_BYTES_DEFAULT;

/// Whose queue it is: what knows where the arm is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The driver's, or a controller's: reckons from the sector that passed last.
    Host,
    /// A disk's: knows where its own arm is, and reckons as if it could leave at once.
    Drive,
}

/// Maps a queue to the experiment's terms.
pub(crate) fn map(
    block: &Block,
    owner: Owner,
    sheet: &mut ExperimentSheet,
) -> Result<QueueOptions<Size>, DiskSimError> {
    let fields = Fields::check(block, QUEUE)?;
    let weight = fields.number_if("Timeout time/weight", 0.0, 1e6)?.unwrap_or(0.0);
    let policy = |name: &str| Ok(owner.reckons(policy(&fields, name, weight)?));
    let mut scheduler = policy("Scheduling policy")?;
    let critical = match fields.whole_or_0("Scheduling priority scheme", 1)? {
        0 => None,
        _ => Some(policy("Priority scheduling")?),
    };
    let timeout = match fields.whole_or_0("Scheduling timeout scheme", 2)? {
        0 => None,
        _ if weight <= 0.0 => {
            // Late as soon as they come, none of them is in the other queue.
            scheduler = policy("Timeout scheduling")?;
            let what =
                "`Timeout time/weight` is 0: all requests go by `Timeout scheduling` at once";
            sheet.note(fields.place("Timeout time/weight"), what);
            None
        }
        scheme => Some(TimeoutRule {
            after: ms(weight * 1e3),
            scheduler: policy("Timeout scheduling")?,
            halves: scheme == 2,
        }),
    };
    let rules = rules(&fields)?;
    mapping(&fields, owner, sheet)?;
    initiation(&fields, sheet)?;
    Ok(QueueOptions { critical, timeout, rules, ..QueueOptions::of(scheduler) })
}

impl Owner {
    fn reckons(self, mut scheduler: Scheduler) -> Scheduler {
        match &mut scheduler {
            _ if self == Self::Host => {}
            Scheduler::AgedSptf { from_last_sector, at_once, .. }
            | Scheduler::WeightedSptf { from_last_sector, at_once, .. } => {
                (*at_once, *from_last_sector) = (*from_last_sector, false);
            }
            Scheduler::SptfFromLastSector => scheduler = Scheduler::SptfAtOnce,
            _ => {}
        }
        scheduler
    }
}

/// The manual's numbers of the policies, as DiskSim's answers show them.
fn policy(fields: &Fields<'_>, name: &str, weight: f64) -> Result<Scheduler, DiskSimError> {
    let number = fields.whole(name, u32::MAX)?;
    // Time that was waited counts in seconds.
    let aged = |weight: f64, cache_aware, with_transfer| Scheduler::AgedSptf {
        weight: weight / 1e3,
        cache_aware,
        with_transfer,
        from_last_sector: true,
        at_once: false,
    };
    let weighted = |cache_aware, with_transfer| Scheduler::WeightedSptf {
        limit: ms(weight * 1e3),
        cache_aware,
        with_transfer,
        from_last_sector: true,
        at_once: false,
    };
    let by = Key::Lba;
    Ok(match number {
        1 => Scheduler::Fcfs,
        2 => Scheduler::Look { by },
        3 => Scheduler::CLook { by },
        4 | V_SCAN_LBN => Scheduler::Sstf { by },
        5..=7 | V_SCAN_CYL => Scheduler::LowestFirst,
        8 => Scheduler::SptfFromLastSector,
        9 => aged(0.0, true, false),
        10 => aged(0.0, false, true),
        // Of no time nothing is left for anyone, and the first to come goes first.
        11..=13 if weight <= 0.0 => Scheduler::Fcfs,
        11 => weighted(false, false),
        12 => weighted(true, false),
        13 => weighted(false, true),
        14 => aged(weight, false, false),
        15 => aged(weight, true, false),
        16 => aged(weight, false, true),
        28 => Scheduler::Batch { by },
        _ => {
            let why = UNDEFINED.iter().find(|(other, ..)| *other == number);
            let what = match why {
                Some((_, policy, instead)) => format!(
                    "`{name}` = {number} ({policy}) is not said exactly in DiskSim's manual, so it \
                     cannot be honoured; {instead}"
                ),
                None => format!("`{name}` = {number} is not a policy; write 1 to 18, or 28"),
            };
            return Err(fields.place(name).error(what));
        }
    })
}

/// The policies that the manual names without saying what they do, and what comes nearest.
const UNDEFINED: [(u32, &str, &str); 9] = [
    (19, "PRI_VSCAN_LBN", PRIORITY),
    (20, "PRI_ASPTF_OPT", PRIORITY),
    (21, "PRI_ASPCTF_OPT", PRIORITY),
    (22, "SDF_APPROX", "the shortest distance on a disk is 4 or 7 (SSTF)"),
    (23, "SDF_EXACT", "the shortest distance on a disk is 4 or 7 (SSTF)"),
    (24, "SPTF_ROT_OPT", "write 8 (SPTF)"),
    (25, "SPTF_ROT_WEIGHT", "write 8 (SPTF), or 14 (aged)"),
    (26, "SPTF_SEEK_WEIGHT", "write 8 (SPTF), or 14 (aged)"),
    (27, "TSPS", "write 8 (SPTF)"),
];
const PRIORITY: &str = "write 17, 14 or 15, and the same as `Priority scheduling` with \
                        `Scheduling priority scheme = 1`";

/// Streams and overlaps. The bits of the stream scheme: reads and writes are put together into one
/// command; reads, writes, and both together are scheduled one after the other.
fn rules(fields: &Fields<'_>) -> Result<Rules, DiskSimError> {
    let scheme = fields.whole_or_0("Sequential stream scheme", 31)?;
    let longest = fields.whole_or_0("Maximum concat size", u32::MAX)?;
    let gap = fields.whole_or_0("Sequential stream diff maximum", u32::MAX)?;
    let bytes = u64::from(longest) * u64::from(SECTOR_BYTES_DEFAULT);
    let has = |bit: u32| scheme >> bit & 1 == 1;
    Ok(Rules {
        combine: ((has(0) || has(1)) && longest > 0).then(|| Combine {
            max_sectors: Size::from_bytes(bytes),
            reads: has(0),
            writes: has(1),
        }),
        together: (has(2) || has(3) || has(4)).then(|| Together {
            reads: has(2) || has(4),
            writes: has(3) || has(4),
            mixed: has(4),
            max_gap_sectors: u64::from(gap),
            in_turn: true,
        }),
        overlap: match fields.whole_or_0("Overlapping request scheme", 2)? {
            0 => Overlap::Free,
            1 => Overlap::InOrder,
            _ => Overlap::Answered,
        },
    })
}

/// Delays that take no time: policies that compare positioning times add them to these.
fn initiation(fields: &Fields<'_>, sheet: &mut ExperimentSheet) -> Result<(), DiskSimError> {
    for name in ["Read initiation delay", "Write initiation delay"] {
        if fields.ms(name)? > 0.0 {
            let what = format!("`{name}` has no effect: the scheduler knows the drive's overheads");
            sheet.note(fields.place(name), &what);
        }
    }
    Ok(())
}

/// V-SCAN by address, and by cylinder.
const V_SCAN_LBN: u32 = 17;
const V_SCAN_CYL: u32 = 18;

/// What the scheduler believes of the drive, and what DiskSim makes of its policies.
fn mapping(
    fields: &Fields<'_>,
    owner: Owner,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    let strategy = fields.whole_or_0("Cylinder mapping strategy", 6)?;
    let mut by_place = false;
    let timeouts = fields.whole_or_0("Scheduling timeout scheme", 2)? > 0;
    let priorities = fields.whole_or_0("Scheduling priority scheme", 1)? > 0;
    for (name, used) in [
        ("Scheduling policy", true),
        ("Timeout scheduling", timeouts),
        ("Priority scheduling", priorities),
    ] {
        if used {
            let policy = fields.whole(name, u32::MAX)?;
            by_place |= (8..=16).contains(&policy);
            note(fields, name, policy, owner, sheet);
        }
    }
    if by_place && strategy != 6 && strategy != 0 {
        let what = "the scheduler knows the drive's whole layout, as with strategy 6";
        sheet.note(fields.place("Cylinder mapping strategy"), what);
    }
    Ok(())
}

/// How DiskSim reckons for a policy, where that is not what its name says.
fn note(fields: &Fields<'_>, name: &str, policy: u32, owner: Owner, sheet: &mut ExperimentSheet) {
    let age = if (9..=16).contains(&policy) { ", and age in seconds" } else { "" };
    let what = match (policy, owner) {
        (5..=7 | V_SCAN_CYL, _) => {
            "DiskSim takes all cylinders for one and serves the lowest address first, and so does \
             this import; `by = \"cylinder\"` is the policy as documented"
                .to_owned()
        }
        (V_SCAN_LBN, _) => "DiskSim's V-SCAN is SSTF whatever its weight, and so is this import; \
                            `v-scan` is as documented"
            .to_owned(),
        (8..=16, Owner::Host) => format!(
            "positioning times are reckoned from the sector that passed last{age}, as DiskSim does it"
        ),
        (8..=16, Owner::Drive) => format!(
            "positioning times are reckoned as if the arm could leave at once{age}, as DiskSim's \
             disks do it"
        ),
        _ => return,
    };
    sheet.note(fields.place(name), &what);
}
