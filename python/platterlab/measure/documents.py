"""Shapes of a bundle's JSON files, as far as anything is read from them again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta, Raw

from platterlab import documents
from platterlab.measure.advice import QUANTITIES

BundleId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{12}\Z")]
"""Twelve hexadecimal digits: the beginning of a checksum of the samples."""

FileName = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_][A-Za-z0-9_.-]*\Z", max_length=100)]
"""A file in the bundle's folder itself."""

Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Size = Annotated[int, Meta(ge=1, le=(1 << 31) - 1)]
Status = Literal["complete", "partial", "unsupported"]


@dataclass(frozen=True)
class Noted:
    """A file as it was left."""

    bytes: Count
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


@dataclass(frozen=True)
class Manifest:
    """What a complete bundle holds."""

    schema_version: Count
    bundle: BundleId
    status: Status
    files: dict[FileName, Noted]


@dataclass(frozen=True)
class Device:
    """What was measured, as the core knew it beforehand."""

    name: str
    capacity_sectors: Count
    logical_sector_bytes: Size
    physical_sector_bytes: Size
    host_overhead_us: float
    facts: list[tuple[str, str]]
    whole: bool = True


@dataclass(frozen=True)
class Environment:
    """With what it was measured."""

    started: str
    device: Device
    options: documents.Json
    platterlab: str = ""
    host: documents.Json = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Of target: simulated, device or recorded."""
        return str(self.options.get("kind", ""))


@dataclass(frozen=True)
class Estimate:
    """A value that was read off the samples."""

    value: float | None
    status: Literal["ok", "ambiguous", "unsupported"]
    ci95: tuple[float, float] | None = None
    note: str = ""


NOT_LOOKED_FOR = Estimate(None, "unsupported", note="not looked for")


@dataclass(frozen=True)
class Zone:
    """A zone, as far as bundles are compared by it."""

    sectors_per_track: Estimate


@dataclass(frozen=True)
class Extraction:
    """The values of a bundle, by their names in `QUANTITIES`, and its zones."""

    values: Mapping[str, Estimate]
    zones: list[Zone]

    def __getitem__(self, name: str) -> Estimate:
        """An estimate; an older extraction may not have looked for it."""
        return self.values.get(name, NOT_LOOKED_FOR)


def extraction(data: bytes, where: object) -> Extraction:
    """An extraction from its JSON. Raises InputError when it is not what it should be."""
    found = documents.decoded(data, dict[str, Raw], where)
    values: dict[str, Estimate] = {}
    for name, *_ in QUANTITIES:
        if name in found:
            values[name] = documents.decoded(found[name], Estimate, f"{where}: {name}")
    zones = documents.decoded(found.get("zones", Raw(b"[]")), list[Zone], f"{where}: zones")
    return Extraction(values, zones)


Amount = Annotated[float, Meta(ge=-1e18, le=1e18)]
"""A number that stays one when it is changed into another unit."""


@dataclass(frozen=True)
class ZoneFound(Zone):
    """A zone, as far as it is drawn."""

    first_lba: Estimate = NOT_LOOKED_FOR
    mib_s: Estimate = NOT_LOOKED_FOR
    track_skew_ms: Estimate = NOT_LOOKED_FOR
    cylinder_skew_ms: Estimate = NOT_LOOKED_FOR


@dataclass(frozen=True)
class Rate:
    """How fast a place was read."""

    lba: Count
    sectors_per_ms: Amount


@dataclass(frozen=True)
class Seek:
    """A point of the seek curve."""

    distance_sectors: Amount
    seek_ms: Amount
    half_width_ms: Amount
    distance_cylinders: Amount | None = None


@dataclass(frozen=True)
class Tracks:
    """Tracks that follow each other, in a map of tracks."""

    first_lba: Count
    first_track: Count
    cycles: Count
    sectors: Annotated[list[Annotated[int, Meta(ge=1, le=1 << 31)]], Meta(min_length=1)]


@dataclass(frozen=True)
class Curves:
    """What of an extraction is drawn over the whole drive: of a drive, or of a map of tracks."""

    zones: list[ZoneFound] = field(default_factory=list)
    rates: list[Rate] = field(default_factory=list)
    seeks: list[Seek] = field(default_factory=list)
    pieces: list[Tracks] = field(default_factory=list)


def curves(data: bytes, where: object) -> Curves:
    """The curves of an extraction. Raises InputError when it is not what it should be."""
    found = documents.decoded(data, dict[str, Raw], where)
    if "pieces" in found:
        # The seeks of a map are between tracks, and include overhead and transfer.
        pieces = documents.decoded(found["pieces"], list[Tracks], f"{where}: pieces")
        return Curves(pieces=pieces)
    return documents.decoded(data, Curves, where)


@dataclass(frozen=True)
class RunAbout:
    """What the file of samples says of one run."""

    plan: documents.Json
    end: Literal["complete", "cancelled", "failed"]
    error: str | None = None


@dataclass(frozen=True)
class SamplesAbout:
    """What the file of samples says of itself."""

    runs: list[RunAbout]
    manifest: documents.Json | None = None
