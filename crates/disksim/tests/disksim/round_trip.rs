//! Profiles on their way to DiskSim and back.

use platterlab_disksim::drive::{DriveImportOptions, import};
use platterlab_disksim::export::export;
use platterlab_profile::Profile;

/// A profile written for DiskSim and read back.
pub(crate) fn again(profile: &Profile) -> Profile {
    let files = export(profile, "again").unwrap_or_else(|lost| panic!("{lost:?}")).files;
    let mut resolver = |name: &str| {
        let found = files.iter().find(|(own, _)| own == name);
        found.map(|(_, text)| text.clone()).ok_or_else(|| name.to_owned())
    };
    import("again.diskspecs", &mut resolver, &DriveImportOptions::default()).expect("right").profile
}
