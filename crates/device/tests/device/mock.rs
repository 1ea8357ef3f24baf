//! The mock drive against the paper's equations and against the drive model.

use crate::common::drive;
use crate::common::mock::{BoundaryModel, Mock, MockParams};
use platterlab_device::{BlockDevice, HostModel, Simulated};
use platterlab_units::Span;

fn refined(head_switch: Span, cylinder_switch: Span) -> MockParams {
    let boundary = BoundaryModel::Refined { head_switch, cylinder_switch };
    MockParams { boundary, transfer: Span::from_us(60), ..MockParams::figure_3() }
}

/// The latency of `step` from sector `from`, fresh drive.
fn step(params: &MockParams, from: u64, step: u64) -> Span {
    let mut mock = Mock::new(params.clone()).unwrap();
    mock.read(from, 1).unwrap();
    mock.read(from + step, 1).unwrap().elapsed()
}

/// `step * rotation / sectors_per_track + rest` to the nearest picosecond, as the paper writes it.
fn line(params: &MockParams, step: u64, rest: &[Span]) -> Span {
    let spt = u128::from(params.sectors_per_track);
    let along = u128::from(step) * u128::from(params.rotation.as_ps());
    let along = Span::from_ps(((along + spt / 2) / spt) as u64);
    along + rest.iter().copied().sum::<Span>()
}

/// Equation 1, as the smallest whole step that makes it.
fn stm(params: &MockParams) -> u64 {
    (params.mtm.as_ps() * u64::from(params.sectors_per_track)).div_ceil(params.rotation.as_ps())
}

#[test]
fn equations_2_to_5_hold_on_one_track() {
    let params = MockParams { transfer: Span::from_us(60), ..MockParams::figure_3() };
    assert_eq!(stm(&params), 37);
    for distance in 0..u64::from(params.sectors_per_track) {
        let missed = if distance < stm(&params) { params.rotation } else { Span::ZERO };
        let expected = line(&params, distance, &[missed, params.transfer]);
        assert_eq!(step(&params, 0, distance), expected, "step {distance}");
    }
}

#[test]
fn equations_6_and_7_hold_over_a_boundary() {
    let params = MockParams { transfer: Span::from_us(60), ..MockParams::figure_3() };
    let spt = u64::from(params.sectors_per_track);
    let last_track = spt * u64::from(params.surfaces - 1);
    for (track, skew) in [(0, params.track_skew), (last_track, params.cylinder_skew)] {
        for distance in 1..spt {
            let missed = if distance < stm(&params) { params.rotation } else { Span::ZERO };
            let expected = line(&params, distance, &[missed, skew, params.transfer]);
            assert_eq!(step(&params, track + spt - 1, distance), expected, "step {distance}");
        }
    }
}

#[test]
fn figure_3_starts_at_one_rotation_and_falls_to_mtm() {
    let params = MockParams::figure_3();
    assert_eq!(step(&params, 0, 0), params.rotation);
    assert!(step(&params, 0, 36) > params.rotation + params.mtm - Span::from_us(56));
    let lowest = step(&params, 0, 37);
    assert!(lowest >= params.mtm && lowest < params.mtm + Span::from_us(56));
}

#[test]
fn the_refined_model_spikes_downwards_left_of_mtm() {
    let head_switch = Span::from_us(300);
    let params = refined(head_switch, Span::from_us(900));
    let border = u64::from(params.sectors_per_track) - 1;
    let first = (0..stm(&params))
        .find(|distance| step(&params, border, *distance) < params.rotation)
        .unwrap();
    let expected = line(&params, first, &[params.track_skew, params.transfer]);
    assert_eq!(step(&params, border, first), expected, "on L3, left of the MTM point");
    let tau = params.rotation.as_ms() / 150.0;
    let recovered = params.track_skew.as_ms() - (stm(&params) - first) as f64 * tau;
    assert!((recovered - head_switch.as_ms()).abs() <= tau, "{recovered}");
    assert_eq!(
        step(&params, border, first - 1),
        line(&params, first - 1, &[params.rotation, params.track_skew, params.transfer])
    );
}

#[test]
fn time_spent_thinking_turns_the_platter() {
    let params = MockParams::figure_3();
    let mut mock = Mock::new(params.clone()).unwrap();
    mock.read(0, 1).unwrap();
    mock.idle(Span::from_us(1_000));
    let elapsed = mock.read(100, 1).unwrap().elapsed();
    assert_eq!(elapsed + Span::from_us(1_000), line(&params, 100, &[]));
}

#[test]
fn a_step_back_waits_for_the_rest_of_the_turn() {
    let params = MockParams::figure_3();
    let mut mock = Mock::new(params.clone()).unwrap();
    mock.read(100, 1).unwrap();
    assert_eq!(mock.read(60, 1).unwrap().elapsed(), line(&params, 110, &[]));
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    let good = MockParams::figure_3;
    for bad in [
        MockParams { sectors_per_track: 0, ..good() },
        MockParams { rotation: Span::ZERO, ..good() },
        MockParams { mtm: Span::from_us(9_000), ..good() },
        MockParams { transfer: Span::MAX, ..good() },
        MockParams { surfaces: u32::MAX, cylinders: u32::MAX, ..good() },
        refined(Span::MAX, Span::ZERO),
    ] {
        assert!(Mock::new(bad.clone()).is_err(), "{bad:?}");
    }
}

#[test]
fn the_drive_model_agrees_to_the_picosecond() {
    let mut model = Simulated::new(drive(), "mock", HostModel::default(), 0).unwrap();
    let mut mock = Mock::new(MockParams::figure_3()).unwrap();
    // The first access differs: the equations say nothing of where the platter is.
    let mut lba = 0;
    for distance in 0..150 {
        lba += distance;
        let [ours, theirs] = [&mut mock as &mut dyn BlockDevice, &mut model]
            .map(|device| device.read(lba, 1).unwrap().elapsed().as_ps());
        // Step 36 lies exactly on the MTM point of this drive.
        if distance > 0 && distance != 36 {
            assert!(ours.abs_diff(theirs) <= 2, "step {distance}: {ours} {theirs}");
        }
    }
}
