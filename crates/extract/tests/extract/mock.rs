//! The mock disk of the paper's Figure 3: SKIPPY on it follows the equations to the picosecond, and
//! the extraction finds its parameters again.

#[path = "../../../device/tests/common/mock/mod.rs"]
mod device;

use crate::support::characterize;
use device::{BoundaryModel, Mock, MockParams};
use platterlab_device::{BlockDevice, WriteConsent};
use platterlab_extract::analytic::{BoundaryTimes, Model};
use platterlab_probe::{Access, Plan, Sample, Skippy, Walk, run};
use platterlab_units::Span;
use std::ops::ControlFlow;

fn skippy(params: MockParams) -> Vec<Sample> {
    let mut mock = Mock::new(params).expect("a mock disk");
    let plan =
        Plan::Skippy(Skippy { lba: 0, sectors: 1, stride: 1, steps: 150, walk: Walk::Running });
    let consent = WriteConsent::for_simulation();
    let access = Access::Write(&consent);
    run(&mut mock, &plan, access, &mut |_| ControlFlow::Continue(())).samples
}

/// The boundary between two addresses: none, a track's or a cylinder's.
fn boundary(from: u64, to: u64) -> Option<bool> {
    let track = |lba: u64| lba / 150;
    (track(from) != track(to)).then(|| track(from) / 15 != track(to) / 15)
}

#[test]
fn skippy_on_the_mock_disk_is_equations_1_to_7() {
    let model = Model::figure_3();
    let samples = skippy(MockParams::figure_3());
    assert_eq!(samples.len(), 151);
    for pair in samples.windows(2) {
        let step = pair[1].distance_sectors as u64;
        let expected = match boundary(pair[0].lba, pair[1].lba) {
            None => model.same_track(step),
            Some(false) => model.beyond(step, Span::from_us(700)),
            Some(true) => model.beyond(step, Span::from_us(2_100)),
        };
        assert_eq!(pair[1].elapsed(), expected, "step {step}");
    }
}

#[test]
fn the_refined_model_is_the_refined_mock_disk() {
    let (head, cylinder) = (Span::from_us(200), Span::from_us(900));
    let mut params = MockParams::figure_3();
    params.boundary = BoundaryModel::Refined { head_switch: head, cylinder_switch: cylinder };
    let model = Model::figure_3();
    let mut downwards = 0;
    for pair in skippy(params).windows(2) {
        let step = pair[1].distance_sectors as u64;
        let expected = match boundary(pair[0].lba, pair[1].lba) {
            None => model.same_track(step),
            Some(is_cylinder) => {
                let (skew, switch) = if is_cylinder { (2_100, cylinder) } else { (700, head) };
                let times = BoundaryTimes { skew: Span::from_us(skew), switch };
                let latency = model.beyond_refined(step, times);
                downwards += u32::from(!model.same_revolution(step) && latency < model.rotation);
                latency
            }
        };
        assert_eq!(pair[1].elapsed(), expected, "step {step}");
    }
    assert!(downwards > 0, "spikes point down left of the MTM point");
}

#[test]
fn the_mock_disks_parameters_are_found_again() {
    let mut params = MockParams::figure_3();
    let (head, cylinder) = (Span::from_us(200), Span::from_us(900));
    params.boundary = BoundaryModel::Refined { head_switch: head, cylinder_switch: cylinder };
    let mut mock = Mock::new(params).unwrap();
    assert_eq!(mock.info().capacity_sectors, 150 * 15 * 2_000);
    let (found, _) = characterize(&mut mock, true, false);
    let near = |estimate: &platterlab_extract::Estimate, truth: f64| {
        let value = estimate.ok().unwrap_or_else(|| panic!("{estimate:?}"));
        assert!((value / truth - 1.0).abs() < 0.005, "{estimate:?} is not {truth}");
    };
    near(&found.rotation_ms, 8.333_333_333);
    near(&found.sectors_per_track, 150.0);
    near(&found.surfaces, 15.0);
    near(&found.track_skew_ms, 0.7);
    near(&found.cylinder_skew_ms, 2.1);
    // The mock disk's transfer takes no time: MTM is the whole of its shortest request.
    near(&found.access_ms, 2.0);
    near(&found.head_switch_ms, 0.2);
    near(&found.cylinder_switch_ms, 0.9);
    let [low, high] = found.spikes_head_switch_ms.ci95.unwrap();
    assert!(low < 0.2 && 0.2 < high && high - low < 0.4, "{:?}", found.spikes_head_switch_ms);
}
