//! `disksim_cachemem` and `disksim_cachedev`: the cache of a smart controller.

use super::components::Components;
use super::queue::Owner;
use super::{ExperimentSheet, queue};
use crate::syntax::{Block, DiskSimError, Fields, Node, Value};
use platterlab_experiment::ms;
use platterlab_experiment::options::{
    Allocation, CacheStore, FlushOptions, Prefetch, Replacement, Rules, Scheduler, SystemCache,
    WriteScheme,
};
use platterlab_profile::Size;
use platterlab_units::SECTOR_BYTES_DEFAULT;

const SIZE: &str = "Cache size";
const LONGEST: &str = "Max request size";

const MEMORY: &[&str] = &[
    SIZE,
    "SLRU segments",
    "Line size",
    "Bit granularity",
    "Lock granularity",
    "Shared read locks",
    LONGEST,
    "Replacement policy",
    "Allocation policy",
    "Write scheme",
    "Flush policy",
    "Flush period",
    "Flush idle delay",
    "Flush max line cluster",
    "Read prefetch type",
    "Write prefetch type",
    "Line-by-line fetches",
    "Max gather",
];

const DEVICE: &[&str] = &[
    SIZE,
    "Cache device",
    "Cached device",
    LONGEST,
    "Write scheme",
    "Flush policy",
    "Flush period",
    "Flush idle delay",
];

/// Maps the cache of a controller, if it has one.
pub(crate) fn map(
    controller: &Fields<'_>,
    node: &Node,
    sheet: &mut ExperimentSheet,
) -> Result<Option<SystemCache>, DiskSimError> {
    let Some(field) = controller.get("Cache") else {
        let what = "a smart controller without a cache passes everything through";
        sheet.note(controller.spot(), what);
        return Ok(None);
    };
    let Value::Block(block) = &field.value else {
        let what = format!("`Cache` cannot be {}; write a block", field.value.describe());
        return Err(field.value_spot.error(what));
    };
    if Fields::of(block).whole_or_0(SIZE, u32::MAX)? == 0 {
        sheet.note(&block.spot, "a cache without room passes everything through");
        return Ok(None);
    }
    let mut cache = match block.kind.as_str() {
        "disksim_cachemem" => memory(block, sheet)?,
        "disksim_cachedev" => device(block, node, sheet)?,
        other => {
            let what =
                format!("`{other}` is not a cache; write disksim_cachemem or disksim_cachedev");
            return Err(block.spot.error(what));
        }
    };
    if let Some(field) = controller.get("Scheduler")
        && let Value::Block(block) = &field.value
    {
        let queue = queue::map(block, Owner::Host, sheet)?;
        (cache.scheduler, cache.critical, cache.timeout) =
            (queue.scheduler, queue.critical, queue.timeout);
        cache.rules = queue.rules;
    }
    let pending = controller.whole_or_0("Max per-disk pending count", 1_000_000)?;
    cache.drive_depth = pending.max(1);
    Ok(Some(cache))
}

fn blocks(count: u32) -> Size {
    Size::from_bytes(u64::from(count) * u64::from(SECTOR_BYTES_DEFAULT))
}

/// The longest request that is cached, in blocks: of any length where 0 is stated, though none is longer
/// than what the cache holds wherever it begins.
fn longest(
    fields: &Fields<'_>,
    size: u32,
    line: u32,
    sheet: &mut ExperimentSheet,
) -> Result<u32, DiskSimError> {
    let most = (size / line.max(1)).saturating_sub(1) * line + 1;
    let stated = fields.whole(LONGEST, u32::MAX)?;
    if stated > most {
        let what = format!("`{LONGEST}`: the cache holds {most} blocks wherever they begin");
        sheet.note(fields.place(LONGEST), &what);
    }
    Ok(if stated == 0 { most } else { stated.min(most) })
}

fn write(fields: &Fields<'_>) -> Result<WriteScheme, DiskSimError> {
    match fields.whole("Write scheme", 3)? {
        1 => Ok(WriteScheme::Through),
        2 => Ok(WriteScheme::ThroughEarly),
        3 => Ok(WriteScheme::Back),
        _ => Err(fields.place("Write scheme").error("a write scheme is 1, 2 or 3")),
    }
}

fn flush(fields: &Fields<'_>) -> Result<FlushOptions, DiskSimError> {
    let periodic = fields.whole_or_0("Flush policy", 1)? == 1;
    let period = fields.number_if("Flush period", 0.0, 1e9)?.unwrap_or(0.0);
    if periodic && period <= 0.0 {
        return Err(fields.place("Flush period").error("a periodic flush needs a period"));
    }
    let idle = fields.number_if("Flush idle delay", -1.0, 1e9)?.unwrap_or(-1.0);
    Ok(FlushOptions {
        period: periodic.then(|| ms(period)),
        idle_delay: (idle >= 0.0).then(|| ms(idle)),
        ..FlushOptions::default()
    })
}

fn memory(block: &Block, sheet: &mut ExperimentSheet) -> Result<SystemCache, DiskSimError> {
    let fields = Fields::check(block, MEMORY)?;
    let replacement = match fields.whole("Replacement policy", 4)? {
        1 => Replacement::Fifo,
        3 => Replacement::Random,
        4 => Replacement::Lifo,
        2 => {
            let shares = fields.numbers("SLRU segments")?;
            if shares.len() == 1 { Replacement::Lru } else { Replacement::SegmentedLru { shares } }
        }
        _ => {
            return Err(fields.place("Replacement policy").error("a replacement policy is 1 to 4"));
        }
    };
    for name in ["Lock granularity", "Shared read locks"] {
        if fields.get(name).is_some() {
            sheet.note(fields.place(name), &format!("`{name}` has no effect: nothing is locked"));
        }
    }
    let prefetch = |name: &str| -> Result<Prefetch, DiskSimError> {
        let kinds = [Prefetch::None, Prefetch::Front, Prefetch::Rest, Prefetch::Line];
        Ok(kinds[fields.whole_or_0(name, 3)? as usize])
    };
    let gather = fields.whole_or_0("Max gather", 1_000_000)?;
    let mut flush = flush(&fields)?;
    flush.max_cluster_lines = fields.whole_or_0("Flush max line cluster", 1_000_000)?.max(1);
    let (size, line) = (fields.whole(SIZE, u32::MAX)?, fields.whole("Line size", u32::MAX)?);
    Ok(SystemCache {
        size: blocks(size),
        store: CacheStore::Memory,
        line: blocks(line),
        granule: blocks(fields.whole("Bit granularity", u32::MAX)?),
        max_request: blocks(longest(&fields, size, line, sheet)?),
        replacement,
        allocation: match fields.whole_or_0("Allocation policy", 1)? {
            0 => Allocation::Any,
            _ => Allocation::CleanFirst,
        },
        write: write(&fields)?,
        flush,
        read_prefetch: prefetch("Read prefetch type")?,
        write_prefetch: prefetch("Write prefetch type")?,
        line_by_line: fields.whole_or_0("Line-by-line fetches", 1)? == 1,
        max_gather_lines: (gather > 0).then_some(gather),
        scheduler: Scheduler::default(),
        critical: None,
        timeout: None,
        rules: Rules::default(),
        drive_depth: 1,
    })
}

fn device(
    block: &Block,
    node: &Node,
    sheet: &mut ExperimentSheet,
) -> Result<SystemCache, DiskSimError> {
    let fields = Fields::check(block, DEVICE)?;
    let (store, store_spot) = fields.word("Cache device")?;
    let (cached, cached_spot) = fields.word("Cached device")?;
    let below = |name: &str| {
        let buses = node.children.iter();
        buses.flat_map(|bus| &bus.children).any(|child| child.name == name)
    };
    for (name, spot) in [(store, store_spot), (cached, cached_spot)] {
        if !below(name) {
            let what = format!("`{name}` is not attached to the controller `{}`", node.name);
            return Err(spot.error(what));
        }
    }
    let size = fields.whole(SIZE, u32::MAX)?;
    let max_request = longest(&fields, size, 1, sheet)?;
    let mut flush = flush(&fields)?;
    // Its lines are single blocks, and what follows each other is written as one.
    flush.max_cluster_lines = max_request.clamp(1, 1_000_000);
    Ok(SystemCache {
        size: blocks(size),
        store: CacheStore::Drive { drive: store.to_owned() },
        line: blocks(1),
        granule: blocks(1),
        max_request: blocks(max_request),
        replacement: Replacement::Lru,
        allocation: Allocation::Any,
        write: write(&fields)?,
        flush,
        read_prefetch: Prefetch::None,
        write_prefetch: Prefetch::None,
        line_by_line: false,
        max_gather_lines: None,
        scheduler: Scheduler::default(),
        critical: None,
        timeout: None,
        rules: Rules::default(),
        drive_depth: 1,
    })
}

/// Whether a component is the store of some cache: nothing is addressed to it.
pub(crate) fn is_store(components: &Components<'_>, name: &str) -> bool {
    components.blocks_of_kind("disksim_ctlr").any(|controller| {
        controller.fields.iter().any(|field| match &field.value {
            Value::Block(block) => block.fields.iter().any(|field| {
                field.name == "Cache device"
                    && matches!(&field.value, Value::Word(word) if word == name)
            }),
            _ => false,
        })
    })
}
