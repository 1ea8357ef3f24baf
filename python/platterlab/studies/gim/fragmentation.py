"""Figure 5: what the three models gain with fragmented files, and why."""

from dataclasses import replace
from functools import cache
from math import hypot
from typing import Any

from platterlab._core import Profile
from platterlab.av.play import Played
from platterlab.studies.criteria import EFFECT, EXACT
from platterlab.studies.gim import figures, priors, setting
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request

SIZES = {"512k": 512 * 1024, "1024k": 1024 * 1024}
SHARE = 0.15
SHARES = (0.05, 0.10, 0.15, 0.20, 0.25)
PAPER_PCT = {(3, "512k"): 20.0, (3, "1024k"): 16.0}
READINGS = {0.0: "in-memory", 1.0: "mapped", 2.0: "at-breaks"}
"""When ext3 reads indirect blocks; `mapped` is one for each 4 MiB, file broken or not."""

READING = (
    "how a file system splits and finds I/Os was read with the gains in view; an indirect block "
    "is a command of its own, after which this disk, without a cache, misses a turn"
)
UNSAID = "unknown: the paper does not say what becomes of a split I/O, and its disk had a cache"


ALL_OF_IT = "the gain is that of the disk model (Figure 5): nothing is said of the file system's"


class Gains:
    """Gains in percent: response of the original Disk1 over that of a model, less one."""

    def __init__(self, request: Request) -> None:
        self._request, self._models = request, setting.models(request)
        self._kept: dict[tuple[object, ...], tuple[float, float]] = {}
        self._mapped = READINGS[request.constant(priors.INDIRECT)]
        self.original_ms = cache(self._original_ms)
        self.gain_pct = cache(self._gain_pct)

    def _original_ms(
        self, size: str, share: float, indirect: str | None = None, allocator: str = "ext3"
    ) -> float:
        changes = {
            "fragmentation": share,
            "allocator": allocator,
            "indirect": indirect or self._mapped,
        }
        return self._mean_ms(self._models.original, size, changes)

    def _gain_pct(
        self,
        model: int,
        size: str,
        share: float,
        extent_bytes: int | None = None,
        indirect: str | None = None,
        before: str = "ext3",
    ) -> float:
        changes = {"fragmentation": share, "allocator": "extent", "extent_bytes": extent_bytes}
        ours_ms = self._mean_ms(self._models.aligned[model], size, changes)
        return 100.0 * (self.original_ms(size, share, indirect, before) / ours_ms - 1.0)

    def allocator_pct(self, size: str, share: float) -> float:
        """What the extent allocator gains on the original disk."""
        ext3, extents = (self.original_ms(size, share, None, one) for one in ("ext3", "extent"))
        return 100.0 * (ext3 / extents - 1.0)

    def spread_points(self, model: int, size: str) -> float:
        """Half of the interval of a model's gain at the paper's share, by its runs' spread."""
        changes = {"fragmentation": SHARE, "allocator": "extent", "extent_bytes": None}
        mean_ms, error_ms = self._of_runs(self._models.aligned[model], size, changes)
        return (100.0 + self.gain_pct(model, size, SHARE)) * error_ms / mean_ms

    def _mean_ms(self, profile: Profile, size: str, changes: dict[str, object]) -> float:
        return self._of_runs(profile, size, changes)[0]

    def _of_runs(
        self, profile: Profile, size: str, changes: dict[str, object]
    ) -> tuple[float, float]:
        key = (profile.id, size, *changes.values())
        if key not in self._kept:

            def once(seed: int) -> Played:
                serving = setting.paper_serving(self._request, profile, SIZES[size], seed)
                return setting.serve(profile, SIZES[size], replace(serving, **changes))  # type: ignore[arg-type]

            self._kept[key] = setting.mean_response_ms(once, self._request.seed)
        return self._kept[key]


def run(request: Request) -> Outcome:
    """The rows and the picture of Figure 5."""
    gains = Gains(request)
    rows = []
    for model in (1, 2, 3):
        for size in SIZES:
            request.progress(f"model {model}, {size}", 0.4 + 0.1 * model)
            rows.append(_row(gains, model, size))
    rows += _best(gains)
    rows += _parts(gains)
    rows += _sensitivity(gains)
    curves = {
        (model, size): [gains.gain_pct(model, size, share) for share in SHARES]
        for model in (1, 2, 3)
        for size in SIZES
    }
    for (model, size), curve in curves.items():
        if model == 3:
            rows += [
                Row(
                    f"figure-5/model3/{size}/{share:.0%}".replace("%", "pct"),
                    f"model 3, {size}, {share:.0%} fragmentation: gain",
                    None,
                    gain,
                    "%",
                )
                for share, gain in zip(SHARES, curve, strict=True)
            ]
    drawn = [figures.gains(curves, SHARES, SHARE, request.out)] if request.out else []
    return Outcome(rows, drawn, _notes())


def _row(gains: Gains, model: int, size: str) -> Row:
    ours = gains.gain_pct(model, size, SHARE)
    paper = PAPER_PCT.get((model, size))
    what = f"model {model}, {size} I/Os, 15 % fragmentation: gain"
    extra = {"original_ms": gains.original_ms(size, SHARE)}
    name = f"figure-5/model{model}/{size}"
    if paper is not None:
        return Row(
            name, what, paper, ours, "%", criterion=EFFECT, extra=extra, reason=UNSAID,
            evidence="fitted", used=READING,
        )  # fmt: skip
    return Row(
        name, what, None, ours, "%", target=0.0, bound="at-least", criterion=EXACT, extra=extra,
        claim="all three models respond faster than the original",
        evidence="fitted", used=READING,
    )  # fmt: skip


def _best(gains: Gains) -> list[Row]:
    """Whether model 3 gains most, at each size."""
    rows = []
    for size in SIZES:
        first, second, third = (gains.gain_pct(model, size, SHARE) for model in (1, 2, 3))
        next_best = 2 if second >= first else 1
        more = third - max(first, second)
        half = hypot(gains.spread_points(3, size), gains.spread_points(next_best, size))
        rows.append(
            Row(
                f"figure-5/{size}/model3_best",
                f"{size}: what model 3 gains more than the better of the others",
                None,
                more,
                "%",
                interval=(more - half, more + half),
                target=0.0,
                bound="at-least",
                criterion=EXACT,
                claim="the third model shows the best performance (section 5.3)",
                evidence="fitted",
                used=READING,
                reason="an I/O is one track: without spares under the head, 2 and 3 are the same",
            )
        )
    return rows


def _parts(gains: Gains) -> list[Row]:
    """What of the gain is the disk's, what the file system's, and both together."""
    rows = []
    for size in SIZES:
        parts = {
            "disk": ("the disk alone: model 3, extents before and after",
                     gains.gain_pct(3, size, SHARE, before="extent")),
            "allocator": ("the file system alone: ext3 to extents, the disk unchanged",
                          gains.allocator_pct(size, SHARE)),
            "both": ("both", gains.gain_pct(3, size, SHARE)),
        }  # fmt: skip
        for part, (what, ours) in parts.items():
            about = Row(
                f"figure-5/{size}/{part}", f"{size}: {what}", None, ours, "%",
                criterion=EFFECT, reason=UNSAID, evidence="fitted", used=READING,
            )  # fmt: skip
            if part == "both":
                about = replace(about, paper=PAPER_PCT[3, size])
            elif part == "disk":
                about = replace(about, target=PAPER_PCT[3, size], claim=ALL_OF_IT)
            rows.append(about)
    return rows


def _sensitivity(gains: Gains) -> list[Row]:
    """Model 3 with other assumptions on the file systems."""
    cases: dict[str, tuple[str, dict[str, Any]]] = {
        "unfragmented": ("files without a break", {"share": 0.0}),
        "split_extents": (
            "files that may break between the extents of an I/O",
            {"share": SHARE, "extent_bytes": setting.EXTENT_BYTES},
        ),
        "no_indirect_block": (
            "ext3 with its indirect blocks in memory",
            {"share": SHARE, "indirect": "in-memory"},
        ),
        "indirect_block_at_breaks": (
            "an indirect block for each break, as no ext3 has them",
            {"share": SHARE, "indirect": "at-breaks"},
        ),
    }
    return [
        Row(
            f"figure-5/model3/{size}/{name}",
            f"model 3, {size}: gain with {what}",
            None,
            gains.gain_pct(3, size, **changes),
            "%",
            extra={"paper_model_3_pct": PAPER_PCT[3, size]},
        )
        for name, (what, changes) in cases.items()
        for size in SIZES
    ]


def _notes() -> list[str]:
    return [
        "Figure 5: the paper says that 15 % of I/Os are split and not what becomes of them. Here "
        "the rest of a split I/O lies anywhere on the drive; ext3 reads an indirect block for each "
        "4 MiB; the extent-based file system allocates whole I/Os, so that a break moves one and "
        "splits none. Most of the gain is the file system's (`allocator`): on one and the same "
        "file system the aligned disk gains a few points (`disk`). A reading nearer to the printed "
        "gains, an indirect block at each break, is kept as a row and is not how ext3 works.",
        "At 512 KB an I/O is exactly one track of the aligned disks, so that models 2 and 3 differ "
        "by chance only: no head ever waits over spares. At 1024 KB it does once per I/O, and "
        "model 3 gains most.",
    ]
