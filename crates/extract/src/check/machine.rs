//! All of a drive but its layout, as far as the self-check needs it.

use crate::Extraction;
use platterlab_drive::{
    BusParams, CacheParams, ControllerParams, DriveParams, Latency, LayoutParams, MechanismParams,
    SeekCurve,
};
use platterlab_units::{Angle, Span};

pub(super) fn span(ms: f64) -> Span {
    Span::from_ms(ms.max(0.0)).unwrap_or(Span::ZERO)
}

/// What a request costs beside the media.
pub(super) fn overhead_ms(found: &Extraction) -> f64 {
    let known = found.mtm_ms.ok().or(found.overhead_ms.value);
    known.or(found.mtm_ms.value).unwrap_or(0.5)
}

pub(super) fn params(layout: LayoutParams, overhead_ms: f64, rotation_ms: f64) -> DriveParams {
    DriveParams {
        layout,
        mechanism: MechanismParams {
            rotation: span(rotation_ms),
            phase: Angle::from_raw(0),
            sector_lag: Span::ZERO,
            drift: None,
            recalibration: None,
            latency: Latency::Tracked,
            seek: SeekCurve::Constant { time: Span::ZERO },
            seek_back: None,
            seek_scatter: None,
            resettle: [Span::ZERO; 2],
            head_switch: [Span::ZERO; 2],
            track_switch: None,
            settle: [Span::ZERO; 2],
            media_transfer: true,
        },
        controller: ControllerParams {
            overhead: [[[span(overhead_ms); 2]; 2]; 2],
            ..ControllerParams::default()
        },
        cache: CacheParams::default(),
        bus: BusParams::default(),
    }
}
