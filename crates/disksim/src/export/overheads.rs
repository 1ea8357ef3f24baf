//! Overheads for DiskSim: what a command costs first, what taking the bus again costs, and what ends it.

use platterlab_drive::{
    CacheParams, ControllerParams, DriveParams, Near, OverheadRule, WriteReport,
};
use platterlab_units::{Operation, Span};

/// What DiskSim's parameters would have to be.
struct DisksimCosts {
    prepare: Span,
    reselect: Span,
    /// The other reselect, where a write gives up the bus a second time.
    other: Option<Span>,
    /// From such a write's arrival until the arm moves.
    apart: Span,
    read_end: Span,
    write_end: Span,
}

/// The parameters of all overheads; what DiskSim has no parameter for goes to `lost`.
pub(super) fn lines(params: &DriveParams, lost: &mut Vec<String>) -> Vec<String> {
    let controller = &params.controller;
    let Some(costs) = costs(params) else {
        lost.push(
            "controller: DiskSim's overheads go by the last command's kind, and are paid with \
                   taking the bus again"
                .to_owned(),
        );
        return Vec::new();
    };
    let mut lines = Vec::new();
    for (operation, verb) in [(Operation::Read, "Read"), (Operation::Write, "Write")] {
        for (hit, outcome) in [(1, "hit"), (0, "miss")] {
            let own =
                if (operation, hit) == (Operation::Read, 1) { costs.prepare } else { Span::ZERO };
            for (previous, after) in [(0, "read"), (1, "write")] {
                let time = controller.overhead[operation.index()][hit][previous].less(own);
                lines
                    .push(format!("   {verb} {outcome} over. after {after} = {:?},", time.as_ms()));
            }
        }
    }
    for (name, time) in [
        ("Data preparation overhead", costs.prepare),
        ("First reselect overhead", costs.reselect),
        ("Read completion overhead", costs.read_end),
        ("Write completion overhead", costs.write_end),
    ] {
        lines.push(format!("   {name} = {:?},", time.as_ms()));
    }
    lines.extend(extra_disconnect(params, &costs, lost));
    lines
}

/// The costs that come back as this controller, if there are any.
fn costs(params: &DriveParams) -> Option<DisksimCosts> {
    let ControllerParams { overhead, completion, rules, .. } = &params.controller;
    let [read_end, both] = *completion;
    let reconnect = params.bus.reconnect;
    let completes = |hit: bool, run: u32| {
        let rule = rules.iter().find(|rule| rule.hit == Some(hit) && rule.run == run);
        rule.and_then(|rule| rule.completion)
    };
    let follows = overhead[Operation::Write.index()][0][Operation::Write.index()];
    let twice = rules.iter().find(|rule| rule.hit == Some(false) && rule.run == 0);
    let reported = reports(&params.cache);
    let reselect = match completes(true, 0) {
        Some(write_end) => checked(both, write_end)?,
        None if reported => Span::ZERO,
        // A write's data takes as long to prepare.
        None if params.bus.write_delay > Span::ZERO => checked(reconnect, params.bus.write_delay)?,
        None => both.min(reconnect),
    };
    let write_end = checked(both, reselect)?;
    let costs = DisksimCosts {
        prepare: checked(reconnect, reselect)?,
        reselect,
        other: completes(false, 0).map(|twice| twice.less(write_end)),
        apart: twice.map_or(follows, |rule| rule.time.max(follows)),
        read_end,
        write_end,
    };
    let hits = overhead[Operation::Read.index()][1];
    let paid = hits.iter().all(|hit| *hit >= costs.prepare);
    (paid && expected(params, &costs) == *rules).then_some(costs)
}

fn reports(cache: &CacheParams) -> bool {
    cache.write_report == WriteReport::BufferInTurn
}

fn checked(whole: Span, part: Span) -> Option<Span> {
    (part <= whole).then(|| whole.less(part))
}

/// The rules that the importer would make of these costs.
fn expected(params: &DriveParams, costs: &DisksimCosts) -> Vec<OverheadRule> {
    let [read, write] = [Operation::Read, Operation::Write];
    let overhead = params.controller.overhead[write.index()];
    let rule = |hit: bool, after: Operation, run, completion| OverheadRule {
        operation: write,
        hit: Some(hit),
        after: Some(after),
        run,
        near: Near::Anywhere,
        idle: None,
        reading_ahead: None,
        time: overhead[usize::from(hit)][after.index()],
        completion: Some(completion),
    };
    let mut rules = Vec::new();
    if costs.reselect > Span::ZERO && reports(&params.cache) {
        rules.push(rule(true, read, 0, costs.write_end));
        rules.push(rule(true, write, 0, costs.write_end));
    }
    if let Some(other) = costs.other {
        rules.push(rule(false, write, 1, costs.write_end + costs.reselect));
        let moves = rule(false, write, 0, costs.write_end + other);
        rules.push(OverheadRule { time: costs.apart, ..moves });
    }
    rules
}

/// A second disconnect: what it costs, and as a delay what a write waits for.
fn extra_disconnect(
    params: &DriveParams,
    costs: &DisksimCosts,
    lost: &mut Vec<String>,
) -> Vec<String> {
    let fence = params.cache.write_fence_sectors;
    let settled = params.mechanism.resettle[Operation::Write.index()];
    let waits_at_once = costs.other.is_some() && params.bus.write_sector > Span::ZERO;
    if params.bus.write_delay != if waits_at_once { costs.prepare } else { Span::ZERO } {
        let what = "bus.write_delay_ms: DiskSim prepares a write's data, with an extra disconnect, as \
                    long as that of a read";
        lost.push(what.to_owned());
    }
    if settled > Span::ZERO && !waits_at_once {
        let what = "switch.resettle_write_ms: DiskSim has a least seek delay with an extra disconnect \
                    only";
        lost.push(what.to_owned());
    }
    let writes = params.controller.overhead[Operation::Write.index()][0];
    if settled > writes[0].min(writes[1]) {
        let what = "switch.resettle_write_ms: DiskSim's least seek delay is imported only within a \
                    write's overhead";
        lost.push(what.to_owned());
    }
    let Some(other) = costs.other else {
        if fence > 1 {
            let what = "cache.write_fence: DiskSim's writes wait with an extra disconnect only";
            lost.push(what.to_owned());
        }
        return Vec::new();
    };
    // Over a bus that takes no time all data is there at once, and nothing waits.
    let waits_ms = f64::from(fence) * params.bus.write_sector.as_ms();
    let unlike = match params.bus.write_sector {
        Span::ZERO => fence > 1,
        _ => waits_ms < (other + settled).as_ms(),
    };
    if unlike {
        let what = "cache.write_fence: DiskSim's writes wait at least for the other reselect";
        lost.push(what.to_owned());
    }
    // What moves the arm later is part of what data is waited for, as far as that goes.
    let follows = params.controller.overhead[Operation::Write.index()][0][Operation::Write.index()];
    let apart_ms = if costs.apart > follows { costs.apart.as_ms() } else { 0.0 };
    let rest_ms = (waits_ms - (other + settled).as_ms()).max(0.0);
    let command_ms = apart_ms.min(rest_ms);
    vec![
        "   Extra write disconnect = 1,".to_owned(),
        format!("   Minimum seek delay = {:?},", settled.as_ms()),
        format!("   Other reselect overhead = {:?},", other.as_ms()),
        format!("   Extradisc command overhead = {command_ms:?},"),
        format!("   Extradisc seek delta = {:?},", apart_ms - command_ms),
        format!("   Extradisc inter-disconnect delay = {:?},", rest_ms - command_ms),
    ]
}
