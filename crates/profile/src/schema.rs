//! The JSON schema of a profile: what the checks read and what editors can load.

#[cfg(any(debug_assertions, test))]
use crate::ProfileOptions;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::Value;
use std::sync::LazyLock;

/// As the types say it. A release reads the text of that instead: what makes it is a lot of code.
#[cfg(debug_assertions)]
static SCHEMA: LazyLock<Value> = LazyLock::new(|| schema_of::<ProfileOptions>().to_value());
#[cfg(not(debug_assertions))]
static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| stored(include_str!("../../../schemas/profile.schema.json")));

/// The schema every profile is checked against.
pub(crate) fn schema() -> &'static Value {
    &SCHEMA
}

/// The JSON schema of the profile file as text, the content of `schemas/profile.schema.json`.
#[must_use]
pub fn schema_json() -> String {
    format!("{:#}\n", schema())
}

/// A schema that was written down; tests hold those of `schemas/` to what the types say.
///
/// # Panics
/// Panics if it is not JSON.
#[cfg(not(debug_assertions))]
#[must_use]
pub fn stored(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema is JSON")
}

/// The schema of a file format, with every part in its place rather than by reference.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(without_null)
        .into_generator()
        .into_root_schema_for::<T>()
}

/// TOML knows no null: an optional key is left out instead.
fn without_null(schema: &mut Schema) {
    let not_null =
        |value: &Value| *value != "null" && value.get("type").is_none_or(|t| t != "null");
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(not_null);
        if let [single] = types.as_slice() {
            let single = single.clone();
            schema.insert("type".to_owned(), single);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(not_null);
        if let [Value::Object(single)] = choices.as_slice() {
            let single = single.clone();
            schema.remove("anyOf");
            for (key, value) in single {
                if schema.get(&key).is_none() {
                    schema.insert(key, value);
                }
            }
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    transform_subschemas(&mut without_null, schema);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_schema_file_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/profile.schema.json");
        let said = format!("{:#}\n", schema_of::<ProfileOptions>().to_value());
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &said).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == said,
            "schemas/profile.schema.json is stale: run \
             `UPDATE_SCHEMA=1 cargo test -p platterlab-profile`"
        );
    }

    #[test]
    fn no_null_is_left_and_every_key_is_documented() {
        fn walk(value: &Value, at: &str) {
            if let Some(Value::Object(properties)) = value.get("properties") {
                for (key, property) in properties {
                    let documented = property.get("description").is_some();
                    assert!(documented || key == "kind", "{at}.{key}");
                }
            }
            assert_ne!(value.get("type"), Some(&Value::from("null")), "{at}");
            match value {
                Value::Object(map) => map.iter().for_each(|(k, v)| walk(v, &format!("{at}.{k}"))),
                Value::Array(items) => items.iter().for_each(|item| walk(item, at)),
                _ => {}
            }
        }
        walk(schema(), "");
    }
}
