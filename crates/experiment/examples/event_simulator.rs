//! An event simulator with a disk in it: programs that compute and wait for what they read, on a
//! calendar of its own. `event_simulator DRIVE SCHEDULER REQUESTS` takes a line `arrival_us lba
//! sectors R|W` for each request and prints `number completion_ps` as they are over.

use platterlab_drive::Drive;
use platterlab_experiment::scheduler_named;
use platterlab_profile::Profile;
use platterlab_sim::system::{Asked, Stepper};
use platterlab_units::{Operation, Stamp};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;

fn parse(line: &str) -> Result<(Stamp, Asked), Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [arrival_us, lba, sectors, way] = words[..] else { return Err("four words a line".into()) };
    let operation = if way == "R" { Operation::Read } else { Operation::Write };
    let asked = Asked { volume: 0, lba: lba.parse()?, sectors: sectors.parse()?, operation };
    Ok((Stamp::from_us(arrival_us.parse()?), asked))
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [profile, scheduler, list] = &words[..] else { return Err("three arguments".into()) };
    let drive = Drive::new(Profile::from_library(profile)?.params())?;
    let mut disk = Stepper::of_drive(drive, scheduler_named(scheduler)?, 0)?;
    let text = std::fs::read_to_string(list)?;
    let requests = text.lines().map(parse).collect::<Result<Vec<_>, _>>()?;
    // Of this simulator: which program asks when. More kinds of events would be more variants.
    let arrivals = requests.iter().enumerate().map(|(number, one)| Reverse((one.0, number)));
    let mut calendar: BinaryHeap<_> = arrivals.collect();
    let mut out = String::new();
    loop {
        let own = calendar.peek().map(|Reverse((at, _))| *at);
        let Some(now) = own.into_iter().chain(disk.next_event()).min() else { break };
        // What the disk finishes now goes before what arrives now.
        disk.advance(now)?;
        for over in disk.completions().drain(..) {
            // Here a program would continue, and ask for its next.
            out += &format!("{} {}\n", over.request.tag, over.completion.as_ps());
        }
        if own == Some(now)
            && let Some(Reverse((at, number))) = calendar.pop()
        {
            disk.submit(at, requests[number].1)?;
        }
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}
