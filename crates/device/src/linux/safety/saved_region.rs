use super::journal::Journal;
use super::region::Region;
use super::restore;
use crate::DeviceError;
use crate::linux::target::Target;
use std::fs::File;

/// The region of a device that may be written, and what was in it before.
#[derive(Debug)]
pub(in crate::linux) struct SavedRegion {
    name: String,
    journal: Journal,
}

impl SavedRegion {
    pub(super) fn new(target: &Target, journal: Journal) -> Self {
        Self { name: target.name(), journal }
    }

    pub(in crate::linux) fn region(&self) -> Region {
        self.journal.header().region
    }

    /// What was in the sectors from `lba` on, which lie in the region.
    pub(in crate::linux) fn load(&self, lba: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.journal.load(lba, bytes).map_err(|error| DeviceError::Other {
            name: self.name.clone(),
            what: format!("nothing written; {}: {error}", self.journal.path().display()),
        })
    }

    /// Puts the region right where it differs and removes the journal. How many sectors differed.
    pub(in crate::linux) fn settle(
        self,
        target: &Target,
        device: &File,
    ) -> Result<u64, DeviceError> {
        let kept = |what: String| DeviceError::Other {
            name: self.name.clone(),
            what: format!("{what}; the saved data is kept in {}", self.journal.path().display()),
        };
        let restored =
            restore::restore(&self.journal, target, device).map_err(|e| kept(e.to_string()))?;
        let path = self.journal.path().display().to_string();
        self.journal.remove().map_err(|error| DeviceError::Other {
            name: self.name,
            what: format!("its content is as before, but {path} cannot be removed: {error}"),
        })?;
        Ok(restored)
    }
}
