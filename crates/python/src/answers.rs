//! What the core tells Python: documents, each of a type whose shape has a schema.

use platterlab_disksim::Choices;
use platterlab_experiment::JobReport;
use platterlab_experiment::computer::Ran;
use platterlab_extract::{Extraction, TrackMap};
use platterlab_results::{AgreementSummary, ErrorFigures, Summary};
use platterlab_sim::AvReport;
use platterlab_workload::flow::{FlowInfo, FlowSummary};
use platterlab_workload::info::TraceInfo;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

/// A document on its way to Python, where it is a dictionary.
pub(crate) struct Answer<T>(pub(crate) T);

/// What may be an answer: only what [`answer_schema`] tells the shape of.
pub(crate) trait Document: JsonSchema + Serialize {}

/// The types of all documents, in one place: without a line here there is no answer of that type.
macro_rules! documents {
    ($($document:ty),+ $(,)?) => {
        $(impl Document for $document {})+

        /// The shapes of all answers as one JSON schema: by name, under `$defs`.
        #[pyfunction]
        pub(crate) fn answer_schema() -> String {
            let settings = SchemaSettings::draft2020_12().for_serialize();
            let mut generator = settings.into_generator();
            $(generator.subschema_for::<$document>();)+
            let shapes = serde_json::Value::Object(generator.take_definitions(true));
            format!("{:#}\n", serde_json::json!({ "$defs": shapes }))
        }
    };
}

documents!(
    crate::align::AlignAccount,
    crate::measure::DeviceLeft,
    crate::measure::MeasuredDevice,
    crate::measure::PlannedProbe,
    crate::measure::writing::JournalLeft,
    crate::measure::writing::JournalRepair,
    crate::measure::writing::WriteDryRun,
    crate::profile::ProfileAnswer,
    crate::trace::Conversion,
    crate::trace::FormatFacts,
    AgreementSummary,
    AvReport,
    Choices,
    ErrorFigures,
    Extraction,
    FlowInfo,
    FlowSummary,
    JobReport,
    Ran,
    Summary,
    TraceInfo,
    TrackMap,
    platterlab_serve::Report,
    platterlab_sim::Report,
);

impl<'py, T: Document> IntoPyObject<'py> for Answer<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let text = serde_json::to_string(&self.0);
        let text = text.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }
}
