"""A drive: its values, where addresses lie, how long its arm takes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from platterlab import _core, library
from platterlab._core import InputError, Profile
from platterlab.answers import ProfileAnswer
from platterlab.datasheet import ARGUMENTS, DataSheet, profile_text, size_bytes
from platterlab.lab import charts
from platterlab.lab.arguments import in_range
from platterlab.lab.place import Place
from platterlab.lab.tables import whole_numbers
from platterlab.output import write_text

if TYPE_CHECKING:
    import altair as alt

_CURVE_POINTS = 64
_ZONE = re.compile(r"zone\[\d+\]\.cylinders")


class Drive:
    """A drive of the library or of a profile file, with values of your own where you like.

    Args:
        source: a name of the library (`Drive.names()`), or the path of a .toml profile.
        values: other values at dotted keys of the profile, as `--set` takes them.

    Raises:
        InputError: the drive, a key or a value is wrong; the text says what would be right.

    >>> import platterlab as pl
    >>> drive = pl.Drive("hp-c2200a")
    >>> drive.surfaces, round(drive.rotation_ms, 3)
    (8, 14.993)
    >>> drive.where(0).cylinder
    0
    >>> drive.cylinders, drive.capacity_sectors, drive.sector_bytes
    (1449, 1309896, 256)
    >>> drive.capacity_bytes == drive.capacity_sectors * drive.sector_bytes
    True
    >>> drive.with_values({"spindle.speed_rpm": 7200}).values["spindle.speed_rpm"]
    7200
    >>> drive.profile.id
    'hp-c2200a'
    """

    def __init__(
        self, source: str | os.PathLike[str], values: Mapping[str, Any] | None = None
    ) -> None:
        self._take(library.load(os.fspath(source), values))

    def _take(self, profile: Profile) -> None:
        self._profile = profile

    @classmethod
    def of_toml(cls, text: str, shown: str = "a profile") -> Drive:
        """A drive of a profile's text; `shown` stands for the file in messages.

        Raises:
            InputError: the text is not a profile.

        >>> import platterlab as pl
        >>> pl.Drive.of_toml(pl.Drive("mock").to_toml()).name
        'Mock disk'
        """
        return cls._of(Profile.parse(text, shown))

    @classmethod
    def of_data_sheet(
        cls,
        name: str,
        *,
        capacity: int | str,
        speed_rpm: float,
        surfaces: int,
        outer_mb_s: float,
        inner_mb_s: float | None = None,
        seek_average_ms: float | None = None,
        seek_full_ms: float | None = None,
        seek_single_ms: float | None = None,
        cache: int | str | None = None,
        bus_mb_s: float | None = None,
        sector_bytes: int = 512,
        zones: int = 24,
    ) -> Drive:
        """A drive of the few numbers of a data sheet; the rest follows by rules.

        `origins` says of each value whether it is the sheet's or assumed, and by which rule.

        Args:
            name: what it is called.
            capacity: in bytes, or as `8TB`, `931GiB`.
            speed_rpm: of the spindle.
            surfaces: that hold data, the heads of the sheet.
            outer_mb_s: sustained rate at the outermost tracks.
            inner_mb_s: at the innermost; None for half of it.
            seek_average_ms: of reads; None for what drives of that speed have.
            seek_full_ms: over all tracks; None for twice the average.
            seek_single_ms: to the next track; None for a tenth of the average.
            cache: in bytes, or as `256M`; None for none.
            bus_mb_s: of the interface; None for 600, or the media's where that is more.
            sector_bytes: 512 or 4096.
            zones: to spread the rates over.

        Raises:
            InputError: everything that is wrong with the sheet.

        >>> import platterlab as pl
        >>> drive = pl.Drive.of_data_sheet(
        ...     "My disk", capacity="8TB", speed_rpm=7200, surfaces=10, outer_mb_s=240, cache="256M"
        ... )
        >>> round(drive.rotation_ms, 3), drive.origins["seek.average_ms"].partition(":")[0]
        (8.333, 'assumed')
        """
        sheet = DataSheet(
            name=name,
            capacity_bytes=_bytes(capacity, "capacity"),
            speed_rpm=speed_rpm,
            surfaces=surfaces,
            outer_mb_s=outer_mb_s,
            inner_mb_s=inner_mb_s,
            seek_average_ms=seek_average_ms,
            seek_full_ms=seek_full_ms,
            seek_single_ms=seek_single_ms,
            cache_bytes=None if cache is None else _bytes(cache, "cache"),
            bus_mb_s=bus_mb_s,
            sector_bytes=sector_bytes,
            zones=zones,
        )
        return cls.of_toml(profile_text(sheet, names=ARGUMENTS), f"the data sheet of {name}")

    @classmethod
    def _of(cls, profile: Profile) -> Drive:
        drive = cls.__new__(cls)
        drive._take(profile)
        return drive

    @staticmethod
    def names() -> list[str]:
        """The drives of the library, by name.

        >>> import platterlab as pl
        >>> "hp-97560" in pl.Drive.names()
        True
        """
        return list(library.drives())

    @property
    def profile(self) -> Profile:
        """The core's profile of the drive."""
        return self._profile

    @property
    def name(self) -> str:
        """Maker and model."""
        return self._profile.name

    @property
    def capacity_sectors(self) -> int:
        """Number of addressed sectors."""
        return self._profile.capacity_sectors

    @property
    def sector_bytes(self) -> int:
        """Bytes of a sector."""
        return self._profile.sector_bytes

    @property
    def capacity_bytes(self) -> int:
        """Bytes of all addressed sectors."""
        return self.capacity_sectors * self.sector_bytes

    @property
    def surfaces(self) -> int:
        """Surfaces that hold data."""
        return int(self.facts["surfaces"])

    @property
    def cylinders(self) -> int:
        """Cylinders, spare ones included."""
        return int(self.facts["cylinders"])

    @property
    def rotation_ms(self) -> float:
        """The rotation period."""
        return float(self.facts["rotation_ms"])

    @cached_property
    def _document(self) -> ProfileAnswer:
        return self._profile.facts()

    @property
    def facts(self) -> dict[str, Any]:
        """Values derived from the profile's; the keys name their units.

        >>> import platterlab as pl
        >>> pl.Drive("hp-97560").facts["read_seek_full_stroke_ms"]
        23.688
        """
        return dict(self._document["derived"])

    @property
    def values(self) -> dict[str, Any]:
        """Every value by its dotted key.

        >>> import platterlab as pl
        >>> pl.Drive("hp-97560").values["geometry.surfaces"]
        19
        """
        return {one["key"]: one["value"] for one in self._document["values"]}

    @property
    def origins(self) -> dict[str, str]:
        """Of each value how it was found (`published`, `measured`, `assumed`, ...) and in what.

        >>> import platterlab as pl
        >>> pl.Drive("hp-c2200a").origins["geometry.surfaces"]
        'published: Ruemmler and Wilkes 1994, Table 2'
        """
        return {one["key"]: f"{one['kind']}: {one['from']}" for one in self._document["values"]}

    def with_values(self, values: Mapping[str, Any]) -> Drive:
        """The same drive with other values at some dotted keys, marked as assumed.

        Raises:
            InputError: a key or a value is wrong.
        """
        return self._of(self._profile.with_overrides(dict(values)))

    @in_range
    def where(self, lba: int) -> Place:
        """The place of a sector.

        Raises:
            InputError: the drive has no such sector.
        """
        columns = self.places([lba])
        return Place(**{name: column[0].item() for name, column in columns.items()})

    def places(self, lbas: Sequence[int] | ArrayLike) -> dict[str, NDArray[Any]]:
        """Places of sectors, as columns of `Place`.

        Raises:
            InputError: the drive has not all of them.

        >>> import platterlab as pl
        >>> pl.Drive("hp-97560").places([0, 1_000_000])["cylinder"].tolist()
        [1, 739]
        """
        columns = _core.tracks(self._profile, whole_numbers(lbas, "lba").tolist())
        columns["track_sectors"] = columns.pop("track_data_sectors")
        return columns

    def layout(self) -> dict[str, NDArray[Any]]:
        """The zones of the platters, from the outside.

        Returns:
            `first_cylinder`, `last_cylinder`, `sectors_per_track` (places, spares included) and
            `first_lba`, the first address of the zone.

        >>> import platterlab as pl
        >>> zones = pl.Drive("hp-97560").layout()
        >>> zones["sectors_per_track"].tolist(), zones["last_cylinder"].tolist()
        ([72], [1961])
        """
        values = self.values
        keys = [key.removesuffix(".cylinders") for key in values if _ZONE.fullmatch(key)]
        ends = np.array([values[f"{key}.cylinders"] for key in keys], dtype=np.int64)
        sectors = [values[f"{key}.sectors_per_track"] for key in keys]
        first = _core.first_lba(self._profile, ends[:, 0].tolist())
        return {
            "first_cylinder": ends[:, 0],
            "last_cylinder": ends[:, 1],
            "sectors_per_track": np.array(sectors, dtype=np.int64),
            "first_lba": np.array(first, dtype=np.uint64),
        }

    @in_range
    def positioning_ms(self, from_lba: int, to_lba: int) -> float:
        """Time to bring the arm from one sector's track onto another's for a read, settled.

        Raises:
            InputError: the drive has not both.

        >>> import platterlab as pl
        >>> pl.Drive("hp-97560").positioning_ms(0, 0)
        0.0
        """
        return _core.positioning_ms(self._profile, [(from_lba, to_lba)])[0]

    def seek_curve(self, points: int = _CURVE_POINTS) -> dict[str, NDArray[Any]]:
        """Positioning times from the outermost cylinder, for a read.

        Returns:
            `cylinders` (distances, at most `points`, closer where they are short) and `seek_ms`.

        Raises:
            InputError: no point is asked for.

        >>> import platterlab as pl
        >>> curve = pl.Drive("hp-97560").seek_curve()
        >>> bool((curve["seek_ms"][1:] >= curve["seek_ms"][:-1]).all())
        True
        """
        if points < 1:
            raise InputError(f"points: {points}; it must be 1 or more")
        last = self.where(self.capacity_sectors - 1).cylinder
        distances = np.unique(np.geomspace(1, max(1, last), points).round().astype(np.int64))
        start, *ends = _core.first_lba(self._profile, [0, *distances.tolist()])
        times = _core.positioning_ms(self._profile, [(start, end) for end in ends])
        return {"cylinders": distances, "seek_ms": np.array(times)}

    def chart(self) -> alt.Chart:
        """The seek curve as a chart of Altair's.

        >>> import platterlab as pl
        >>> pl.Drive("hp-97560").chart().to_dict()["encoding"]["y"]["title"]
        'seek for a read, ms'
        """
        return charts.seeks(self.name, self.seek_curve())

    def to_toml(self) -> str:
        """The profile as a file's text."""
        return self._profile.to_toml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the profile as a file.

        Raises:
            InputError: its folder does not exist.

        >>> import platterlab as pl, tempfile
        >>> path = tempfile.mkdtemp() + "/mine.toml"
        >>> pl.Drive("mock", {"spindle.speed_rpm": 7200}).save(path)
        >>> pl.Drive(path).values["spindle.speed_rpm"]
        7200
        """
        write_text(Path(path), self.to_toml())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drive) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __reduce__(self) -> tuple[Any, ...]:
        return Drive.of_toml, (self.to_toml(), self._profile.id)

    def __repr__(self) -> str:
        return f"<Drive {self.name}: {self.capacity_bytes / 1e9:.2f} GB, {self.surfaces} surfaces>"

    def _repr_html_(self) -> str:
        facts = self.facts.items()
        shown = ((key, value) for key, value in facts if isinstance(value, int | float))
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(key)}</th><td>{value:,.7g}</td></tr>"
            for key, value in shown
        )
        return f"<table><caption>{escape(self.name)}</caption>{rows}</table>"


def _bytes(size: int | str, what: str) -> int:
    return size_bytes(size, what) if isinstance(size, str) else size
