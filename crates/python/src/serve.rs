//! A simulated drive as a block device, in real time.

use crate::answers::Answer;
use crate::error::input;
use crate::rows::RowsFile;
use crate::serve_subject::{BuiltSubject, NO_FAULTS, OwnQueue, Subject, faults_of};
use crate::tables::table;
use platterlab_serve::nbd::Export;
use platterlab_serve::{
    Doors, FILE_NAME, FaultPlan, Listener, Options, Report, Running, Speed, StartError, Store,
    start,
};
use platterlab_sim::drive::Model;
use platterlab_sim::live::Live;
use platterlab_units::{Stamp, parse_size};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use schemars::schema_for;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The JSON schema of a file of faults.
#[pyfunction]
pub(crate) fn faults_schema() -> String {
    format!("{:#}\n", schema_for!(FaultPlan).as_value())
}

/// A drive that is being served.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Served {
    running: Mutex<Running>,
    /// A drive by itself as it was at first: what faults are checked against.
    model: Option<Model>,
    power_cuts: bool,
    /// Where NBD clients come.
    #[pyo3(get)]
    uri: Option<String>,
    /// The drive as a file.
    #[pyo3(get)]
    file: Option<String>,
    /// The drive as a block device of this kernel.
    #[pyo3(get)]
    device: Option<String>,
    #[pyo3(get)]
    bytes: u64,
    #[pyo3(get)]
    quickest_us: Option<f64>,
}

#[pymethods]
impl Served {
    #[new]
    #[pyo3(signature = (
        subject, *, store, socket = None, port = None, folder = None, ublk = false, size = None,
        speed = 1.0, scheduler = "fcfs", depth = 1, seed = 0, volume = None, real_time = true, keep_rows = false,
        faults = None, power_cuts = false, power_cut_s = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
    fn new(
        py: Python<'_>,
        subject: Subject<'_>,
        store: &str,
        socket: Option<PathBuf>,
        port: Option<&str>,
        folder: Option<PathBuf>,
        ublk: bool,
        size: Option<&str>,
        speed: f64,
        scheduler: &str,
        depth: u32,
        seed: u64,
        volume: Option<&str>,
        real_time: bool,
        keep_rows: bool,
        faults: Option<(String, String)>,
        power_cuts: bool,
        power_cut_s: Option<f64>,
    ) -> PyResult<Self> {
        let queue = OwnQueue { scheduler, depth, seed };
        let BuiltSubject { live, name, description, quickest_us, model } =
            subject.build(&queue, volume, faults.as_ref())?;
        if model.is_none() && (power_cuts || power_cut_s.is_some()) {
            return Err(input(
                "the power is cut of a drive by itself; a system has none to be cut",
            ));
        }
        let (bytes, block_bytes) = sizes(&live, size)?;
        let speed = speed_of(speed)?;
        let power_cut = power_cut_s.map(instant).transpose()?;
        let listener = listener(socket.as_deref(), port)?;
        if listener.is_none() && folder.is_none() && !ublk {
            return Err(input(
                "say where clients come: --nbd SOCKET, --port PORT, --fuse FOLDER or --ublk",
            ));
        }
        // Made last of all: a file that is refused for another reason would be left.
        let is_new = !Path::new(store).exists();
        let place = PathBuf::from(store);
        let store = store_named(store, bytes)?;
        let export = Export {
            name,
            description,
            bytes,
            block_bytes,
            preferred_bytes: block_bytes.max(4096),
            read_only: store.is_read_only(),
            rotational: true,
        };
        let file = folder.as_ref().map(|folder| folder.join(FILE_NAME).display().to_string());
        let uri = listener.as_ref().map(Listener::uri);
        let doors = Doors { listener, folder, device: ublk };
        let options = Options { export, speed, real_time, keep_rows, power_cuts, power_cut };
        let lasts = store.lasts();
        let running = py.detach(|| start(live, store, doors, options)).map_err(|error| {
            if is_new && lasts {
                let _ = std::fs::remove_file(&place);
            }
            refused(error)
        })?;
        let power_cuts = power_cuts || power_cut.is_some();
        let device = running.device().map(|path| path.display().to_string());
        let running = Mutex::new(running);
        Ok(Self { running, model, power_cuts, uri, file, device, bytes, quickest_us })
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

    /// The same into a file.
    fn write(&self, py: Python<'_>, file: &RowsFile) -> PyResult<()> {
        py.detach(|| {
            let columns = self.running()?.take_rows();
            columns.map_or(Ok(()), |columns| file.commands(columns))
        })
    }

    /// From now on these are the drive's faults, a file's name and text; none for none.
    fn set_faults(&self, faults: Option<(String, String)>) -> PyResult<()> {
        let model = self.model.as_ref().ok_or_else(|| input(NO_FAULTS))?;
        let faults = faults.map(|(file, text)| faults_of(model, &file, &text)).transpose()?;
        self.running()?.set_faults(faults);
        Ok(())
    }

    /// From now on the drive's time passes this many times as fast as the host's.
    fn set_speed(&self, speed: f64) -> PyResult<()> {
        let none = || input(format!("speed {speed}: is 0.001 to 1000000"));
        self.running()?.set_speed(paced(speed).ok_or_else(none)?);
        Ok(())
    }

    /// The drive's time stands still.
    fn pause(&self) -> PyResult<()> {
        self.running()?.pause();
        Ok(())
    }

    /// The drive's time continues.
    fn resume(&self) -> PyResult<()> {
        self.running()?.resume();
        Ok(())
    }

    /// The power goes: what is not on the media is lost, and the server ends.
    fn cut_power(&self) -> PyResult<()> {
        if !self.power_cuts {
            return Err(input(
                "serve it with power cuts in view, so that it is known what is lost",
            ));
        }
        self.running()?.cut_power();
        Ok(())
    }

    /// Copies the data, as clients see it, to a new file; the drive's time stands still meanwhile.
    fn snapshot(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| Ok(self.running()?.snapshot(&path)?))
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
fn sizes(live: &Live, wanted: Option<&str>) -> PyResult<(u64, u32)> {
    let block_bytes = live.logical_sector_bytes();
    if !block_bytes.is_power_of_two() {
        return Err(input(format!(
            "the drive has sectors of {block_bytes} bytes, and a block device has sectors of a power \
             of two; serve another, or set geometry.sector_bytes"
        )));
    }
    let has = live.sectors() * u64::from(live.sector_bytes());
    let wanted = wanted.map(parse_size).transpose();
    let bytes = wanted.map_err(|error| input(format!("--size: {error}")))?.unwrap_or(has);
    if bytes > has {
        return Err(input(format!("--size {bytes}: the drive has {has} bytes; ask for no more")));
    }
    if bytes == 0 || !bytes.is_multiple_of(block_bytes.into()) {
        return Err(input(format!(
            "--size {bytes}: is not a whole number of sectors of {block_bytes} bytes"
        )));
    }
    Ok((bytes, block_bytes))
}

fn store_named(word: &str, bytes: u64) -> PyResult<Store> {
    match word {
        "memory" => Store::memory(bytes).map_err(|error| {
            PyOSError::new_err(format!("--store memory: {bytes} bytes of it: {error}"))
        }),
        "pattern" => Ok(Store::pattern(bytes)),
        path => Store::file(Path::new(path), bytes).map_err(|error| {
            let said = format!("--store {error}");
            if error.is_for_want_of_room() { PyOSError::new_err(said) } else { input(said) }
        }),
    }
}

fn refused(error: StartError) -> PyErr {
    match error {
        StartError::Folder { .. } => input(format!("--fuse {error}")),
        StartError::Device(error) => input(format!("--ublk: {error}")),
        StartError::System(error) => error.into(),
    }
}

fn listener(socket: Option<&Path>, port: Option<&str>) -> PyResult<Option<Listener>> {
    let refused = |what: String| {
        move |error: io::Error| match error.kind() {
            io::ErrorKind::OutOfMemory => PyOSError::new_err(error.to_string()),
            _ => input(format!("{what}: {error}")),
        }
    };
    match (socket, port) {
        (Some(path), None) => {
            Listener::unix(path).map(Some).map_err(refused(format!("--nbd {}", path.display())))
        }
        (None, Some(port)) => {
            Listener::tcp(address_of(port)?).map(Some).map_err(refused(format!("--port {port}")))
        }
        (None, None) => Ok(None),
        _ => Err(input("clients connect through --nbd SOCKET or --port PORT, one of them")),
    }
}

/// A port of this machine that no other reaches, or one of an address of it that others may reach.
fn address_of(port: &str) -> PyResult<SocketAddr> {
    let of_loopback = port.parse().map(|number: u16| (Ipv4Addr::LOCALHOST, number).into());
    of_loopback.or_else(|_| port.parse()).map_err(|_| {
        input(format!(
            "--port {port}: write a port of this machine alone, as 10809, or with the address that \
             others reach it by, as 192.0.2.7:10809 or [::]:10809"
        ))
    })
}

/// A number of seconds of the drive's own time after it began.
fn instant(seconds: f64) -> PyResult<Stamp> {
    if !(0.0..=1e9).contains(&seconds) {
        return Err(input(format!("--power-cut {seconds}: is 0 to 1e9 seconds")));
    }
    Ok(Stamp::from_ps((seconds * 1e12).round() as u128))
}

/// Infinity is as fast as the host can.
fn speed_of(times: f64) -> PyResult<Speed> {
    if times == f64::INFINITY {
        return Ok(Speed::Unpaced);
    }
    paced(times).ok_or_else(|| input(format!("--speed {times}: is 0.001 to 1000000, or max")))
}

fn paced(times: f64) -> Option<Speed> {
    let thousandths = NonZeroU64::new((times * 1e3).round() as u64)?;
    (times <= 1e6).then_some(Speed::Thousandths(thousandths))
}
