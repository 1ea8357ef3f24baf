//! The drive's name for each policy a profile can name.

use crate as profile;
use platterlab_drive as drive;
use platterlab_units::Operation;

pub(super) fn read_ahead(named: profile::ReadAhead) -> drive::ReadAhead {
    match named {
        profile::ReadAhead::None => drive::ReadAhead::None,
        profile::ReadAhead::Track => drive::ReadAhead::Track,
        profile::ReadAhead::TrackOrNext => drive::ReadAhead::TrackOrNext,
        profile::ReadAhead::WholeTrack => drive::ReadAhead::WholeTrack,
        profile::ReadAhead::Cylinder => drive::ReadAhead::Cylinder,
        profile::ReadAhead::Aggressive => drive::ReadAhead::Aggressive,
        profile::ReadAhead::OnArrival => drive::ReadAhead::OnArrival,
    }
}

pub(super) fn read_ahead_after(named: profile::ReadAheadAfter) -> drive::ReadAheadAfter {
    match named {
        profile::ReadAheadAfter::AnyRead => drive::ReadAheadAfter::AnyRead,
        profile::ReadAheadAfter::SequentialReads => drive::ReadAheadAfter::SequentialReads,
        profile::ReadAheadAfter::Sequential => drive::ReadAheadAfter::Sequential,
    }
}

pub(super) fn on_hit(named: profile::OnHit) -> drive::OnHit {
    match named {
        profile::OnHit::Ignore => drive::OnHit::Ignore,
        profile::OnHit::Continue => drive::OnHit::Continue,
        profile::OnHit::Extend => drive::OnHit::Extend,
        profile::OnHit::Start => drive::OnHit::Start,
    }
}

pub(super) fn read_ahead_ends(named: profile::ReadAheadEnds) -> drive::ReadAheadEnds {
    match named {
        profile::ReadAheadEnds::MediaNeeded => drive::ReadAheadEnds::MediaNeeded,
        profile::ReadAheadEnds::OtherCommand => drive::ReadAheadEnds::OtherCommand,
    }
}

pub(super) fn overwritten(named: profile::Overwritten) -> drive::Overwritten {
    match named {
        profile::Overwritten::Updated => drive::Overwritten::Updated,
        profile::Overwritten::KeepsEarlier => drive::Overwritten::KeepsEarlier,
        profile::Overwritten::KeepsLater => drive::Overwritten::KeepsLater,
        profile::Overwritten::Dropped => drive::Overwritten::Dropped,
    }
}

pub(super) fn write_report(named: profile::WriteReport) -> drive::WriteReport {
    match named {
        profile::WriteReport::Media => drive::WriteReport::Media,
        profile::WriteReport::Immediate => drive::WriteReport::Immediate,
        profile::WriteReport::Buffer => drive::WriteReport::Buffer,
        profile::WriteReport::BufferInTurn => drive::WriteReport::BufferInTurn,
    }
}

pub(super) fn operation(named: profile::OperationName) -> Operation {
    match named {
        profile::OperationName::Read => Operation::Read,
        profile::OperationName::Write => Operation::Write,
    }
}

pub(super) fn bus_hold(named: profile::BusHold) -> drive::BusHold {
    match named {
        profile::BusHold::Data => drive::BusHold::Data,
        profile::BusHold::Transfer => drive::BusHold::Transfer,
        profile::BusHold::Command => drive::BusHold::Command,
    }
}
