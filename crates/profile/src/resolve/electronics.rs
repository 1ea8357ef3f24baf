//! Controller, buffer memory and bus in the drive's units.

use super::{only_one, span};
use crate::error::Fault;
use crate::key::KeyPath;
use crate::{Bus, Cache, Controller, OperationTimes, OverheadRule, Size, TrackEnd};
use platterlab_drive::{BusParams, CacheParams, ControllerParams, Near};
use platterlab_units::{Operation, Span};

pub(super) fn controller(controller: &Controller) -> Result<ControllerParams, Fault> {
    let at = KeyPath::default().key("controller");
    let mut overhead = [[[Span::ZERO; 2]; 2]; 2];
    for operation in [Operation::Read, Operation::Write] {
        for hit in [false, true] {
            for after_write in [false, true] {
                let (ms, key) = cost(controller, operation, hit, after_write, &at);
                let entry = &mut overhead[operation.index()][usize::from(hit)];
                entry[usize::from(after_write)] = span(ms, &key)?;
            }
        }
    }
    let read = span(controller.read_completion_ms, &at.key("read_completion_ms"))?;
    let write = span(controller.write_completion_ms, &at.key("write_completion_ms"))?;
    let rules = controller.rules.iter().enumerate();
    let rules = rules.map(|(index, it)| rule(it, &at.key("rules").index(index)));
    let rules = rules.collect::<Result<_, _>>()?;
    let track_end = controller.track_end.map(|it| track_end(it, &at.key("track_end")));
    let completion = [read, write];
    Ok(ControllerParams { overhead, rules, completion, track_end: track_end.transpose()? })
}

fn track_end(busy: TrackEnd, at: &KeyPath) -> Result<platterlab_drive::TrackEnd, Fault> {
    let read = span(busy.read_before_ms, &at.key("read_before_ms"))?;
    let write = span(busy.write_before_ms, &at.key("write_before_ms"))?;
    let after = span(busy.after_ms, &at.key("after_ms"))?;
    Ok(platterlab_drive::TrackEnd { before: [read, write], after })
}

fn rule(rule: &OverheadRule, at: &KeyPath) -> Result<platterlab_drive::OverheadRule, Fault> {
    let near = match (rule.same_track, rule.within_cylinders) {
        (false, None) => Near::Anywhere,
        (true, None) => Near::Track,
        (false, Some(cylinders)) => Near::Cylinders(cylinders),
        (true, Some(_)) => {
            let what = "says more than `same_track` does not; remove one of the two";
            return Err(Fault::new(at.key("within_cylinders"), what));
        }
    };
    let optional = |ms: Option<f64>, key| ms.map(|ms| span(ms, &at.key(key))).transpose();
    Ok(platterlab_drive::OverheadRule {
        operation: rule.operation,
        hit: rule.hit,
        after: rule.after,
        run: rule.run,
        near,
        idle: optional(rule.idle_at_most_ms, "idle_at_most_ms")?,
        reading_ahead: rule.reading_ahead,
        time: span(rule.ms, &at.key("ms"))?,
        completion: optional(rule.completion_ms, "completion_ms")?,
    })
}

/// The cost in milliseconds, and the key that states it.
fn cost(
    controller: &Controller,
    operation: Operation,
    hit: bool,
    after_write: bool,
    at: &KeyPath,
) -> (f64, KeyPath) {
    let name = if operation.is_read() { "read_ms" } else { "write_ms" };
    let refinements: [(&str, bool, &Option<OperationTimes>); 3] = [
        ("hit_after_write", hit && after_write, &controller.hit_after_write),
        ("hit", hit, &controller.hit),
        ("after_write", after_write, &controller.after_write),
    ];
    for (table, applies, times) in refinements {
        let Some(times) = times.as_ref().filter(|_| applies) else { continue };
        let stated = if operation.is_read() { times.read_ms } else { times.write_ms };
        if let Some(ms) = stated {
            return (ms, at.key(table).key(name));
        }
    }
    let plain = if operation.is_read() { controller.read_ms } else { controller.write_ms };
    (plain, at.key(name))
}

pub(super) fn cache(cache: &Cache, sector_bytes: u32) -> Result<CacheParams, Fault> {
    let at = |key: &str| KeyPath::parse(&format!("cache.{key}")).unwrap_or_default();
    cache.in_units(
        |ms, key| span(*ms, &at(key)),
        |size, key| sectors(*size, sector_bytes, &at(key)),
        |share| millionths(*share),
    )
}

fn millionths(share: f64) -> u32 {
    (share * 1e6).round() as u32
}

fn sectors(size: Size, sector_bytes: u32, key: &KeyPath) -> Result<u32, Fault> {
    let bytes = size.bytes();
    let each = u64::from(sector_bytes);
    if !bytes.is_multiple_of(each) {
        let below = bytes - bytes % each;
        let what = format!(
            "{bytes} bytes are not a whole number of sectors of {each} bytes; write {below} or {}",
            below + each
        );
        return Err(Fault::new(key.clone(), what));
    }
    u32::try_from(bytes / each).map_err(|_| {
        let what = format!("{bytes} bytes are more than 2^32 - 1 sectors; write less");
        Fault::new(key.clone(), what)
    })
}

pub(super) fn bus(bus: &Bus, sector_bytes: u32) -> Result<BusParams, Fault> {
    let at = KeyPath::default().key("bus");
    Ok(match *bus {
        Bus::Off => BusParams::default(),
        Bus::Rate {
            read_mb_s,
            write_mb_s,
            read_sector_ms,
            write_sector_ms,
            reconnect_ms,
            reconnect_before_end,
            burst_sectors,
            burst_drains,
            write_delay_ms,
            overlap,
            release_at_track_end,
            hold_read,
            hold_write,
            hold_overhead,
        } => BusParams {
            read_sector: sector_time(
                sector_bytes,
                ("read_mb_s", read_mb_s),
                ("read_sector_ms", read_sector_ms),
                &at,
            )?,
            write_sector: sector_time(
                sector_bytes,
                ("write_mb_s", write_mb_s),
                ("write_sector_ms", write_sector_ms),
                &at,
            )?,
            reconnect: span(reconnect_ms, &at.key("reconnect_ms"))?,
            reconnect_before_end,
            burst_sectors,
            burst_drains,
            write_delay: span(write_delay_ms, &at.key("write_delay_ms"))?,
            overlap,
            release_at_track_end,
            hold: [hold_read, hold_write],
            hold_overhead,
        },
    })
}

/// The time of one sector, stated as a rate or as itself. A byte takes `1e6 / mb_s` picoseconds.
fn sector_time(
    sector_bytes: u32,
    rate: (&str, Option<f64>),
    time: (&str, Option<f64>),
    at: &KeyPath,
) -> Result<Span, Fault> {
    let by_rate = |mb_s: f64| Span::from_ps((f64::from(sector_bytes) * 1e6 / mb_s).round() as u64);
    let by_time = time.1.map(|ms| span(ms, &at.key(time.0))).transpose()?;
    only_one(at, vec![(rate.0, rate.1.map(by_rate)), (time.0, by_time)])?.ok_or_else(|| {
        let what = format!("is missing; write megabytes per second here, or `{}`", time.0);
        Fault::new(at.key(rate.0), what)
    })
}
