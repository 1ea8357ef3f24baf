//! `disksim_synthio`, `disksim_synthgen` and `disksim_pf`: generators as processes.

use super::ExperimentSheet;
use super::components::Components;
use super::logorg::Orgs;
use crate::syntax::{Block, DiskSimError, Fields, Item, Value};
use platterlab_experiment::Plan;
use platterlab_experiment::options::{ExperimentOptions, Law, Pattern, Spread, Woken, Workload};
use platterlab_profile::Size;
use platterlab_units::SECTOR_BYTES_DEFAULT;

const PROCESS_FLOW: &[&str] = &["Number of processors", "Process-Flow Time Scale"];

const SYNTHIO: &[&str] = &[
    "Number of I/O requests to generate",
    "Maximum time of trace generated",
    "System call/return with each request",
    "Think time from call to request",
    "Think time from request to return",
    "Generators",
];

const GENERATOR: &[&str] = &[
    "Storage capacity per device",
    "devices",
    "Blocking factor",
    "Probability of sequential access",
    "Probability of local access",
    "Probability of read access",
    "Probability of time-critical request",
    "Probability of time-limited request",
    "Time-limited think times",
    "General inter-arrival times",
    "Sequential inter-arrival times",
    "Local inter-arrival times",
    "Local distances",
    "Sizes",
];

/// Maps the generators of a file.
pub(crate) fn map(
    components: &Components<'_>,
    orgs: &Orgs,
    file: &str,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    let mut time_scale = 1.0;
    if let Some(block) = components.block_of_kind("disksim_pf")? {
        let fields = Fields::check(block, PROCESS_FLOW)?;
        sheet.options.host.processors = Some(fields.whole("Number of processors", 1_000_000)?);
        // Its processors do not call each other, and the first takes all interrupts.
        sheet.options.host.woken = Woken::First;
        time_scale = fields.number_if("Process-Flow Time Scale", 0.0, 1e6)?.unwrap_or(time_scale);
    }
    let Some(block) = components.block_of_kind("disksim_synthio")? else {
        let what = "has no generators; give a trace with --trace, or add a disksim_synthio block";
        return Err(DiskSimError::of_file(file, what));
    };
    let fields = Fields::check(block, SYNTHIO)?;
    let requests = fields.number("Number of I/O requests to generate", 1.0, 1e12)?;
    sheet.options.stop.requests = Some(requests as u64);
    sheet.options.stop.time_s =
        Some(fields.number("Maximum time of trace generated", 0.000_001, 1e7)?);
    let mut extra_ms = 0.0;
    for name in ["Think time from call to request", "Think time from request to return"] {
        extra_ms += fields.number_if(name, 0.0, 1e9)?.unwrap_or(0.0);
    }
    if fields.whole_or_0("System call/return with each request", 1)? == 0 {
        extra_ms = 0.0;
    }
    for item in fields.list("Generators")? {
        let Value::Block(block) = &item.value else {
            return Err(item.error("cannot stand here; write generators"));
        };
        let generator = generator(block, orgs, extra_ms, time_scale, sheet)?;
        sheet.options.workload.push(generator);
    }
    Ok(())
}

fn generator(
    block: &Block,
    orgs: &Orgs,
    extra_ms: f64,
    time_scale: f64,
    sheet: &mut ExperimentSheet,
) -> Result<Workload, DiskSimError> {
    let fields = Fields::check(block, GENERATOR)?;
    let mut volumes = Vec::new();
    for (name, spot) in Components::names(fields.list("devices")?)? {
        let volume = orgs.volume(&name, &spot)?;
        if volume != name {
            let what = format!("`{name}` stands for the device of its number, which is `{volume}`");
            sheet.note(&spot, &what);
        }
        volumes.push(volume);
    }
    let share = |name: &str| Ok(fields.number_if(name, 0.0, 1.0)?.unwrap_or(0.0));
    let time = |name: &str, extra: f64| -> Result<Law, DiskSimError> {
        let law = law(&fields, name)?;
        Ok(shifted(law, extra).scaled(time_scale))
    };
    let bytes = u64::from(SECTOR_BYTES_DEFAULT);
    let capacity = fields.number("Storage capacity per device", 1.0, 9e15)? as u64;
    let block_sectors = fields.whole("Blocking factor", 1 << 20)?.max(1);
    Ok(Workload::Processes {
        name: None,
        tags: None,
        count: 1,
        interval_ms: time("General inter-arrival times", extra_ms)?,
        sequential_interval_ms: Some(time("Sequential inter-arrival times", extra_ms)?),
        local_interval_ms: Some(time("Local inter-arrival times", extra_ms)?),
        critical_share: share("Probability of time-critical request")?,
        limited_share: share("Probability of time-limited request")?,
        limit_ms: time("Time-limited think times", 0.0)?,
        pattern: Pattern {
            read_share: share("Probability of read access")?,
            sequential_share: share("Probability of sequential access")?,
            local_share: share("Probability of local access")?,
            local_distance_sectors: law(&fields, "Local distances")?,
            spread: Spread::Uniform,
            size_sectors: law(&fields, "Sizes")?,
            max_size: Size::from_bytes(64 << 20),
            block: Size::from_bytes(u64::from(block_sectors) * bytes),
            span: Some(Size::from_bytes(capacity * bytes)),
        },
        volumes,
        requests: None,
    })
}

/// Takes the spans out of all generators.
pub(crate) fn take_spans(options: &mut ExperimentOptions) -> Vec<Option<Size>> {
    let span = |workload: &mut Workload| match workload {
        Workload::Processes { pattern, .. } => pattern.span.take(),
        _ => None,
    };
    options.workload.iter_mut().map(span).collect()
}

/// Puts them back, none of them longer than the volumes of `plan`; what was cut is noted.
pub(crate) fn put_spans(
    options: &mut ExperimentOptions,
    spans: &[Option<Size>],
    plan: &Plan,
) -> Vec<String> {
    let bytes = u64::from(SECTOR_BYTES_DEFAULT);
    let mut notes = Vec::new();
    for (workload, span) in options.workload.iter_mut().zip(spans) {
        let Workload::Processes { pattern, volumes, .. } = workload else { continue };
        let sizes = plan.volumes().iter().zip(plan.volume_sectors());
        let own = sizes.filter(|(name, _)| volumes.contains(name));
        let Some((name, most)) = own.min_by_key(|(_, sectors)| **sectors) else { continue };
        let wanted = span.map_or(*most, |span| span.bytes() / bytes);
        if wanted > *most {
            let note = format!(
                "`Storage capacity per device` = {wanted}, but `{name}` has {most} blocks: {most} \
                 are used"
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        pattern.span = Some(Size::from_bytes(wanted.min(*most) * bytes));
    }
    notes
}

/// A list that names a distribution and its parameters.
fn law(fields: &Fields<'_>, name: &str) -> Result<Law, DiskSimError> {
    let items = fields.list(name)?;
    let Some((Item { value: Value::Word(kind), spot: at }, rest)) = items.split_first() else {
        let what = format!("`{name}` begins with a distribution, as in [ exponential, 0.0, 8.0 ]");
        return Err(fields.place(name).error(what));
    };
    let number = |item: &Item| match item.value {
        Value::Number(number) => Ok(number),
        _ => Err(item.error("is not a number")),
    };
    let numbers = rest.iter().map(number).collect::<Result<Vec<f64>, DiskSimError>>()?;
    match (kind.as_str(), numbers.as_slice()) {
        ("uniform", [least, most]) => Ok(Law::Uniform { least: *least, most: *most }),
        ("normal", [mean, variance]) if *variance >= 0.0 => {
            Ok(Law::Normal { mean: *mean, variance: *variance })
        }
        ("exponential", [base, mean]) if *mean >= 0.0 => {
            Ok(Law::Exponential { mean: *mean, base: *base })
        }
        ("poisson", [base, mean]) if *mean >= 0.0 => Ok(Law::Poisson { mean: *mean, base: *base }),
        ("twovalue", [usual, other, share]) if (0.0..=1.0).contains(share) => {
            Ok(Law::TwoValue { usual: *usual, other: *other, share: *share })
        }
        _ => {
            let what = format!(
                "`{kind}` with {} numbers is not a distribution; write uniform (least, most), \
                 normal (mean, variance), exponential or poisson (base, mean), or twovalue (usual, \
                 other, share)",
                numbers.len()
            );
            Err(at.error(what))
        }
    }
}

fn shifted(law: Law, by: f64) -> Law {
    match law {
        Law::Constant { value } => Law::Constant { value: value + by },
        Law::Uniform { least, most } => Law::Uniform { least: least + by, most: most + by },
        Law::Normal { mean, variance } => Law::Normal { mean: mean + by, variance },
        Law::Exponential { mean, base } => Law::Exponential { mean, base: base + by },
        Law::Poisson { mean, base } => Law::Poisson { mean, base: base + by },
        Law::TwoValue { usual, other, share } => {
            Law::TwoValue { usual: usual + by, other: other + by, share }
        }
        bursty @ Law::Bursty { .. } => bursty,
    }
}
