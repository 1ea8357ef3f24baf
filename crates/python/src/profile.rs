//! Drive profiles: reading, changing and showing them.

use crate::answers::Answer;
use crate::error::input;
use platterlab_drive::mechanism::Arm;
use platterlab_drive::{Drive, DriveParams};
use platterlab_profile::{LIBRARY, Origin, ProfileValue, id_of};
use platterlab_units::{MIB, Operation};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::{Table, Value};

/// The drives that come with the program: id, path for messages, text.
#[pyfunction]
pub(crate) fn library() -> Vec<(&'static str, &'static str, &'static str)> {
    LIBRARY.iter().map(|file| (file.id, file.path, file.text)).collect()
}

#[pyfunction]
pub(crate) fn profile_schema() -> String {
    platterlab_profile::schema_json()
}

/// A name as the id of a profile; empty if it has no words.
#[pyfunction]
pub(crate) fn profile_id(name: &str) -> String {
    id_of(name)
}

/// A drive: what its profile file says, checked.
///
/// >>> import platterlab as pl
/// >>> profile = pl.Drive("hp-97560").profile
/// >>> faster = profile.with_overrides({"spindle.speed_rpm": 7200})
/// >>> round(faster.facts()["derived"]["rotation_ms"], 3)
/// 8.333
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Profile {
    pub(crate) inner: platterlab_profile::Profile,
    pub(crate) drive: Drive,
}

impl Profile {
    pub(crate) fn new(inner: platterlab_profile::Profile) -> Self {
        Self { drive: inner.drive().clone(), inner }
    }
}

#[pymethods]
impl Profile {
    /// Reads a profile; `path` names it in errors. Raises InputError.
    #[staticmethod]
    #[pyo3(signature = (text, path))]
    fn parse(text: &str, path: &str) -> PyResult<Self> {
        Ok(Self::new(platterlab_profile::Profile::parse(text, path).map_err(input)?))
    }

    /// A profile of the tables of its file, and the origins of values by dotted key; `path` names it
    /// in errors. Raises InputError.
    #[staticmethod]
    #[pyo3(signature = (values, origins, path))]
    fn draft(
        values: &Bound<'_, PyDict>,
        origins: &Bound<'_, PyDict>,
        path: &str,
    ) -> PyResult<Self> {
        let values = to_table(values)?;
        let origins = known_origins(origins)?;
        Ok(Self::new(platterlab_profile::Profile::draft(&values, &origins, path).map_err(input)?))
    }

    /// Everything that is wrong with a profile: where, and what would be right.
    #[staticmethod]
    #[pyo3(signature = (text, path))]
    fn faults(text: &str, path: &str) -> Vec<String> {
        let faults = platterlab_profile::Profile::faults(text, path);
        faults.iter().map(ToString::to_string).collect()
    }

    /// Everything that is wrong with these overrides.
    fn faults_with(&self, overrides: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
        let faults = self.inner.faults_with(&changes(overrides)?);
        Ok(faults.iter().map(ToString::to_string).collect())
    }

    /// The same drive with some keys set: `{"seek.kind": "linear"}`. Raises InputError.
    #[pyo3(signature = (overrides, origins = None))]
    fn with_overrides(
        &self,
        overrides: &Bound<'_, PyDict>,
        origins: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let changes = changes(overrides)?;
        let Some(origins) = origins else {
            return Ok(Self::new(self.inner.with_overrides(&changes).map_err(input)?));
        };
        let known = known_origins(origins)?;
        for (key, _) in &changes {
            if !known.contains_key(key) {
                return Err(input(format!("`{key}` has no origin among those given")));
            }
        }
        // A table whose kind changes is set as a whole, with the origin of its kind.
        let origin = |key: &str| {
            let own = known.get(key).or_else(|| known.get(&format!("{key}.kind")));
            own.cloned().unwrap_or_else(|| Origin::assumed("override"))
        };
        Ok(Self::new(self.inner.with_sourced(&changes, &origin).map_err(input)?))
    }

    /// What the file states, overrides and origins included.
    fn stated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, self.inner.stated())
    }

    /// The profile as a file.
    fn to_toml(&self) -> String {
        self.inner.to_toml()
    }

    /// By its text, so that it can be copied to another process.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String, String))> {
        let parse = slf.get_type().getattr("parse")?.unbind();
        let inner = &slf.borrow().inner;
        Ok((parse, (inner.to_toml(), inner.options().id.clone())))
    }

    /// Every value, where it came from, and the facts that follow from it.
    fn facts(&self) -> Answer<ProfileAnswer> {
        let options = self.inner.options();
        Answer(ProfileAnswer {
            profile: options.id.clone(),
            name: options.name.clone(),
            notes: options.notes.clone(),
            derived: derived(&self.drive, self.inner.params()),
            values: self.inner.values().into_iter().map(shown_value).collect(),
        })
    }

    /// What the library calls it; else what its file says.
    #[getter]
    fn id(&self) -> &str {
        &self.inner.options().id
    }

    /// What people call it.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.options().name
    }

    /// How many sectors have an address.
    #[getter]
    fn capacity_sectors(&self) -> u64 {
        self.drive.layout().capacity()
    }

    /// Bytes in a sector.
    #[getter]
    fn sector_bytes(&self) -> u32 {
        self.drive.layout().sector_bytes()
    }

    fn __repr__(&self) -> String {
        format!("<Profile {}>", self.inner.options().id)
    }
}

/// A drive profile, value by value.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ProfileAnswer {
    profile: String,
    name: String,
    notes: Option<String>,
    derived: DerivedFigures,
    values: Vec<ProfileValueAnswer>,
}

/// What follows from the values.
#[derive(JsonSchema, Serialize)]
struct DerivedFigures {
    capacity_sectors: u64,
    capacity_bytes: u64,
    surfaces: u32,
    cylinders: u32,
    rotation_ms: f64,
    mean_rotational_latency_ms: f64,
    read_seek_single_cylinder_ms: f64,
    read_seek_third_of_stroke_ms: f64,
    read_seek_full_stroke_ms: f64,
    write_seek_single_cylinder_ms: f64,
    write_seek_first_to_last_sector_ms: f64,
    media_rate_mib_s: Vec<f64>,
}

/// A value and where it comes from.
#[derive(JsonSchema, Serialize)]
struct ProfileValueAnswer {
    key: String,
    #[schemars(with = "serde_json::Value")]
    value: Value,
    kind: String,
    from: String,
    ci95: Option<[f64; 2]>,
    note: Option<String>,
}

fn derived(drive: &Drive, params: &DriveParams) -> DerivedFigures {
    let layout = drive.layout();
    let period_ms = params.mechanism.rotation.as_ms();
    let last = layout.cylinders().saturating_sub(1);
    let seek_ms = |distance: u32| {
        let cylinder = distance.min(last);
        drive.mechanism().position(Arm::default(), cylinder, 0, Operation::Read).as_ms()
    };
    let write_ms = |from: u32, to: u32| {
        let arm = Arm { cylinder: from, ..Arm::default() };
        drive.mechanism().position(arm, to, 0, Operation::Write).as_ms()
    };
    let ends = [0, layout.capacity().saturating_sub(1)]
        .map(|lba| layout.locate(lba).map_or(0, |place| place.cylinder));
    let track_bytes = |sectors: u32| f64::from(sectors) * f64::from(layout.sector_bytes());
    DerivedFigures {
        capacity_sectors: layout.capacity(),
        capacity_bytes: layout.capacity() * u64::from(layout.sector_bytes()),
        surfaces: layout.surfaces(),
        cylinders: layout.cylinders(),
        rotation_ms: period_ms,
        mean_rotational_latency_ms: period_ms / 2.0,
        read_seek_single_cylinder_ms: seek_ms(1),
        read_seek_third_of_stroke_ms: seek_ms(layout.cylinders() / 3),
        read_seek_full_stroke_ms: seek_ms(last),
        write_seek_single_cylinder_ms: write_ms(0, 1.min(last)),
        write_seek_first_to_last_sector_ms: write_ms(ends[0], ends[1]),
        media_rate_mib_s: params
            .layout
            .zones
            .iter()
            .map(|zone| track_bytes(zone.most_sectors()) / period_ms * 1e3 / MIB)
            .collect(),
    }
}

fn shown_value(value: ProfileValue) -> ProfileValueAnswer {
    let ProfileValue { key, value, origin } = value;
    ProfileValueAnswer {
        key,
        value,
        kind: origin.kind.to_string(),
        from: origin.from,
        ci95: origin.ci95,
        note: origin.note,
    }
}

/// How a Python value of one kind stands in a file; `None` of any other kind.
type Written = fn(&Bound<'_, PyAny>) -> Option<PyResult<Value>>;

/// By kind. A bool is an int to Python, so it comes first.
const WRITTEN: [Written; 7] = [
    |value| value.cast::<PyBool>().ok().map(|flag| Ok(Value::Boolean(flag.is_true()))),
    |value| value.cast::<PyInt>().ok().map(whole),
    |value| value.cast::<PyFloat>().ok().map(|number| Ok(Value::Float(number.value()))),
    |value| value.cast::<PyString>().ok().map(|text| text.extract().map(Value::String)),
    |value| value.cast::<PyList>().ok().map(|items| list(items.iter())),
    |value| value.cast::<PyTuple>().ok().map(|items| list(items.iter())),
    |value| value.cast::<PyDict>().ok().map(|entries| to_table(entries).map(Value::Table)),
];

/// A Python value as it would stand in a profile.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let written = WRITTEN.iter().find_map(|written| written(value));
    written.unwrap_or_else(|| of_another_library(value))
}

fn whole(value: &Bound<'_, PyInt>) -> PyResult<Value> {
    value.extract().map(Value::Integer).map_err(|_| input(format!("{value} is too large")))
}

fn list<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<Value> {
    items.map(|item| to_toml(&item)).collect::<PyResult<Vec<_>>>().map(Value::Array)
}

/// A number of numpy's, or a path, as it would stand in a profile.
fn of_another_library(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = value.extract() {
        Ok(Value::Boolean(flag))
    } else if let Ok(whole) = value.extract() {
        Ok(Value::Integer(whole))
    } else if let Ok(number) = value.extract() {
        Ok(Value::Float(number))
    } else if let Ok(path) = value.extract::<PathBuf>() {
        Ok(Value::String(path.display().to_string()))
    } else {
        let kind = value.get_type().name()?;
        Err(input(format!("a {kind} cannot stand in a file of values")))
    }
}

/// A table of a file as a dictionary.
fn to_dict<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let entries = PyDict::new(py);
    for (key, value) in table {
        entries.set_item(key, to_python(py, value)?)?;
    }
    Ok(entries)
}

/// A value of a file as a Python object.
fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => text.into_bound_py_any(py)?,
        Value::Integer(whole) => whole.into_bound_py_any(py)?,
        Value::Float(number) => number.into_bound_py_any(py)?,
        Value::Boolean(flag) => flag.into_bound_py_any(py)?,
        Value::Datetime(date) => date.to_string().into_bound_py_any(py)?,
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item));
            items.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)?
        }
        Value::Table(table) => to_dict(py, table)?.into_any(),
    })
}

/// A dictionary as it would stand in a file of values.
pub(crate) fn to_table(entries: &Bound<'_, PyDict>) -> PyResult<Table> {
    entries.iter().map(|(key, item)| Ok((key.extract()?, to_toml(&item)?))).collect()
}

/// Where values come from, by key.
fn known_origins(origins: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, Origin>> {
    let known = |(key, origin): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let key = key.extract::<String>()?;
        let origin = to_toml(&origin)?.try_into().map_err(|error: toml::de::Error| {
            input(format!("the origin of `{key}`: {}", error.message()))
        })?;
        Ok((key, origin))
    };
    origins.iter().map(known).collect()
}

/// Keys with their values, as Python has them.
fn changes(overrides: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Value)>> {
    overrides.iter().map(|(key, value)| Ok((key.extract()?, to_toml(&value)?))).collect()
}
