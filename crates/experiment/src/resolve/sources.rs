//! Workloads: from the file's keys to generators and traces, with every value checked.

use super::flows::flow;
use super::volumes::Volumes;
use super::{root, sectors, sectors_32};
use crate::options::{DeviceMap, ExperimentOptions, Law, Pattern, Spread, Workload};
use crate::plan::{DeviceMappings, Made, Mapping, SourcePlan, TracePlan};
use crate::run::Precision;
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_results::Row;
use platterlab_sim::source::Label;
use platterlab_units::SECTOR_BYTES_DEFAULT;
use platterlab_workload::synthetic::GeneratorParams;
use platterlab_workload::trace::{self, Format, UnknownFormat};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// As many workloads as streams have numbers: the last one is of what a system does by itself.
const MOST: usize = Row::OWN_STREAM as usize;

/// Each client and each process has a number of 24 bits.
const MOST_CLIENTS: u64 = 1 << 24;

/// Every workload with its place in the system.
pub(crate) fn sources(
    options: &ExperimentOptions,
    volumes: &Volumes,
    folder: &Path,
) -> Result<Vec<SourcePlan>, Fault> {
    let count = options.workload.len();
    if count > MOST {
        let what = format!("are {count}, and a system takes up to {MOST}; leave out the others");
        return Err(Fault::new(root().key("workload"), what));
    }
    let mut all = Vec::with_capacity(count);
    for (stream, workload) in (0..=u16::MAX).zip(&options.workload) {
        let at = root().key("workload").index(usize::from(stream));
        let label = Label { stream, tags: workload.tags() };
        let source = source(workload, label, volumes, folder, &at)?;
        let stop = &options.stop;
        let bounded =
            stop.requests.is_some() || stop.time_s.is_some() || stop.precision_percent.is_some();
        if !source.ends() && !bounded {
            let what = "never ends: write `requests` here, or `requests`, `time_s` or \
                        `precision_percent` under [stop]";
            return Err(Fault::new(at, what));
        }
        all.push(source);
    }
    let clients: u64 = all.iter().map(clients).sum();
    if clients > MOST_CLIENTS {
        let what = format!(
            "have {clients} clients and processes, and a system takes up to {MOST_CLIENTS}; take \
             fewer of them"
        );
        return Err(Fault::new(root().key("workload"), what));
    }
    if let Some(requests) = options.stop.requests
        && requests <= options.stop.warm_up_requests
    {
        let what = format!(
            "stops after {requests}, all of them warm-up; write more than warm_up_requests = {}",
            options.stop.warm_up_requests
        );
        return Err(Fault::new(root().key("stop").key("requests"), what));
    }
    if let (Some(requests), Some(_)) = (options.stop.requests, options.stop.precision_percent)
        && requests - options.stop.warm_up_requests < Precision::LEAST_REQUESTS
    {
        let what = format!(
            "is never reached: it takes {} requests after the warm-up, but the run ends \
             after requests = {requests}; write more of them, or leave one of the two out",
            Precision::LEAST_REQUESTS
        );
        return Err(Fault::new(root().key("stop").key("precision_percent"), what));
    }
    Ok(all)
}

fn clients(source: &SourcePlan) -> u64 {
    match source {
        SourcePlan::Made(made) => made.count.into(),
        SourcePlan::Trace(_) | SourcePlan::Flow(_) | SourcePlan::Outside(_) => 0,
    }
}

/// What each workload is called in figures, each in another way.
pub(crate) fn names(options: &ExperimentOptions) -> Result<Vec<String>, Fault> {
    let workloads = &options.workload;
    let mut alike = BTreeMap::new();
    for workload in workloads.iter().filter(|one| one.name().is_none()) {
        *alike.entry(workload.kind()).or_insert(0_usize) += 1;
    }
    let (mut all, mut taken) = (Vec::with_capacity(workloads.len()), BTreeSet::new());
    for (index, workload) in workloads.iter().enumerate() {
        let name = match workload.name() {
            Some(name) => name.to_owned(),
            None if alike[workload.kind()] == 1 => workload.kind().to_owned(),
            None => format!("{} {index}", workload.kind()),
        };
        if !taken.insert(name.clone()) {
            let what = format!("is `{name}`, as another workload's; give each a name of its own");
            return Err(Fault::new(root().key("workload").index(index).key("name"), what));
        }
        all.push(name);
    }
    Ok(all)
}

fn source(
    workload: &Workload,
    label: Label,
    volumes: &Volumes,
    folder: &Path,
    at: &KeyPath,
) -> Result<SourcePlan, Fault> {
    let made = |params, count, shared, requests: &Option<u64>| {
        let requests = *requests;
        SourcePlan::Made(Box::new(Made { params, count, shared, requests, label }))
    };
    let time = |stated: &Law, key: &str| law(*stated, &at.key(key));
    match workload {
        Workload::Open { interval_ms, pattern, volumes: names, requests, .. } => {
            let mut params = params(pattern, names, volumes, at)?;
            params.interval_ms = [time(interval_ms, "interval_ms")?; 3];
            time_passes(&params, "", at)?;
            Ok(made(params, 1, false, requests))
        }
        Workload::Closed { population, think_ms, pattern, volumes: names, requests, .. } => {
            let mut params = params(pattern, names, volumes, at)?;
            params.interval_ms = [time(think_ms, "think_ms")?; 3];
            params.critical_share = 1.0;
            Ok(made(params, *population, false, requests))
        }
        Workload::Processes {
            count,
            interval_ms,
            sequential_interval_ms,
            local_interval_ms,
            critical_share,
            limited_share,
            limit_ms,
            pattern,
            volumes: names,
            requests,
            ..
        } => {
            let mut params = params(pattern, names, volumes, at)?;
            let sequential = sequential_interval_ms.as_ref().unwrap_or(interval_ms);
            let local = local_interval_ms.as_ref().unwrap_or(interval_ms);
            params.interval_ms = [
                time(interval_ms, "interval_ms")?,
                time(sequential, "sequential_interval_ms")?,
                time(local, "local_interval_ms")?,
            ];
            (params.critical_share, params.limited_share) = (*critical_share, *limited_share);
            params.limit_ms = time(limit_ms, "limit_ms")?;
            check_shares(critical_share + limited_share, "limited_share", at)?;
            time_passes(&params, " for processes that never wait", at)?;
            Ok(made(params, *count, true, requests))
        }
        Workload::Trace { file, format, columns, timing, map, requests, beyond, .. } => {
            let (path, format) = recorded(&folder.join(file), format.as_deref(), at)?;
            let columns: Option<Result<trace::Mapping, String>> =
                columns.as_deref().map(str::parse);
            let columns = columns.transpose();
            Ok(SourcePlan::Trace(TracePlan {
                path,
                format,
                columns: columns.map_err(|what| Fault::new(at.key("columns"), what))?,
                timing: *timing,
                map: mapping(map, volumes, &at.key("map"))?,
                volume_sectors: volumes.sectors.clone(),
                beyond: *beyond,
                sizes: volumes.sizes(mapped_bytes(volumes.sector_bytes)),
                requests: *requests,
                label,
            }))
        }
        Workload::Flow { file, model, volume, .. } => {
            flow(&folder.join(file), model, volume.as_deref(), volumes, label, at)
                .map(SourcePlan::Flow)
        }
    }
}

/// The sectors in which requests of a trace come, whatever it counts in itself: those that drives of
/// the volumes' sectors can be addressed in.
fn mapped_bytes(sector_bytes: u32) -> u32 {
    if sector_bytes.is_multiple_of(SECTOR_BYTES_DEFAULT) {
        SECTOR_BYTES_DEFAULT
    } else {
        sector_bytes
    }
}

/// Whether requests that nobody waits for, `whose` they are, come apart.
fn time_passes(params: &GeneratorParams, whose: &str, at: &KeyPath) -> Result<(), Fault> {
    let waits = params.critical_share + params.limited_share > 0.0;
    if !waits && params.interval_ms.iter().all(|law| law.mean() <= 0.0) {
        let what =
            format!("is 0 on the average{whose}, so that no time would pass; write a longer time");
        return Err(Fault::new(at.key("interval_ms"), what));
    }
    Ok(())
}

/// The file of a trace, which must be there, and its format.
fn recorded(
    path: &Path,
    format: Option<&str>,
    at: &KeyPath,
) -> Result<(PathBuf, Option<Format>), Fault> {
    if !path.exists() {
        let what = format!("there is no file {}", path.display());
        return Err(Fault::new(at.key("file"), what));
    }
    let parsed: Option<Result<Format, UnknownFormat>> = format.map(str::parse);
    let format = parsed.transpose();
    let format = format.map_err(|error| Fault::new(at.key("format"), error.to_string()))?;
    Ok((path.to_owned(), format))
}

fn law(law: Law, at: &KeyPath) -> Result<Law, Fault> {
    if let Law::Uniform { least, most } = law
        && most < least
    {
        return Err(Fault::new(at.key("most"), format!("{most} is less than `least` = {least}")));
    }
    Ok(law)
}

fn check_shares(sum: f64, key: &str, at: &KeyPath) -> Result<(), Fault> {
    if sum > 1.0 + 1e-9 {
        return Err(Fault::new(at.key(key), format!("makes shares of {sum}, more than all")));
    }
    Ok(())
}

/// A generator that asks for `names`, or for every volume.
fn params(
    pattern: &Pattern,
    names: &[String],
    volumes: &Volumes,
    at: &KeyPath,
) -> Result<GeneratorParams, Fault> {
    let mut targets = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let at = at.key("volumes").index(index);
        targets.extend(volumes.names.find(name).map_err(|what| Fault::new(at, what))?);
    }
    if names.is_empty() {
        targets = (0..volumes.sectors.len() as u32).collect();
    }
    let at = at.key("pattern");
    let bytes = volumes.sector_bytes;
    let smallest = targets.iter().map(|volume| volumes.sectors[*volume as usize]).min();
    let smallest = smallest.unwrap_or(0);
    let span = match pattern.span {
        None => smallest,
        Some(span) => sectors(span, bytes, at.key("span"))?,
    };
    if span > smallest {
        let what = format!("is {span} sectors, but a volume here has only {smallest}");
        return Err(Fault::new(at.key("span"), what));
    }
    let block_sectors = sectors_32(pattern.block, bytes, at.key("block"))?;
    let max_sectors = sectors_32(pattern.max_size, bytes, at.key("max_size"))?;
    if u64::from(block_sectors) > span || block_sectors > max_sectors {
        return Err(Fault::new(at.key("block"), "is larger than the span or the longest request"));
    }
    check_shares(pattern.sequential_share + pattern.local_share, "local_share", &at)?;
    // Lengths are stated in sectors of 512 bytes, whatever the drives have.
    let scale = f64::from(SECTOR_BYTES_DEFAULT) / f64::from(bytes);
    let spread = match pattern.spread {
        Spread::Zipf { theta, parts } => Spread::Zipf { theta, parts: parts.min(span) },
        any => any,
    };
    Ok(GeneratorParams {
        volumes: targets,
        capacity_sectors: span,
        block_sectors,
        max_sectors,
        sequential_share: pattern.sequential_share,
        local_share: pattern.local_share,
        spread,
        read_share: pattern.read_share,
        critical_share: 0.0,
        limited_share: 0.0,
        local_distance_sectors: law(
            pattern.local_distance_sectors,
            &at.key("local_distance_sectors"),
        )?
        .scaled(scale),
        size_sectors: law(pattern.size_sectors, &at.key("size_sectors"))?.scaled(scale),
        interval_ms: [Law::Constant { value: 0.0 }; 3],
        limit_ms: Law::Constant { value: 0.0 },
    })
}

fn mapping(
    map: &[DeviceMap],
    volumes: &Volumes,
    at: &KeyPath,
) -> Result<Option<DeviceMappings>, Fault> {
    let mut all = DeviceMappings::default();
    for (index, one) in map.iter().enumerate() {
        let at = at.index(index);
        let volume = volumes.names.one(&one.volume);
        let volume = volume.map_err(|what| Fault::new(at.key("volume"), what))?;
        let mapping = Mapping {
            volume,
            location_bytes: one.location_bytes,
            size_scale: one.size_scale,
            offset_sectors: one.offset_sectors,
        };
        let (shown, before) = match (one.device, &one.named) {
            (Some(number), None) => (number.to_string(), all.by_number.insert(number, mapping)),
            (None, Some(name)) => match trace::linux_number(name) {
                Some(number) => (name.clone(), all.by_number.insert(number, mapping)),
                None => (name.clone(), all.by_name.insert(name.clone(), mapping)),
            },
            _ => {
                let what = "write the device's number, or `named` with its name, and not both";
                return Err(Fault::new(at.key("device"), what));
            }
        };
        if before.is_some() {
            let what = format!("maps device {shown} a second time");
            return Err(Fault::new(at.key("device"), what));
        }
    }
    Ok((!map.is_empty()).then_some(all))
}
