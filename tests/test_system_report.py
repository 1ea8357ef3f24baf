"""The report of a simulated system, from figures as the simulator gives them."""

from pathlib import Path
from typing import Any

from platterlab.report import build_system, conservation
from platterlab.report.limits import parts, sentence

BINS = 20


def times(mean_ms: float) -> dict[str, Any]:
    """A distribution's figures."""
    keys = ("sd_ms", "min_ms", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "p999_ms", "max_ms")
    return {"count": 100, "mean_ms": mean_ms, **dict.fromkeys(keys, mean_ms)}


def figures(utilisations: list[float], bus: float | None = None) -> dict[str, Any]:
    """What a run of devices with these utilisations, and a bus, leaves behind."""
    span = {"count": 100, "mean_ms": 5.0, "p95_ms": 8.0, "p99_ms": 8.5, "max_ms": 9.0}
    moves = {
        "mean_seek_ms": 2.0, "mean_rotation_ms": 1.0, "mean_transfer_ms": 0.5,
        "mean_seek_distance_cylinders": 12.0,
    }  # fmt: skip
    group = {
        "response_ms": times(7.0), "queue_ms": times(2.0), "service_ms": times(5.0), **moves,
        "histograms": {"response": [0, 10, 90, 0], "queue": [0] * 4, "service": [0] * 4},
    }  # fmt: skip
    device = {
        "served": 100, "mean_queue_length": 0.5, "longest_queue": 4, "response": span,
        "queue": span, "service": span, "own_queue": None, **moves,
        "idle": span, "continued": 20, "interrupted": 5,
    }  # fmt: skip
    return {
        "offered": 110, "served": 100, "refused": 4, "lost": 5, "retried": 0, "in_flight": 1,
        "elapsed_ms": 1_000.0, "events": 300,
        "response_ms": times(8.0), "classes": [{"name": "time-critical", **group}],
        "streams": [group, group | {"response_ms": None}],
        "commands": {
            "queue": times(3.0), "service": times(5.0), "throughput_mib_s": 1.5,
            "parts_mean_ms": [{"name": "seek", "mean_ms": 3.0}, {"name": "bus", "mean_ms": 2.0}],
        },
        "mechanics": {"seek_ms": times(3.0), "rotation_ms": None, "transfer_ms": None},
        "histograms": {
            "from_ms": [0.0, 0.01, 1.0, 10.0],
            "response": [0, 10, 90, 0], "queue": [50, 0, 50, 0], "service": [0, 0, 100, 0],
        },
        "devices": [{**device, "utilisation": share} for share in utilisations],
        "buses": [] if bus is None else [
            {"utilisation": bus, "waited": 3, "wait_ms": times(0.5), "idle_ms": None}
        ],
        "volumes": [],
        "over_time": {
            "bin_ms": 50.0,
            "in_flight": [1.0] * BINS,
            "devices": [
                {"device": index, "utilisation": [share] * BINS, "queue": [0.5] * BINS}
                for index, share in enumerate(utilisations)
            ],
            "buses": [] if bus is None else [[bus] * BINS],
        },
    }  # fmt: skip


def said(utilisations: list[float], bus: float | None = None) -> str:
    """The sentence about such a run."""
    names = {"devices": [f"drive{index}" for index in range(len(utilisations))], "buses": ["scsi"]}
    return sentence(parts(figures(utilisations, bus), names))


def test_the_sentence_names_what_limits() -> None:
    assert said([0.2, 0.97, 0.3]).startswith("drive1 limits this system")
    assert "uneven" in said([0.2, 0.97, 0.3])
    assert "uneven" not in said([0.8, 0.97, 0.85])
    assert said([0.3, 0.4], bus=0.95).startswith("scsi limits this system")
    assert said([0.95, 0.99, 0.2]).startswith("2 of 3 parts limit this system: the devices drive0")
    assert "parts drive0 and scsi" in said([0.95], bus=0.92)
    assert "2.0 times the load would fill it" in said([0.5, 0.1])
    assert said([0.1, 0.2]).startswith("Nothing limits this system")
    assert said([]) == "There is nothing here that could limit anything."


def test_a_part_that_is_full_for_a_while_is_told() -> None:
    report = figures([0.3])
    report["over_time"]["devices"][0]["utilisation"] = [1.0] * 6 + [0.0] * (BINS - 6)
    assert "For 30% of the run it was full" in sentence(parts(report, {}))


def test_every_request_is_accounted_for() -> None:
    terms = "110 offered = 100 served + 4 refused + 5 lost + 1 under way at the end"
    assert conservation(figures([0.5]), 5) == terms


def test_the_page_needs_no_network_and_begins_with_the_limit(tmp_path: Path) -> None:
    target = tmp_path / "system.html"
    size = build_system(
        figures([0.4, 0.95], bus=0.2), target, title="Two drives", about="A test.",
        notes=["It was broken off."],
    )  # fmt: skip
    text = target.read_text(encoding="utf-8")
    assert size == len(text.encode())
    assert 'src="http' not in text
    assert 'href="http' not in text
    assert text.index("device 1 limits this system") < text.index("How long it takes")
    assert "It was broken off." in text
    assert "110 offered" in text
    assert "Who waits how long" in text
    assert "stream 1" in text


def test_a_run_without_requests_has_a_page(tmp_path: Path) -> None:
    report = figures([0.0])
    report |= {"offered": 0, "served": 0, "refused": 0, "lost": 0, "in_flight": 0}
    report |= {
        "elapsed_ms": 0.0,
        "response_ms": None,
        "classes": [],
        "streams": report["streams"][:1],
    }
    report["commands"] |= {"queue": None, "service": None}
    report["mechanics"]["seek_ms"] = None
    assert build_system(report, tmp_path / "none.html", title="Nothing") > 0
