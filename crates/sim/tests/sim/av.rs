//! Sessions of audio and video: what they get, when, and what is refused.

use platterlab_drive::Drive;
use platterlab_profile::Profile;
use platterlab_sim::{AvOptions, AvReport, AvRun, AvSession, RoundOrder};
use platterlab_units::{Operation, Span};
use platterlab_workload::synthetic::{Allocator, AvFile, Fragmentation, IndirectBlocks};

/// 15 surfaces, 150 sectors a track, 7200 rpm.
fn drive() -> Drive {
    let profile = Profile::from_library("mock").expect("the library has it");
    Drive::new(profile.params()).expect("the library's drives make sense")
}

fn options() -> AvOptions {
    AvOptions {
        period: None,
        buffers: 2,
        start_after: 1,
        order: RoundOrder::Listed,
        host_spread: Span::ZERO,
        fragmentation: Fragmentation {
            break_share: 0.0,
            allocator: Allocator::Ext3 { block_sectors: 8, indirect: IndirectBlocks::AtBreaks },
        },
        seed: 7,
    }
}

/// I/Os of 64 sectors, 32 KiB.
fn session(first_lba: u64, rate_bit_s: u64, operation: Operation) -> AvSession {
    AvSession { file: AvFile { first_lba, io_sectors: 64, ios: 200, operation }, rate_bit_s }
}

fn run(sessions: &[AvSession], options: AvOptions) -> AvReport {
    AvRun::new(sessions, drive(), options).expect("sessions that can be").run()
}

fn refusal(sessions: &[AvSession], options: AvOptions) -> String {
    AvRun::new(sessions, drive(), options).expect_err("sessions that cannot be").to_string()
}

fn two(rate_bit_s: u64) -> [AvSession; 2] {
    [session(0, rate_bit_s, Operation::Read), session(100_000, rate_bit_s, Operation::Read)]
}

#[test]
fn slow_sessions_never_stand_still_and_start_with_the_second_round() {
    let report = run(&two(2_000_000), options());
    assert_eq!(
        (report.ios, report.commands, report.split_ios, report.late_rounds),
        (400, 400, 0, 0)
    );
    for session in &report.sessions {
        assert_eq!((session.underruns, session.stalled_ms), (0, 0.0));
        // 64 sectors of 512 bytes at 2 Mbit/s.
        assert_eq!(session.start_up_ms, Some(131.072));
        assert!(session.most_buffered_bytes <= 65_536.0);
        assert!(session.least_slack_ms.unwrap() > 0.0);
    }
    assert!(report.idle_ms > 0.5 * report.elapsed_ms);
}

#[test]
fn sessions_beyond_the_drive_stand_still_and_still_get_everything() {
    let report = run(&two(20_000_000), options());
    assert_eq!(report.ios, 400);
    assert!(report.late_rounds > 100, "{}", report.late_rounds);
    assert!(report.sessions.iter().all(|session| session.underruns > 100));
}

/// The second round ends after its period: who starts to play then waits for the next round, and has
/// room at the beginning of each; a little later, and every round would pass it by.
#[test]
fn who_starts_late_starts_with_a_round() {
    let period = Span::from_us(13_107);
    let rates = [20_000_000, 1_000_000];
    let far =
        [session(0, rates[0], Operation::Read), session(1_000_000, rates[1], Operation::Read)];
    let three = AvOptions { period: Some(period), buffers: 3, start_after: 2, ..options() };
    let report = run(&far, three);
    assert!(report.late_rounds > 0);
    for session in &report.sessions {
        let rounds = session.start_up_ms.expect("it plays") / period.as_ms();
        assert!((rounds - rounds.round()).abs() < 1e-9, "{rounds}");
    }
}

#[test]
fn a_recording_beside_playback_keeps_up() {
    let sessions =
        [session(0, 2_000_000, Operation::Read), session(100_000, 2_000_000, Operation::Write)];
    let report = run(&sessions, options());
    assert_eq!(report.ios, 400);
    assert_eq!(report.sessions[1].start_up_ms, Some(0.0));
    assert!(report.sessions.iter().all(|session| session.underruns == 0));
}

#[test]
fn a_sweep_crosses_fewer_cylinders() {
    let sessions: Vec<AvSession> =
        [0, 300_000, 150_000].map(|lba| session(lba, 1_000_000, Operation::Read)).into();
    let listed = run(&sessions, options());
    let sweep = run(&sessions, AvOptions { order: RoundOrder::Sweep, ..options() });
    assert!(sweep.mean_seek_cylinders < 0.8 * listed.mean_seek_cylinders);
}

#[test]
fn broken_files_cost_commands_and_time() {
    let broken = Fragmentation { break_share: 0.5, ..options().fragmentation };
    let whole = run(&two(1_000_000), options());
    let split = run(&two(1_000_000), AvOptions { fragmentation: broken, ..options() });
    assert!((150..250).contains(&split.split_ios), "{}", split.split_ios);
    assert!(split.commands > 400 + split.split_ios);
    assert!(split.response.unwrap().mean_ms > whole.response.unwrap().mean_ms);
}

#[test]
fn the_seed_decides_everything() {
    let spread = AvOptions { host_spread: Span::from_us(8_333), ..options() };
    let text = |seed| {
        let report = run(&two(2_000_000), AvOptions { seed, ..spread.clone() });
        serde_json::to_string(&report).unwrap()
    };
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

#[test]
fn what_cannot_be_is_refused() {
    assert_eq!(refusal(&[], options()), "no session is asked for; ask for at least one");
    assert_eq!(
        refusal(&two(0), options()),
        "session 1: 0 bit/s; a rate must be above 0 and an I/O last less than 3 hours"
    );
    let late = AvOptions { start_after: 3, ..options() };
    assert_eq!(
        refusal(&two(1_000), late),
        "a session of 2 buffers cannot start after 3; write 1 to 2"
    );
    let short = AvOptions { period: Some(Span::from_ps(1)), ..options() };
    assert!(refusal(&two(1_000_000), short).contains("below a thousandth"));
    let mut far = two(1_000_000);
    far[1].file.first_lba = u64::MAX / 2;
    assert!(refusal(&far, options()).starts_with("session 2: ios: "));
}

#[test]
fn a_run_of_years_has_no_end_of_its_clock() {
    let hours_60 = Span::from_us(60 * 3_600 * 1_000_000);
    let slow = AvOptions { host_spread: hours_60, ..options() };
    let report = run(&two(2_000_000), slow);
    let days = report.elapsed_ms / 86_400e3;
    assert!((450.0..550.0).contains(&days), "400 I/Os, each 30 hours late: {days} days");
    let response = report.response.expect("all were served");
    assert!(response.max_ms < 30.0, "the drive is no slower: {response:?}");
    for session in &report.sessions {
        let stalled_days = session.stalled_ms / 86_400e3;
        assert!((stalled_days - days).abs() < 10.0, "{stalled_days} of {days} days");
    }
}

/// I/Os of two hours, for one of years: a year is as exact as a week.
#[test]
fn what_is_planned_may_last_years() {
    let ios_of = |ios| {
        let mut long = [session(0, 37, Operation::Read), session(400_000, 37, Operation::Write)];
        for session in &mut long {
            session.file.ios = ios;
        }
        run(&long, options())
    };
    let io_ms = 64.0 * 512.0 * 8.0 / 37.0 * 1e3;
    for ios in [80, 8_000] {
        let report = ios_of(ios);
        let played_ms = io_ms * ios as f64;
        assert!((report.elapsed_ms - played_ms).abs() < 2.0 * io_ms, "{}", report.elapsed_ms);
        assert!(report.sessions.iter().all(|session| session.stalled_ms == 0.0), "{report:?}");
        assert!(report.sessions.iter().all(|one| one.most_buffered_bytes <= 2.0 * 32_768.0));
    }
    assert!(io_ms * 8_000.0 / 86_400e3 > 650.0, "days, more than the 213 of a drive's clock");
}
