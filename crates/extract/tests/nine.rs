mod support;
#[test]
fn ultrastar() {
    use platterlab_drive::*;
    use support::*;
    let spec = Spec {
        rotation_ms: 8.33333,
        surfaces: 18,
        zones: vec![
            ZoneSpec {
                cylinders: 3000,
                sectors_per_track: 184,
                track_skew_sectors: 19,
                cylinder_skew_sectors: 48,
            },
            ZoneSpec {
                cylinders: 2000,
                sectors_per_track: 160,
                track_skew_sectors: 17,
                cylinder_skew_sectors: 43,
            },
        ],
        order: TrackOrder::Traditional,
        seek: SeekCurve::TwoPiece {
            short_ms: [2.0, 0.2],
            long_ms: [5.0, 0.0025],
            boundary_cylinders: 400,
        },
        head_switch_ms: 0.6,
        settle_write_ms: 0.1,
        overhead_ms: 1.5,
        completion_ms: 0.3,
        bus_sector_ms: 0.025,
        phase: 0.3,
        read_ahead_sectors: 512,
    };
    for host in [platterlab_device::HostModel::default(), platterlab_device::HostModel::typical()] {
        let truth = spec.truth(&host);
        let (found, ledger) = characterize(&mut spec.device(host, 1), true, true);
        let mut f = found.clone();
        f.rates.clear();
        println!("{f:#?}\n{truth:#?}\n{ledger:?}");
    }
}
