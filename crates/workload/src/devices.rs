//! A table by device number, for traces of few devices.

/// The most devices one trace may name; more means the bytes are not what we take them for.
const MAX_DEVICES: usize = 65_536;

/// A small table from device number to `T`, in order of device number.
///
/// Traces name few devices and name the same one many times in a row, so the last hit is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceTable<T> {
    entries: Vec<(u32, T)>,
    recent: usize,
}

impl<T: Default> DeviceTable<T> {
    /// The entry of `device`, made if new; an error, worded for a trace, beyond [`MAX_DEVICES`].
    #[inline]
    pub(crate) fn entry(&mut self, device: u32) -> Result<&mut T, String> {
        let hit = self.entries.get(self.recent).is_some_and(|(known, _)| *known == device);
        if !hit {
            self.find(device)?;
        }
        Ok(&mut self.entries[self.recent].1)
    }

    fn find(&mut self, device: u32) -> Result<(), String> {
        self.recent = match self.entries.binary_search_by_key(&device, |(known, _)| *known) {
            Ok(place) => place,
            Err(_) if self.entries.len() == MAX_DEVICES => {
                return Err(format!("more than {MAX_DEVICES} devices in one trace"));
            }
            Err(place) => {
                self.entries.insert(place, (device, T::default()));
                place
            }
        };
        Ok(())
    }

    /// The devices met, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.entries.iter().map(|(device, value)| (*device, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_come_out_in_order_and_are_bounded() {
        let mut table = DeviceTable::<u32>::default();
        for device in [7, 1, 7, 3, 1] {
            *table.entry(device).unwrap() += 1;
        }
        let found: Vec<_> = table.iter().map(|(device, count)| (device, *count)).collect();
        assert_eq!(found, [(1, 2), (3, 1), (7, 2)]);
        let full = (0..70_000).find_map(|device| table.entry(device).err());
        assert_eq!(full.unwrap(), "more than 65536 devices in one trace");
    }
}
