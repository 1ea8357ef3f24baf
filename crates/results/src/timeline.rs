use crate::{Columns, Parts, RequestColumns};
use std::io::{self, Write};

/// A timeline in Chrome's trace format, which Perfetto opens: for every device its commands with
/// the parts of their service below them, and what waited for it; for every volume its requests.
///
/// Rows are written as they come, so that memory does not grow with the run.
#[derive(Debug)]
pub struct Timeline<W> {
    out: W,
    first: bool,
    /// Names that have been given to tracks so far: devices, volumes.
    named: [u32; 2],
    /// Numbers of things that overlap others.
    intervals: u64,
}

/// Groups of tracks.
const DEVICES: u32 = 1;
const VOLUMES: u32 = 2;

impl<W: Write> Timeline<W> {
    /// Begins a timeline.
    ///
    /// # Errors
    /// As `out`.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
        let mut timeline = Self { out, first: true, named: [0; 2], intervals: 0 };
        for (group, name) in [(DEVICES, "Devices"), (VOLUMES, "Volumes")] {
            let named = format!(r#""args":{{"name":"{name}"}}"#);
            timeline
                .event(format_args!(r#""ph":"M","pid":{group},"name":"process_name",{named}"#))?;
        }
        Ok(timeline)
    }

    /// Adds commands.
    ///
    /// # Errors
    /// As the writer.
    pub fn commands(&mut self, rows: &Columns) -> io::Result<()> {
        for index in 0..rows.len() {
            let device = rows.device[index];
            self.name(DEVICES, device, "device")?;
            let track = format!(r#""pid":{DEVICES},"tid":{device}"#);
            let what = operation(rows.operation[index]);
            let (from, to) = (rows.issue_ms[index] * 1e3, rows.completion_ms[index] * 1e3);
            let (lba, sectors) = (rows.lba[index], rows.sectors[index]);
            self.event(format_args!(
                r#""ph":"X",{track},"name":"{what}","cat":"service","ts":{from:.6},"dur":{:.6},"args":{{"lba":{lba},"sectors":{sectors},"cylinder":{}}}"#,
                to - from, rows.cylinder[index]
            ))?;
            let mut at = from;
            for (name, times) in Parts::NAMES.iter().zip(&rows.parts_ms) {
                let us = times[index] * 1e3;
                if us > 0.0 {
                    self.event(format_args!(
                        r#""ph":"X",{track},"name":"{name}","cat":"part","ts":{at:.6},"dur":{us:.6}"#
                    ))?;
                }
                at += us;
            }
            let queued = [rows.arrival_ms[index] * 1e3, from];
            self.interval(DEVICES, device, ("waiting", &format!("waiting for {device}")), queued)?;
        }
        Ok(())
    }

    /// Adds requests.
    ///
    /// # Errors
    /// As the writer.
    pub fn requests(&mut self, rows: &RequestColumns) -> io::Result<()> {
        for index in 0..rows.len() {
            let volume = rows.volume[index];
            self.name(VOLUMES, volume, "volume")?;
            let times = [rows.arrival_ms[index] * 1e3, rows.completion_ms[index] * 1e3];
            let what = operation(rows.operation[index]);
            self.interval(VOLUMES, volume, (&format!("requests of {volume}"), what), times)?;
        }
        Ok(())
    }

    /// Ends the timeline and gives the writer back.
    ///
    /// # Errors
    /// As the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Something that may overlap others on its track.
    fn interval(
        &mut self,
        group: u32,
        track: u32,
        (category, name): (&str, &str),
        [from, to]: [f64; 2],
    ) -> io::Result<()> {
        if to <= from {
            return Ok(());
        }
        self.intervals += 1;
        let id = self.intervals;
        let all =
            format!(r#""pid":{group},"tid":{track},"cat":"{category}","name":"{name}","id":{id}"#);
        self.event(format_args!(r#""ph":"b",{all},"ts":{from:.6}"#))?;
        self.event(format_args!(r#""ph":"e",{all},"ts":{to:.6}"#))
    }

    /// Names all tracks of a group up to `track`.
    fn name(&mut self, group: u32, track: u32, what: &str) -> io::Result<()> {
        let slot = (group - DEVICES) as usize;
        while self.named[slot] <= track {
            let next = self.named[slot];
            self.named[slot] += 1;
            let named = format!(r#""args":{{"name":"{what} {next}"}}"#);
            self.event(format_args!(
                r#""ph":"M","pid":{group},"tid":{next},"name":"thread_name",{named}"#
            ))?;
        }
        Ok(())
    }

    fn event(&mut self, fields: std::fmt::Arguments<'_>) -> io::Result<()> {
        let separator = if std::mem::take(&mut self.first) { "" } else { "," };
        write!(self.out, "{separator}\n{{{fields}}}")
    }
}

fn operation(number: u8) -> &'static str {
    if number == 0 { "read" } else { "write" }
}
