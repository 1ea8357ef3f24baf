//! A profile as DiskSim 4 parameter files: a `.diskspecs` with the drive, and a `.seek` where the
//! seek curve is a table of points.

mod blocks;
mod cache;
mod index;
mod overheads;
mod zones;

use platterlab_profile::{Profile, Seek};
use std::fmt::Write;

/// A drive as DiskSim reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Each file's name and text, the one that draws in the others first.
    pub files: Vec<(String, String)>,
}

/// Writes a profile for DiskSim 4, in files called after `stem`.
///
/// # Errors
/// Each value that DiskSim has no parameter for, as a sentence that starts with its key.
pub fn export(profile: &Profile, stem: &str) -> Result<Exported, Vec<String>> {
    let options = profile.options();
    let mut lost = Vec::new();
    let seek_file = format!("{stem}.seek");
    let mut text = String::new();
    let name = options.id.replace('-', "_");
    let mut put = |line: std::fmt::Arguments<'_>| {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{line}");
    };
    put(format_args!("# {}, written by Platterlab from its profile {}", options.name, options.id));
    put(format_args!("disksim_disk {name} {{"));
    put(format_args!("   Model = dm_disk {name}_model {{"));
    for line in blocks::model(profile, &seek_file, &mut lost) {
        put(format_args!("{line}"));
    }
    put(format_args!("   }},"));
    let lines = blocks::disk(profile, &mut lost).join("\n");
    put(format_args!("{}", lines.trim_end_matches(',')));
    put(format_args!("}} # end of {name} spec"));
    if !lost.is_empty() {
        return Err(lost);
    }
    let mut files = vec![(format!("{stem}.diskspecs"), text)];
    if let Seek::Table { points } = &blocks::settled(&options.seek, options.switch.settle_read_ms) {
        let mut curve = format!("Seek distances measured: {}\n", points.len());
        for (distance, ms) in points {
            let _ = writeln!(curve, "{distance}, {ms:?}");
        }
        files.push((seek_file, curve));
    }
    Ok(Exported { files })
}
