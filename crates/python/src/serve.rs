//! A simulated drive as a block device, in real time.

use crate::answers::Answer;
use crate::error::input;
use crate::profile::Profile;
use crate::replay::table;
use platterlab_serve::nbd::Export;
use platterlab_serve::{Listener, Options, Report, Running, Speed, Store, start};
use platterlab_sim::drive::Model;
use platterlab_sim::live::LiveDevice;
use platterlab_units::parse_size;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// A drive that is being served.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Served {
    running: Mutex<Running>,
    #[pyo3(get)]
    uri: String,
    #[pyo3(get)]
    bytes: u64,
    #[pyo3(get)]
    quickest_us: f64,
}

#[pymethods]
impl Served {
    #[new]
    #[pyo3(signature = (
        profile, *, store, socket = None, port = None, size = None, speed = 1.0,
        scheduler = "fcfs", depth = 1, seed = 0, real_time = true, keep_rows = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
    fn new(
        py: Python<'_>,
        profile: &Profile,
        store: &str,
        socket: Option<PathBuf>,
        port: Option<u16>,
        size: Option<&str>,
        speed: f64,
        scheduler: &str,
        depth: u32,
        seed: u64,
        real_time: bool,
        keep_rows: bool,
    ) -> PyResult<Self> {
        let policy = platterlab_experiment::scheduler_named(scheduler).map_err(input)?;
        let model = Model::Drive(Box::new(profile.drive.clone()));
        let (bytes, block_bytes) = sizes(&model, size)?;
        let device = LiveDevice::new(model, policy, depth, seed);
        let quickest_us = device.quickest().as_ms() * 1e3;
        let store = store_named(store, bytes)?;
        let listener = listener(socket.as_deref(), port)?;
        let export = Export {
            name: profile.inner.options().id.clone(),
            description: profile.inner.options().name.clone(),
            bytes,
            block_bytes,
            preferred_bytes: block_bytes.max(4096),
            read_only: store.is_read_only(),
            rotational: true,
        };
        let uri = listener.uri();
        let options = Options { export, speed: speed_of(speed)?, real_time, keep_rows };
        let running = py.detach(|| start(device, store, listener, options))?;
        Ok(Self { running: Mutex::new(running), uri, bytes, quickest_us })
    }

    /// Whether it serves still.
    fn serves(&self) -> PyResult<bool> {
        Ok(self.running()?.serves())
    }

    /// How it goes.
    fn report(&self) -> PyResult<Answer<Report>> {
        let report = self.running()?.report();
        let nothing = || PyRuntimeError::new_err("the server has nothing to report");
        report.map(Answer).ok_or_else(nothing)
    }

    /// The rows since this was asked last; none where they are not kept or there are none.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let columns = self.running()?.take_rows().filter(|columns| !columns.is_empty());
        columns.map(|columns| table(py, columns)).transpose()
    }

    /// Answers what is in flight and ends.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| Ok(self.running()?.stop()?))
    }
}

impl Served {
    fn running(&self) -> PyResult<MutexGuard<'_, Running>> {
        self.running.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}

/// The bytes that are served, and those of the smallest piece.
fn sizes(model: &Model, wanted: Option<&str>) -> PyResult<(u64, u32)> {
    let block_bytes = model.logical_sector_bytes();
    if !block_bytes.is_power_of_two() {
        return Err(input(format!(
            "the drive has sectors of {block_bytes} bytes, and a block device has sectors of a power \
             of two; serve another, or set geometry.sector_bytes"
        )));
    }
    let has = model.sectors() * u64::from(model.sector_bytes());
    let wanted = wanted.map(parse_size).transpose();
    let bytes = wanted.map_err(|error| input(format!("--size: {error}")))?.unwrap_or(has);
    if bytes > has {
        return Err(input(format!("--size {bytes}: the drive has {has} bytes; ask for no more")));
    }
    if bytes == 0 || !bytes.is_multiple_of(block_bytes.into()) {
        return Err(input(format!(
            "--size {bytes}: is no whole number of sectors of {block_bytes} bytes"
        )));
    }
    Ok((bytes, block_bytes))
}

fn store_named(word: &str, bytes: u64) -> PyResult<Store> {
    match word {
        "memory" => Ok(Store::memory(bytes)?),
        "pattern" => Ok(Store::pattern(bytes)),
        path => {
            Store::file(Path::new(path), bytes).map_err(|error| input(format!("--store {error}")))
        }
    }
}

fn listener(socket: Option<&Path>, port: Option<u16>) -> PyResult<Listener> {
    let refused = |what: String| {
        move |error: io::Error| match error.kind() {
            io::ErrorKind::OutOfMemory => PyOSError::new_err(error.to_string()),
            _ => input(format!("{what}: {error}")),
        }
    };
    match (socket, port) {
        (Some(path), None) => {
            Listener::unix(path).map_err(refused(format!("--nbd {}", path.display())))
        }
        (None, Some(port)) => Listener::loopback(port).map_err(refused(format!("--port {port}"))),
        _ => Err(input("say where clients come: --nbd SOCKET or --port PORT, one of them")),
    }
}

/// Infinity is as fast as the host can.
fn speed_of(times: f64) -> PyResult<Speed> {
    if times == f64::INFINITY {
        return Ok(Speed::Unpaced);
    }
    let thousandths = (times * 1e3).round();
    match NonZeroU64::new(thousandths as u64) {
        Some(thousandths) if times <= 1e6 => Ok(Speed::Thousandths(thousandths)),
        _ => Err(input(format!("--speed {times}: is 0.001 to 1000000, or max"))),
    }
}
