//! Drives whose every parameter is drawn from the range that DiskSim's reference has for it: all are
//! imported, and serve requests.

use crate::accepted::read;
use platterlab_disksim::drive::{DriveImportOptions, import};
use platterlab_drive::{Drive, NoChance};
use platterlab_units::{Span, Time};
use std::fmt::Write;

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn whole(&mut self, least: i64, most: i64) -> i64 {
        least + (self.next() % (most - least + 1) as u64) as i64
    }

    fn share(&mut self) -> f64 {
        self.whole(0, 1_000_000) as f64 / 1e6
    }

    fn ms(&mut self, most: f64) -> f64 {
        if self.whole(0, 4) == 0 { 0.0 } else { self.share() * most }
    }
}

/// Whole numbers of a `disksim_disk` and the ranges that the reference has for them; where it has
/// none, what such a number can mean.
const WHOLE: [(&str, i64, i64); 38] = [
    ("Max queue length", 0, 64),
    ("Segment size (in blks)", 1, 2_000),
    ("Number of buffer segments", 0, 32),
    ("Print stats", 0, 1),
    ("Hold bus entire read xfer", 0, 1),
    ("Hold bus entire write xfer", 0, 1),
    ("Allow almost read hits", 0, 1),
    ("Allow sneaky full read hits", 0, 1),
    ("Allow sneaky partial read hits", 0, 1),
    ("Allow sneaky intermediate read hits", 0, 1),
    ("Allow read hits on write data", 0, 1),
    ("Allow write prebuffering", 0, 1),
    ("Preseeking level", 0, 2),
    ("Never disconnect", 0, 1),
    ("Avg sectors per cylinder", -1, 100_000),
    ("Maximum number of write segments", 0, 32),
    ("Use separate write segment", 0, 1),
    ("Set watermark by reqsize", 0, 1),
    ("Calc sector by sector", 0, 1),
    ("Enable caching in buffer", 0, 2),
    ("Buffer continuous read", 0, 4),
    ("Minimum read-ahead (blks)", 0, 2_000),
    ("Maximum read-ahead (blks)", 0, 2_000),
    ("Read-ahead over requested", -1, 1),
    ("Read-ahead on idle hit", 0, 1),
    ("Read any free blocks", 0, 1),
    ("Fast write level", 0, 2),
    ("Combine seq writes", 0, 1),
    ("Stop prefetch in sector", 0, 1),
    ("Disconnect write if seek", 0, 1),
    ("Write hit stop prefetch", 0, 1),
    ("Read directly to buffer", 0, 1),
    ("Immed transfer partial hit", 0, 1),
    ("Extra write disconnect", 0, 1),
    ("Immediate buffer read", 0, 2),
    ("Immediate buffer write", 0, 2),
    ("Low (write) water mark", 0, 1),
    ("High (read) water mark", 0, 1),
];

/// Times of a `disksim_disk`, of 0 and more.
const TIMES: [&str; 25] = [
    "Bulk sector transfer time",
    "Per-request overhead time",
    "Time scale for overheads",
    "Read hit over. after read",
    "Read hit over. after write",
    "Read miss over. after read",
    "Read miss over. after write",
    "Write hit over. after read",
    "Write hit over. after write",
    "Write miss over. after read",
    "Write miss over. after write",
    "Read completion overhead",
    "Write completion overhead",
    "Data preparation overhead",
    "First reselect overhead",
    "Other reselect overhead",
    "Read disconnect afterread",
    "Read disconnect afterwrite",
    "Write disconnect overhead",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Extradisc 2nd disconnect overhead",
    "Extradisc seek delta",
    "Minimum seek delay",
];

/// A seek type with its times, the least of them, and the file of an extracted curve.
fn drawn_seek(dice: &mut Dice) -> (String, f64, String) {
    let single = 0.2 + dice.ms(3.0);
    let full = single + 8.0 + dice.ms(20.0);
    let average = single + (full - single) * (0.4 + 0.2 * dice.share());
    let mut file = String::new();
    let stated = match dice.whole(0, 5) {
        0 => format!("Seek type = constant, Constant seek time = {single}"),
        1 => format!(
            "Seek type = linear, Single cylinder seek time = {single}, Average seek time = \
             {average}, Full strobe seek time = {full}"
        ),
        2 => format!(
            "Seek type = curve, Single cylinder seek time = {single}, Average seek time = \
             {average}, Full strobe seek time = {full}"
        ),
        3 => format!(
            "Seek type = hpl, HPL seek equation values = [ {}, {single}, 0.1, {}, 0.003, -1 ]",
            dice.whole(1, 400),
            single + 3.0
        ),
        4 => {
            let ten: Vec<String> =
                (0..10).map(|it| (single + 0.1 * f64::from(it)).to_string()).collect();
            format!(
                "Seek type = hplplus10, HPL seek equation values = [ 300, {}, 0.05, {}, 0.003, -1 \
                 ], First ten seek times = [ {} ]",
                single + 1.0,
                single + 3.0,
                ten.join(", ")
            )
        }
        _ => {
            let points = 1 + dice.whole(0, 30);
            if dice.whole(0, 1) == 0 {
                let _ = writeln!(file, "Seek distances measured: {points}");
            }
            let spread = dice.whole(0, 1) == 0;
            for point in 1..=points {
                let ms = single + dice.ms(1.0) + 0.2 * point as f64;
                let scatter = if spread { ", 0.01" } else { "" };
                let _ = writeln!(file, "{}, {ms}{scatter}", point * point);
            }
            "Seek type = extracted, Full seek curve = drawn.seek".to_owned()
        }
    };
    (stated, single, file)
}

/// A layout whose zones follow each other, and the number of its cylinders and surfaces.
fn drawn_layout(dice: &mut Dice) -> (String, i64, i64) {
    let surfaces = dice.whole(1, 20);
    let (mapping, scheme) = (dice.whole(0, 2), dice.whole(0, 10));
    let units =
        ["", "Skew units = sectors,", "Skew units = revolutions,"][dice.whole(0, 2) as usize];
    let mut zones = Vec::new();
    let mut next = dice.whole(0, 2);
    for _ in 0..dice.whole(1, 8) {
        let last = next + dice.whole(20, 400);
        let per_track = dice.whole(30, 600);
        // Two slips and a spare remapped to itself: sectors of the third track that hold data, or
        // tracks; and spares enough for them.
        let spares = if scheme == 1 { dice.whole(2, 6) } else { dice.whole(4, 12) };
        let skew = |dice: &mut Dice| {
            if units.contains("rev") {
                dice.share() - 0.3
            } else {
                dice.whole(-20, 90) as f64 / 2.0
            }
        };
        let none = matches!(scheme, 0 | 7);
        let at = |sector| if scheme == 1 { sector - 8 } else { 2 * per_track + sector };
        let slips = if none { String::new() } else { format!("{}, {}", at(13), at(14)) };
        let defects = if none { String::new() } else { format!("{0}, {0}", at(15)) };
        zones.push(format!(
            "dm_layout_g1_zone {{ First cylinder number = {next}, Last cylinder number = {last}, \
             Blocks per track = {per_track}, Offset of first block = {}, Skew for track switch = {}, \
             Skew for cylinder switch = {}, Empty space at zone front = {}, Number of spares = \
             {spares}, slips = [ {slips} ], defects = [ {defects} ] }}",
            skew(dice),
            skew(dice),
            skew(dice),
            dice.whole(0, 25),
        ));
        next = last + 1 + dice.whole(0, 1) * dice.whole(0, 5);
    }
    let cylinders = next + dice.whole(0, 3);
    let range = dice.whole(1, 20);
    let text = format!(
        "dm_layout_g1 {{ LBN-to-PBN mapping scheme = {mapping}, Sparing scheme used = {scheme}, \
         Rangesize for sparing = {range}, {units} Zones = [ {} ] }}",
        zones.join(",\n")
    );
    (text, cylinders, surfaces)
}

/// A drive whose every parameter is drawn from the range that the reference has for it.
fn drawn(seed: u64) -> (String, String) {
    let dice = &mut Dice(seed);
    let (seek, least_ms, file) = drawn_seek(dice);
    let (layout, cylinders, surfaces) = drawn_layout(dice);
    let head = dice.ms(2.0);
    let settle = dice.ms(2.0) - if dice.whole(0, 2) == 0 { head.min(least_ms) } else { 0.0 };
    let access = ["trackSwitchPlusRotation", "averageRotation"][dice.whole(0, 1) as usize];
    let mut specs = format!(
        "disksim_disk DRAWN {{ Model = dm_disk drawn {{ Block count = {}, Number of data surfaces = \
         {surfaces}, Number of cylinders = {cylinders}, Mechanical Model = dm_mech_g1 {{ Access time \
         type = {access}, Constant access time = {}, {seek}, Add. write settling delay = {settle}, \
         Head switch time = {head}, Rotation speed (in rpms) = {}, Percent error in rpms = {} }}, \
         Layout Model = {layout} }},\n",
        dice.whole(0, 100_000_000),
        dice.ms(10.0),
        dice.whole(3_000, 16_000),
        dice.ms(100.0),
    );
    for (name, least, most) in WHOLE {
        let _ = writeln!(specs, "{name} = {},", dice.whole(least, most));
    }
    for name in TIMES {
        let _ = writeln!(specs, "{name} = {},", dice.ms(3.0));
    }
    let policy = dice.whole(1, 24);
    let _ = writeln!(
        specs,
        "Scheduler = disksim_ioqueue {{ Scheduling policy = {policy}, Cylinder mapping strategy = {}, \
         Write initiation delay = {}, Read initiation delay = {}, Sequential stream scheme = {}, \
         Maximum concat size = {}, Overlapping request scheme = {}, Sequential stream diff maximum = \
         {}, Scheduling timeout scheme = {}, Timeout time/weight = {}, Timeout scheduling = {}, \
         Scheduling priority scheme = {}, Priority scheduling = {} }} }}",
        dice.whole(0, 6),
        dice.ms(1.0),
        dice.ms(1.0),
        dice.whole(-1, 31),
        dice.whole(0, 512),
        dice.whole(0, 2),
        dice.whole(0, 2),
        dice.whole(0, 2),
        dice.whole(0, 100),
        dice.whole(0, 21),
        dice.whole(0, 1),
        dice.whole(0, 21),
    );
    (specs, file)
}

/// Drives that are drawn with the long tests (`make soak` says how many cases there are), and with
/// all others.
const DRAWN: [u64; 2] = [1_000, 60];

#[test]
fn every_drive_drawn_from_the_ranges_of_the_reference_is_imported() {
    let [most, few] = DRAWN;
    for seed in 0..if std::env::var_os("PROPTEST_CASES").is_some() { most } else { few } {
        let (specs, file) = drawn(seed);
        let mut resolver = |name: &str| match name {
            "drawn.diskspecs" => Ok(specs.clone()),
            _ => Ok(file.clone()),
        };
        let imported = import("drawn.diskspecs", &mut resolver, &DriveImportOptions::default());
        let imported = imported.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mut drive = Drive::new(imported.profile.params()).expect("a profile's drive is legal");
        let end = drive.layout().capacity();
        for lba in [0, end / 3, end - 8] {
            drive.serve(Time::ZERO + Span::from_us(1 + lba), read(lba, 8), &mut NoChance);
        }
    }
}
