//! Our own per-request rows, as `simulate --per-request FILE.csv` and `--requests` write them.

use super::table::{LINES, Separator, is_comment, open_as, whole_lines};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "rows",
    title: "Platterlab's own per-request rows, as CSV",
    columns: &[
        ["arrival_ms", "ms", "when the request came"],
        ["queue_ms", "ms", "from arrival to issue; of a system's requests there is none"],
        ["service_ms", "ms", "from issue to completion; of a system's requests `response_ms`"],
        ["lba", "sectors, taken as of 512 bytes", "first sector"],
        ["sectors", "sectors, taken as of 512 bytes", "length"],
        ["device", "", "its number; of a system's requests `volume`"],
        ["operation", "", "`read` or `write`"],
    ],
    silent: "The size of a sector: rows of a drive with others than 512 bytes have addresses in those. \
             Who waits.",
    sniff: |head| mapping_in(head).is_some(),
    open: |source, _| {
        let mut source = source;
        let mapping = mapping_in(source.peek()?).unwrap_or_default();
        open_as(source, Format::Rows, &mapping, &LINES)
    },
};

/// Which column is what, by the line of names; `None` if these are not rows of ours.
fn mapping_in(head: &[u8]) -> Option<String> {
    let line = whole_lines(head).find(|line| !is_comment(line))?;
    let columns = Separator::of(line).columns(line);
    mapping(|name| columns.contains(&name.as_bytes()))
}

/// The same of a table that `has` columns of such names: of requests to volumes, or of commands to
/// drives, with as many of their times as there are.
pub(super) fn mapping(has: impl Fn(&str) -> bool) -> Option<String> {
    let all = |names: &[&str]| names.iter().all(|name| has(name));
    if !all(&["arrival_ms", "lba", "sectors", "operation"]) {
        return None;
    }
    let times = if has("volume") {
        has("response_ms").then_some("device=volume, response=response_ms:ms")?
    } else {
        match (has("device"), has("queue_ms"), has("service_ms"), has("response_ms")) {
            (true, true, true, _) => "device=device, queued=queue_ms:ms, service=service_ms:ms",
            (true, false, true, true) => {
                "device=device, service=service_ms:ms, response=response_ms:ms"
            }
            (true, false, true, false) => "device=device, service=service_ms:ms",
            (true, true, false, true) => {
                "device=device, queued=queue_ms:ms, response=response_ms:ms"
            }
            (true, false, false, true) => "device=device, response=response_ms:ms",
            _ => return None,
        }
    };
    let places = "time=arrival_ms:ms, lba=lba:sectors, size=sectors:sectors, op=operation";
    Some(format!("{places}, {times}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(heading: &str) -> Option<String> {
        mapping_in(format!("{heading}\n1\n").as_bytes())
    }

    #[test]
    fn rows_are_told_by_the_columns_they_need_and_no_others() {
        let places = "time=arrival_ms:ms, lba=lba:sectors, size=sectors:sectors, op=operation";
        for (heading, times) in [
            (
                "arrival_ms,queue_ms,service_ms,lba,sectors,device,operation",
                "device=device, queued=queue_ms:ms, service=service_ms:ms",
            ),
            (
                "lba,sectors,more,operation,device,service_ms,arrival_ms",
                "device=device, service=service_ms:ms",
            ),
            (
                "arrival_ms,response_ms,service_ms,lba,sectors,device,operation",
                "device=device, service=service_ms:ms, response=response_ms:ms",
            ),
            (
                "arrival_ms,response_ms,lba,sectors,volume,operation",
                "device=volume, response=response_ms:ms",
            ),
            (
                "arrival_ms,response_ms,lba,sectors,device,operation",
                "device=device, response=response_ms:ms",
            ),
        ] {
            for separator in [",", ";"] {
                let heading = heading.replace(',', separator);
                assert_eq!(told(&heading), Some(format!("{places}, {times}")), "{heading}");
            }
        }
        assert_eq!(told("arrival_ms,lba,sectors,operation,device"), None, "no time was measured");
        assert_eq!(told("arrival_ms,service_ms,lba,operation,device"), None, "no length");
    }
}
