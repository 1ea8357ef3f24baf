//! What a second track costs on top of its revolution: the usual skew, and the one every few tracks.

use super::Survey;
use super::layout::LayoutGuess;
use super::two_skews::Within;
use crate::stats::{circular_median, fold};
use crate::{Estimate, Status};

pub(super) const METHOD: &str = "first sectors of successive tracks";

/// What is clear of the scatter of one step, in its standard deviations.
const CLEAR: f64 = 8.0;
/// Of the ends of passes so many may have come late.
const FEW: f64 = 0.2;

/// The usual skew and the other one.
pub(super) fn switches(survey: &Survey, layout: &LayoutGuess) -> (Estimate, Estimate) {
    let unknown = || Estimate::unsupported(METHOD, "too few tracks");
    let (Some(pattern), Some(turn)) = (&survey.pattern, survey.turn) else {
        return (unknown(), unknown());
    };
    if pattern.along_ms.is_some() && layout.class.value == Some("head-first") {
        let why = "the first sectors of tracks seem to lie in passes, and heads come first";
        return (Estimate::unsupported(METHOD, why), Estimate::unsupported(METHOD, why));
    }
    if let Some((along, error)) = pattern.along_ms {
        let clear_ms = (CLEAR * turn.jitter).max(survey.grain().gathered_ms());
        let middle = circular_median(&pattern.steps_ms, turn.period);
        let other = middle.map_or_else(unknown, |middle| {
            let steps = &pattern.steps_ms;
            let off = |step: &&f64| fold(**step - middle, turn.period).abs() > clear_ms;
            let others = steps.iter().filter(off).count();
            let error = 3.0 * turn.jitter / (steps.len() as f64).sqrt();
            let found = Estimate::new(middle, error, METHOD);
            let alike = others as f64 <= FEW * steps.len() as f64;
            if alike { found } else { found.doubted("ends of passes are of several kinds") }
        });
        return (Estimate::new(along, 1.96 * error, METHOD), other);
    }
    match &pattern.skews {
        Some(skews) => (skews.track_skew_ms.clone(), skews.cylinder_skew_ms.clone()),
        None => (unknown(), unknown()),
    }
}

/// What another skew is that of is told by the class, and where passes end by a map that is certain. Such that differ
/// from each other are no one skew.
pub(super) fn doubt_other(
    other: &mut Estimate,
    status: Status,
    layout: &LayoutGuess,
    turn_ms: Option<f64>,
) {
    /// Parts of a turn and of the skew.
    const WIDE_TURN: f64 = 0.01;
    const WIDE: f64 = 0.05;
    let wide_ms = (WIDE * other.value.unwrap_or(0.0)).max(WIDE_TURN * turn_ms.unwrap_or(0.0));
    match layout.class.value {
        None => other.doubt("whether it is that of cylinders or of passes is not known"),
        Some("seek-first") if status != Status::Ok => {
            other.doubt("the map of the tracks is not certain");
        }
        _ if other.half_width() > wide_ms => other.doubt("it is not the same everywhere"),
        _ => {}
    }
}

/// Both skews among the first tracks.
pub(super) fn first_switches(survey: &Survey, within: Within) -> Option<[Estimate; 2]> {
    let skews = survey.first.as_ref()?.skews.as_ref()?;
    let (mut one, mut other) = (skews.track_skew_ms.clone(), skews.cylinder_skew_ms.clone());
    within.settle(&mut one, &mut other);
    Some([one, other])
}

pub(super) fn share(switch: &Estimate, rotation: &Estimate) -> Estimate {
    rotation.value.map_or_else(|| switch.clone(), |turn| switch.clone().divided(turn / 100.0))
}
