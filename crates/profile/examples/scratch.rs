use flate2::read::GzDecoder;
use platterlab_drive::{Command, Drive, NoChance};
use platterlab_profile::disksim::{ImportOptions, load};
use platterlab_units::{Operation, Span, Time};
use std::io::Read;
use std::path::Path;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let folder = Path::new("/work/shared/data/disksim");
    let overrides = a[3..]
        .iter()
        .map(|s| {
            let (k, v) = s.split_once('=').unwrap();
            (k.to_owned(), v.parse().unwrap())
        })
        .collect();
    let o = ImportOptions { approximate: true, overrides, ..Default::default() };
    let im = load(&folder.join(format!("{}.parv", a[1])), &o).unwrap();
    for n in &im.not_honoured {
        eprintln!("NOT {n}");
    }
    for n in &im.notes {
        eprintln!("NOTE {n}");
    }
    let mut ps = im.profile.params().clone();
    if let Ok(v) = std::env::var("HIT") {
        ps.cache.read_ahead_on_hit = match v.as_str() {
            "ignore" => platterlab_drive::OnHit::Ignore,
            "start" => platterlab_drive::OnHit::Start,
            _ => platterlab_drive::OnHit::Extend,
        };
    }
    if let Ok(v) = std::env::var("MOST") {
        ps.cache.read_ahead_most_sectors = Some(v.parse().unwrap());
    }
    if std::env::var("NOTOVER").is_ok() {
        ps.cache.read_ahead_over_requested = false;
    }
    if std::env::var("ZLR").is_ok() {
        ps.cache.zero_latency_read = true;
    }
    if std::env::var("ZLW").is_ok() {
        ps.cache.zero_latency_write = true;
    }
    if std::env::var("NOFLIGHT").is_ok() {
        ps.cache.hits_in_flight = false;
    }
    if let Ok(v) = std::env::var("WSEG") {
        ps.cache.write_segments = v.parse().unwrap();
    }
    if std::env::var("SEP").is_ok() {
        ps.cache.separate_write_segments = true;
    }
    if std::env::var("NOCOMB").is_ok() {
        ps.cache.combine_writes = false;
    }
    if let Ok(v) = std::env::var("OVERW") {
        use platterlab_drive::Overwritten::*;
        ps.cache.overwritten = match v.as_str() {
            "upd" => Updated,
            "later" => KeepsLater,
            "drop" => Dropped,
            _ => KeepsEarlier,
        };
    }
    let mut d = Drive::new(&ps).unwrap();
    let mut t = String::new();
    GzDecoder::new(
        std::fs::File::open(
            folder.join("reference-output").join(format!("{}.perreq.txt.gz", a[2])),
        )
        .unwrap(),
    )
    .read_to_string(&mut t)
    .unwrap();
    let xc = a[2].contains("_xc_");
    println!(
        "i,issue,op,lba,n,theirs,ours,outcome,overhead,wait,seek,rotation,transfer,bus,cyl,dist,runleft,spt,rest"
    );
    for l in t.lines().filter(|l| !l.starts_with('#')) {
        let w: Vec<&str> = l.split_whitespace().collect();
        let (read, resp, n): (bool, f64, u32) = if xc {
            (
                u32::from_str_radix(w[5], 16).unwrap() & 1 == 1,
                w[7].parse().unwrap(),
                w[4].parse().unwrap(),
            )
        } else {
            (w[2] == "R", w[7].parse().unwrap(), w[4].parse().unwrap())
        };
        if !resp.is_finite() {
            continue;
        }
        let issue = Time::ZERO + Span::from_ms(w[1].parse().unwrap()).unwrap();
        let lba: u64 = w[3].parse().unwrap();
        let c = Command {
            lba,
            sectors: n,
            operation: if read { Operation::Read } else { Operation::Write },
            may_report_early: true,
        };
        let r = d.layout().run(lba, 1);
        let mut left = 1;
        while left < n && d.layout().run(lba, left + 1).sectors > left {
            left += 1;
        }
        let s = d.serve(issue, c, &mut NoChance);
        let ours = (s.completion - issue).as_ms();
        println!(
            "{},{},{},{},{},{},{:.6},{},{:.6},{:.6},{:.6},{:.6},{:.6},{:.6},{},{},{},{},{}",
            w[0],
            w[1],
            if read { "R" } else { "W" },
            lba,
            n,
            resp,
            ours,
            s.cache.name(),
            s.overhead.as_ms(),
            s.wait.as_ms(),
            s.seek.as_ms(),
            s.rotation.as_ms(),
            s.transfer.as_ms(),
            s.bus.as_ms(),
            s.cylinder,
            s.seek_distance,
            left,
            r.sectors_per_track,
            d.layout().run(lba, r.sectors_per_track - r.sector).sectors
        );
        let diff = ours - resp;
        if read && diff.abs() < 0.01 {
            d.turn(Span::from_ms(diff.abs()).unwrap_or_default(), diff < 0.0);
        }
    }
}
