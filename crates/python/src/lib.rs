//! The module `platterlab._core`: the Rust core as Python sees it, and nothing else.
//!
//! `python/platterlab/_core.pyi` is its reference. Whatever a user can get wrong becomes an
//! `InputError`; files and long work run without the interpreter's lock.

#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod align;
mod answers;
mod array;
mod av;
mod capture;
mod circle;
mod crowding;
mod disksim;
mod edges;
mod error;
mod experiment;
mod figures;
mod flow_run;
mod interrupt;
mod issue_order;
mod layout;
mod measure;
mod normal_equations;
mod outcomes;
mod outside;
mod packed;
mod paths;
mod places;
mod profile;
mod replay;
mod requests;
mod rows;
mod serve;
mod serve_subject;
mod shapes;
mod spared;
mod stepper;
mod tables;
mod timing;
mod trace;
mod version;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::align::align;
    #[pymodule_export]
    use super::av::av_run;
    #[pymodule_export]
    use super::capture::{capture_convert, flow_info, flow_scheduler, is_flow};
    #[pymodule_export]
    use super::circle::unit_numbers;
    #[pymodule_export]
    use super::crowding::crowding;
    #[pymodule_export]
    use super::disksim::{disksim_export, disksim_import};
    #[pymodule_export]
    use super::edges::{edge_penalties, smooth_later};
    #[pymodule_export]
    use super::error::InputError;
    #[pymodule_export]
    use super::experiment::{Experiment, Job, Timeline, examples, experiment_schema};
    #[pymodule_export]
    use super::figures::{Agreement, demerit_ms, error_figures};
    #[pymodule_export]
    use super::flow_run::{storage_run, task_run, task_write};
    #[pymodule_export]
    use super::layout::{first_lba, next_track_ms, positioning_ms, track_orders, tracks};
    #[pymodule_export]
    use super::measure::{Measurement, write_dry_run, write_left, write_repair};
    #[pymodule_export]
    use super::normal_equations::normal_equations;
    #[pymodule_export]
    use super::outcomes::outcomes;
    #[pymodule_export]
    use super::outside::{CacheLine, MirrorCopy, WaitingRequest};
    #[pymodule_export]
    use super::paths::{ShiftPaths, SlipPaths};
    #[pymodule_export]
    use super::places::runs;
    #[pymodule_export]
    use super::profile::{Profile, library, profile_id, profile_schema};
    #[pymodule_export]
    use super::replay::Replay;
    #[pymodule_export]
    use super::requests::Requests;
    #[pymodule_export]
    use super::rows::{RowsFile, row_columns};
    #[pymodule_export]
    use super::serve::{Served, faults_schema};
    #[cfg(debug_assertions)]
    #[pymodule_export]
    use super::shapes::answer_schema;
    #[pymodule_export]
    use super::spared::spared_places;
    #[pymodule_export]
    use super::stepper::Stepper;
    #[pymodule_export]
    use super::tables::{row_labels, service_parts};
    #[pymodule_export]
    use super::trace::{
        trace_convert, trace_detect, trace_device, trace_format_facts, trace_formats, trace_info,
    };
    #[pymodule_export]
    use super::version::version_info;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::add_places(module.py())
    }
}
