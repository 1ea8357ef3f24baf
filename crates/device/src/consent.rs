//! The write consent: without it no write to a device compiles.

/// Proof that the user agreed to lose the data of one device. No write compiles without it.
///
/// For a real device it comes from `linux::open_for_writing` alone, after every check has passed,
/// and serves that one device. The fields are private, so nobody else can make one:
///
/// ```compile_fail,E0451
/// let consent = platterlab_device::WriteConsent { holder: 0 };
/// ```
///
/// and a write without one is not a program:
///
/// ```compile_fail,E0061
/// # use platterlab_device::{BlockDevice, DeviceError};
/// fn overwrite(device: &mut dyn BlockDevice) -> Result<(), DeviceError> {
///     device.write(0, 1).map(|_| ())
/// }
/// ```
///
/// while this one is:
///
/// ```
/// # use platterlab_device::{BlockDevice, DeviceError, WriteConsent};
/// fn rewrite(device: &mut dyn BlockDevice, consent: &WriteConsent) -> Result<(), DeviceError> {
///     device.write(consent, 0, 1).map(|_| ())
/// }
/// ```
#[derive(Debug)]
pub struct WriteConsent {
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

#[cfg(target_os = "linux")]
impl WriteConsent {
    /// Consent for the one real device that bears this number; 0 is none.
    pub(crate) const fn for_holder(holder: u64) -> Self {
        Self { holder }
    }

    /// Whether it is for the real device that bears this number.
    pub(crate) const fn is_for(&self, holder: u64) -> bool {
        self.holder != 0 && self.holder == holder
    }
}
