//! The figures of several replications as one report: each number with its interval.

use super::Interval;
use serde::Serialize;
use serde_json::{Map, Value};

/// What is kept by bins, and is of one run alone.
const BY_BINS: [&str; 2] = ["histograms", "over_time"];

/// The figures of `reports`, in the shape of one of them: in the place of each number the mean over
/// those that have it, and its interval. `None` of fewer than two.
pub(super) fn across(reports: &[impl Serialize]) -> Option<Value> {
    if reports.len() < 2 {
        return None;
    }
    let values: Option<Vec<Value>> =
        reports.iter().map(|report| serde_json::to_value(report).ok()).collect();
    merged(&values?.iter().collect::<Vec<_>>())
}

/// Values that stand at one place of each report, as one; `None` of those that are not figures.
fn merged(values: &[&Value]) -> Option<Value> {
    match values.iter().find(|value| !value.is_null())? {
        Value::Number(_) => {
            let numbers: Vec<f64> = values.iter().filter_map(|value| value.as_f64()).collect();
            serde_json::to_value(Interval::of(&numbers)?).ok()
        }
        Value::String(word) => Some(Value::String(word.clone())),
        Value::Object(first) => {
            let keys = first.keys().filter(|key| !BY_BINS.contains(&key.as_str()));
            let pairs = keys.filter_map(|key| {
                let at: Vec<&Value> = values.iter().filter_map(|value| value.get(key)).collect();
                // What no run has a figure of stays there, as in one run's report.
                let all = at.iter().all(|value| value.is_null()).then_some(Value::Null);
                Some((key.clone(), all.or_else(|| merged(&at))?))
            });
            Some(Value::Object(pairs.collect::<Map<_, _>>()))
        }
        Value::Array(_) => {
            // What has a name is found by it: not every run has a request of each class.
            let arrays: Vec<&Vec<Value>> =
                values.iter().filter_map(|value| value.as_array()).collect();
            let at = |index: usize, item: &Value| {
                let name = item.get("name");
                let same = |array: &&Vec<Value>| match name {
                    None => array.get(index).cloned(),
                    Some(_) => array.iter().find(|one| one.get("name") == name).cloned(),
                };
                arrays.iter().filter_map(same).collect::<Vec<Value>>()
            };
            let items = arrays.first()?.iter().enumerate().map(|(index, item)| {
                merged(&at(index, item).iter().collect::<Vec<_>>()).unwrap_or(Value::Null)
            });
            Some(Value::Array(items.collect()))
        }
        Value::Null | Value::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_number_has_its_interval_in_its_place() {
        let report = |mean: f64, busy: f64, none: Value| {
            json!({"response_ms": {"mean_ms": mean}, "name": "x", "none": none,
                   "devices": [{"utilisation": busy}], "histograms": {"all": [1]}})
        };
        let reports = [
            report(9.0, 0.5, Value::Null),
            report(10.0, 0.5, json!(1)),
            report(11.0, 0.5, json!(1)),
        ];
        let found = across(&reports).expect("three runs");
        let mean = &found["response_ms"]["mean_ms"];
        assert_eq!((mean["mean"].as_f64(), mean["count"].as_u64()), (Some(10.0), Some(3)));
        let half = mean["half_width_95"].as_f64().expect("three values");
        // s = 1, n = 3, t = 4.303.
        assert!((half - 4.303 / 3.0_f64.sqrt()).abs() < 1e-9, "{half}");
        assert_eq!(found["devices"][0]["utilisation"]["half_width_95"].as_f64(), Some(0.0));
        assert_eq!(found["none"]["count"].as_u64(), Some(2), "of those that have it");
        assert_eq!((&found["name"], &found["histograms"]), (&json!("x"), &Value::Null));
        assert_eq!(across(&reports[..1]), None);
        let neither = across(&[&reports[0], &reports[0]]).expect("two runs");
        assert_eq!(neither.get("none"), Some(&Value::Null), "it is there, as in one run's");
    }
}
