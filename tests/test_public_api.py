"""What `import platterlab` promises: the names, their documentation, and what they give."""

import doctest
import importlib
import inspect
import json
import pickle
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import platterlab as pl

PUBLIC = [
    "Done", "Drive", "Experiment", "Figures", "InputError", "Place", "Profile", "ReadChoice",
    "Replacement", "Replay", "Result", "Scheduler", "Stepper", "Trace", "Workload", "__version__",
    "av", "calibrate", "calibrations", "capture", "characterize", "compare", "show_versions",
    "simulate", "study", "sweep",
]  # fmt: skip
"""A name leaves this list with a major version, after one that warned of it."""

FUNCTIONS = [
    "calibrate", "calibrations", "capture", "characterize", "compare", "simulate", "study", "sweep",
]  # fmt: skip
MODULES = ("", ".lab.drive", ".lab.trace", ".lab.experiment", ".lab.result", ".lab.simulation",
           ".lab.commands", ".lab.stepper", ".lab.classes")  # fmt: skip
OF_THE_CORE = ["InputError", "Profile", "Replay"]
COLUMNS = {
    "arrival_ms": [0.0, 5.0, 40.0],
    "lba": [0, 800, 2_000_000],
    "sectors": [8, 16, 8],
    "operation": ["read", "W", "r"],
}


def test_the_public_names_are_these():
    assert pl.__all__ == PUBLIC
    assert dir(pl) == PUBLIC
    for name in PUBLIC:
        assert getattr(pl, name) is not None


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_the_documentation_hold(module):
    told = doctest.testmod(importlib.import_module(f"platterlab{module}"), optionflags=8)
    assert told.attempted > 0
    assert told.failed == 0


def examples_in(text: str | None) -> str:
    """The lines of a documentation's examples, all of which the tests run."""
    return "\n".join(example.source for example in doctest.DocTestParser().get_examples(text or ""))


def parts(kind: type) -> dict[str, Any]:
    """The public functions and properties of a class, by name."""
    found = {}
    for name, value in vars(kind).items():
        function = value.fget if isinstance(value, property) else value
        function = getattr(function, "func", getattr(function, "__func__", function))
        if not name.startswith("_") and inspect.isfunction(function):
            found[name] = function
    return found


def test_no_public_name_lacks_documentation_types_or_an_example():
    lacking = []
    for name in set(PUBLIC) - {"__version__", "av"} - set(OF_THE_CORE):
        thing = getattr(pl, name)
        of_class = parts(thing) if inspect.isclass(thing) else {}
        told = {name: thing} if not inspect.isclass(thing) else {}
        texts = [thing.__doc__, *(part.__doc__ for part in of_class.values())]
        shown = "\n".join(map(examples_in, texts))
        if not thing.__doc__ or not shown:
            lacking.append(f"{name}: documentation or example")
        for part, function in {**told, **of_class}.items():
            if not function.__doc__:
                lacking.append(f"{name}.{part}: documentation")
            if not re.search(rf"\b{part}\b", shown):
                lacking.append(f"{name}.{part}: example")
            arguments = inspect.signature(function).parameters
            typed = set(function.__annotations__)
            if missing := (set(arguments) - {"self", "cls"} | {"return"}) - typed:
                lacking.append(f"{name}.{part}: types of {missing}")
    assert lacking == []


@pytest.mark.parametrize("name", OF_THE_CORE)
def test_public_names_of_the_core_are_documented(name):
    # Their types stand in the stub, which another test holds against the module.
    kind = getattr(pl, name)
    public = [part for part, value in vars(kind).items() if not part.startswith("_") and value]
    assert [part for part in public if not inspect.getdoc(getattr(kind, part))] == []
    told = doctest.DocTestParser().get_doctest(kind.__doc__, {}, name, name, 0)
    ran = doctest.DocTestRunner(optionflags=8).run(told)
    assert ran.attempted > 0
    assert ran.failed == 0


def test_functions_stay_functions_whatever_is_imported():
    code = (
        "import platterlab as pl, pkgutil, importlib\n"
        "for one in pkgutil.walk_packages(pl.__path__, 'platterlab.'):\n"
        "    if not one.name.endswith('__main__'): importlib.import_module(one.name)\n"
        f"names = {FUNCTIONS}\n"
        "print([name for name in names if not callable(getattr(pl, name))])\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_a_drive_is_the_profile_and_pickles():
    drive = pl.Drive("hp-97560", {"spindle.speed_rpm": 3600})
    assert drive.rotation_ms == pytest.approx(1e3 / 60)
    assert pickle.loads(pickle.dumps(drive)) == drive
    assert drive != pl.Drive("hp-97560")
    assert drive.origins["spindle.speed_rpm"].startswith("assumed")
    place = drive.where(drive.capacity_sectors - 1)
    assert 0 <= place.cylinder < drive.cylinders
    columns = drive.places(np.arange(0, 1000, 100))
    assert [drive.where(500).sector] == columns["sector"][5:6].tolist()
    with pytest.raises(pl.InputError, match="beyond the drive's last"):
        drive.where(drive.capacity_sectors)


def test_a_trace_of_columns_is_the_same_from_every_kind_of_table():
    trace = pl.Trace.of(COLUMNS)
    arrow = pl.Trace.of(pa.table(COLUMNS))
    assert trace.columns["operation"].tolist() == [0, 1, 0]
    for name, column in trace.columns.items():
        np.testing.assert_array_equal(column, arrow.columns[name])
    again = pickle.loads(pickle.dumps(trace))
    np.testing.assert_array_equal(again.columns["arrival_ms"], COLUMNS["arrival_ms"])
    assert pa.table(trace)["lba"].to_pylist() == COLUMNS["lba"]
    assert len(trace[1:]) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lba": [0, 800, -1]}, "`lba` goes beyond 0"),
        ({"lba": [0.5, 1.5, 2.5]}, "whole numbers"),
        ({"sectors": [8, 8, 1 << 33]}, "`sectors` goes beyond"),
        ({"operation": ["read", "erase", "read"]}, "'erase'"),
        ({"operation": [0, 1, 2]}, "row 2"),
        ({"arrival_ms": [0.0, 5.0, 4.0]}, "row 2: it arrives, and is issued, before"),
        ({"arrival_ms": [0.0, float("nan"), 4.0]}, "row 1: arrival_ms"),
        ({"arrival_ms": ["now", "then", "later"]}, "has to be milliseconds"),
        ({"service_ms": [1.0, -2.0, 1.0]}, "row 1: service_ms"),
        ({"sectors": [8, 8]}, "differ in length"),
        ({"lba": None}, "has no column lba"),
    ],
)  # fmt: skip
def test_a_bad_table_is_told_by_row_and_column(change, said):
    columns = {name: value for name, value in {**COLUMNS, **change}.items() if value is not None}
    with pytest.raises(pl.InputError, match=said):
        pl.Trace.of(columns, shown="mine")


def test_what_is_no_table_is_told():
    with pytest.raises(pl.InputError, match="int is not a table"):
        pl.Trace.of(5)


def test_it_gives_what_the_command_line_gives(run, ascii_trace):
    told = run(
        "simulate", "-p", "hp-97560", "-t", ascii_trace, "-f", "disksim-ascii", "--json"
    ).json()
    trace = pl.Trace(ascii_trace, trace_format="disksim-ascii")
    result = pl.simulate("hp-97560", trace)
    assert result.figures.to_dict() == {key: told[key] for key in result.figures}
    in_memory = pl.simulate("hp-97560", trace[:])
    assert in_memory.figures.response == result.figures.response


def test_an_experiment_gives_what_the_command_line_gives(run, tmp_path):
    text = pl.Experiment.examples()["raid5-sptf"].replace("20_000", "2_000")
    (tmp_path / "raid5.toml").write_text(text)
    told = run("simulate", tmp_path / "raid5.toml", "--set", "replications=2", "--json").json()
    experiment = pl.Experiment.load(tmp_path / "raid5.toml", {"replications": 2})
    result = pl.simulate(experiment, rows=True, requests=True)
    assert json.loads(json.dumps(result.figures.to_dict()["runs"])) == told["runs"]
    assert result.requests.num_rows == result.figures.to_dict()["runs"][0]["report"]["served"]
    assert result.complete
    with pytest.raises(pl.InputError, match="ask for them"):
        assert pl.simulate(experiment).rows


def test_an_experiment_of_tables_is_the_one_of_the_file_and_travels():
    drive = pl.Drive("hp-97560", {"spindle.speed_rpm": 3600})
    arrivals = {"kind": "exponential", "mean": 50.0}
    made = pl.Experiment(
        drive=[{"profile": drive}],
        workload=[{"kind": "open", "interval_ms": arrivals}],
        stop={"requests": 500},
        seed=3,
    )
    text = made.to_toml()
    assert made.tables["seed"] == 3
    first = pl.simulate(made).runs[0].response_ms
    assert pl.simulate(pickle.loads(pickle.dumps(made))).runs[0].response_ms == first
    assert pl.simulate(pl.Experiment.of_toml(text)).runs[0].response_ms == first
    other = made.with_values({"seed": 4})
    assert pl.simulate(other).runs[0].response_ms != first
    with pytest.raises(pl.InputError, match="changed by with_values"):
        other.save("x.toml")


def test_a_run_over_time_is_a_table_of_its_report():
    values = {"replications": 1, "stop.requests": 1000}
    result = pl.simulate(
        pl.Experiment.of_toml(pl.Experiment.examples()["raid5-sptf"], values=values)
    )
    told = result.runs[0].to_dict()["over_time"]
    timeline = result.timeline.to_pydict()
    rows = list(zip(*timeline.values(), strict=True))
    assert [row[3] for row in rows if row[1] == "requests"] == told["in_flight"]
    assert [row[2] for row in rows if row[1] == "disk3"] == told["devices"][3]["utilisation"]
    assert [row[2] for row in rows if row[1] == "scsi1"] == told["buses"][1]
    assert sorted(set(timeline["what"])) == sorted(
        ["requests", "scsi0", "scsi1", *(f"disk{number}" for number in range(8))]
    )
    assert sorted(set(timeline["begin_ms"]))[1] == told["bin_ms"]
    drive = pl.Drive("mock")
    with pytest.raises(pl.InputError, match="no timeline"):
        assert pl.simulate(drive, pl.Trace.random(drive, 9)).timeline


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("hp-97560",), "needs a trace"),
        (("no-such-drive.toml",), "no-such-drive.toml"),
        (("hp-97560", "nowhere.trace"), "there is no such trace"),
    ],
)
def test_a_wrong_call_is_told(arguments, said):
    with pytest.raises(pl.InputError, match=said):
        pl.simulate(pl.Drive(arguments[0]) if arguments == ("hp-97560",) else arguments[0],
                    *arguments[1:])  # fmt: skip


def test_rows_are_handed_over_without_a_copy():
    drive = pl.Drive("hp-97560")
    rows = pl.simulate(drive, pl.Trace.random(drive, 1000), timing="closed", rows=True).rows
    taken = pa.table(rows)
    for name in ("response_ms", "lba"):
        mine, theirs = (table.column(name).chunk(0).buffers()[1].address for table in (rows, taken))
        assert mine == theirs


def test_importing_loads_no_more_than_the_core():
    code = "import sys, platterlab; print([m for m in ('pyarrow', 'scipy', 'altair', 'typer', " \
           "'matplotlib') if m in sys.modules])"  # fmt: skip
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_readme_way_takes_ten_lines():
    text = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    told = doctest.DocTestParser().get_doctest(text, {}, "python.md", "python.md", 0)
    assert doctest.DocTestRunner(optionflags=8).run(told).failed == 0


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """One of each kind of object that functions give."""
    folder = tmp_path_factory.mktemp("answers")
    text = pl.Experiment.examples()["mm1"].replace("100_000", "5_000")
    (folder / "a.toml").write_text(text)
    system = pl.Experiment.of_toml(text)
    drive = pl.Drive("hp-c2200a")
    with pytest.MonkeyPatch.context() as patch:
        # The study that is shortest where there is no data.
        patch.setenv("PLATTERLAB_DATA", str(tmp_path_factory.mktemp("nothing")))
        studied = pl.study("ruemmler-wilkes")
    return {
        "drive": drive,
        "profile": drive.profile,
        "place": drive.where(3),
        "trace": pl.Trace.random(drive, 100, think_ms=5.0),
        "experiment": system,
        "result": pl.simulate(system, rows=True, requests=True),
        "compared": pl.compare(folder / "a.toml", folder / "a.toml"),
        "measured": pl.characterize("mock", folder / "mock", quick=True),
        "studied": studied,
    }


KINDS = ("drive", "profile", "place", "trace", "experiment", "result", "compared", "measured",
         "studied")  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_object_travels(answers, kind):
    assert set(answers) == set(KINDS)
    sent = answers[kind]
    arrived = pickle.loads(pickle.dumps(sent))
    assert type(arrived) is type(sent)
    if kind == "profile":
        assert (arrived.to_toml(), arrived.id) == (sent.to_toml(), sent.id)
    if kind == "result":
        assert arrived.rows.equals(sent.rows)
        assert arrived.figures.to_dict() == sent.figures.to_dict()


@pytest.mark.parametrize("kind", ["drive", "result", "compared"])
def test_a_notebook_shows_it_as_a_table(answers, kind):
    shown = answers[kind]._repr_html_()
    assert shown.startswith("<table>")
    assert shown.endswith("</table>")
    assert shown.count("<tr>") == shown.count("</tr>") > 3


def test_an_error_has_its_place(tmp_path):
    profile = tmp_path / "bad.toml"
    profile.write_text(pl.Drive("mock").to_toml().replace("surfaces = 15", "surfaces = 0"))
    with pytest.raises(pl.InputError) as raised:
        pl.Drive(profile)
    error = pickle.loads(pickle.dumps(raised.value))
    line = 1 + profile.read_text().splitlines().index("surfaces = 0")
    assert (error.file, error.line, error.key) == (str(profile), line, "geometry.surfaces")
    assert str(error) == str(raised.value)
    trace = tmp_path / "bad.trace"
    trace.write_text("0.0 0 100 8 1\n1.0 0 100 eight 1\n")
    with pytest.raises(pl.InputError) as raised:
        pl.Trace(trace, trace_format="disksim-ascii").columns  # noqa: B018
    assert (raised.value.file, raised.value.line, raised.value.key) == (str(trace), 2, None)
    with pytest.raises(pl.InputError) as raised:
        pl.Drive("no-such-drive")
    assert (raised.value.file, raised.value.line, raised.value.key) == (None, None, None)


def test_the_lock_of_the_interpreter_is_free_meanwhile():
    drive = pl.Drive("hp-97560")
    trace = pl.Trace.random(drive, 400_000, think_ms=1.0)
    counted, over = 0, threading.Event()

    def work() -> None:
        pl.simulate(drive, trace, timing="closed")
        over.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not over.is_set():
        counted += 1
    worker.join()
    # Were it held, this loop would have run for a switch interval at the begin and at the end.
    assert counted > 100_000
