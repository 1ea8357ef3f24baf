//! One place of the file as its schema describes it: what may stand there, and that in words.

use crate::options::SIZE_FORMAT;
use serde_json::{Map, Value as Json};

/// The largest whole number where the schema names no other.
const UNBOUNDED: i64 = u32::MAX as i64;

/// What may stand in one place.
pub(crate) enum Form<'a> {
    /// One of these words.
    Words(Vec<&'a str>),
    /// A table whose `kind` is one of these words, with the keys that belong to it.
    Tagged(Vec<(&'a str, Keys<'a>)>),
    /// A table with these keys.
    Table(Keys<'a>),
    /// A table with any keys and values of one form.
    Map(&'a Json),
    /// A list of values of one form, of at least a number of them.
    List(&'a Json, usize),
    /// A fixed number of values, each of its own form.
    Tuple(Vec<&'a Json>),
    /// A number between two others.
    Number(f64, f64),
    /// A whole number between two others.
    Whole(i64, i64),
    /// Bytes, or text such as `128k`.
    Size,
    /// Text with a least number of characters.
    Text(usize),
    /// True or false.
    Truth,
}

/// The keys of a table.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    properties: Option<&'a Map<String, Json>>,
    required: Option<&'a Vec<Json>>,
}

impl<'a> Keys<'a> {
    fn of(schema: &'a Json) -> Self {
        Self {
            properties: schema.get("properties").and_then(Json::as_object),
            required: schema.get("required").and_then(Json::as_array),
        }
    }

    /// What may stand at `key`.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Json> {
        self.properties?.get(key)
    }

    /// All keys.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }

    /// The keys that must be there.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.required.into_iter().flatten().filter_map(Json::as_str)
    }
}

impl<'a> Form<'a> {
    /// Reads the description of one place.
    pub(crate) fn of(schema: &'a Json) -> Self {
        if let Some(choices) = schema.get("oneOf").and_then(Json::as_array) {
            let kind = |choice: &'a Json| {
                let keys = Keys::of(choice);
                Some((keys.get("kind")?.get("const")?.as_str()?, keys))
            };
            let tagged: Vec<_> = choices.iter().filter_map(kind).collect();
            if !tagged.is_empty() {
                return Self::Tagged(tagged);
            }
            let word = |choice: &'a Json| choice.get("const")?.as_str();
            return Self::Words(choices.iter().filter_map(word).collect());
        }
        if schema.get("format").is_some_and(|format| format == SIZE_FORMAT) {
            return Self::Size;
        }
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        let count = |key: &str| schema.get(key).and_then(Json::as_u64).unwrap_or(0) as usize;
        match schema.get("type").and_then(Json::as_str).unwrap_or_default() {
            "boolean" => Self::Truth,
            "string" => Self::Text(count("minLength")),
            "integer" => Self::Whole(
                bound("minimum").map_or(0, |least| least as i64),
                bound("maximum").map_or(UNBOUNDED, |most| most as i64),
            ),
            "number" => Self::Number(
                bound("minimum").unwrap_or(f64::MIN),
                bound("maximum").unwrap_or(f64::MAX),
            ),
            "array" => Self::list(schema, count("minItems"), count("maxItems")),
            _ => match schema.get("additionalProperties") {
                Some(values @ Json::Object(_)) => Self::Map(values),
                _ => Self::Table(Keys::of(schema)),
            },
        }
    }

    fn list(schema: &'a Json, least: usize, most: usize) -> Self {
        match (schema.get("prefixItems").and_then(Json::as_array), schema.get("items")) {
            (Some(items), _) => Self::Tuple(items.iter().collect()),
            (None, Some(item)) if least > 1 && least == most => Self::Tuple(vec![item; least]),
            (None, item) => Self::List(item.unwrap_or(&Json::Null), least),
        }
    }

    /// Whether tables stand here.
    fn holds_tables(&self) -> bool {
        matches!(self, Self::Tagged(_) | Self::Table(_) | Self::Map(_))
    }

    /// What to write here, as the end of a sentence that begins with "write".
    pub(crate) fn wanted(&self) -> String {
        match self {
            Self::Words(words) => one_of(words),
            Self::Tagged(kinds) => {
                let words: Vec<&str> = kinds.iter().map(|(word, _)| *word).collect();
                format!("a table with kind = {}", one_of(&words))
            }
            Self::Table(_) | Self::Map(_) => "a table".to_owned(),
            Self::List(item, _) => match Form::of(item) {
                item if item.holds_tables() => "a list of tables".to_owned(),
                item => format!("a list, each item {}", item.wanted()),
            },
            Self::Tuple(items) => {
                let mut parts: Vec<String> =
                    items.iter().map(|item| Form::of(item).wanted()).collect();
                let count = parts.len();
                parts.dedup();
                if parts.len() == 1 {
                    format!("a list of {count} items, each {}", parts.concat())
                } else {
                    format!("a list of {count} items: {}", parts.join(", then "))
                }
            }
            Self::Number(f64::MIN, f64::MAX) => "a number".to_owned(),
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Whole(least, UNBOUNDED) => format!("a whole number, {least} or more"),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Size => "bytes, or a size such as \"128k\"".to_owned(),
            Self::Text(_) => "text in quotes".to_owned(),
            Self::Truth => "true or false".to_owned(),
        }
    }
}

/// `"a"`, `"b"` or `"c"`.
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
