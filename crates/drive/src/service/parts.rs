//! The parts of a command's service time, and the one place where they are worked out.

use crate::transfer::MediaTimes;
use platterlab_units::{Span, Time, words};

words! {
    /// Where the data came from or went.
    pub enum CacheOutcome {
        /// From or to the media, all of it.
        Miss = "miss",
        /// All of it was in the buffer.
        Hit = "hit",
        /// Its first part was in the buffer, the rest was fetched.
        Partial = "partial",
        /// The rest was being read ahead when it was asked for.
        InFlight = "in-flight",
        /// A write reported from the buffer.
        Reported = "reported",
    }
}

/// How a command was served. The six spans follow each other and add up to the service time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// When the host sees the completion.
    pub completion: Time,
    /// The controller's processor, before and after.
    pub overhead: Span,
    /// Waiting for the mechanism to end what it cannot break off.
    pub wait: Span,
    /// Moving and settling the arm, switching heads.
    pub seek: Span,
    /// From there until the first sector comes under the head, data for a write being there.
    pub rotation: Span,
    /// From the first sector to the last, switches between tracks included.
    pub transfer: Span,
    /// What the bus took beyond the overlap with all this.
    pub bus: Span,
    /// When the drive first wants the bus for the data.
    pub bus_from: Time,
    /// What the data takes on the bus at its full rate.
    pub bus_span: Span,
    /// How long the drive keeps the bus from then on, data or not.
    pub bus_held: Span,
    /// From the end of the data on the bus, at the earliest, until the host sees the completion:
    /// a bus granted only at `g` puts the completion off to `g + bus_span + bus_rest`.
    pub bus_rest: Span,
    /// When the mechanism was done with the command; without the mechanism, when the buffer was set
    /// to work. A write reported early is done when it is on the media.
    pub media_end: Time,
    /// Where the data came from.
    pub cache: CacheOutcome,
    /// Cylinder of the first sector, or where the arm is if the media was not needed.
    pub cylinder: u32,
    /// Cylinders crossed to reach it.
    pub seek_distance: u32,
}

impl Service {
    /// What takes no time and needs no media: where no command has been served, and where a drive has
    /// no such part.
    pub const NONE: Self = Self {
        completion: Time::ZERO,
        overhead: Span::ZERO,
        wait: Span::ZERO,
        seek: Span::ZERO,
        rotation: Span::ZERO,
        transfer: Span::ZERO,
        bus: Span::ZERO,
        bus_from: Time::ZERO,
        bus_span: Span::ZERO,
        bus_held: Span::ZERO,
        bus_rest: Span::ZERO,
        media_end: Time::ZERO,
        cache: CacheOutcome::Miss,
        cylinder: 0,
        seek_distance: 0,
    };
}

/// The data's way over the bus.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnBus {
    pub(super) from: Time,
    pub(super) span: Span,
    /// When the host has the data, or the drive all of it on the media.
    pub(super) done: Time,
}

/// When a command came, and when the controller had set mechanism or buffer to work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) issue: Time,
    pub(super) begin: Time,
}

/// The instants of a service, in their order but for the bus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instants {
    pub(super) begun: Begun,
    /// The mechanism sets off, or the buffer turns to the command.
    pub(super) set_off: Time,
    /// What the mechanism did; without it, [`Instants::without_mechanism`].
    pub(super) media: MediaTimes,
    pub(super) on_bus: OnBus,
    /// From the last byte until the host sees the completion.
    pub(super) completion: Span,
}

impl Instants {
    /// The instants of a command that the buffer answers once it turns to it at `set_off`. `media`
    /// says where the arm is, and when it is done where it continues by itself.
    pub(super) fn without_mechanism(
        begun: Begun,
        set_off: Time,
        bus_span: Span,
        completion: Span,
        media: MediaTimes,
    ) -> Self {
        let media = MediaTimes { positioned: set_off, first: set_off, end: set_off, ..media };
        let on_bus = OnBus { from: set_off, span: bus_span, done: set_off + bus_span };
        Self { begun, set_off, media, on_bus, completion }
    }

    /// The parts of the service.
    pub(super) fn service(&self, cache: CacheOutcome) -> Service {
        let Self { begun: Begun { issue, begin }, set_off, media, on_bus, completion } = *self;
        Service {
            completion: on_bus.done + completion,
            overhead: (begin - issue) + completion,
            wait: set_off - begin,
            seek: media.positioned - set_off,
            rotation: media.first - media.positioned,
            transfer: media.end - media.first,
            bus: on_bus.done - media.end,
            bus_from: on_bus.from,
            bus_span: on_bus.span,
            bus_held: on_bus.span,
            bus_rest: completion,
            media_end: media.end,
            cache,
            cylinder: media.cylinder,
            seek_distance: media.seek_distance,
        }
    }
}
