"""The part of one bundle that the pages of the site show, read and checked."""

import os
from dataclasses import dataclass

from platterlab.measure.advice import NOT_THE_MEDIAS, is_limited
from platterlab.measure.archive import Entry
from platterlab.measure.bundle import REPORT
from platterlab.measure.documents import Curves, Estimate, Extraction
from platterlab.measure.identity import cleaned

_LARGEST = 1e18


@dataclass(frozen=True)
class Measured:
    """One bundle.

    Attributes:
        entry: its line in the archive.
        values: by their names in `QUANTITIES`.
        curves: what is drawn over the drive.
        sector_bytes: of a logical sector.
        capacity_sectors: of the device.
        firmware: as the drive says it; empty where it does not.
        version: of the program that measured.
    """

    entry: Entry
    values: Extraction
    curves: Curves
    sector_bytes: int
    capacity_sectors: int
    firmware: str
    version: str

    @property
    def label(self) -> str:
        """Its name among others of its model."""
        drive = self.entry.serial_hash
        return f"{self.entry.id[:8]}, drive {drive[:4]}" if drive else self.entry.id[:8]

    @property
    def started(self) -> str:
        """The day."""
        return cleaned(self.entry.started[:10])

    @property
    def has_report(self) -> bool:
        """Whether it brings a report of its own that can be read."""
        path = self.entry.bundle.path(REPORT)
        return path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)

    def estimate(self, name: str) -> Estimate:
        """A value with its status."""
        return self.values[name]


def measured(entry: Entry) -> Measured:
    """Reads what is shown of a bundle. Raises InputError when it cannot be read."""
    bundle = entry.bundle
    described = bundle.described()
    facts = dict(described.device.facts)
    return Measured(
        entry=entry,
        values=bundle.values(),
        curves=bundle.curves(),
        sector_bytes=described.device.logical_sector_bytes,
        capacity_sectors=described.device.capacity_sectors,
        firmware=cleaned(facts.get("firmware", "")),
        version=cleaned(described.platterlab),
    )


def shown(estimate: Estimate) -> bool:
    """Whether there is a value that can be drawn."""
    value = estimate.value
    return estimate.status != "unsupported" and value is not None and abs(value) <= _LARGEST


def standing(estimate: Estimate) -> str:
    """Its status; of a bandwidth that is not the media's, that it is not."""
    labelled = estimate.status == "ok" and is_limited(estimate.note)
    return NOT_THE_MEDIAS if labelled else estimate.status


def interval(estimate: Estimate) -> tuple[float, float]:
    """The 95 % interval of a value that is shown; the value itself where it has none."""
    value = estimate.value or 0.0
    low, high = estimate.ci95 or (value, value)
    return max(min(low, value), -_LARGEST), min(max(high, value), _LARGEST)
