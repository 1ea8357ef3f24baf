"""`platterlab show`: its page plays the simulation's own rows; the homework's answers are right."""

import hashlib
import json
import random
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import ostep_by_the_book as book
import platterlab as pl
from browser import BROWSER, needs_browser
from platterlab import _core, cli
from platterlab.show import ostep
from platterlab.show.scene import SPANS, scene

SEEDS = 1000
TABLE = "time=time:ms, lba=lba:sectors, size=size:sectors, op=op"


@pytest.mark.parametrize(
    ("arguments", "published"),
    [
        ("-a 10", [(10, 0, 105, 30)]),
        ("-a 10,11", [(10, 0, 105, 30), (11, 0, 0, 30)]),
        ("-a 10,18", [(10, 0, 105, 30), (18, 40, 170, 30)]),
    ],
)
def test_the_answers_are_those_that_the_homework_prints(run, tmp_path, arguments, published):
    told = run("show", "--ostep", arguments, "--out", tmp_path / "page.html", "--json").json()
    keys = ("sector", "seek", "rotate", "transfer")
    assert [tuple(one[key] for key in keys) for one in told["answers"]] == published


LONG = "--addr=7,30,8 --policy SSTF --seekSpeed 2 --rotSpeed=0.5 --schedWindow=4 --zoning 30,30,30"


def test_arguments_have_their_long_names_too():
    short = ostep.parse("-a 7,30,8 -p SSTF -S 2 -R 0.5 -w 4 -z 30,30,30")
    assert ostep.parse(f"{LONG} --compute --graphics --skewOffset=0 -l -1 -L 0,-1,0") == short
    drawn = ostep.parse("--addr=-1 --addrDesc=4,-1,0 --seed=3")
    assert drawn == ostep.parse("-a -1 -A 4,-1,0 -s 3")
    for late in ("-l 3,4", "--lateAddrDesc=3,-1,0"):
        with pytest.raises(pl.InputError, match="late requests"):
            ostep.parse(f"-a 7 {late}")


def homework(seed: int) -> str:
    """Arguments that the text has, or as it could have them."""
    draw = random.Random(seed)  # noqa: S311
    degrees = draw.choice(["30,30,30", "30,30,30", "10,20,30", "15,30,45"])
    skew = draw.randrange(4) if degrees == "30,30,30" else 0
    seek = draw.choice(["1", "2", "4", "8", "10", "40", "0.1", "4/3", "3", "0.7"])
    turn = draw.choice(["1", "1", "1", "0.1", "0.5", "0.01", "2"])
    window = draw.choice([-1, 1, 2, 4, 6])
    return (
        f"-a -1 -A {draw.randint(1, 20)},-1,0 -s {seed} -S {seek} -R {turn} -z {degrees} "
        f"-o {skew} -p {draw.choice(ostep.POLICIES)} -w {window}"
    )


def test_the_answers_follow_from_the_rules_on_a_thousand_seeds():
    reached = set()
    for seed in range(SEEDS):
        asked = ostep.parse(homework(seed))
        rows = asked.rows()
        disk = book.Disk(asked.seek_speed, asked.rotation_speed, asked.degrees, asked.skew)
        wanted = book.answers(disk, asked.asked, asked.policy, asked.window)
        keys = ("lba", "seek_ms", "rotation_ms", "transfer_ms")
        given = list(zip(*(rows[key].tolist() for key in keys), strict=True))
        assert given == [pytest.approx(one, abs=1e-6) for one in wanted], homework(seed)
        reached.add(asked.policy)
    assert reached == set(ostep.POLICIES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("-a 36", "-a 36: the disk has sectors 0 to 35"),
        ("-a ten", "-a ten: is not a list of numbers"),
        ("-a 1 -p LOOK", "-p LOOK: is none of FIFO, SSTF, SATF, BSATF"),
        ("-a 1 -S 0", "-S 0: is from 0.001 to 1,000"),
        ("-a 1 -R fast", "-R fast: is not a number"),
        ("-a 1 -z 7,20,30", "-z 7,20,30: 3 numbers of degrees that divide 360"),
        ("-a 1 -z 10,20,30 -o 1", "-o is of tracks with the same sectors"),
        ("-a 1 -o 12", "-o 12: a number of sectors, less than a revolution"),
        ("-a 1 -w 0", "-w 0: is a number of requests"),
        ("-a -1 -A 5,40,0", "-A 5,40,0: the disk has sectors 0 to 35"),
        ("-a 1 -l 5", "-l 5: late requests are not taken"),
        ("-a 'x", "No closing quotation"),
    ],
)
def test_wrong_arguments_are_told(run, tmp_path, arguments, said):
    told = run("show", "--ostep", arguments, "--out", tmp_path / "page.html")
    assert told.code == 2
    assert said in told.err.replace("\n", " ")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give a drive and its --trace"),
        (("mock",), "give a drive and its --trace"),
        (("mock", "--ostep", "-a 1"), "DRIVE: --ostep says all of it"),
    ],
)
def test_what_is_missing_or_too_much_is_told(run, tmp_path, arguments, said):
    told = run("show", *arguments, "--out", tmp_path / "page.html")
    assert (told.code, said in told.err) == (2, True)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drive with a full queue."""
    folder = tmp_path_factory.mktemp("show")
    draw = np.random.default_rng(1)
    last = pl.Drive("hp-c2200a").capacity_bytes // 512 - 64
    lines = [
        f"{at:.3f},{draw.integers(last)},{draw.integers(1, 40)},{draw.choice(['R', 'W'])}"
        for at in np.sort(draw.uniform(0, 1500, 150))
    ]
    trace = folder / "busy.csv"
    trace.write_text("\n".join(["time,lba,size,op", *lines]) + "\n")
    out = folder / "page.html"
    words = ["show", "hp-c2200a", "--trace", trace, "--columns", TABLE, "--scheduler", "sptf"]
    assert cli.run([*map(str, words), "--out", str(out)]) == 0
    return out


def drawn(page: Path) -> dict:
    text = page.read_text(encoding="utf-8")
    found = re.search(r'id="scene">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_page_has_the_times_of_the_simulation(page, run, tmp_path):
    rows = tmp_path / "rows.csv"
    trace = page.with_name("busy.csv")
    queued = ("--columns", TABLE, "--scheduler", "sptf", "--per-request", rows)
    assert run("simulate", "-p", "hp-c2200a", "-t", trace, *queued).code == 0
    import pyarrow.csv

    wanted = sorted(pyarrow.csv.read_csv(rows).to_pylist(), key=lambda row: row["issue_ms"])
    shown = drawn(page)["requests"]
    assert len(shown) == len(wanted) == 150
    for one, row in zip(shown, wanted, strict=True):
        times = one["times_ms"]
        assert (times[0], times[1], times[-1]) == tuple(
            row[key] for key in ("arrival_ms", "issue_ms", "completion_ms")
        )
        spans = np.diff(times[1:])
        assert spans == pytest.approx([row[f"{name}_ms"] for name in SPANS], abs=1e-9)
        assert (one["lba"], one["cylinder"]) == (row["lba"], row["cylinder"])


def test_the_page_names_all_it_was_made_of(page):
    text, trace = page.read_text(encoding="utf-8"), page.with_name("busy.csv")
    made_by = drawn(page)["made_by"]
    assert {one["what"] for one in made_by["inputs"]} >= {"profile", "trace"}
    assert hashlib.sha256(trace.read_bytes()).hexdigest() in text
    assert made_by["seed"] == 0
    assert "What it takes to get the same again" in text


def test_every_request_meets_the_head_where_the_page_has_the_platter(page):
    shown = drawn(page)
    assert shown["phase_alike"] == shown["phase_told_by"] > 100
    for one in shown["requests"]:
        if one["times_ms"][5] > one["times_ms"][4]:
            under_head = shown["phase_turns"] + one["times_ms"][5] / shown["rotation_ms"]
            away = (one["angle_turns"] - under_head + 0.5) % 1 - 0.5
            assert abs(away) < 1e-6


def test_the_arm_is_at_the_cylinder_of_each_transfer(page):
    shown = drawn(page)
    times, cylinders = zip(*(point[:2] for point in shown["arm"]), strict=True)
    assert list(times) == sorted(times)
    for one in shown["requests"]:
        begin, end = one["times_ms"][5], one["times_ms"][6]
        if end > begin:
            assert np.interp(begin, times, cylinders) == pytest.approx(one["cylinder"], abs=1)


def test_a_platter_whose_angle_is_not_told_stands_still():
    drive = pl.Drive("hp-97560").with_values({"spindle.latency": "uniform"})
    trace = pl.Trace.random(drive, 300, think_ms=5.0)
    rows = trace.requests.replay(drive.profile, timing="closed")
    words = {"scheduler": "fcfs", "about": "", "unit": "ms", "units": "ms", "digits": 3}
    assert scene(drive.profile, rows, words)["phase_turns"] is None


# Presses keys, and tells what the page then says, and what sticks out.
PRESS = """
<script>
// Time here is not that of a screen, which has no frames then.
window.requestAnimationFrame = (drawn) => setTimeout(() => drawn(performance.now()), 16);
setTimeout(() => {
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const clock = () => document.getElementById("clock").textContent;
  const said = [clock()];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "n", "End", "Home", " "]) {
    press(key); said.push(clock());
  }
  setTimeout(() => {
    const playing = document.getElementById("play").textContent;
    const cut = [...document.querySelectorAll("main *, header *")].filter((one) => {
      const box = one.getBoundingClientRect();
      return one.id !== "said" && box.width && (box.right > innerWidth + 1 || box.left < -1);
    }).map((one) => one.id || one.tagName);
    console.log("told: " + JSON.stringify({ said, later: clock(), playing, cut,
      label: document.getElementById("at").getAttribute("aria-valuetext") }));
  }, 1500);
}, 300)</script>
"""


def opened(page: Path, folder: Path, width_px: int, *more: str) -> dict:
    text, end = page.read_text(encoding="utf-8").rsplit("</body>", 1)
    (folder / "page.html").write_text(f"{text}{PRESS}</body>{end}", encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(f'<iframe src="page.html" width="{width_px}" height="1500" frameborder="0">')
    shown = subprocess.run(
        [
            str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND", *more,
            f"--user-data-dir={folder}", "--window-size=2000,1600", "--virtual-time-budget=6000",
            "--dump-dom", frame.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    said = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
    assert len(said) == 1, said
    return json.loads(re.sub(r'.*"told: (.*)", source: .*', r"\1", said[0]))


@needs_browser
@pytest.mark.parametrize("width_px", [390, 800, 1280, 1920])
def test_it_plays_by_keyboard_at_any_width(page, tmp_path, width_px):
    told = opened(page, tmp_path, width_px)
    first, right, right2, left, *_rest = told["said"]
    assert told["cut"] == []
    assert len({first, right, right2}) == 3
    assert left == right
    assert told["said"][5].endswith("150 of 150 done")
    assert told["said"][6] == first
    assert told["playing"] == "Pause"
    assert told["later"] != first
    assert "request" in told["label"]


@needs_browser
def test_where_motion_is_not_wanted_it_goes_from_moment_to_moment(page, tmp_path):
    told = opened(page, tmp_path, 800, "--force-prefers-reduced-motion")
    shown = drawn(page)
    begin = min(one["times_ms"][0] for one in shown["requests"])
    moments = {f"{time - begin:,.3f} ms" for one in shown["requests"] for time in one["times_ms"]}
    assert told["later"].split(" · ")[0] in moments
    assert told["later"] != told["said"][0]


def test_the_page_needs_no_network(page):
    text = page.read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="|url\(|@import|fetch\(', text)
    assert set(_core.row_labels()["cache"]) >= {one["cache"] for one in drawn(page)["requests"]}
