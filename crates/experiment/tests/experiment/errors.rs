//! One clear error for each mistake, with file, line and key.

use platterlab_experiment::Experiment;
use std::path::Path;

const GOOD: &str = r#"
[stop]
requests = 1000

[[bus]]
name = "scsi"
count = 2

[[drive]]
name = "d"
count = 4
profile = "mock"
bus = "scsi"

[[volume]]
name = "v"
drives = ["d0..d3"]
layout = { kind = "raid5", unit = "64k" }

[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 20.0 }
"#;

fn parse(text: &str) -> Result<Experiment, String> {
    let none: [(&str, toml::Value); 0] = [];
    Experiment::parse(text.as_bytes(), "e.toml", Path::new(""), &none).map_err(|e| e.to_string())
}

#[track_caller]
fn refused(from: &str, to: &str, wanted: &[&str]) {
    assert!(GOOD.contains(from), "{from}");
    let error = parse(&GOOD.replacen(from, to, 1)).expect_err(to);
    for part in wanted {
        assert!(error.contains(part), "{error:?} does not say {part:?}");
    }
}

#[test]
fn what_is_right_is_taken() {
    let experiment = parse(GOOD).expect("it is right");
    assert_eq!(experiment.plan.drives(), ["d0", "d1", "d2", "d3"]);
    assert_eq!(experiment.plan.volumes(), ["v"]);
}

#[test]
fn words_and_keys_are_suggested() {
    refused("\"open\"", "\"opne\"", &["e.toml, line 21, workload[0].kind", "open"]);
    refused("interval_ms", "interval_s", &["line 22", "interval_ms", "milliseconds"]);
    refused("\"mock\"", "\"mok\"", &["line 12, drive[0].profile", "did you mean `mock`"]);
    refused("[stop]", "[host]\nscheduler = { kind = \"sptff\" }\n[stop]", &["sptf"]);
    refused("\"d0..d3\"", "\"d0..d4\"", &["volume[0].drives[0]", "no drive `d4`"]);
    refused("bus = \"scsi\"", "bus = \"sccsi\"", &["drive[0].bus", "did you mean `scsi`"]);
}

#[test]
fn the_topology_has_no_loops_and_no_loose_ends() {
    let controller = "[[controller]]\nname = \"c\"\nbus = \"scsi0\"\n\n[[bus]]";
    let looped = GOOD.replacen("[[bus]]", controller, 1);
    let looped = looped.replacen("count = 2", "count = 2\ncontroller = \"c\"", 1);
    let error = parse(&looped).expect_err("a loop");
    assert!(error.contains("is attached to itself"), "{error}");
    refused(
        "bus = \"scsi\"",
        "bus = \"scsi0\"",
        &["bus[0]", "no device is attached to bus `scsi1`"],
    );
    let loose = "[[controller]]\nname = \"c\"\n\n[[drive]]";
    refused("[[drive]]", loose, &["controller[0]", "no bus is attached to controller `c`"]);
    refused("count = 2", "count = 3", &["drive[0].bus", "equal parts"]);
}

#[test]
fn a_controllers_cache_is_checked_once_and_by_its_key() {
    let cached = |keys: &str| {
        let table =
            format!("[[controller]]\nname = \"c\"\ncache = {{ size = \"2M\", {keys} }}\n\n[[bus]]");
        let text = GOOD.replacen("[[bus]]", &table, 1);
        text.replacen("count = 2", "count = 2\ncontroller = \"c\"", 1)
    };
    assert!(parse(&cached("line = \"32k\"")).is_ok());
    for (keys, wanted) in [
        ("line = \"64k\"", "controller[0].cache.granule: the granule size in sectors is 1"),
        ("line = \"6k\", granule = \"4k\"", "cache.line: the line size in sectors is 12"),
        ("line = \"4M\", granule = \"64k\"", "cache.size: the cache size in sectors is 4096"),
        (
            "replacement = { kind = \"segmented-lru\", shares = [0.5, 0.4] }",
            "cache.replacement.shares: the shares of the segments is [0.5, 0.4]",
        ),
        ("max_request = \"4M\"", "cache.max_request: the longest cached request is 8192"),
    ] {
        let error = parse(&cached(keys)).expect_err(keys);
        assert!(error.starts_with("e.toml, line 7, controller[0]."), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn time_is_reckoned_in_one_way() {
    let both = "weight = 0.1, from_last_sector = true, at_once = true";
    let aged = format!("{{ kind = \"aged-sptf\", {both} }}");
    let one = aged.replace("at_once = true", "at_once = false");
    let limited = aged.replace("aged-sptf", "weighted-sptf").replace("weight =", "limit_ms =");
    let host = |keys: &str| GOOD.replacen("[stop]", &format!("[host]\n{keys}\n[stop]"), 1);
    assert!(parse(&host(&format!("scheduler = {one}"))).is_ok());
    let late = format!("timeout = {{ after_ms = 5, scheduler = {aged} }}");
    for (text, key) in [
        (host(&format!("scheduler = {aged}")), "host.scheduler.at_once"),
        (host(&format!("critical = {limited}")), "host.critical.at_once"),
        (host(&late), "host.timeout.scheduler.at_once"),
        (
            GOOD.replacen("[[drive]]", &format!("[[drive]]\nscheduler = {aged}"), 1),
            "drive[0].scheduler.at_once",
        ),
    ] {
        let error = parse(&text).expect_err(key);
        assert!(
            error.contains(&format!("{key}: is true, and so is `from_last_sector`")),
            "{error}"
        );
        assert!(error.starts_with("e.toml, line "), "{error}");
    }
}

#[test]
fn workloads_have_names_of_their_own_and_traces_a_file() {
    let second = "[[workload]]\nname = \"open\"\nkind = \"closed\"\npopulation = 1\n\n[[workload]]";
    refused("[[workload]]", second, &["workload[1].name", "`open`, as another workload's"]);
    let trace = "[[workload]]\nkind = \"trace\"\nfile = \"none.trace\"\n\n[[workload]]";
    refused("[[workload]]", trace, &["workload[0].file", "there is no file none.trace"]);
    let nowhere = "kind = \"open\"\nvolumes = [\"x\"]";
    refused("kind = \"open\"", nowhere, &["there is no volume `x`; did you mean `v`?"]);
}

#[test]
fn arrays_make_sense() {
    refused("\"64k\"", "0", &["volume[0].layout.unit", "whole sectors"]);
    refused("\"64k\"", "1000", &["volume[0].layout.unit", "whole sectors of 512 bytes"]);
    refused("[\"d0..d3\"]", "[\"d0\", \"d1\"]", &["volume[0].drives", "needs 3 or more"]);
    refused("[\"d0..d3\"]", "[\"d\", \"d1\"]", &["volume[0].drives[1]", "named twice"]);
    let other = "[[drive]]\nname = \"odd\"\nsimple = { size = \"1M\", access = { kind = \"constant\", \
                 time_ms = 1.0 } }\n\n[[volume]]";
    let uneven = GOOD.replacen("[[volume]]", other, 1).replacen("\"d0..d3\"", "\"d\", \"odd\"", 1);
    let error = parse(&uneven).expect_err("drives of two sizes");
    assert!(error.contains("accept_uneven") && error.contains("2048"), "{error}");
}

#[test]
fn a_run_comes_to_an_end() {
    refused("requests = 1000", "", &["workload[0]", "never ends"]);
    let warm_up = "requests = 1000\nwarm_up_requests = 1000";
    refused("requests = 1000", warm_up, &["stop.requests", "all of them warm-up"]);
    refused("mean = 20.0", "mean = 0.0", &["workload[0].interval_ms", "no time would pass"]);
    let precise = "requests = 20000\nprecision_percent = 1.0";
    refused("requests = 1000", precise, &["stop.precision_percent", "takes 21000 requests"]);
    refused("requests = 1000", "requests = 0", &["stop.requests", "out of range"]);
}

#[test]
fn more_workloads_than_streams_have_numbers_are_refused() {
    let head = "[[drive]]\nprofile = \"mock\"\n";
    let one = "[[workload]]\nkind = \"open\"\nrequests = 1\n\
               interval_ms = { kind = \"constant\", value = 20.0 }\n";
    let experiment = parse(&(head.to_owned() + &one.repeat(65_535))).expect("so many there may be");
    assert_eq!(experiment.plan.streams().len(), 65_535);
    let error = parse(&(head.to_owned() + &one.repeat(70_000))).expect_err("these are too many");
    assert!(error.contains("are 70000") && error.contains("up to 65535"), "{error}");
}

#[test]
fn more_clients_than_have_numbers_are_refused() {
    let one = "[[workload]]\nkind = \"closed\"\npopulation = 1_000_000\nrequests = 1\n\
               think_ms = { kind = \"constant\", value = 20.0 }\n";
    let error = parse(&("[[drive]]\nprofile = \"mock\"\n".to_owned() + &one.repeat(17)))
        .expect_err("these are too many");
    assert!(error.contains("17000000") && error.contains("16777216"), "{error}");
}
