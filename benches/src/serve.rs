//! A drive that is served: how many requests a second, and how late answers are.

use crate::figures::library;
use platterlab_serve::nbd::{Export, HEADER_BYTES, numbers as n};
use platterlab_serve::{Doors, Listener, Options, Report, Running, Speed, Store, start};
use platterlab_sim::drive::Model;
use platterlab_sim::live::{Live, LiveDevice};
use platterlab_sim::scheduler::Scheduler;
use serde_json::{Value, json};
use std::io::{Error, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) const NAMES: [&str; 2] = ["serve-nbd-floor", "serve-nbd-lateness"];

const DRIVE: &str = "hp/97560.toml";
const BYTES: u64 = 256 << 20;
const BLOCK: u32 = 4096;
/// In flight at a time.
const DEPTH: usize = 32;
const REQUESTS: usize = 200_000;
/// Paced: at a dozen milliseconds each.
const PACED_REQUESTS: usize = 500;
/// The bytes of an answer to a read: the header, and the data.
const ANSWER: usize = 16 + BLOCK as usize;

/// Runs a case; its figures by the clock, for two threads work in turns.
pub(crate) fn run(name: &str, repeats: u32) -> Result<Value, String> {
    let told = |error: Error| error.to_string();
    if name == "serve-nbd-floor" {
        let mut best_s = f64::INFINITY;
        for _ in 0..repeats {
            let (seconds, _) = served(Speed::Unpaced, DEPTH, REQUESTS)?;
            best_s = best_s.min(seconds);
        }
        let what = format!("4 KiB reads over NBD, {DEPTH} in flight, nothing waited for");
        let per_s = (repeats > 0).then_some(REQUESTS as f64 / best_s);
        return Ok(json!({ "id": name, "what": what, "requests": REQUESTS, "per_s": per_s }));
    }
    let (seconds, report) = served(Speed::REAL, 1, PACED_REQUESTS)?;
    let what = "4 KiB reads of an HP 97560 over NBD, one at a time, in real time";
    let report = serde_json::to_value(report).map_err(|error| told(error.into()))?;
    let per_s = PACED_REQUESTS as f64 / seconds;
    Ok(json!({ "id": name, "what": what, "requests": PACED_REQUESTS, "per_s": per_s,
               "lateness_us": report["lateness_us"], "verdict": report["verdict"] }))
}

/// How long so many requests took, and what the server says of them.
fn served(speed: Speed, depth: usize, requests: usize) -> Result<(f64, Report), String> {
    let folder = Folder::new().map_err(|error| error.to_string())?;
    let socket = folder.0.join("nbd");
    let mut server = serve(&socket, speed)?;
    let asked = ask(&socket, depth, requests).map_err(|error| error.to_string())?;
    let report = server.report().ok_or("the server has nothing to report")?;
    server.stop().map_err(|error| error.to_string())?;
    Ok((asked, report))
}

fn serve(socket: &Path, speed: Speed) -> Result<Running, String> {
    let model = Model::Drive(Box::new(library(DRIVE)?));
    let device = LiveDevice::new(model, Scheduler::Fcfs, 1, 0);
    let export = Export {
        name: "drive".to_owned(),
        description: String::new(),
        bytes: BYTES,
        block_bytes: 512,
        preferred_bytes: BLOCK,
        read_only: false,
        rotational: true,
    };
    let (real_time, keep_rows, power_cuts, power_cut) = (true, false, false, None);
    let options = Options { export, speed, real_time, keep_rows, power_cuts, power_cut };
    let store = Store::memory(BYTES).map_err(|error| error.to_string())?;
    let listener = Listener::unix(socket).map_err(|error| error.to_string())?;
    let doors = Doors { listener: Some(listener), folder: None, device: false };
    start(Live::Device(Box::new(device)), store, doors, options).map_err(|error| error.to_string())
}

/// Reads at random places, `depth` at a time: how long all of them took.
fn ask(path: &Path, depth: usize, requests: usize) -> Result<f64, Error> {
    let mut socket = UnixStream::connect(path)?;
    socket.read_exact(&mut [0; 18])?;
    let mut hello = 3_u32.to_be_bytes().to_vec();
    hello.extend(n::IHAVEOPT.to_be_bytes());
    hello.extend(n::OPT_EXPORT_NAME.to_be_bytes());
    hello.extend(0_u32.to_be_bytes());
    socket.write_all(&hello)?;
    socket.read_exact(&mut [0; 10])?;
    let mut place = 1_u64;
    let mut request = |out: &mut Vec<u8>| {
        // Any generator does: what counts is that places differ.
        place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let offset = (place >> 33) % (BYTES / u64::from(BLOCK)) * u64::from(BLOCK);
        out.extend(n::REQUEST_MAGIC.to_be_bytes());
        out.extend([0; 4]);
        out.extend(0_u64.to_be_bytes());
        out.extend(offset.to_be_bytes());
        out.extend(BLOCK.to_be_bytes());
    };
    let started = Instant::now();
    let mut out = Vec::with_capacity(depth * HEADER_BYTES);
    (0..depth.min(requests)).for_each(|_| request(&mut out));
    socket.write_all(&out)?;
    let (mut sent, mut done, mut partial) = (depth.min(requests), 0, 0);
    let mut input = vec![0; DEPTH * ANSWER];
    while done < requests {
        let came = partial + socket.read(&mut input)?;
        if came == partial {
            return Err(Error::other("the server hung up"));
        }
        let answers = came / ANSWER;
        (partial, done) = (came % ANSWER, done + answers);
        out.clear();
        for _ in 0..answers.min(requests - sent) {
            request(&mut out);
            sent += 1;
        }
        socket.write_all(&out)?;
    }
    Ok(started.elapsed().as_secs_f64())
}

/// A folder of its own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Error> {
        let folder = std::env::temp_dir().join(format!("platterlab-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is the system's to tidy up if it cannot be taken away.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
