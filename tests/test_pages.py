"""Every kind of page in a browser without a network: no error, and nothing cut at any width."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from browser import BROWSER, needs_browser
from conftest import silent
from made_up_drives import data_sheet, made_up, traced
from platterlab import Experiment, cli
from platterlab.measure import Job, Target, characterize

pytestmark = needs_browser
WIDTHS_PX = (390, 800, 1280)
KINDS = ("system", "requests", "drive", "tracks", "calibration", "nothing")

# What sticks out of its box, to the console; and how many charts are live.
MEASURE = """
<script>setTimeout(() => {
  const cut = [];
  const page = document.documentElement;
  const titled = (part) => part.closest("section").querySelector("h2").textContent;
  if (page.scrollWidth > innerWidth) cut.push(`page ${page.scrollWidth} of ${innerWidth}`);
  for (const box of document.querySelectorAll(".scroll, .chart"))
    if (box.scrollWidth > box.clientWidth + 1)
      cut.push(`${titled(box)}: ${box.scrollWidth} of ${box.clientWidth}`);
  for (const text of document.querySelectorAll(".chart svg text")) {
    const inner = text.getBoundingClientRect();
    const outer = text.closest("svg").getBoundingClientRect();
    if (inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1))
      cut.push(`"${text.textContent}" of ${titled(text)}`);
  }
  const live = document.querySelectorAll(".vega-embed").length;
  const charts = document.querySelectorAll(".chart").length;
  console.log("told: " + JSON.stringify({ cut, live, charts, width_px: innerWidth }));
}, 4000)</script>
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    image = folder / "image"
    image.write_bytes(bytes(1 << 20))
    experiment = folder / "system.toml"
    experiment.write_text(Experiment.examples()["raid5-sptf"].replace("20_000", "4_000"))
    system, rows, requests = (folder / name for name in ("a.html", "rows.parquet", "b.html"))
    _run("simulate", experiment, "--report", system, "--per-request", rows)
    _run("report", rows, "--out", requests)
    grid, sides = folder / "grid.html", folder / "sides.html"
    vary = ("host.scheduler.kind=fcfs,sptf", "volume.array.layout.unit=64k", "seed=3,4")
    more = ("workload[0].interval_ms.mean=200", "stop.requests=900")
    varied = [word for one in (*vary, *more) for word in ("--vary", one)]
    _run("simulate", experiment, "--replications", 2, *varied, "--report", grid)
    _run("report", rows, rows, "--out", sides)
    drive = made_up(3)
    trace = folder / "drive.trace"
    traced(drive, trace, read_share=0.66, think_ms=30.0, seed=3, requests=2_000)
    sheet, calibration = folder / "sheet.toml", folder / "c.html"
    sheet.write_text(data_sheet(drive).to_toml())
    _run("calibrate", "-t", trace, "-p", sheet, "--rough", "--report", calibration)
    _run("characterize", "toshiba-dt01aca300", "--tracks", "fast", "--out", folder / "tracks")
    return {
        "calibration": calibration,
        "tracks": folder / "tracks" / "report.html",
        "system": system,
        "requests": requests,
        "grid": grid,
        "sides": sides,
        "drive": _measured("ibm-ultrastar-xp", folder / "drive"),
        "nothing": _measured(str(image), folder / "nothing"),
    }


def _run(*arguments: object) -> None:
    """A command line in this process, which has loaded what draws."""
    assert cli.run([str(argument) for argument in arguments]) == 0


def _measured(target: str, out: Path) -> Path:
    return characterize(Job(Target(target), out), silent).bundle.path("report.html")


def opened(page: Path, folder: Path) -> list[dict[str, object]]:
    """What the page says of itself at each width, in one browser."""
    copy = folder / "page.html"
    # A window has a least width; a frame has none.
    frames = (
        f'<iframe src="page.html" width="{width_px}" height="3000" frameborder="0"></iframe>'
        for width_px in WIDTHS_PX
    )
    frame = folder / "frame.html"
    frame.write_text("\n".join(frames))
    text, end = page.read_text(encoding="utf-8").rsplit("</body>", 1)
    copy.write_text(f"{text}{MEASURE}</body>{end}", encoding="utf-8")
    size = ("--hide-scrollbars", "--window-size=2600,6200")
    told = told_by(frame, folder, *size, budget_ms=10_000)
    return sorted(told, key=lambda one: one["width_px"])


def told_by(page: Path, folder: Path, *options: str, budget_ms: int) -> list[dict[str, object]]:
    """What a page writes to the console behind `told: `, and nothing else, as JSON objects."""
    shown = subprocess.run(
        [
            str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu",
            "--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={folder}", f"--virtual-time-budget={budget_ms}", "--dump-dom",
            *options, page.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    said = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
    return [json.loads(re.sub(r'.*"told: (.*)", source: .*', r"\1", line)) for line in said]


def shows_all(page: Path, folder: Path) -> None:
    """Nothing is cut and every chart is live, at any width."""
    told = opened(page, folder)
    assert [one["width_px"] for one in told] == list(WIDTHS_PX)
    for one in told:
        assert one["cut"] == []
        assert one["live"] == one["charts"] > 0


@pytest.mark.parametrize(
    "name",
    ["system", "requests", "grid", "sides", "drive", "tracks", "calibration", "nothing"],
)
def test_a_browser_shows_all_of_it(pages, name, tmp_path):
    shows_all(pages[name], tmp_path)
