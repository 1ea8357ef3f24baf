"""The six drives: their files, and what DiskSim made of each request."""

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab._core import InputError, Requests, disksim_import
from platterlab.wrong_file import in_file

Times = NDArray[np.float64]

FOLDER = "disksim"
"""Of the drives' files, in the folder of measured traces."""

FORMAT = "disksim-validate"
"""Of their traces."""


@dataclass(frozen=True)
class Measured:
    """A drive that was measured for DiskSim.

    Attributes:
        name: in row ids.
        what: for people.
        stem: of its files.
        demerit_ms: as DiskSim's own validation script prints it.
    """

    name: str
    what: str
    stem: str
    demerit_ms: float

    def parameters(self, data: Path) -> Path:
        """DiskSim's description of it."""
        return data / FOLDER / f"{self.stem}.parv"

    def trace(self, data: Path) -> Path:
        """The requests, with what they took on the drive."""
        return data / FOLDER / f"{self.stem}.trace"

    def requests(self, data: Path) -> Requests:
        """The requests, each gap lying after its row, as DiskSim takes it.

        Raises:
            InputError: the file is not there or not as it should be.
        """
        return Requests.load(str(self.trace(data)), FORMAT, options={"gap": "after"})

    def disksim_ms(self, data: Path) -> Times:
        """What each request took in DiskSim 4.0.

        Raises:
            InputError: the file is not there or not as it should be.
        """
        path = data / FOLDER / "reference-output" / f"{self.stem}.perreq.txt.gz"
        try:
            with gzip.open(path, "rt") as lines:
                rows = [line.split() for line in lines if not line.startswith("#")]
            return np.array([float(row[7]) for row in rows])
        except FileNotFoundError as error:
            raise in_file(path, "there is no such file") from error
        except (OSError, EOFError, zlib.error, IndexError, ValueError) as error:
            raise in_file(path, f"DiskSim's times cannot be read: {error}") from error

    def check(self, data: Path) -> list[str]:
        """What is wrong with its files."""
        wrong, counts = [], []
        for read in (
            lambda: disksim_import(str(self.parameters(data)), None, [], True),
            lambda: counts.append(len(self.requests(data))),
            lambda: counts.append(len(self.disksim_ms(data))),
        ):
            try:
                read()
            except InputError as error:
                wrong.append(str(error))
        # DiskSim ends when it issues the last request.
        if not wrong and not 0 <= counts[0] - counts[1] <= 1:
            path = self.trace(data)
            wrong.append(f"{path}: {counts[0]} requests, but DiskSim's times are of {counts[1]}")
        return wrong


DRIVES = (
    Measured("hp-c2247a", "HP C2247A", "hp_c2247a", 0.090),
    Measured("hp-c3323a", "HP C3323A", "hp_c3323a", 0.306),
    Measured("atlas-10k", "Quantum Atlas 10K", "atlas10k", 0.268),
    Measured("atlas-iii", "Quantum Atlas III", "atlas_III", 0.378),
    Measured("barracuda", "Seagate Barracuda ST32171W", "barracuda", 0.349),
    Measured("cheetah-9lp", "Seagate Cheetah 9LP", "cheetah9LP", 0.107),
)
