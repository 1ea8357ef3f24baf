//! The shapes of all answers: the one list of what the core may answer to Python.

use crate::answers::Document;
use platterlab_disksim::Choices;
use platterlab_experiment::JobReport;
use platterlab_experiment::computer::Ran;
use platterlab_extract::{Extraction, TrackMap};
use platterlab_results::{AgreementSummary, ErrorFigures, Summary};
use platterlab_sim::AvReport;
use platterlab_workload::flow::{FlowInfo, FlowSummary};
use platterlab_workload::info::TraceInfo;
#[cfg(debug_assertions)]
use pyo3::prelude::*;
#[cfg(debug_assertions)]
use schemars::generate::SchemaSettings;

/// The types of all documents, in one place: without a line here there is no answer of that type.
macro_rules! documents {
    ($($document:ty),+ $(,)?) => {
        $(impl Document for $document {})+

        /// The shapes of all answers as one JSON schema: by name, under `$defs`. Only the types of
        /// `answers.pyi` are made from it, so it is not in a release.
        #[cfg(debug_assertions)]
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
