//! The devices a measurement can be of, behind one face.

use crate::error::{failed, input, of_device};
use crate::profile::Profile;
use platterlab_device::faulty::Shrink;
use platterlab_device::linux::{Finished, Region, WriteError, WriteRequest, open_for_writing};
use platterlab_device::{
    BlockDevice, DeviceError, FaultPlan, Faulty, HostModel, LinuxDevice, Simulated, WriteConsent,
};
use platterlab_units::{Span, nearest};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// An open device, and the consent where it may be written.
pub(super) struct Opened {
    pub(super) device: Device,
    pub(super) consent: Option<WriteConsent>,
}

/// What can be measured.
pub(super) enum Device {
    Simulated(Box<Faulty<Simulated>>),
    Linux(Box<LinuxDevice>),
}

impl Device {
    pub(super) fn as_block(&mut self) -> &mut dyn BlockDevice {
        match self {
            Self::Simulated(device) => device.as_mut(),
            Self::Linux(device) => device.as_mut(),
        }
    }

    /// Ends its use; how it was left.
    pub(super) fn finish(self) -> Result<Finished, DeviceError> {
        match self {
            Self::Simulated(_) => Ok(Finished::default()),
            Self::Linux(device) => device.finish(),
        }
    }
}

pub(super) fn simulated(
    profile: &Profile,
    noise: &str,
    host: Option<&Bound<'_, PyDict>>,
    seed: u64,
    writes: bool,
    faults: Option<&Bound<'_, PyDict>>,
) -> PyResult<Opened> {
    let name = profile.inner.options().name.clone();
    let model = host_from(host_named(noise)?, host)?;
    let device = Simulated::new(profile.drive.clone(), name, model, seed);
    let device = Faulty::new(device.map_err(input)?, faults_from(faults)?);
    let consent = writes.then(WriteConsent::for_simulation);
    Ok(Opened { device: Device::Simulated(Box::new(device)), consent })
}

pub(super) fn linux(path: &Path) -> PyResult<Opened> {
    let device = LinuxDevice::open(path).map_err(|error| of_device(&error))?;
    Ok(Opened { device: Device::Linux(Box::new(device)), consent: None })
}

pub(super) fn linux_for_writing(request: &WriteRequest) -> PyResult<Opened> {
    let (device, consent) = open_for_writing(request).map_err(|error| unwritten(&error))?;
    Ok(Opened { device: Device::Linux(Box::new(device)), consent: Some(consent) })
}

/// Why a device is not written.
pub(super) fn unwritten(error: &WriteError) -> PyErr {
    match error {
        WriteError::Device(error) => of_device(error),
        WriteError::Unsaved { .. } => failed(error),
        WriteError::Refused(_) | WriteError::Folder { .. } => input(error.to_string()),
    }
}

/// A wish to write, from what the user said.
pub(super) fn request(
    path: PathBuf,
    confirmation: String,
    region: (u64, u64),
    journal_dir: PathBuf,
    even_if_open: bool,
) -> WriteRequest {
    let region = Region { first: region.0, sectors: region.1 };
    let write_through = true;
    WriteRequest { device: path, confirmation, region, journal_dir, write_through, even_if_open }
}

fn host_named(word: &str) -> PyResult<HostModel> {
    match word {
        "off" => Ok(HostModel::default()),
        "typical" => Ok(HostModel::typical()),
        _ => Err(input(format!("`{word}` is not a kind of noise; there are off and typical"))),
    }
}

/// The host with single figures replaced: times in microseconds, shares from 0 to 1.
fn host_from(mut model: HostModel, given: Option<&Bound<'_, PyDict>>) -> PyResult<HostModel> {
    const KNOWN: [&str; 7] = [
        "overhead_us",
        "jitter_us",
        "tail_share",
        "tail_us",
        "stall_share",
        "clock_grain_us",
        "interrupt_grain_us",
    ];
    for (key, value) in given.into_iter().flatten() {
        let (key, value): (String, f64) = (key.extract()?, value.extract()?);
        let time = || {
            let span = Span::from_ms(value / 1e3);
            span.ok_or_else(|| input(format!("{key} is {value}; it must be 0 or more")))
        };
        match key.as_str() {
            "overhead_us" => {
                model.submit = Span::from_ps(time()?.as_ps() * 2 / 5);
                model.complete = Span::from_ps(time()?.as_ps() * 3 / 5);
            }
            "jitter_us" => model.jitter = time()?,
            "tail_share" => model.tail.probability = value,
            "tail_us" => model.tail.mean = time()?,
            "stall_share" => model.recalibration.probability = value,
            "clock_grain_us" => model.clock_grain = time()?,
            "interrupt_grain_us" => model.interrupt_grain = time()?,
            _ => {
                let near = nearest(&key, KNOWN).unwrap_or("jitter_us");
                return Err(input(format!("`{key}` is not a part; did you mean `{near}`?")));
            }
        }
    }
    Ok(model)
}

fn faults_from(given: Option<&Bound<'_, PyDict>>) -> PyResult<FaultPlan> {
    const KNOWN: [&str; 5] = ["bad_sectors", "errors_from", "short_at", "gone_from", "shrink"];
    let mut plan = FaultPlan::default();
    for (key, value) in given.into_iter().flatten() {
        let key: String = key.extract()?;
        match key.as_str() {
            "bad_sectors" => {
                let ranges: Vec<(u64, u64)> = value.extract()?;
                plan.bad_sectors = ranges.into_iter().map(|(first, end)| first..end).collect();
            }
            "errors_from" => plan.errors_from = value.extract()?,
            "short_at" => plan.short_at = value.extract()?,
            "gone_from" => plan.gone_from = value.extract()?,
            "shrink" => {
                let (from, capacity_sectors) = value.extract()?;
                plan.shrink = Some(Shrink { from, capacity_sectors });
            }
            _ => {
                let near = nearest(&key, KNOWN).unwrap_or("errors_from");
                return Err(input(format!("`{key}` is not a fault; did you mean `{near}`?")));
            }
        }
    }
    Ok(plan)
}
