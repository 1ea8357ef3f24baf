//! Every scheduler and every replacement policy that the file knows serves all that it is given.

use super::runs::{experiment, run};
use platterlab_experiment::schema_json;
use serde_json::Value as Json;
use toml::{Table, Value};

/// The kinds of the table at `path` of the schema, each with what it has to say.
fn kinds(path: &str) -> Vec<Value> {
    let schema: Json = serde_json::from_str(&schema_json()).expect("it is JSON");
    let all = schema.pointer(path).and_then(|table| table["oneOf"].as_array());
    all.expect("the schema has kinds there").iter().map(stated).collect()
}

fn stated(kind: &Json) -> Value {
    let needed = kind["required"].as_array().expect("at least its kind");
    let keys = needed.iter().map(|key| {
        let key = key.as_str().expect("keys are text");
        let stated = &kind["properties"][key];
        let least = stated["minimum"].as_f64().unwrap_or(0.0);
        let value = match (&stated["const"], stated["type"].as_str()) {
            (Json::String(word), _) => Value::String(word.clone()),
            (_, Some("array")) => Value::Array(vec![Value::Float(0.5); 2]),
            (_, Some("integer")) => Value::Integer(least.max(1.0) as i64),
            _ => Value::Float(least.max(0.25)),
        };
        (key.to_owned(), value)
    });
    Value::Table(Table::from_iter(keys))
}

/// Bursts on a cached drive, reads and writes of many lengths.
const BURSTS: &str = r#"
[stop]
requests = 2_000
[[controller]]
name = "raid"
cache = { size = "256k", line = "16k", max_request = "64k", write = "back" }
[[bus]]
name = "bus"
controller = "raid"
[[drive]]
bus = "bus"
simple = { size = "64M", access = { kind = "constant", time_ms = 4.0 } }
[[workload]]
kind = "open"
requests = 2_000
interval_ms = { kind = "bursty", length = 30.0, within = 0.5, between = 400.0 }
pattern = { local_share = 0.5, size_sectors = { kind = "uniform", least = 1.0, most = 64.0 } }
"#;

fn all_is_served(key: &str, kinds: Vec<Value>) {
    assert!(kinds.len() > 4, "{kinds:?}");
    for kind in kinds {
        let report = run(experiment(BURSTS, &[(key, kind.clone())]), 1);
        assert_eq!((report.served, report.refused), (2_000, 0), "{kind}");
    }
}

#[test]
fn every_scheduler_serves_all() {
    all_is_served("host.scheduler", kinds("/properties/host/properties/scheduler"));
}

#[test]
fn every_replacement_policy_serves_all() {
    let place = "/properties/controller/items/properties/cache/properties/replacement";
    all_is_served("controller[0].cache.replacement", kinds(place));
}
