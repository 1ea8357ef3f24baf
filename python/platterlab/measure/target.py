"""Targets of a measurement: a drive of the library, a profile, a block device or file, a bundle."""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from platterlab import library, manifest
from platterlab._core import InputError, Measurement, write_dry_run, write_left, write_repair
from platterlab.answers import JournalLeft, JournalRepair, MeasuredDevice, WriteDryRun
from platterlab.documents import Json
from platterlab.measure import subject
from platterlab.wrong_file import in_file

Kind = Literal["simulated", "device", "recorded"]
TIMES = {"3m": 180.0, "15m": 900.0, "full": 1e9}
"""Seconds of drive time beyond which nothing is begun, by the word for them."""
_LEAST_SECTORS = 512
"""The first requests go so far."""
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True)
class Target:
    """A target, and how it is measured.

    Attributes:
        name: as the user gave it: a drive of the library, a .toml file, a block device or file, or
            the folder of a bundle.
        write: whether probes may write; None is the default: yes for a simulated drive, which
            holds nobody's data, no for any other.
        confirmation: for a real device that is written: its path or serial number.
        region: first sector and number of sectors to stay within; None is everything.
        noise: of a simulated drive's host: `typical` or `off`.
        seed: of a simulated drive's noise.
        quick: whether only the start of the drive is measured: no zones, no seek curve.
        tracks: `every` or `fast` to map tracks, which only reads; None to measure the drive.
        time: a word of `TIMES`: drive time that it may take.
        faults: of a simulated drive, for tests: `errors_from`, `bad_sectors`, `gone_from`, ...
        even_if_open: whether it may be written although another process has it open.
    """

    name: str
    write: bool | None = None
    confirmation: str | None = None
    region: tuple[int, int] | None = None
    noise: str = "typical"
    seed: int = 0
    quick: bool = False
    tracks: str | None = None
    faults: Mapping[str, Any] = field(default_factory=dict)
    time: str = "full"
    even_if_open: bool = False

    @property
    def kind(self) -> Kind:
        """Told by what is behind the name. Raises InputError for a path to nothing."""
        if self.name.endswith(".toml") or self.name in library.drives():
            return "simulated"
        path = Path(self.name)
        try:
            return "recorded" if stat.S_ISDIR(path.stat().st_mode) else "device"
        except (FileNotFoundError, NotADirectoryError, ValueError):
            if path.is_symlink():
                to = path.readlink()
                raise in_file(self.name, f"is a link to {to}, which is not there") from None
        except OSError:
            # Opened as a device, it says what stands in the way.
            if "/" in self.name:
                return "device"
        if "/" in self.name:
            raise in_file(self.name, "there is no such file or device")
        library.load(self.name)
        return "simulated"

    @property
    def writes(self) -> bool:
        """Whether the probes write."""
        if self.tracks is not None:
            return False
        return self.kind == "simulated" if self.write is None else self.write

    @property
    def time_s(self) -> float:
        """Seconds of drive time that it may take. Raises InputError for a word that is none."""
        if self.time not in TIMES:
            raise InputError(f"--time {self.time}: write {', '.join(TIMES)}")
        return TIMES[self.time]

    @property
    def label(self) -> str:
        """A short name for files."""
        return Path(self.name).stem if "/" in self.name else self.name.removesuffix(".toml")

    def options(self) -> Json:
        """What makes two measurements comparable, for the environment."""
        return {
            "target": self.name,
            "kind": self.kind,
            "write": self.writes,
            "region": list(self.region) if self.region else None,
            "noise": self.noise if self.kind == "simulated" else None,
            "seed": self.seed if self.kind == "simulated" else None,
            "quick": self.quick,
            "tracks": self.tracks,
            "time": self.time,
        }

    def inputs(self) -> manifest.Inputs:
        """The files that the answers come from; a real device answers for itself."""
        if self.kind == "simulated":
            return [("profile", self.name)]
        if self.kind == "recorded":
            from platterlab.measure.bundle import SAMPLES, Bundle

            return [("samples", str(Bundle(Path(self.name)).path(SAMPLES)))]
        return []

    def open(self) -> Measurement:
        """Opens it.

        Raises:
            InputError: it cannot be opened, or not for writing; the text says the way out.
            OSError: the device failed, or what is on it could not be saved.
        """
        if self.kind == "simulated":
            return Measurement.simulated(
                library.load(self.name),
                noise=self.noise,
                seed=self.seed,
                writes=self.writes,
                whole=not self.quick,
                faults=dict(self.faults),
                tracks=self.tracks,
                time_s=self.time_s,
            )
        if self.kind == "recorded":
            from platterlab.measure.bundle import Bundle

            bundle = Bundle(Path(self.name))
            return Measurement.recorded(json.dumps(bundle.environment()["device"]))
        if not self.writes:
            return Measurement.linux(
                self.name,
                region=self.region,
                whole=not self.quick,
                tracks=self.tracks,
                time_s=self.time_s,
            )
        return Measurement.linux_for_writing(
            self.name,
            confirmation=self.confirmation or "",
            region=self._region(),
            journal_dir=str(journals()),
            even_if_open=self.even_if_open,
            whole=not self.quick,
            time_s=self.time_s,
        )

    def seen(self) -> list[str]:
        """What there is to say of a real device before it is measured; a sentence or two each.

        Opens it to read, and closes it again.

        Raises:
            InputError: it cannot be opened, or is too small; the text says the way out.
            OSError: it is gone.
        """
        if self._info is None:
            return []
        require_size(self.name, self._info)
        return subject.sentences(self._info)

    @property
    def cannot_rotate(self) -> bool:
        """Whether it is a real device without a platter. Raises as `seen` does."""
        return self._info is not None and subject.cannot_rotate(dict(self._info["facts"]))

    @cached_property
    def _info(self) -> MeasuredDevice | None:
        if self.kind != "device":
            return None
        opened = Measurement.linux(self.name, whole=False)
        try:
            return opened.info()
        finally:
            opened.finish()

    def dry_run(self) -> WriteDryRun:
        """What writing to the device would do, and what speaks against it. Changes nothing."""
        return write_dry_run(
            self.name,
            confirmation=self.confirmation or "",
            region=self._region(),
            journal_dir=str(journals()),
            even_if_open=self.even_if_open,
        )

    def left_behind(self) -> list[JournalLeft]:
        """What runs that died left: `journal` and `what`, a sentence or two, of each.

        Changes nothing, and opens no other device.
        """
        if self.kind != "device":
            return []
        try:
            folder = journals()
        except InputError:
            return []  # no home, so nothing was left in it
        return write_left(self.name, journal_dir=str(folder))

    def repair(self) -> list[JournalRepair]:
        """Writes back what runs that died had in flight on the device: the only repair there is.

        Raises:
            InputError: something speaks against it; the text says the way out.
        """
        return write_repair(
            self.name,
            confirmation=self.confirmation or "",
            journal_dir=str(journals()),
            even_if_open=self.even_if_open,
        )

    def _region(self) -> tuple[int, int]:
        if self.region is None:
            raise InputError(
                f"{self.name}: say where it may be written: --region START:LENGTH, in sectors"
            )
        return self.region


def require_size(name: str, device: MeasuredDevice) -> None:
    """That there is enough to measure. Raises InputError."""
    if (sectors := device["capacity_sectors"]) < _LEAST_SECTORS:
        what = f"has {sectors} sectors; what is measured has at least {_LEAST_SECTORS}"
        raise in_file(name, what)


def parse_region(text: str) -> tuple[int, int]:
    """`START:LENGTH` in logical sectors; k, M, G and T are powers of 1024.

    Raises:
        InputError: it is something else.
    """
    parts = text.split(":")
    try:
        first, sectors = (_count(part) for part in parts)
    except ValueError as error:
        raise InputError(f"--region {text}: write START:LENGTH in sectors, as in 0:2M") from error
    if not sectors:
        raise InputError(f"--region {text}: the length must be at least one sector")
    return first, sectors


def _count(text: str) -> int:
    unit = _UNITS.get(text[-1:].lower(), 1)
    number = int(text[:-1] if unit > 1 else text)
    if number < 0:
        raise ValueError(text)
    return number * unit


def journals() -> Path:
    """Where what is written over is saved: `$XDG_STATE_HOME/platterlab/journals`.

    Raises:
        InputError: there is no such variable, and no home either.
    """
    named = os.environ.get("XDG_STATE_HOME", "")
    try:
        # The specification has relative paths ignored.
        base = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise InputError("there is no home: set XDG_STATE_HOME to a folder of yours") from error
    return base / "platterlab" / "journals"
