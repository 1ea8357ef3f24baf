//! Runs one benchmark case and prints its figures as one JSON object.
//!
//! `platterlab-bench CASE REPEATS [DATA]`: the case is repeated in one process, the fastest
//! repeat counts; with 0 repeats everything but the measured part is done, so that a count of
//! instructions can subtract the set-up.

mod cases;
mod cpu;
mod figures;
mod host;
mod serve;
mod subsystem;

use std::process::ExitCode;

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "a program talks to its caller")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [case, repeats] => repeats.parse().map(|repeats| cases::run(case, repeats, None)),
        [case, repeats, data] => {
            repeats.parse().map(|repeats| cases::run(case, repeats, Some(data.as_ref())))
        }
        _ => {
            eprintln!(
                "usage: platterlab-bench CASE REPEATS [DATA]; cases: {:?} {:?} {:?} {:?}",
                cases::NAMES,
                subsystem::NAMES,
                host::NAMES,
                serve::NAMES
            );
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(Ok(figures)) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Ok(Err(what)) => {
            eprintln!("platterlab-bench: {what}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("platterlab-bench: REPEATS: {error}");
            ExitCode::from(2)
        }
    }
}
