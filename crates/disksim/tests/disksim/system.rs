//! DiskSim's whole-system files: what is taken, and what is refused with its place.

use platterlab_disksim::syntax::Value;
use platterlab_disksim::system::{ImportedSystem, SystemImportOptions, import};
use platterlab_experiment::options::{Key, Scheduler, TraceTiming, Workload};

const SYSTEM: &str = "
disksim_iodriver DRIVER {
  type = 1,
  Constant access time = 0.0,
  Scheduler = disksim_ioqueue {
    Scheduling policy = 3,
    Cylinder mapping strategy = 1,
    Scheduling timeout scheme = 0,
    Scheduling priority scheme = 0
  },
  Use queueing in subsystem = 1
}
disksim_bus BUS { type = 2, Arbitration type = 1, Arbitration time = 0.0,
  Read block transfer time = 0.0, Write block transfer time = 0.0, Print stats = 0 }
disksim_simpledisk SIMPLE { Block count = 100000, Access time = 9.5, Command overhead = 0.5,
  Bus transaction latency = 0.0, Bulk sector transfer time = 0.0, Max queue length = 1 }
instantiate [ driver0 ] as DRIVER
instantiate [ bus0 ] as BUS
instantiate [ disk0 .. disk1 ] as SIMPLE
topology disksim_iodriver driver0 [ disksim_bus bus0 [
  disksim_simpledisk disk0 [],
  disksim_simpledisk disk1 []
] ]
disksim_syncset sync0 { devices = [ disk0 .. disk1 ] }
disksim_synthio Synthio {
  Number of I/O requests to generate = 100,
  Maximum time of trace generated = 1000.0,
  System call/return with each request = 0,
  Generators = [ disksim_synthgen {
    Storage capacity per device = 100000,
    devices = [ disk0, disk1 ],
    Blocking factor = 8,
    Probability of sequential access = 0.2,
    Probability of local access = 0.3,
    Probability of read access = 0.66,
    Probability of time-critical request = 0.5,
    Probability of time-limited request = 0.1,
    Time-limited think times = [ normal, 30.0, 100.0 ],
    General inter-arrival times = [ exponential, 0.0, 25.0 ],
    Sequential inter-arrival times = [ normal, 0.0, 0.0 ],
    Local inter-arrival times = [ exponential, 0.0, 0.0 ],
    Local distances = [ normal, 0.0, 40000.0 ],
    Sizes = [ exponential, 0.0, 8.0 ]
  } ]
}
";

fn read(text: &str) -> Result<ImportedSystem, String> {
    let mut resolver = |_: &str| Ok(text.to_owned());
    let options = SystemImportOptions { replications: 1, ..SystemImportOptions::default() };
    import("system.parv", &mut resolver, &options).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(from: &str, to: &str, wanted: &[&str]) {
    assert!(SYSTEM.contains(from), "{from}");
    let error = read(&SYSTEM.replacen(from, to, 1)).expect_err(to);
    for part in wanted {
        assert!(error.contains(part), "{error:?} does not say {part:?}");
    }
}

#[test]
fn disks_of_a_syncset_turn_in_step_and_others_do_not() {
    let set = |text: &str| {
        let drives = read(text).expect("it is right").experiment.options.drive;
        drives.into_iter().map(|drive| drive.in_step).collect::<Vec<_>>()
    };
    assert_eq!(set(SYSTEM), [Some("sync0".to_owned()), Some("sync0".to_owned())]);
    assert_eq!(
        set(&SYSTEM
            .replace("[ disk0 .. disk1 ] }\ndisksim_synthio", "[ disk1 ] }\ndisksim_synthio")),
        [None, Some("sync0".to_owned())]
    );
    refused(
        "sync0 { devices = [ disk0 .. disk1 ]",
        "s { devices = [ disk7 ]",
        &["line 24", "disk7"],
    );
    let twice = "disksim_syncset s { devices = [ disk0 ] }\ndisksim_syncset";
    refused("disksim_syncset", twice, &["line 25", "`disk0` turns in step with `s` already"]);
}

#[test]
fn platters_begin_at_their_index_at_time_zero_of_the_trace() {
    let mut resolver = |_: &str| Ok(SYSTEM.to_owned());
    let trace = concat!(env!("CARGO_TARGET_TMPDIR"), "/late.trace");
    std::fs::write(trace, "13.2 0 8 8 1\n").expect("the folder is there");
    let trace = Some(trace.to_owned());
    let options = SystemImportOptions { replications: 1, trace, ..SystemImportOptions::default() };
    let options = import("system.parv", &mut resolver, &options).expect("it is right");
    let options = options.experiment.options;
    assert!(options.drive.iter().all(|drive| drive.at_index));
    let [Workload::Trace { timing, .. }] = options.workload.as_slice() else {
        panic!("{:?}", options.workload)
    };
    assert_eq!(*timing, TraceTiming::Open { time_scale: 1.0, own_clock: true });
}

#[test]
fn policies_are_what_disksim_makes_of_them() {
    let scheduler = |number: u32, weight: u32| {
        let text = SYSTEM.replacen(
            "Scheduling policy = 3,",
            &format!("Scheduling policy = {number}, Timeout time/weight = {weight},"),
            1,
        );
        read(&text).expect("it is right").experiment.options.host.scheduler
    };
    let by = Key::Lba;
    assert_eq!(scheduler(3, 6), Scheduler::CLook { by });
    assert_eq!(scheduler(17, 6), Scheduler::Sstf { by });
    for by_cylinder in [5, 6, 7, 18] {
        assert_eq!(scheduler(by_cylinder, 6), Scheduler::LowestFirst);
    }
    assert_eq!(scheduler(8, 6), Scheduler::SptfFromLastSector);
    for without_time in [11, 12, 13] {
        assert_eq!(scheduler(without_time, 0), Scheduler::Fcfs);
    }
    let from_last_sector = true;
    for (number, weight, cache_aware, with_transfer) in [
        (9, 0.0, true, false),
        (10, 0.0, false, true),
        (14, 0.006, false, false),
        (15, 0.006, true, false),
    ] {
        let wanted = Scheduler::AgedSptf {
            weight,
            cache_aware,
            with_transfer,
            from_last_sector,
            at_once: false,
        };
        assert_eq!(scheduler(number, 6), wanted);
    }
}

#[test]
fn nothing_is_passed_over_in_silence() {
    refused("disksim_syncset", "disksim_synchset", &["line 24", "did you mean `disksim_syncset`"]);
    let policy = "Scheduling policy = 3";
    refused(policy, "Scheduling policy = 20", &["line 6", "PRI_ASPTF_OPT", "Scheduling priority"]);
    refused(policy, "Scheduling policy = 27", &["TSPS", "write 8"]);
    refused(policy, "Scheduling policy = 99", &["= 99 is not a policy", "1 to 18, or 28"]);
}

#[test]
fn all_platters_begin_at_their_index_whoever_makes_the_requests() {
    let options = read(SYSTEM).expect("it is right").experiment.options;
    assert!(matches!(options.workload[0], Workload::Processes { .. }));
    assert!(options.drive.iter().all(|drive| drive.at_index));
}

#[test]
fn numbers_and_words_replace_those_of_the_file() {
    let set = |parameter: &str, value: Value| {
        let mut resolver = |_: &str| Ok(SYSTEM.to_owned());
        let overrides = vec![("driver0".to_owned(), parameter.to_owned(), value)];
        let options =
            SystemImportOptions { replications: 1, overrides, ..SystemImportOptions::default() };
        import("system.parv", &mut resolver, &options).map_err(|error| error.to_string())
    };
    let policy = set("Scheduler:Scheduling policy", Value::Number(1.0)).expect("it is right");
    assert_eq!(policy.experiment.options.host.scheduler, Scheduler::Fcfs);
    let word = set("Scheduler:Scheduling policy", Value::Word("fast".to_owned()));
    let error = word.expect_err("it is taken as it stands, and refused");
    assert!(error.contains("fast"), "{error}");
}
