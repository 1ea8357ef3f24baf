//! The timeline of a run in Chrome's trace format.

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
    /// Numbers of things that overlap others.
    intervals: u64,
}

/// Groups of tracks.
const DEVICES: u32 = 1;
const VOLUMES: u32 = 2;

impl<W: Write> Timeline<W> {
    /// Begins a timeline with a track for each device and each volume, by their names in order.
    ///
    /// # Errors
    /// As `out`.
    pub fn new(mut out: W, devices: &[String], volumes: &[String]) -> io::Result<Self> {
        out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
        let mut timeline = Self { out, first: true, intervals: 0 };
        for (group, name, tracks) in [(DEVICES, "Devices", devices), (VOLUMES, "Volumes", volumes)]
        {
            timeline.name(format_args!(r#""pid":{group},"name":"process_name""#), name)?;
            for (track, name) in tracks.iter().enumerate() {
                let track = format_args!(r#""pid":{group},"tid":{track},"name":"thread_name""#);
                timeline.name(track, name)?;
            }
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

    /// Names a group or a track.
    fn name(&mut self, what: std::fmt::Arguments<'_>, name: &str) -> io::Result<()> {
        let quoted = serde_json::Value::from(name);
        self.event(format_args!(r#""ph":"M",{what},"args":{{"name":{quoted}}}"#))
    }

    fn event(&mut self, fields: std::fmt::Arguments<'_>) -> io::Result<()> {
        let separator = if std::mem::take(&mut self.first) { "" } else { "," };
        write!(self.out, "{separator}\n{{{fields}}}")
    }
}

fn operation(number: u8) -> &'static str {
    if number == 0 { "read" } else { "write" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RequestRow, Row};
    use platterlab_units::{Operation, Span, Stamp};
    use serde_json::Value;

    #[test]
    fn it_is_json_with_a_named_track_for_everything_and_what_begins_ends() {
        let at = |us: u64| Stamp::ZERO + Span::from_us(us);
        let mut commands = Columns::default();
        commands.push(&Row {
            arrival: at(0),
            issue: at(3),
            completion: at(10),
            parts: Parts { seek: Span::from_us(5), transfer: Span::from_us(2), ..Parts::default() },
            lba: 7,
            sectors: 8,
            device: 1,
            request: 0,
            stream: 0,
            operation: Operation::Write,
            cache: 0,
            cylinder: 3,
            seek_distance: 0,
            measured: None,
        });
        let mut requests = RequestColumns::default();
        requests.push(&RequestRow {
            arrival: Stamp::ZERO,
            completion: Stamp::ZERO + Span::from_us(10),
            request: 0,
            stream: 0,
            volume: 0,
            lba: 7,
            sectors: 8,
            operation: Operation::Write,
            class: 0,
        });
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (devices, volumes) = (names(&["left", "the \"right\" one"]), names(&["both"]));
        let mut timeline = Timeline::new(Vec::new(), &devices, &volumes).unwrap();
        timeline.commands(&commands).unwrap();
        timeline.requests(&requests).unwrap();
        let text = String::from_utf8(timeline.finish().unwrap()).unwrap();
        let read: Value = serde_json::from_str(&text).unwrap();
        let events = read["traceEvents"].as_array().unwrap();
        let of = |phase: &'static str| events.iter().filter(move |event| event["ph"] == phase);
        let named = of("M").filter(|event| event["name"] == "thread_name");
        let named: Vec<&Value> = named.map(|event| &event["args"]["name"]).collect();
        assert_eq!(named, ["left", "the \"right\" one", "both"]);
        let spans: Vec<_> = of("X").map(|event| (&event["name"], event["ts"].as_f64())).collect();
        let expected = [("write", 3.0), ("seek", 3.0), ("transfer", 8.0)];
        assert!(
            spans
                .iter()
                .zip(expected)
                .all(|(span, (name, at))| *span.0 == name && span.1 == Some(at))
        );
        let ids = |phase| of(phase).map(|event| event["id"].as_u64()).collect::<Vec<_>>();
        assert_eq!((ids("b"), spans.len()), (ids("e"), 3));
        assert_eq!(ids("b").len(), 2);
    }
}
