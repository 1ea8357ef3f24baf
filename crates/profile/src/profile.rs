//! A drive profile: read, checked, overridden, written, and resolved to a drive.

use crate::document::Document;
use crate::error::{Fault, ProfileError};
use crate::file::contents;
use crate::key::KeyPath;
use crate::origins::{leaves, origin_of};
use crate::{LIBRARY, Origin, ProfileOptions, ProfileValue};
use crate::{origins, overrides, resolve, schema, shape};
use platterlab_drive::{Drive, DriveParams};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use toml::{Table, Value};

/// A drive profile that makes a drive: the file's content, checked, and what it resolves to.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    document: Document,
    content: Content,
}

/// What is in a profile, checked.
#[derive(Clone, Debug)]
struct Content {
    /// What the file states, in the order in which it was set.
    stated: Table,
    /// The same in the order of the format, once anyone asks: most of many candidates are simulated
    /// and forgotten.
    ordered: OnceLock<Table>,
    /// What the file states, and the default of everything else, likewise.
    full: OnceLock<Table>,
    options: ProfileOptions,
    params: DriveParams,
    /// At rest, as [`Drive::new`] makes it of `params`.
    drive: Arc<Drive>,
}

/// All else follows from what is stated.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.stated == other.stated
    }
}

impl Profile {
    /// Reads a profile from its text. `path` stands for the file in messages.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str, path: &str) -> Result<Self, ProfileError> {
        Self::from_bytes(text.as_bytes(), path)
    }

    /// Reads a profile from what is in a file. `path` stands for the file in messages.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn from_bytes(bytes: &[u8], path: &str) -> Result<Self, ProfileError> {
        let (document, table) = Document::read(bytes, path)?;
        Self::build(document, &table)
    }

    /// A profile of values and where they come from: the tables of the file, and an origin by dotted
    /// key. It is checked as a file is; `path` stands for the file in messages.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn draft(
        values: &Table,
        origins: &BTreeMap<String, Origin>,
        path: &str,
    ) -> Result<Self, ProfileError> {
        let mut file = values.clone();
        let unwritten = |error: toml::ser::Error| ProfileError::of_file(path, error.to_string());
        if !origins.is_empty() {
            let entries = Value::try_from(origins).map_err(unwritten)?;
            file.insert("provenance".to_owned(), entries);
        }
        let text = toml::to_string(&file).map_err(unwritten)?;
        Self::parse(&text, path)
    }

    /// Reads a profile file.
    ///
    /// # Errors
    /// A file that cannot be read, or the first thing that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, ProfileError> {
        let shown = path.display().to_string();
        match contents(path) {
            Ok(bytes) => Self::from_bytes(&bytes, &shown),
            Err(error) => Err(ProfileError::of_file(&shown, format!("cannot be read: {error}"))),
        }
    }

    /// Everything that is wrong with a profile, as far as it can be found at once, in the order of
    /// its lines: what is not a key or not a value of its type hides how values go together, and no
    /// more.
    #[must_use]
    pub fn faults(text: &str, path: &str) -> Vec<ProfileError> {
        let (document, table) = match Document::read(text.as_bytes(), path) {
            Ok(read) => read,
            Err(error) => return vec![error],
        };
        placed(&document, Content::faults(&table))
    }

    /// Everything that would be wrong with [`Profile::with_overrides`] of the same.
    #[must_use]
    pub fn faults_with<K: AsRef<str>>(&self, overrides: &[(K, Value)]) -> Vec<ProfileError> {
        let mut faults = Vec::new();
        let mut table = self.content.stated.clone();
        let assumed = |_: &str| Origin::assumed("override");
        let mut keys = Vec::new();
        for one in overrides {
            let one = [(one.0.as_ref(), one.1.clone())];
            match overrides::apply(&mut table, &|| self.content.full(), &one, &assumed) {
                Ok(more) => keys.extend(more),
                Err(fault) => {
                    keys.push(fault.key.clone());
                    faults.push(fault);
                }
            }
        }
        faults.extend(Content::faults(&table));
        placed(&self.document.with_overridden(keys), faults)
    }

    /// The profile of the library with this `id`.
    ///
    /// # Errors
    /// There is none.
    pub fn from_library(id: &str) -> Result<Self, ProfileError> {
        if let Some(file) = LIBRARY.iter().find(|file| file.id == id) {
            return Self::parse(file.text, file.path);
        }
        let ids = LIBRARY.iter().map(|file| file.id);
        let what = match platterlab_units::nearest(id, ids.clone()) {
            Some(near) => format!("is not a profile of the library; did you mean `{near}`?"),
            None => {
                let all: Vec<&str> = ids.collect();
                format!("is not a profile of the library; there are {}", all.join(", "))
            }
        };
        Err(ProfileError::of_file(id, what))
    }

    fn build(document: Document, stated: &Table) -> Result<Self, ProfileError> {
        match Content::check(stated) {
            Ok(content) => Ok(Self { document, content }),
            Err(fault) => Err(document.error(fault)),
        }
    }

    /// The same drive with other values: each a dotted key, such as `zone[0].track_skew_sectors`,
    /// and what to put there; the result is checked as a file is.
    ///
    /// A key need not be stated in the file. Where a new `kind` differs from the old one, the
    /// table's other values go, as they belong to the old kind; whatever the call's order, other
    /// overrides of the table come after. Overridden values are `assumed` from `override`.
    ///
    /// # Errors
    /// A key that is unknown or describes the file, or the first thing wrong with the result.
    pub fn with_overrides<K: AsRef<str>>(
        &self,
        overrides: &[(K, Value)],
    ) -> Result<Self, ProfileError> {
        self.with_sourced(overrides, &|_| Origin::assumed("override"))
    }

    /// The same, with an origin for each key that is set: what it is given is the key that the
    /// entry of its provenance stands at.
    ///
    /// # Errors
    /// As [`Profile::with_overrides`], or an origin that makes no sense.
    pub fn with_sourced<K: AsRef<str>>(
        &self,
        overrides: &[(K, Value)],
        origin: &dyn Fn(&str) -> Origin,
    ) -> Result<Self, ProfileError> {
        let mut table = self.content.stated.clone();
        let set = overrides::apply(&mut table, &|| self.content.full(), overrides, origin);
        let overridden = |keys| self.document.with_overridden(keys);
        let keys = set.map_err(|fault| overridden(vec![fault.key.clone()]).error(fault))?;
        // What else there is has the shape of a file already.
        let tops: Vec<&str> = keys.iter().map(KeyPath::top).collect();
        let checked = shape::check_at(schema::schema(), &table, &tops);
        match checked.and_then(|()| Content::of(table)) {
            Ok(content) => Ok(Self { document: overridden(keys), content }),
            Err(fault) => Err(overridden(keys).error(fault)),
        }
    }

    /// What the file states, overrides included, in the order of the format.
    #[must_use]
    pub fn stated(&self) -> &Table {
        let content = &self.content;
        content.ordered.get_or_init(|| in_order_of(content.full(), &content.stated))
    }

    /// The profile that `table` makes, made from this one.
    pub(crate) fn rebuilt(&self, table: &Table) -> Result<Self, Fault> {
        Ok(Self { document: self.document.clone(), content: Content::check(table)? })
    }

    /// A fault with its place in the file.
    pub(crate) fn fault(&self, fault: Fault) -> ProfileError {
        self.document.error(fault)
    }

    /// The profile as a file: what is stated, overrides included, in the order of the format.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self.stated()).unwrap_or_default()
    }

    /// The drive's parameters.
    #[must_use]
    pub fn params(&self) -> &DriveParams {
        &self.content.params
    }

    /// The drive, at rest.
    #[must_use]
    pub fn drive(&self) -> &Drive {
        &self.content.drive
    }

    /// The content of the file, with defaults filled in.
    #[must_use]
    pub fn options(&self) -> &ProfileOptions {
        &self.content.options
    }

    /// The file it was read from, or what stands for it in messages.
    #[must_use]
    pub fn path(&self) -> &str {
        self.document.path()
    }

    /// Where the value or table at a dotted key comes from; `None` if there is no such key.
    #[must_use]
    pub fn provenance(&self, key: &str) -> Option<Origin> {
        let key = KeyPath::parse(key)?;
        key.find(self.content.full())?;
        Some(origin_of(&self.content.options, &key, key.find(&self.content.stated).is_some()))
    }

    /// Every value of the drive and where it comes from, in the order of the format.
    #[must_use]
    pub fn values(&self) -> Vec<ProfileValue> {
        leaves(self.content.full())
            .into_iter()
            .map(|(key, default)| {
                let stated = key.find(&self.content.stated);
                ProfileValue {
                    value: stated.unwrap_or(default).clone(),
                    origin: origin_of(&self.content.options, &key, stated.is_some()),
                    key: key.to_string(),
                }
            })
            .collect()
    }
}

/// Faults at their places, from the first line to the last.
fn placed(document: &Document, faults: Vec<Fault>) -> Vec<ProfileError> {
    let mut errors: Vec<_> = faults.into_iter().map(|fault| document.error(fault)).collect();
    errors.sort_by_key(|error| (error.line, error.column));
    errors
}

impl Content {
    /// Everything that is wrong with a file, as far as it can be found at once.
    fn faults(table: &Table) -> Vec<Fault> {
        let quotes = origins::check_quotes(table).err();
        let mut faults = shape::faults(schema::schema(), table);
        if let Some(quotes) = quotes {
            // What is split at its dots is not an entry, and would be reported a second time.
            let entries = KeyPath::default().key("provenance");
            faults.retain(|fault| !fault.key.is_within(&entries));
            faults.push(quotes);
        }
        if !faults.is_empty() {
            return faults;
        }
        let read = Value::Table(table.clone()).try_into::<ProfileOptions>();
        if let Ok(options) = read {
            faults.extend(check_id(&options.id).err());
            faults.extend(resolve::faults(&options));
            let full = full_of(&options);
            faults.extend(origins::faults(&options, table, &|| &full));
        }
        if faults.is_empty() {
            faults.extend(Self::check(table).err());
        }
        faults
    }

    fn check(table: &Table) -> Result<Self, Fault> {
        origins::check_quotes(table)?;
        shape::check(schema::schema(), table)?;
        Self::of(table.clone())
    }

    /// What a file of the right shape says, checked.
    fn of(table: Table) -> Result<Self, Fault> {
        // The schema is made from the options: what passes its check can be read and written.
        let unforeseen = |error| Fault::new(KeyPath::default(), format!("{error}"));
        let options: ProfileOptions = Value::Table(table.clone()).try_into().map_err(unforeseen)?;
        check_id(&options.id)?;
        let params = resolve::resolve(&options)?;
        let drive = Arc::new(Drive::new(&params)?);
        let (ordered, full) = (OnceLock::new(), OnceLock::new());
        let content = Self { stated: table, ordered, full, options, params, drive };
        origins::check(&content.options, &content.stated, &|| content.full())?;
        Ok(content)
    }

    /// What the file states, and the default of everything else.
    fn full(&self) -> &Table {
        self.full.get_or_init(|| full_of(&self.options))
    }
}

/// Options as a file that states all of them.
fn full_of(options: &ProfileOptions) -> Table {
    // They were read from a table, and so can be written as one.
    Table::try_from(options).unwrap_or_default()
}

/// A name as an id: its words in lower case, joined by hyphens; empty if it has none.
#[must_use]
pub fn id_of(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|letter: char| !in_id(letter));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// What the words of an id are made of.
fn in_id(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit()
}

/// An id is words of lower-case letters and digits, joined by hyphens.
fn check_id(id: &str) -> Result<(), Fault> {
    if id.split('-').all(|word| !word.is_empty() && word.chars().all(in_id)) {
        return Ok(());
    }
    let what = format!(
        "{id:?} is not an id; write lower-case letters, digits and single hyphens, such as \
         \"hp-c2200a\""
    );
    Err(Fault::new(KeyPath::default().key("id"), what))
}

/// The values of `table` in the order of `model`, which has all their keys.
fn in_order_of(model: &Table, table: &Table) -> Table {
    let mut ordered = Table::new();
    for (key, like) in model {
        if let Some(value) = table.get(key) {
            ordered.insert(key.clone(), value_in_order_of(like, value));
        }
    }
    ordered
}

fn value_in_order_of(model: &Value, value: &Value) -> Value {
    match (model, value) {
        (Value::Table(model), Value::Table(table)) => Value::Table(in_order_of(model, table)),
        (Value::Array(models), Value::Array(items)) => {
            let pairs = models.iter().zip(items);
            Value::Array(pairs.map(|(model, item)| value_in_order_of(model, item)).collect())
        }
        _ => value.clone(),
    }
}
