use super::flows::flow;
use super::volumes::Volumes;
use super::{root, sectors, sectors_32};
use crate::options::{DeviceMap, ExperimentOptions, LawOptions, Pattern, SpreadOptions, Workload};
use crate::plan::{Made, Mapping, SourcePlan, TracePlan};
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_units::SECTOR_BYTES_DEFAULT;
use platterlab_workload::synthetic::{GeneratorParams, Law, Spread};
use platterlab_workload::trace::Format;
use std::collections::BTreeMap;
use std::path::Path;

/// Every workload with its place in the system.
pub(crate) fn sources(
    options: &ExperimentOptions,
    volumes: &Volumes,
    folder: &Path,
) -> Result<Vec<SourcePlan>, Fault> {
    let mut all = Vec::new();
    for (index, workload) in options.workload.iter().enumerate() {
        let at = root().key("workload").index(index);
        let source = source(workload, volumes, folder, &at)?;
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
    if let Some(requests) = options.stop.requests
        && requests <= options.stop.warm_up_requests
    {
        let what = format!(
            "stops after {requests}, all of them warm-up; write more than warm_up_requests = {}",
            options.stop.warm_up_requests
        );
        return Err(Fault::new(root().key("stop").key("requests"), what));
    }
    Ok(all)
}

fn source(
    workload: &Workload,
    volumes: &Volumes,
    folder: &Path,
    at: &KeyPath,
) -> Result<SourcePlan, Fault> {
    let zero = LawOptions::Constant { value: 0.0 };
    match workload {
        Workload::Open { interval_ms, pattern, volumes: names, requests } => {
            let mean = law(*interval_ms, &at.key("interval_ms"))?.mean();
            if mean <= 0.0 {
                let what = "is 0 on the average, so that no time would pass; write a longer gap";
                return Err(Fault::new(at.key("interval_ms"), what));
            }
            let mut params = params(pattern, names, volumes, at)?;
            params.interval_ms = [interval_ms.law(); 3];
            Ok(SourcePlan::Made(Box::new(Made {
                params,
                count: 1,
                shared: false,
                requests: *requests,
            })))
        }
        Workload::Closed { population, think_ms, pattern, volumes: names, requests } => {
            let mut params = params(pattern, names, volumes, at)?;
            params.interval_ms = [law(*think_ms, &at.key("think_ms"))?; 3];
            params.critical_share = 1.0;
            let count = *population;
            Ok(SourcePlan::Made(Box::new(Made {
                params,
                count,
                shared: false,
                requests: *requests,
            })))
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
        } => {
            let mut params = params(pattern, names, volumes, at)?;
            let general = law(*interval_ms, &at.key("interval_ms"))?;
            let or_general = |other: Option<LawOptions>, key: &str| {
                other.map_or(Ok(general), |other| law(other, &at.key(key)))
            };
            params.interval_ms = [
                general,
                or_general(*sequential_interval_ms, "sequential_interval_ms")?,
                or_general(*local_interval_ms, "local_interval_ms")?,
            ];
            (params.critical_share, params.limited_share) = (*critical_share, *limited_share);
            params.limit_ms = law(if *limited_share > 0.0 { *limit_ms } else { zero }, at)?;
            check_shares(critical_share + limited_share, "limited_share", at)?;
            let waits = critical_share + limited_share > 0.0;
            if !waits && params.interval_ms.iter().all(|law| law.mean() <= 0.0) {
                let what = "is 0 on the average for processes that never wait, so that no time \
                            would pass; write a longer time";
                return Err(Fault::new(at.key("interval_ms"), what));
            }
            Ok(SourcePlan::Made(Box::new(Made {
                params,
                count: *count,
                shared: true,
                requests: *requests,
            })))
        }
        Workload::Trace { .. } => trace(workload, volumes, folder, at),
        Workload::Flow { .. } => flow(workload, volumes, folder, at).map(SourcePlan::Flow),
    }
}

fn trace(
    workload: &Workload,
    volumes: &Volumes,
    folder: &Path,
    at: &KeyPath,
) -> Result<SourcePlan, Fault> {
    let Workload::Trace { file, format, timing, map, requests } = workload else {
        unreachable!("only traces are handed over")
    };
    let format = match format {
        None => None,
        Some(word) => {
            let parsed: Result<Format, _> = word.parse();
            Some(parsed.map_err(|e| Fault::new(at.key("format"), e.to_string()))?)
        }
    };
    Ok(SourcePlan::Trace(TracePlan {
        path: folder.join(file),
        format,
        timing: *timing,
        map: mapping(map, volumes, &at.key("map"))?,
        volumes: volumes.sectors.len() as u32,
        sector_bytes: volumes.sector_bytes,
        requests: *requests,
    }))
}

fn law(options: LawOptions, at: &KeyPath) -> Result<Law, Fault> {
    if let LawOptions::Uniform { least, most } = options
        && most < least
    {
        return Err(Fault::new(at.key("most"), format!("{most} is less than `least` = {least}")));
    }
    Ok(options.law())
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
        SpreadOptions::Uniform {} => Spread::Uniform,
        SpreadOptions::Zipf { theta, parts } => Spread::Zipf { theta, parts: parts.min(span) },
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
        local_distance_sectors: scaled(
            law(pattern.local_distance_sectors, &at.key("local_distance_sectors"))?,
            scale,
        ),
        size_sectors: scaled(law(pattern.size_sectors, &at.key("size_sectors"))?, scale),
        interval_ms: [Law::Constant(0.0); 3],
        limit_ms: Law::Constant(0.0),
    })
}

fn scaled(law: Law, by: f64) -> Law {
    match law {
        Law::Constant(value) => Law::Constant(value * by),
        Law::Uniform { least, most } => Law::Uniform { least: least * by, most: most * by },
        Law::Normal { mean, variance } => {
            Law::Normal { mean: mean * by, variance: variance * by * by }
        }
        Law::Exponential { base, mean } => Law::Exponential { base: base * by, mean: mean * by },
        Law::Poisson { base, mean } => Law::Poisson { base: base * by, mean: mean * by },
        Law::Bursty { length, within, between } => {
            Law::Bursty { length, within: within * by, between: between * by }
        }
        Law::TwoValue { usual, other, share } => {
            Law::TwoValue { usual: usual * by, other: other * by, share }
        }
    }
}

fn mapping(
    map: &[DeviceMap],
    volumes: &Volumes,
    at: &KeyPath,
) -> Result<Option<BTreeMap<u32, Mapping>>, Fault> {
    let mut all = BTreeMap::new();
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
        if all.insert(one.device, mapping).is_some() {
            let what = format!("maps device {} a second time", one.device);
            return Err(Fault::new(at.key("device"), what));
        }
    }
    Ok((!all.is_empty()).then_some(all))
}
