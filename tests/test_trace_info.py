"""`platterlab trace info` against figures that numpy works out from the file's bytes."""

import heapq

import numpy as np
import pytest

RECORD = np.dtype([(word, ">i4") for word in (
    "size", "id", "sec", "usec", "start", "stop", "bytes", "block",
    "dev", "drivertype", "cyl", "flags", "info", "qlen",
)])  # fmt: skip
POINTS = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}


def same_distribution(said: dict, values: np.ndarray) -> None:
    """Counts, extremes and moments exactly; quantiles to the 0.1 % that `trace info` promises."""
    assert said["count"] == len(values)
    assert (said["min"], said["max"]) == (values.min(), values.max())
    assert said["mean"] == pytest.approx(values.mean(), rel=1e-9)
    assert said["sd"] == pytest.approx(values.std(ddof=1), rel=1e-9, abs=1e-12 * values.mean())
    for point, share in POINTS.items():
        expected = np.quantile(values, share, method="inverted_cdf")
        assert said[point] == pytest.approx(expected, rel=1.1e-3), point
    for one in said["histogram"]:
        inside = np.count_nonzero((values >= one["from"]) & (values < one["below"]))
        assert one["count"] == inside, one


def outstanding(arrival_us: np.ndarray, done_us: np.ndarray) -> tuple[float, int]:
    """How many requests an arriving one finds: the mean and the most."""
    ahead: list[int] = []
    found = []
    for arrival, done in zip(arrival_us.tolist(), done_us.tolist(), strict=True):
        while ahead and ahead[0] <= arrival:
            heapq.heappop(ahead)
        found.append(len(ahead))
        heapq.heappush(ahead, done)
    return float(np.mean(found)), max(found)


def test_every_figure_of_the_week(run, week):
    said = run("trace", "info", week, "--json").json()
    content = week.read_bytes()
    rows = np.frombuffer(content[content.index(b"\x0c") + 1 :], RECORD)
    at = {name: rows[name].astype(np.int64) for name in RECORD.names}
    arrival_us = at["sec"] * 10**6 + at["usec"]
    read = at["flags"] & 1 == 1
    assert (said["format"], said["sector_bytes"]) == ("hp-srt", 256)
    assert (said["requests"], said["reads"]) == (len(rows), read.sum())
    assert said["writes"] == (~read).sum()
    assert said["duration_ms"] == pytest.approx((arrival_us[-1] - arrival_us[0]) / 1e3)
    same_distribution(said["size_sectors"], at["bytes"] / 256)
    same_distribution(said["inter_arrival_ms"], np.diff(arrival_us) / 1e3)
    same_distribution(said["service_ms"], (at["stop"] - at["start"]) / 1e3)
    same_distribution(said["queued_ms"], at["start"] / 1e3)
    mean, most = outstanding(arrival_us, arrival_us + at["stop"])
    assert said["outstanding"]["mean"] == pytest.approx(mean, rel=1e-12)
    assert said["outstanding"]["max"] == most

    device = at["dev"] >> 8 & 255
    assert [one["device"] for one in said["devices"]] == np.unique(device).tolist()
    for one in said["devices"]:
        ours = device == one["device"]
        end = (at["block"] + at["bytes"] // 256)[ours]
        follows = np.count_nonzero(at["block"][ours][1:] == end[:-1])
        assert (one["requests"], one["reads"]) == (ours.sum(), (ours & read).sum())
        assert one["last_sector"] == end.max() - 1
        assert one["sequential_share"] == pytest.approx(follows / ours.sum())


@pytest.mark.parametrize("seed", range(12))
def test_quantiles_of_any_distribution(run, tmp_path, seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 600))
    scale_ms = 10 ** random.uniform(-3, 7)
    gaps_ms = [
        random.exponential(scale_ms, count),
        np.full(count, scale_ms),
        10 ** random.uniform(-3, 8, count),
        np.where(random.random(count) < 0.5, 0.0, scale_ms),
    ][seed % 4]
    # Whole microseconds, so that text and numbers are the same.
    arrival_us = np.cumsum(np.round(gaps_ms * 1e3)).astype(np.int64)
    sectors = random.integers(1, 5000, count)
    trace = tmp_path / "gaps.trace"
    trace.write_text("".join(
        f"{us // 1000}.{us % 1000:03d} 0 {index * 7} {length} 1\n"
        for index, (us, length) in enumerate(zip(arrival_us, sectors, strict=True))
    ))  # fmt: skip
    said = run("trace", "info", trace, "--json").json()
    same_distribution(said["inter_arrival_ms"], np.diff(arrival_us) / 1e3)
    same_distribution(said["size_sectors"], sectors.astype(float))


def test_of_one_request_no_deviation_is_known(run, tmp_path):
    trace = tmp_path / "one.trace"
    trace.write_text("0 3 0 8 1\n")
    assert run("trace", "info", trace, "--json").json()["size_sectors"]["sd"] is None
    assert run("trace", "info", trace).code == 0
