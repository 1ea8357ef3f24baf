/// Proof that the user agreed to lose the data of one device. No write compiles without it.
///
/// For a real device it comes from `linux::open_for_writing` alone, after every check has passed,
/// and serves that one device. The fields are private, so nobody else can make one:
///
/// ```compile_fail
/// let consent = platterlab_device::WriteConsent { holder: 0 };
/// ```
///
/// and a write without one is no program:
///
/// ```compile_fail
/// # use platterlab_device::{BlockDevice, DeviceError};
/// fn overwrite(device: &mut dyn BlockDevice) -> Result<(), DeviceError> {
///     device.write(0, 1).map(|_| ())
/// }
/// ```
#[derive(Debug)]
pub struct WriteConsent {
    /// Which opened device it is for; 0 is no real one.
    holder: u64,
}

impl WriteConsent {
    /// Consent for devices that hold nobody's data: simulated, mock, recorded. Real devices refuse
    /// it.
    #[must_use]
    pub const fn for_simulation() -> Self {
        Self { holder: 0 }
    }
}
