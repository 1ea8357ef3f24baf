//! An experiment: the file's text, read and checked, and the plan it makes.

use crate::options::{ExperimentOptions, Workload};
use crate::plan::Plan;
use crate::resolve;
#[cfg(any(debug_assertions, test))]
use platterlab_profile::file::schema_of;
use platterlab_profile::file::{Document, Fault, KeyPath, check, contents, set};
use platterlab_profile::{Profile, ProfileError};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use toml::{Table, Value};

/// As the types say it; in a release, the text of that.
#[cfg(debug_assertions)]
static SCHEMA: LazyLock<Json> = LazyLock::new(|| schema_of::<ExperimentOptions>().to_value());
#[cfg(not(debug_assertions))]
static SCHEMA: LazyLock<Json> = LazyLock::new(|| {
    platterlab_profile::file::stored(include_str!("../../../schemas/experiment.schema.json"))
});

/// An experiment that can be run: the file's content, checked, and the plan it makes.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The content of the file, with defaults filled in.
    pub options: ExperimentOptions,
    /// What to build and what to ask of it.
    pub plan: Plan,
}

impl Experiment {
    /// Reads an experiment from its text, with other values at some dotted keys. `path` stands for
    /// the file in messages; profiles and traces are looked for in `folder`.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse<K: AsRef<str>>(
        text: &[u8],
        path: &str,
        folder: &Path,
        overrides: &[(K, Value)],
    ) -> Result<Self, ProfileError> {
        let (document, mut table) = Document::read(text, path)?;
        let mut keys: Vec<KeyPath> = Vec::new();
        for (text, value) in overrides {
            let text = text.as_ref();
            let Some(key) = KeyPath::parse(text) else {
                let what =
                    "is not a dotted key; write one such as host.scheduler or drive.NAME.count";
                let key = KeyPath::default().key(text);
                return Err(document
                    .with_overridden(vec![key.clone()])
                    .error(Fault::new(key, what)));
            };
            let key = key.numbered(&table);
            let same = |other: &&KeyPath| key.is_within(other) || other.is_within(&key);
            if let Some(other) = keys.iter().find(same) {
                let what = format!("is given by {other} as well; leave one of them out");
                return Err(document
                    .with_overridden(vec![key.clone()])
                    .error(Fault::new(key, what)));
            }
            if let Err(fault) = set(&mut table, &key, value.clone()) {
                return Err(document.with_overridden(vec![key]).error(fault));
            }
            keys.push(key);
        }
        let document = document.with_overridden(keys);
        Self::check(&table, folder).map_err(|fault| document.error(fault))
    }

    /// Reads an experiment's file.
    ///
    /// # Errors
    /// A file that cannot be read, or the first thing that is wrong with it.
    pub fn load<K: AsRef<str>>(
        path: &Path,
        overrides: &[(K, Value)],
    ) -> Result<Self, ProfileError> {
        let shown = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        match contents(path) {
            Ok(text) => Self::parse(&text, &shown, folder, overrides),
            Err(error) => Err(ProfileError {
                path: shown,
                line: None,
                column: None,
                key: String::new(),
                what: format!("cannot be read: {error}"),
            }),
        }
    }

    fn check(table: &Table, folder: &Path) -> Result<Self, Fault> {
        check(&SCHEMA, table)?;
        // The schema is made from the options: what passes its check can be read.
        let options: ExperimentOptions = Value::Table(table.clone())
            .try_into()
            .map_err(|error| Fault::new(KeyPath::default(), format!("{error}")))?;
        let mut files = Vec::new();
        let mut experiment =
            Self::of(options, &mut |name| profile(name, folder, &mut files), folder)?;
        experiment.plan.profile_files = files;
        Ok(experiment)
    }

    /// The profiles, traces and flows that an experiment of `folder` names: what each is for, and its
    /// path or, of a profile, its name in the library.
    #[must_use]
    pub fn inputs(&self, folder: &Path) -> Vec<(&'static str, String)> {
        let beside = |file: &str| folder.join(file).display().to_string();
        let profiles = self.options.drive.iter().filter_map(|drive| drive.profile.as_deref());
        let profiles = profiles
            .map(|name| ("profile", if is_file(name) { beside(name) } else { name.to_owned() }));
        let workloads = self.options.workload.iter().filter_map(|workload| match workload {
            Workload::Trace { file, .. } => Some(("trace", beside(file))),
            Workload::Flow { file, .. } => Some(("flow", beside(file))),
            _ => None,
        });
        profiles.chain(workloads).collect()
    }

    /// An experiment of these options, its profiles found by `profiles`; traces lie in `folder`.
    ///
    /// # Errors
    /// The first value that makes no sense, by its key.
    pub fn of(
        options: ExperimentOptions,
        profiles: &mut resolve::Profiles<'_>,
        folder: &Path,
    ) -> Result<Self, Fault> {
        let plan = resolve::resolve(&options, profiles, folder)?;
        Ok(Self { options, plan })
    }
}

/// A drive of the library, or of a file in the experiment's folder.
fn profile(name: &str, folder: &Path, files: &mut Vec<PathBuf>) -> Result<Profile, String> {
    let found = if is_file(name) {
        files.push(folder.join(name));
        Profile::load(&folder.join(name))
    } else {
        Profile::from_library(name)
    };
    found.map_err(|error| error.to_string())
}

/// Whether a drive's profile is a file rather than one of the library.
fn is_file(name: &str) -> bool {
    name.ends_with(".toml") || name.contains('/')
}

/// The JSON schema of the experiment file as text, the content of `schemas/experiment.schema.json`.
#[must_use]
pub fn schema_json() -> String {
    format!("{:#}\n", *SCHEMA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_file_is_up_to_date() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = manifest.join("../../schemas/experiment.schema.json");
        let said = format!("{:#}\n", schema_of::<ExperimentOptions>().to_value());
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &said).expect("the schema can be written");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == said,
            "schemas/experiment.schema.json is stale: run \
             `UPDATE_SCHEMA=1 cargo test -p platterlab-experiment`"
        );
    }
}
