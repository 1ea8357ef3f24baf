//! Arm and platter: how long until a sector is under the head.

mod check_seek;
mod drift;
mod rotation;
mod seek;

pub use check_seek::LARGEST_FALL;
pub use rotation::Rotation;
pub use seek::SeekTable;

use crate::layout::Run;
use crate::{Chance, Latency, MechanismParams, ParamError};
use drift::Drift;
use platterlab_units::{Angle, Operation, Span, Time};
use std::sync::Arc;

/// Where the heads are, and which one is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arm {
    /// Cylinder.
    pub cylinder: u32,
    /// Surface of the active head.
    pub surface: u32,
}

/// The moving parts of one drive.
#[derive(Clone, Debug)]
pub struct Mechanism {
    rotation: Rotation,
    drift: Option<Drift>,
    times: Arc<Times>,
}

/// What a mechanism takes for what: the same for all drives of one kind.
#[derive(Debug)]
struct Times {
    latency: Latency,
    /// To higher and to lower cylinders.
    seek: [SeekTable; 2],
    seek_floor: SeekTable,
    /// How much longer or shorter a request's first seek is at most.
    seek_scatter: Option<SeekTable>,
    resettle: [Span; 2],
    head_switch: [Span; 2],
    track_switch: Span,
    settle: [Span; 2],
    media_transfer: bool,
    sector_lag: Span,
}

impl Mechanism {
    /// Checks and tabulates a mechanism for a drive of `cylinders`.
    ///
    /// # Errors
    /// A rotation period of zero, or a seek curve that makes no sense.
    pub fn new(params: &MechanismParams, cylinders: u32) -> Result<Self, ParamError> {
        if params.rotation == Span::ZERO {
            return Err(ParamError::new("spindle.speed_rpm", "the platter must turn"));
        }
        let seek = SeekTable::new("seek", &params.seek, cylinders)?;
        let seek_back = match &params.seek_back {
            Some(curve) => SeekTable::new("seek_back", curve, cylinders)?,
            None => seek.clone(),
        };
        let scatter = params.seek_scatter.as_ref();
        let seek_scatter =
            scatter.map(|curve| SeekTable::new("seek_scatter", curve, cylinders)).transpose()?;
        let single = if cylinders > 1 { seek.time(1) } else { Span::ZERO };
        let times = Times {
            latency: params.latency,
            seek_floor: seek.floor(&seek_back),
            seek: [seek, seek_back],
            seek_scatter,
            resettle: params.resettle,
            head_switch: params.head_switch,
            track_switch: params.track_switch.unwrap_or(single),
            settle: params.settle,
            media_transfer: params.media_transfer,
            sector_lag: params.sector_lag,
        };
        Ok(Self {
            rotation: Rotation::new(params.rotation, params.phase),
            drift: params.drift.map(Drift::new),
            times: Arc::new(times),
        })
    }

    /// The platter.
    #[must_use]
    pub fn rotation(&self) -> &Rotation {
        &self.rotation
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        self.rotation.rebase(by);
        if let Some(drift) = &mut self.drift {
            drift.rebase(by);
        }
    }

    /// By how much the platter's drifting speed has moved it on since this was asked last, and
    /// whether back; `None` where the speed does not drift.
    #[inline]
    pub(crate) fn drifted(&mut self, now: Time) -> Option<(Span, bool)> {
        self.drift.as_mut().map(|drift| drift.since_last(now))
    }

    pub(crate) fn turn(&mut self, by: Span, backwards: bool) {
        self.rotation.turn(by, backwards);
    }

    /// `sectors` have passed under the head, and it has left them.
    #[inline]
    pub(crate) fn fall_behind(&mut self, sectors: u64) {
        if self.times.sector_lag > Span::ZERO {
            self.rotation.turn(self.times.sector_lag * sectors, true);
        }
    }

    /// Whether the platter's position is known rather than drawn.
    #[inline]
    pub(crate) fn tracks_rotation(&self) -> bool {
        self.times.latency == Latency::Tracked
    }

    /// The time to bring `arm` onto a track for a new request.
    #[must_use]
    #[inline]
    pub fn position(&self, arm: Arm, cylinder: u32, surface: u32, operation: Operation) -> Span {
        let operation = operation.index();
        match (arm.cylinder == cylinder, arm.surface == surface) {
            (true, true) => self.times.resettle[operation],
            (true, false) => self.times.head_switch[operation],
            (false, same_head) => {
                let switch = if same_head { Span::ZERO } else { self.times.head_switch[operation] };
                // Another head is settled on by then.
                (self.seek_time(arm.cylinder, cylinder) + self.times.settle[operation]).max(switch)
            }
        }
    }

    /// What positioning `arm` onto `cylinder` takes this time, where seeks scatter.
    #[inline]
    pub(crate) fn scattered(
        &self,
        positioning: Span,
        arm: Arm,
        cylinder: u32,
        chance: &mut dyn Chance,
    ) -> Span {
        let Some(most) = &self.times.seek_scatter else { return positioning };
        let distance = arm.cylinder.abs_diff(cylinder);
        if distance == 0 {
            return positioning;
        }
        // From no turn to half of one it takes longer, from there on less: no chance, no scatter.
        let (drawn, half) = (chance.angle().raw(), 1 << 63);
        let off = Angle::from_raw((drawn % half) << 1).span(most.time(distance));
        if drawn < half { positioning + off } else { positioning.less(off) }
    }

    /// The time to continue to the next track within a transfer.
    #[must_use]
    #[inline]
    pub fn switch(&self, arm: Arm, cylinder: u32, surface: u32, operation: Operation) -> Span {
        match arm.cylinder.abs_diff(cylinder) {
            0 if arm.surface == surface => Span::ZERO,
            0 => self.times.head_switch[operation.index()],
            1 => self.times.track_switch + self.times.settle[operation.index()],
            _ => self.position(arm, cylinder, surface, operation),
        }
    }

    /// No change of tracks takes longer before `operation`.
    pub(crate) fn longest_step_ps(&self, operation: Operation) -> u128 {
        let operation = operation.index();
        let seek = self.times.seek.iter().map(SeekTable::longest).max().unwrap_or_default();
        let scatter = self.times.seek_scatter.as_ref().map(SeekTable::longest);
        let steps = [
            seek + scatter.unwrap_or_default(),
            self.times.head_switch[operation],
            self.times.track_switch,
        ];
        let extra = [self.times.settle[operation], self.times.resettle[operation]];
        steps.into_iter().chain(extra).map(|time| u128::from(time.as_ps())).sum()
    }

    /// Moving the arm over `cylinders` or more takes no less than this; none is beyond the drive's.
    #[must_use]
    #[inline]
    pub fn seek_floor(&self, cylinders: u32) -> Span {
        self.times.seek_floor.time(cylinders)
    }

    #[inline]
    fn seek_time(&self, from: u32, to: u32) -> Span {
        self.times.seek[usize::from(to < from)].time(from.abs_diff(to))
    }

    /// The rotational latency of a request's first sector, which begins at `angle`.
    #[inline]
    pub(crate) fn first_latency(&self, now: Time, angle: Angle, chance: &mut dyn Chance) -> Span {
        match self.times.latency {
            Latency::Tracked => self.rotation.wait(now, angle),
            Latency::Uniform => chance.angle().span(self.rotation.period()),
            Latency::Mean => self.rotation.period() / 2,
            Latency::Off => Span::ZERO,
        }
    }

    /// The rotational latency of sector `offset` of a run once a transfer is under way.
    #[inline]
    pub(crate) fn next_latency(&self, now: Time, run: &Run, offset: u32) -> Span {
        if self.tracks_rotation() { self.rotation.wait(now, run.angle(offset)) } else { Span::ZERO }
    }

    /// The time sectors `from..to` of a run take to pass under the head.
    #[inline]
    pub(crate) fn pass(&self, run: &Run, from: u32, to: u32) -> Span {
        if !self.times.media_transfer || from == to {
            Span::ZERO
        } else if to - from == run.sectors_per_track {
            self.rotation.period()
        } else {
            self.rotation.between(run.angle(from), run.angle(to))
        }
    }

    /// How many sectors of `run` from `from` on pass entirely within `time`.
    pub(crate) fn passed_within(&self, run: &Run, from: u32, time: Span) -> u32 {
        if !self.times.media_transfer || time >= self.pass(run, from, run.sectors) {
            return run.sectors - from;
        }
        // An estimate from the mean sector time, then exact: rounding moves it by one at most. It
        // is below the run's length, as the time is below the time of the run.
        let sectors = u128::from(time.as_ps()) * u128::from(run.sectors_per_track);
        let estimate = sectors / u128::from(self.rotation.period().as_ps());
        let mut count = (estimate as u32).min(run.sectors - from);
        while count > 0 && self.pass(run, from, from + count) > time {
            count -= 1;
        }
        while from + count < run.sectors && self.pass(run, from, from + count + 1) <= time {
            count += 1;
        }
        count
    }
}
