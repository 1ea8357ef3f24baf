//! The contents of a trace in numbers: one pass, constant memory.

mod outstanding;
mod tally;

use std::collections::BTreeMap;

use platterlab_units::Stamp;
use serde::Serialize;

use self::outstanding::Outstanding;
use self::tally::Tally;
use crate::devices::DeviceTable;
use crate::trace::{Position, TraceError, TraceFacts, TraceReader};
use crate::{Criticality, Record};

pub use outstanding::OutstandingInfo;
pub use tally::{Bin, Distribution, QUANTILE_RELATIVE_ERROR};

/// A trace in numbers. Units are in the names of the keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct TraceInfo {
    /// Name of the trace's format.
    pub format: &'static str,
    /// Bytes in one sector of the trace's addresses and lengths.
    pub sector_bytes: u32,
    /// What its times measure, where it has any: service, or response.
    pub measures: Option<&'static str>,
    /// Records in the trace.
    pub requests: u64,
    /// How many of them read.
    pub reads: u64,
    /// How many of them write.
    pub writes: u64,
    /// From the first arrival to the last.
    pub duration_ms: f64,
    /// Share of requests that start where the previous one of their device ended, 0 to 1.
    pub sequential_share: f64,
    /// Every device, in ascending order.
    pub devices: Vec<DeviceInfo>,
    /// Who waits for the requests.
    pub criticality: CriticalityInfo,
    /// Lengths.
    pub size_sectors: Option<Distribution>,
    /// From one arrival to the next, of any device.
    pub inter_arrival_ms: Option<Distribution>,
    /// Service time, of the requests that have one.
    pub service_ms: Option<Distribution>,
    /// Time in the driver's queue, of the requests that have one.
    pub queued_ms: Option<Distribution>,
    /// Think time, of the requests that have one.
    pub think_ms: Option<Distribution>,
    /// How many requests an arriving one finds before it, where the trace has the times for it.
    pub outstanding: Option<OutstandingInfo>,
    /// Means, extremes and counts are exact; quantiles are off by at most this share of their value.
    pub quantile_relative_error: f64,
    /// What was skipped or is incomplete, by reason.
    pub notes: BTreeMap<&'static str, u64>,
}

/// One device of a trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct DeviceInfo {
    /// Its number in the trace.
    pub device: u32,
    /// Its name, where the trace has names: numbers are then given as they come.
    pub name: Option<String>,
    /// Requests to it.
    pub requests: u64,
    /// How many of them read.
    pub reads: u64,
    /// The last sector any of them touches.
    pub last_sector: u64,
    /// Share of them that start where the previous one ended, 0 to 1.
    pub sequential_share: f64,
}

/// Requests by who waits for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct CriticalityInfo {
    /// The trace does not say.
    pub unknown: u64,
    /// A process waits.
    pub critical: u64,
    /// A process will wait unless the request ends in time.
    pub limited: u64,
    /// Nothing waits.
    pub noncritical: u64,
}

impl TraceInfo {
    /// Reads `reader` to its end.
    ///
    /// # Errors
    /// The first error of the trace.
    pub fn of(reader: &mut dyn TraceReader) -> Result<Self, TraceError> {
        let mut survey = Survey::new(reader.facts());
        while let Some(record) = reader.next() {
            let added = survey.add(&record?);
            added.map_err(|what| TraceError::new(&reader.facts().path, Position::File, what))?;
        }
        let mut info = survey.finish();
        for device in &mut info.devices {
            device.name = reader.device_names().get(device.device as usize).cloned();
        }
        info.notes = reader.notes().iter().map(|(note, count)| (note.name(), count)).collect();
        Ok(info)
    }
}

#[derive(Debug, Default)]
struct Device {
    requests: u64,
    reads: u64,
    sequential: u64,
    last_sector: u64,
    /// The sector after the previous request.
    next: Option<u64>,
}

/// Takes records one by one.
struct Survey {
    facts: TraceFacts,
    devices: DeviceTable<Device>,
    criticality: CriticalityInfo,
    size: Tally,
    inter_arrival: Tally,
    service: Tally,
    queued: Tally,
    think: Tally,
    outstanding: Outstanding,
    latest: Option<Stamp>,
}

impl Survey {
    fn new(facts: &TraceFacts) -> Self {
        Self {
            facts: facts.clone(),
            devices: DeviceTable::default(),
            criticality: CriticalityInfo::default(),
            size: Tally::of_counts(),
            inter_arrival: Tally::of_times(),
            service: Tally::of_times(),
            queued: Tally::of_times(),
            think: Tally::of_times(),
            outstanding: Outstanding::default(),
            latest: None,
        }
    }

    fn add(&mut self, record: &Record) -> Result<(), String> {
        let device = self.devices.entry(record.device)?;
        device.requests += 1;
        device.reads += u64::from(record.operation.is_read());
        device.sequential += u64::from(device.next == Some(record.lba));
        let next = record.lba + u64::from(record.sectors);
        device.last_sector = device.last_sector.max(next - 1);
        device.next = Some(next);

        self.size.add(u64::from(record.sectors));
        if let Some(latest) = self.latest.replace(record.arrival) {
            self.inter_arrival.add(record.arrival.since(latest).as_ps());
        }
        let times = [
            (&mut self.service, record.service),
            (&mut self.queued, record.queued),
            (&mut self.think, record.think),
        ];
        for (tally, span) in times {
            if let Some(span) = span {
                tally.add(span.as_ps());
            }
        }
        self.outstanding.add(record);
        *match record.criticality {
            Criticality::Unknown => &mut self.criticality.unknown,
            Criticality::Critical => &mut self.criticality.critical,
            Criticality::Limited => &mut self.criticality.limited,
            Criticality::Noncritical => &mut self.criticality.noncritical,
        } += 1;
        Ok(())
    }

    fn finish(self) -> TraceInfo {
        let total = |pick: fn(&Device) -> u64| self.devices.iter().map(|(_, d)| pick(d)).sum();
        let requests: u64 = total(|device| device.requests);
        let reads: u64 = total(|device| device.reads);
        let devices = self.devices.iter().map(|(number, device)| DeviceInfo {
            device: number,
            name: None,
            requests: device.requests,
            reads: device.reads,
            last_sector: device.last_sector,
            sequential_share: share(device.sequential, device.requests),
        });
        let service_ms = self.service.finish();
        TraceInfo {
            format: self.facts.format.name(),
            sector_bytes: self.facts.sector_bytes,
            measures: service_ms.is_some().then(|| self.facts.measures.name()),
            requests,
            reads,
            writes: requests - reads,
            duration_ms: self.latest.unwrap_or_default().as_ms(),
            sequential_share: share(total(|device| device.sequential), requests),
            devices: devices.collect(),
            criticality: self.criticality,
            size_sectors: self.size.finish(),
            inter_arrival_ms: self.inter_arrival.finish(),
            service_ms,
            queued_ms: self.queued.finish(),
            think_ms: self.think.finish(),
            outstanding: self.outstanding.finish(),
            quantile_relative_error: QUANTILE_RELATIVE_ERROR,
            notes: BTreeMap::new(),
        }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Options, Source, read};
    use std::path::Path;

    fn info(text: &str) -> TraceInfo {
        let source = Source::from_bytes(Path::new("t"), text).unwrap();
        TraceInfo::of(read(source, None, &Options::default()).unwrap().as_mut()).unwrap()
    }

    #[test]
    fn a_small_trace_is_counted_by_hand() {
        let info = info(
            "start ; sector ; length ; op ; delay ; duration\n\
             0.000 ; 100 ;  8 ; R  ; 0.001 ; 0.009\n\
             0.005 ; 108 ; 16 ; RA ; 0.005 ; 0.010\n\
             0.030 ; 500 ;  8 ; WS ; 0     ; 0.020\n\
             0.031 ; 0   ;  0 ; F  ; 0     ; 0\n",
        );
        assert_eq!((info.format, info.sector_bytes), ("blkreplay", 512));
        assert_eq!((info.requests, info.reads, info.writes), (3, 2, 1));
        assert_eq!(info.duration_ms, 30.0);
        assert_eq!(info.sequential_share, 1.0 / 3.0);
        let device = DeviceInfo {
            device: 0,
            name: None,
            requests: 3,
            reads: 2,
            last_sector: 507,
            sequential_share: 1.0 / 3.0,
        };
        assert_eq!(info.devices, [device]);
        let size = info.size_sectors.unwrap();
        assert_eq!((size.min, size.p50, size.max), (8.0, 8.0, 16.0));
        assert_eq!(size.histogram.len(), 2);
        let service = info.service_ms.unwrap();
        assert!((service.mean - 13.0).abs() < 1e-12);
        assert_eq!(info.queued_ms.unwrap().count, 3);
        assert_eq!(info.think_ms, None);
        let outstanding = info.outstanding.unwrap();
        assert_eq!((outstanding.max, outstanding.mean), (1, 1.0 / 3.0));
        assert_eq!((info.criticality.unknown, info.criticality.limited), (1, 1));
        assert_eq!(
            info.notes.into_iter().collect::<Vec<_>>(),
            [("header_lines", 1), ("skipped_flushes", 1)]
        );
    }

    #[test]
    fn the_keys_of_the_json_say_their_units() {
        let json = serde_json::to_value(info("0.0 0 1 1 1\n1.0 3 2 1 1\n")).unwrap();
        assert_eq!(json["size_sectors"]["max"], 1.0);
        assert_eq!(json["inter_arrival_ms"]["histogram"][0]["from"], 0.512);
        assert_eq!(json["service_ms"], serde_json::Value::Null);
        assert_eq!(json["devices"][1]["device"], 3);
    }

    #[test]
    fn absent_times_stay_absent() {
        let info = info("0.0 0 1 1 1\n1.0 3 2 1 1\n");
        assert_eq!((info.service_ms, info.queued_ms, info.outstanding), (None, None, None));
        assert_eq!(info.devices.len(), 2);
        assert_eq!(info.inter_arrival_ms.unwrap().mean, 1.0);
    }
}
