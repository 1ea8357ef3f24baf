"""Gains of deep queues in a drive, against published measurements of drives.

The encyclopaedia's article "IOPS" reports StorageReview's measurements: deep queues better
enterprise SATA drives (Barracuda NL) by nearly 100 %, and SCSI drives more, the Savvio above 400
requests/s, more than double. How deep the queues were it does not say. Seagate's data sheets of
the Exos drives do: this many reads of 4 KiB at random a second, 16 deep. The drives here are made
from their data sheets, which is all that was used of them.
"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from platterlab import output
from platterlab.datasheet import DataSheet, profile_text
from platterlab.studies.criteria import EXACT, MEAN, RATIO
from platterlab.studies.queueing.systems import mean_of, responses_ms
from platterlab.studies.row import Row

DEPTH = 32
"""What SATA's command queue holds."""

DEPTHS = (4, 8, 16, DEPTH)
"""What the article may have measured: it does not say how deep the queues were."""

SHEET_DEPTH = 16
"""The depth of the data sheets' "Random Read 4K QD16"."""

READ_BYTES = 4096
"""The size that such figures are given for."""


def _exos(model: str, capacity_tb: int, surfaces: int, outer_mb_s: float) -> DataSheet:
    """What the sheets state; the average seek, the inner rate and the rest follow by rule."""
    return DataSheet(
        name=f"Seagate Exos {model}",
        capacity_bytes=capacity_tb * 10**12,
        speed_rpm=7_200,
        surfaces=surfaces,
        outer_mb_s=outer_mb_s,
        cache_bytes=(256 if surfaces < 20 else 512) << 20,
        bus_mb_s=600,
        sector_bytes=4096,
    )


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
EXOS = {
    "exos-x18": (170, "18 TB, 18 surfaces", _exos("X18, ST18000NM000J", 18, 18, 270)),
    "exos-x24": (168, "24 TB, 20 surfaces", _exos("X24, ST24000NM002H", 24, 20, 285)),
    "exos-m": (170, "30 TB, 20 surfaces", _exos("M, ST30000NM004K", 30, 20, 275)),
}
"""By the row's name: the sheet's requests/s, the drive in words, its data sheet."""

OTHER_SEEKS_MS = (8.0, 9.0)
"""Averages that the sheets, which state none, leave as open as the rule's 8.5 ms."""

GROUP = "SPTF in the drive, reads of 4 KiB at random: measured drives and their data sheets"
UNSTATED = "the depth, the one of 4, 8, 16 and 32 that comes nearest: the article does not say"
IDEAL = (
    "no depth that SATA has gives it; ours also chooses by exact positioning times, a drive's "
    "firmware estimates and keeps a margin"
)


def _per_s_row(
    name: str, what: str, paper: float | None, per_s: list[float], **held: object
) -> Row:
    """How many a queue serves in a second; without a criterion where paper is None."""
    return _row(name, what, paper, per_s, "1/s", held)


def _gain_row(
    name: str,
    what: str,
    paper: float | None,
    pairs: tuple[list[float], list[float]],
    **held: object,
) -> Row:
    """How many times as many a queue serves as one request at a time, of runs of each."""
    times = [deep / alone for alone, deep in zip(*pairs, strict=True)]
    return _row(name, what, paper, times, "", held)


def _row(
    name: str, what: str, paper: float | None, runs: list[float], unit: str, held: dict[str, object]
) -> Row:
    ours = mean_of(runs)
    return Row(
        id=f"drive-queue/published/{name}",
        what=what,
        paper=paper,
        ours=ours.mean,
        unit=unit,
        interval=ours.interval,
        group=GROUP,
        **held,  # type: ignore[arg-type]
    )


def rows(seed: int) -> list[Row]:
    """What the queues of all these drives gain."""
    with TemporaryDirectory(prefix="gains-") as name:
        folder = Path(name)
        return [
            *_of_savvio(seed, folder),
            *(_of_exos(each, seed, folder) for each in EXOS),
            *(_of_other_seek(each_ms, seed, folder) for each_ms in OTHER_SEEKS_MS),
            *_of_sata(seed, folder),
        ]


def _of_savvio(seed: int, folder: Path) -> list[Row]:
    alone, deep = (_per_s(SAVVIO, depth, seed, folder) for depth in (1, DEPTH))
    return [
        _per_s_row(
            "savvio-15k/requests-per-s",
            "a 15,000 rpm Savvio, 32 deep: requests/s, above 400",
            400,
            deep,
            bound="at-least",
            criterion=EXACT,
        ),
        _gain_row(
            "savvio-15k/gain",
            "the same: times as many as one at a time, more than double",
            2.0,
            (alone, deep),
            bound="at-least",
            criterion=EXACT,
        ),
    ]


def _of_exos(name: str, seed: int, folder: Path) -> Row:
    paper, words, sheet = EXOS[name]
    return _per_s_row(
        f"{name}/requests-per-s",
        f"{sheet.name}: 7,200 rpm, {words}: requests/s 16 deep, as its data sheet says",
        paper,
        _per_s(sheet, SHEET_DEPTH, seed, folder),
        criterion=MEAN,
    )


def _of_other_seek(average_ms: float, seed: int, folder: Path) -> Row:
    """What decides the rows of the Exos drives: no data sheet states their seek."""
    _, _, sheet = EXOS["exos-x18"]
    return _per_s_row(
        f"exos-x18/requests-per-s/seek-{average_ms:g}-ms",
        f"the X18, did its mean seek take {average_ms:g} ms for 8.5: its sheet states none",
        None,
        _per_s(replace(sheet, seek_average_ms=average_ms), SHEET_DEPTH, seed, folder),
    )


def _of_sata(seed: int, folder: Path) -> list[Row]:
    """The article's gain at the depth that comes nearest, and at each of them."""
    alone = _per_s(SATA, 1, seed, folder)
    pairs = {depth: (alone, _per_s(SATA, depth, seed, folder)) for depth in DEPTHS}
    at_depth = {
        depth: _gain_row(
            f"sata-7200/gain/depth-{depth}",
            f"the same, {depth} deep: the article does not say how deep the queues were",
            None,
            pair,
        )
        for depth, pair in pairs.items()
    }
    wanted = 2.0
    nearest = min(DEPTHS, key=lambda depth: abs(at_depth[depth].ours - wanted))
    chosen = _gain_row(
        "sata-7200/gain",
        f"a 7,200 rpm drive for servers: times as many, nearly double ({nearest} deep)",
        wanted,
        pairs[nearest],
        criterion=RATIO,
        evidence="fitted",
        used=UNSTATED,
        reason=IDEAL,
    )
    return [chosen, *at_depth.values()]


def _per_s(sheet: DataSheet, depth: int, seed: int, folder: Path) -> list[float]:
    """Requests/s of each run with a queue so deep."""
    name, sectors = f"{sheet.capacity_bytes}.toml", READ_BYTES // sheet.sector_bytes
    output.write_text(folder / name, profile_text(sheet))
    system = (
        f'[[drive]]\nprofile = "{name}"\ndepth = {depth}\nscheduler = {{ kind = "sptf" }}\n'
        f'[[workload]]\nkind = "closed"\npopulation = {depth}\npattern = {{ read_share = 1.0, '
        f'size_sectors = {{ kind = "constant", value = {sectors} }} }}\n'
    )
    # Little's law: this many are there all the time.
    return [1e3 * depth / each for each in responses_ms(system, seed, folder)]
