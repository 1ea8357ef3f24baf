"""What deep queues of a drive's own gain, against published measurements of drives.

The encyclopaedia's article "IOPS" tells of StorageReview's measurements: deep queues better
enterprise SATA drives (Barracuda NL) by nearly 100 %, and SCSI drives more, the Savvio above 400
requests/s, more than double. The drives here are made from their data sheets.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from platterlab import output
from platterlab.datasheet import DataSheet, profile_text
from platterlab.studies.criteria import EXACT, RATIO
from platterlab.studies.queueing.systems import mean_of, responses_ms
from platterlab.studies.row import Row

DEPTH = 32
"""What SATA's command queue holds. The article does not say how deep the queues were."""

SECTORS = 8
"""4 KiB, the size that such figures are given for."""

SAVVIO = DataSheet(
    name="Seagate Savvio 15K, ST973451SS",
    capacity_bytes=73_000_000_000,
    speed_rpm=15_000,
    surfaces=4,
    outer_mb_s=112,
    inner_mb_s=79,
    seek_average_ms=2.9,
    cache_bytes=16 << 20,
    bus_mb_s=300,
)
SATA = DataSheet(
    name="Seagate Barracuda ES, ST3750640NS",
    capacity_bytes=750_000_000_000,
    speed_rpm=7_200,
    surfaces=8,
    outer_mb_s=78,
    seek_average_ms=8.5,
    cache_bytes=16 << 20,
    bus_mb_s=300,
)
GROUP = (
    "SPTF in the drive, 32 deep, reads of 4 KiB at random: measured drives and their data sheets"
)
SHALLOWER = (4, 8, 16)
"""Other depths that the measurements may have had: what the gain then is decides the row of it."""
IDEAL = (
    "the article does not say how deep, and the depth decides it (rows gain/depth-N); ours also "
    "chooses by exact positioning times, a drive's firmware estimates and keeps a margin"
)


@dataclass(frozen=True)
class _Rates:
    """Requests/s of each run, alone and with a full queue."""

    alone: list[float]
    deep: list[float]

    def row(self, name: str, what: str, paper: float | None, **held: object) -> Row:
        """How many times as many the queue serves; without a criterion where paper is None."""
        gain = mean_of([b / a for a, b in zip(self.alone, self.deep, strict=True)])
        return Row(
            id=f"drive-queue/published/{name}",
            what=what,
            paper=paper,
            ours=gain.mean,
            unit="",
            interval=gain.interval,
            group=GROUP,
            **held,  # type: ignore[arg-type]
        )


def rows(seed: int) -> list[Row]:
    """The gains of both drives, and how many requests the faster one serves."""
    with TemporaryDirectory(prefix="gains-") as folder:
        (savvio,) = _rates(SAVVIO, seed, Path(folder), (DEPTH,))
        sata, *shallower = _rates(SATA, seed, Path(folder), (DEPTH, *SHALLOWER))
    deep = mean_of(savvio.deep)
    return [
        Row(
            id="drive-queue/published/savvio-15k/requests-per-s",
            what="a 15,000 rpm Savvio: requests/s, above 400",
            paper=400.0,
            ours=deep.mean,
            unit="1/s",
            bound="at-least",
            criterion=EXACT,
            interval=deep.interval,
            group=GROUP,
        ),
        savvio.row(
            "savvio-15k/gain",
            "the same: times as many as one at a time, more than double",
            2.0,
            bound="at-least",
            criterion=EXACT,
        ),
        sata.row(
            "sata-7200/gain",
            "a 7,200 rpm drive for servers: times as many, nearly double",
            2.0,
            criterion=RATIO,
            reason=IDEAL,
        ),
        *(
            rates.row(
                f"sata-7200/gain/depth-{depth}",
                f"the same, {depth} deep: the article does not say how deep the queues were",
                None,
            )
            for depth, rates in zip(SHALLOWER, shallower, strict=True)
        ),
    ]


def _rates(sheet: DataSheet, seed: int, folder: Path, depths: tuple[int, ...]) -> list[_Rates]:
    """Of queues of some depths, each beside the same runs one at a time."""
    name = f"{sheet.surfaces}.toml"
    output.write_text(folder / name, profile_text(sheet))

    def per_s(depth: int) -> list[float]:
        system = (
            f'[[drive]]\nprofile = "{name}"\ndepth = {depth}\nscheduler = {{ kind = "sptf" }}\n'
            f'[[workload]]\nkind = "closed"\npopulation = {depth}\npattern = {{ read_share = 1.0, '
            f'size_sectors = {{ kind = "constant", value = {SECTORS} }} }}\n'
        )
        # Little's law: so many are there all the time.
        return [1e3 * depth / each for each in responses_ms(system, seed, folder)]

    alone = per_s(1)
    return [_Rates(alone, per_s(depth)) for depth in depths]
