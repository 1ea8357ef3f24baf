use super::Piece;
use crate::source::Request;

/// Units of fixed size dealt out to the devices in turn.
#[derive(Clone, Debug)]
pub struct Stripe {
    devices: Vec<u32>,
    unit_sectors: u32,
    sectors: u64,
}

impl Stripe {
    /// Devices of `device_sectors` each, in units of `unit_sectors`, which is not 0.
    #[must_use]
    pub fn new(devices: Vec<u32>, unit_sectors: u32, device_sectors: u64) -> Self {
        let whole = device_sectors / u64::from(unit_sectors) * u64::from(unit_sectors);
        let sectors = whole * devices.len() as u64;
        Self { devices, unit_sectors, sectors }
    }

    pub(super) fn sectors(&self) -> u64 {
        self.sectors
    }

    /// One command for each device: its units of one request lie one after the other.
    pub(super) fn pieces(&self, request: &Request, phase: u8, out: &mut Vec<Piece>) {
        if phase > 0 {
            return;
        }
        let width = self.devices.len() as u64;
        let unit = u64::from(self.unit_sectors);
        let (mut lba, end) = (request.lba, request.lba + u64::from(request.sectors));
        let first = out.len();
        while lba < end {
            let (number, within) = (lba / unit, lba % unit);
            let sectors = (unit - within).min(end - lba) as u32;
            let device = self.devices[(number % width) as usize];
            let at = number / width * unit + within;
            let same = out[first..].iter_mut().find(|piece| piece.device == device);
            match same {
                Some(piece) => piece.sectors += sectors,
                None => out.push(Piece { device, lba: at, sectors, operation: request.operation }),
            }
            lba += u64::from(sectors);
        }
    }
}
