//! A drive of round numbers: a turn takes 10 ms, a track has 10 sectors, a seek of d cylinders takes
//! d ms, a head or track switch 1 ms, and the platter stands at the index mark at time zero.

use platterlab_drive::{
    BusParams, CacheOutcome, CacheParams, Command, ControllerParams, Drive, DriveParams, Latency,
    LayoutParams, MechanismParams, NoChance, ReadAhead, SeekCurve, Service, Skew, Sparing,
    TrackOrder, WriteReport, ZoneParams,
};
use platterlab_units::{Angle, Operation, Partial, Span, Time};

pub(crate) const SURFACES: u32 = 2;
pub(crate) const CYLINDERS: u32 = 100;
pub(crate) const PER_TRACK: u32 = 10;

pub(crate) fn us(us: u64) -> Span {
    Span::from_us(us)
}

pub(crate) fn at_us(us: u64) -> Time {
    Time::ZERO + Span::from_us(us)
}

pub(crate) const PS: Span = Span::from_ps(1);

/// A zone with one sector of skew at every boundary: exactly the time of a switch.
pub(crate) fn zone(cylinders: [u32; 2], sectors_per_track: u32) -> ZoneParams {
    ZoneParams {
        cylinders,
        sectors_per_track,
        surface_sectors: vec![],
        surface_data_sectors: vec![],
        skew_from_data_end: false,
        order: TrackOrder::Traditional,
        serpentine_cylinders: None,
        passes: Default::default(),
        track_skew: Skew::Sectors(1),
        cylinder_skew: Skew::Sectors(1),
        serpentine_skew: Skew::Sectors(0),
        first_track_skew: Skew::Sectors(0),
        range_skew: Skew::Sectors(0),
        sparing: Sparing::None,
        skip_first_sectors: 0,
        skip_last_sectors: 0,
    }
}

pub(crate) fn layout() -> LayoutParams {
    LayoutParams {
        sector_bytes: 512,
        logical_sector_bytes: 512,
        surfaces: SURFACES,
        cylinders: CYLINDERS,
        zones: vec![zone([0, CYLINDERS - 1], PER_TRACK)],
        spare_regions: vec![],
        defects: vec![],
        surface_offsets: vec![],
    }
}

/// No overhead, no cache, a bus that takes half a millisecond a sector, a large buffer, no fence.
pub(crate) fn drive() -> DriveParams {
    DriveParams {
        layout: layout(),
        mechanism: MechanismParams {
            rotation: us(10_000),
            phase: Angle::ZERO,
            sector_lag: Span::ZERO,
            drift: None,
            recalibration: None,
            latency: Latency::Tracked,
            seek: SeekCurve::Linear { single: us(1_000), full: us(99_000) },
            seek_back: None,
            seek_scatter: None,
            resettle: [Span::ZERO; 2],
            head_switch: [us(1_000); 2],
            track_switch: None,
            settle: [Span::ZERO; 2],
            media_transfer: true,
        },
        controller: ControllerParams {
            overhead: [[[Span::ZERO; 2]; 2]; 2],
            completion: [Span::ZERO; 2],
            ..ControllerParams::default()
        },
        cache: CacheParams {
            buffer_sectors: Some(1_000),
            read_fence_sectors: 0,
            read_fence_share: 0,
            write_fence_sectors: 0,
            segments: 0,
            segment_sectors: 0,
            read_ahead: ReadAhead::None,
            keep_after_hit: true,
            partial_hits: false,
            write_report: WriteReport::Media,
            hits_on_written: false,
            ..CacheParams::default()
        },
        bus: BusParams { read_sector: us(500), write_sector: us(500), ..BusParams::default() },
    }
}

/// The round drive with one segment of `sectors` and this read-ahead.
pub(crate) fn caching(read_ahead: ReadAhead, sectors: u32) -> DriveParams {
    let mut params = drive();
    params.cache.segments = 1;
    params.cache.segment_sectors = sectors;
    params.cache.read_ahead = read_ahead;
    params
}

pub(crate) fn read(lba: u64, sectors: u32) -> Command {
    Command {
        lba,
        sectors,
        operation: Operation::Read,
        may_report_early: true,
        partial: Partial::WHOLE,
    }
}

pub(crate) fn write(lba: u64, sectors: u32) -> Command {
    Command { operation: Operation::Write, ..read(lba, sectors) }
}

/// A drive and its clock.
pub(crate) struct Bench {
    pub(crate) drive: Drive,
    pub(crate) now: Time,
}

impl Bench {
    pub(crate) fn new(params: &DriveParams) -> Self {
        let drive = Drive::new(params).expect("the round drive is legal");
        Self { drive, now: Time::ZERO }
    }

    /// Issues a command when the last one is complete.
    pub(crate) fn next(&mut self, command: Command) -> Service {
        let service = self.drive.serve(self.now, command, &mut NoChance);
        self.now = service.completion;
        service
    }

    /// Issues a command at a time.
    pub(crate) fn at(&mut self, issue_us: u64, command: Command) -> Service {
        assert!(at_us(issue_us) >= self.now, "the last command is complete at {}", self.now);
        self.now = at_us(issue_us);
        self.next(command)
    }
}

/// Serves one command at time zero on a new drive.
pub(crate) fn once(params: &DriveParams, command: Command) -> Service {
    Bench::new(params).next(command)
}

/// Completion, then overhead, wait, seek, rotation, transfer and bus, in whole microseconds.
pub(crate) fn parts_us(service: &Service) -> (u64, [u64; 6]) {
    let whole = |ps: u64| {
        assert!(ps.is_multiple_of(1_000_000), "{ps} ps are not whole microseconds: {service:?}");
        ps / 1_000_000
    };
    let Service { overhead, wait, seek, rotation, transfer, bus, .. } = *service;
    let parts = [overhead, wait, seek, rotation, transfer, bus].map(|span| whole(span.as_ps()));
    (whole(service.completion.as_ps()), parts)
}

/// The outcome of a read of one sector long after these commands.
pub(crate) fn later(params: &DriveParams, before: &[Command], lba: u64) -> CacheOutcome {
    let mut bench = Bench::new(params);
    for (index, command) in before.iter().enumerate() {
        bench.at(200_000 * (index as u64 + 1), *command);
    }
    bench.at(200_000 * (before.len() as u64 + 1), read(lba, 1)).cache
}
