"""What a notebook has in memory goes wherever a file goes, and to another process."""

import pickle
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import platterlab as pl
from platterlab.lab.journal import Journal

COLUMNS = (
    "time=time:ms, queued=queued:ms, lba=lba:sectors, size=size:sectors, op=op, service=took:ms"
)


@pytest.fixture(scope="module")
def rows() -> list[pa.Table]:
    """Rows of one trace on a drive, and on a faster one."""
    drive = pl.Drive("hp-97560")
    trace = pl.Trace.random(drive, 1000, think_ms=5.0)
    return [
        pl.simulate(
            drive.with_values({"spindle.speed_rpm": rpm}), trace, timing="closed", rows=True
        ).rows
        for rpm in (4002, 5400)
    ]


def closed(**values: Any) -> pl.Experiment:
    """An experiment with a drive that is nowhere but in memory."""
    drive = pl.Drive("hp-97560", {"spindle.speed_rpm": 5000})
    system = pl.Experiment(
        drive=[{"name": "disk", "profile": drive}],
        workload=[{"kind": "closed", "population": 4}],
        stop={"requests": 500},
        replications=2,
    )
    return system.with_values(values)


def test_tables_compare_as_their_files_do(rows, tmp_path):
    files = [tmp_path / "slow.parquet", tmp_path / "fast.parquet"]
    for table, file in zip(rows, files, strict=True):
        pa.parquet.write_table(table, file)
    of_files = pl.compare(*files)
    assert list(of_files) == [str(files[1])]
    assert pl.compare(*rows) == {"table 2": of_files[str(files[1])]}
    assert pl.compare(rows[0], files[1]) == of_files
    # As polars hands words over: numbered, in a layout of their own.
    words = rows[1].column("operation").combine_chunks()
    viewed = pa.DictionaryArray.from_arrays(words.indices, words.dictionary.cast(pa.string_view()))
    place = rows[1].column_names.index("operation")
    assert pl.compare(rows[0], rows[1].set_column(place, "operation", viewed)) == pl.compare(*rows)
    with pytest.raises(pl.InputError, match=r"table 2: has none of"):
        pl.compare(rows[0], rows[1].select(["lba"]))
    with pytest.raises(pl.InputError, match="int is not a table"):
        pl.compare(rows[0], 5)


def test_results_and_experiments_compare_by_their_runs(tmp_path):
    text = pl.Experiment.examples()["mm1"].replace("100_000", "5_000")
    files = [tmp_path / "a.toml", tmp_path / "b.toml"]
    for file, access in zip(files, ("10.0", "9.0"), strict=True):
        file.write_text(text.replace("mean_ms = 10.0", f"mean_ms = {access}"))
    of_files = list(pl.compare(*files).values())
    experiments = [pl.Experiment.load(file) for file in files]
    assert list(pl.compare(*experiments).values()) == of_files
    assert pl.compare(*map(pl.simulate, experiments)) == {"result 2": of_files[0]}


def test_a_trace_in_memory_compares_and_fits_as_its_file_does(tmp_path):
    true = pl.Drive("hp-97560", {"spindle.speed_rpm": 4003})
    asked = pl.Trace.random(true, 600, think_ms=20.0)
    table = pl.simulate(true, asked, timing="closed", rows=True).rows
    names = ("arrival_ms", "queue_ms", "lba", "sectors", "operation", "service_ms")
    lines = zip(*(table.column(name).to_pylist() for name in names), strict=True)
    path = tmp_path / "measured.csv"
    text = "".join(",".join(map(str, line)) + "\n" for line in lines)
    path.write_text(f"time,queued,lba,size,op,took\n{text}")
    file = pl.Trace(path, options={"columns": COLUMNS})
    held = pl.Trace.of(table.rename_columns({"queue_ms": "queued_ms"}))
    changes = [group["all"].figures for group in pl.compare(asked_again(file), file, held).values()]
    assert changes[0] == changes[1]
    found = [pl.calibrate("hp-97560", trace) for trace in (file, held)]
    assert found[0].drive.rotation_ms == found[1].drive.rotation_ms == true.rotation_ms
    assert found[0].drive.values == found[1].drive.values
    arrived = pickle.loads(pickle.dumps(found[1]))
    assert arrived.drive == found[1].drive
    assert arrived.findings.found.profile.to_toml() == found[1].findings.found.profile.to_toml()


def asked_again(trace: pl.Trace) -> pl.Trace:
    """The same requests, 1 ms slower."""
    columns = trace.columns
    return pl.Trace.of({**columns, "service_ms": columns["service_ms"] + 1.0})


def test_an_experiment_in_memory_is_swept_and_goes_on_where_it_was(tmp_path):
    plan = {"vary": [{"key": "stop.requests", "values": [300, 400]}]}
    values = {"host.scheduler.kind": "sptf"}
    first = pl.sweep({**plan, "experiment": closed(**values)}, tmp_path / "out", workers=1)
    again = pl.sweep({**plan, "experiment": closed(**values)}, tmp_path / "out", workers=1)
    assert (first.ran, again.ran) == (2, 0)
    assert again.table.equals(first.table)
    wanted = {**values, "stop.requests": 400, "replications": 1}
    mean_ms = pl.simulate(closed(**wanted)).mean_response_ms
    assert first.rows[1]["mean_response_ms"] == mean_ms
    other = pl.sweep({**plan, "experiment": closed()}, tmp_path / "out", workers=1)
    assert other.ran == 2
    assert other.rows != first.rows


def test_a_sweep_takes_its_experiment_as_a_path(tmp_path):
    path = tmp_path / "mm1.toml"
    path.write_text(pl.Experiment.examples()["mm1"])
    plan = {"vary": [{"key": "stop.requests", "values": [3000]}]}
    told = [
        pl.sweep({**plan, "experiment": which}, tmp_path / "out", workers=1)
        for which in (path, str(path))
    ]
    assert [one.ran for one in told] == [1, 0]


def test_a_data_sheet_makes_the_drive_that_the_command_makes(run, tmp_path):
    run(
        "profile", "new", "--name", "My disk", "--capacity", "8TB", "--rpm", "7200", "--surfaces",
        "10", "--outer-mb-s", "240", "--inner-mb-s", "110", "--seek-average", "8.5", "--cache",
        "256M", "--out", tmp_path / "my-disk.toml",
    )  # fmt: skip
    drive = pl.Drive.of_data_sheet(
        "My disk", capacity="8TB", speed_rpm=7200, surfaces=10, outer_mb_s=240, inner_mb_s=110,
        seek_average_ms=8.5, cache="256M",
    )  # fmt: skip
    assert drive == pl.Drive(tmp_path / "my-disk.toml")
    with pytest.raises(pl.InputError, match="inner_mb_s: more than 0, outer_mb_s at most"):
        pl.Drive.of_data_sheet(
            "x", capacity=10**12, speed_rpm=7200, surfaces=2, outer_mb_s=100, inner_mb_s=200
        )


@pytest.mark.parametrize("name", ["hp-c2200a", "ibm-ultrastar-xp", "toshiba-dt01aca300"])
def test_the_layout_is_where_addresses_lie(name):
    drive = pl.Drive(name)
    zones = drive.layout()
    assert zones["first_cylinder"].tolist()[1:] == (zones["last_cylinder"] + 1).tolist()[:-1]
    starts = drive.places(zones["first_lba"])
    assert (starts["cylinder"] >= zones["first_cylinder"]).all()
    assert (starts["cylinder"] <= zones["last_cylinder"]).all()
    assert starts["sectors_per_track"].tolist() == zones["sectors_per_track"].tolist()
    before = drive.places(zones["first_lba"][1:] - 1)
    assert (before["sectors_per_track"] == zones["sectors_per_track"][:-1]).all()


@pytest.mark.parametrize("front", [False, True])
def test_a_zone_begins_with_its_first_address_and_not_with_its_spares(front):
    sparing = {"kind": "cylinders", "cylinders": 10, "sectors": 12, "front": front}
    zone = {"sectors_per_track": 100, "order": "surface-serpentine", "serpentine_cylinders": 10}
    zones = [zone | {"cylinders": [10 * at, 10 * at + 9], "sparing": sparing} for at in (0, 1)]
    drive = pl.Drive("mock", {"geometry": {"surfaces": 2, "cylinders": 20}, "zone": zones})
    assert drive.layout()["first_lba"].tolist() == [0, 2 * 10 * 100 - 12]


def test_charts_are_altairs_own_and_show_what_was_found(rows):
    drive = pl.Drive("hp-97560")
    values = drive.chart().data.values
    assert [one["seek_ms"] for one in values] == drive.seek_curve()["seek_ms"].tolist()
    with pytest.raises(pl.InputError, match=r"^points: -1; it must be 1 or more$"):
        drive.seek_curve(-1)
    trace = pl.Trace.random(drive, 100, think_ms=5.0)
    result = pl.simulate(drive, trace, rows=True)
    shown = result.chart()
    assert isinstance(shown, alt.Chart)
    times = result.rows.column("response_ms").to_numpy()
    assert shown.data.values[-1] == {"response_ms": times.max(), "share_pct": 100.0}
    with pytest.raises(pl.InputError, match="ask for them"):
        pl.simulate(drive, trace).chart()
    found = pl.compare(*rows)
    layers = found.chart()
    assert isinstance(layers, alt.LayerChart)
    drawn = {one["figure"]: one["ms"] for one in layers.data.values}
    figures = found["table 2"]["all"].figures
    assert drawn == {name: one.change.ms for name, one in figures.items()}
    assert (shown | layers).to_dict()["hconcat"]


@pytest.mark.parametrize("what", ["hp-97560", "system"])
def test_a_stepper_travels_in_the_middle_of_its_work(what):
    stepper = pl.Stepper(closed() if what == "system" else what)
    chance = np.random.default_rng(3)
    for lba in chance.integers(0, stepper.sectors() - 8, 200).tolist():
        stepper.submit(lba, 8, "write" if lba % 3 == 0 else "read", at_ps=stepper.now_ps + lba)
        if stepper.in_flight > 6:
            stepper.advance(stepper.next_event_ps)
    arrived = pickle.loads(pickle.dumps(stepper))
    assert (arrived.now_ps, arrived.in_flight) == (stepper.now_ps, stepper.in_flight)
    for one in (stepper, arrived, twin := stepper.copy()):
        assert one.submit(800, 8) == 200
    assert twin.in_flight == stepper.in_flight > 1
    assert arrived.advance(10**13) == stepper.advance(10**13) == twin.advance(10**13)
    assert arrived.report() == stepper.report()
    assert pickle.loads(pickle.dumps(arrived)).report() == stepper.report()


def test_a_journal_keeps_any_number_of_requests_at_any_instant():
    chance = np.random.default_rng(1)
    handed, now_ps = [], 0
    for lba in chance.integers(0, 1 << 40, 40_000).tolist():
        now_ps += lba if lba % 1000 else 1 << 66
        handed.append((now_ps, now_ps + (lba << 30), lba % 5, lba, 1 + lba % 9, lba % 2))
    journal = Journal()
    for one in handed:
        journal.note(*one)
    assert list(journal) == handed
    twin = pickle.loads(pickle.dumps(journal.copy()))
    twin.note(*handed[-1])
    assert list(twin) == [*handed, handed[-1]]
    assert list(journal) == handed


def test_a_part_of_a_trace_travels_whatever_the_order_of_its_arrivals(tmp_path):
    path = tmp_path / "queued.csv"
    path.write_text("time,queued,lba,size,op,took\n0,9,0,8,read,5\n1,0.5,80,8,write,5\n")
    part = pl.Trace(path, options={"columns": COLUMNS})[:]
    assert part.columns["arrival_ms"].tolist() == [1.0, 0.0]
    arrived = pickle.loads(pickle.dumps(part))
    for name, column in part.columns.items():
        np.testing.assert_array_equal(arrived.columns[name], column)
    assert arrived.requests.sector_bytes == part.requests.sector_bytes


def test_values_may_be_those_of_numpy_and_paths():
    drive = pl.Drive("mock", {"spindle.speed_rpm": np.int64(7200)})
    assert drive == pl.Drive("mock", {"spindle.speed_rpm": 7200})
    narrow = pl.Drive("mock", {"spindle.speed_rpm": np.float32(7200)})
    assert narrow.rotation_ms == drive.rotation_ms
    system = pl.Experiment.of_toml(pl.Experiment.examples()["mm1"])
    assert system.with_values({"seed": np.int32(7)}).seed == 7
    named = system.with_values({"name": Path("some/where"), "replications": np.uint8(3)})
    assert (named.name, named.replications) == ("some/where", 3)
    with pytest.raises(pl.InputError, match="NoneType cannot stand"):
        pl.Drive("mock", {"spindle.speed_rpm": None})


def test_nothing_is_captured_of_no_command(tmp_path):
    with pytest.raises(pl.InputError, match="needs a command"):
        pl.capture([], tmp_path / "none.flow")
    with pytest.raises(pl.InputError, match=r"^buffer_mib -1: it has 1 to"):
        pl.capture(["true"], tmp_path / "none.flow", buffer_mib=-1)
    with pytest.raises(pl.InputError, match=r"^settle_s -0\.5: it is from 0 to"):
        pl.capture(["true"], tmp_path / "none.flow", settle_s=-0.5)


def overtaking(path: Path) -> Path:
    """A trace of which some requests are issued after others that arrived later."""
    rows = [
        (1000 * number + 7.25 * (number % 3), 40.125 * (3 - number % 3) * 10 + 0.1 * number)
        for number in range(300)
    ]
    lines = [
        f"{at:.3f},{8 * number},8,R,{queued:.3f},5\n" for number, (at, queued) in enumerate(rows)
    ]
    path.write_text("time,lba,size,op,queued,took\n" + "".join(lines))
    return path


def test_the_columns_of_a_trace_make_the_same_trace(tmp_path):
    words = (
        "time=time:us, lba=lba:sectors, size=size:sectors, op=op, queued=queued:ms, service=took:ms"
    )
    path = overtaking(tmp_path / "some.csv")
    read = pl.Trace(path, options={"columns": words})
    assert (np.diff(read.columns["arrival_ms"]) < 0).any(), "they are in the order of issue"
    again = pl.Trace.of(read.columns)
    for name, column in read.columns.items():
        np.testing.assert_array_equal(again.columns[name], column)
    arrived = np.argsort(read.columns["arrival_ms"], kind="stable")
    sorted_by_arrival = {name: column[arrived] for name, column in read.columns.items()}
    again = pl.Trace.of(sorted_by_arrival)
    np.testing.assert_array_equal(again.columns["lba"], read.columns["lba"])
    drive = pl.Drive("hp-97560")
    results = [pl.simulate(drive, trace, timing="issue", rows=True).rows for trace in (read, again)]
    assert results[0].equals(results[1])
    mixed = {name: column[::-1] for name, column in read.columns.items()}
    with pytest.raises(pl.InputError, match="it arrives, and is issued, before the one above it"):
        pl.Trace.of(mixed)


def test_requests_in_memory_that_are_not_on_the_drive_are_not_passed_over():
    drive = pl.Drive("mock")
    end = drive.capacity_sectors
    one = {"arrival_ms": [0.0, 50.0], "lba": [0, end + 5], "sectors": [8, 8]}
    trace = pl.Trace.of(one | {"operation": ["read", "read"]})
    what = rf"request 1: sector {end + 5} is beyond the end of the drive, which has {end} sectors"
    with pytest.raises(pl.InputError, match=what) as caught:
        pl.simulate(drive, trace)
    assert caught.value.file is None
    skipped = pl.simulate(drive, trace, beyond="skip").figures
    assert (skipped.served, skipped.refused[0]["requests"]) == (1, 1)
    wrapped = pl.simulate(drive, trace, beyond="wrap", rows=True)
    assert wrapped.rows.column("lba").to_pylist() == [0, 5]
    assert (wrapped.figures.served, wrapped.figures.wrapped) == (2, 1)
    assert trace.columns["lba"].tolist() == [0, end + 5], "the trace is as it was"
    with pytest.raises(pl.InputError, match="row 0: it has no sectors; one has at least 1"):
        pl.Trace.of({"arrival_ms": [0.0], "lba": [0], "sectors": [0], "operation": ["read"]})


DRIVE = pl.Drive("mock")


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: pl.Trace.random(DRIVE, -1), "requests: -1; it must be 0 or more"),
        (lambda: pl.Trace.random(DRIVE, 5, seed=1 << 70), f"seed: {1 << 70} is too large"),
        (lambda: pl.Trace.random(DRIVE, 5, max_sectors=1 << 40), f"max_sectors: {1 << 40} is"),
        (lambda: pl.simulate(DRIVE, pl.Trace.random(DRIVE, 5), seed=-2), "seed: -2; it must be"),
        (lambda: DRIVE.where(-1), "lba: -1; it must be 0 or more"),
        (lambda: DRIVE.where(1.5), "lba: float64; these are whole numbers"),
        (lambda: DRIVE.places(np.array([3, -4])), "lba: -4; it must be 0 or more"),
        (lambda: DRIVE.positioning_ms(0, -1), "to_lba: -1; it must be 0 or more"),
        (lambda: pl.Stepper(DRIVE).submit(-1, 8), "lba: -1; it must be 0 or more"),
        (lambda: pl.Stepper(DRIVE).submit(0, 1 << 40), f"sectors: {1 << 40} is too large"),
        (lambda: pl.Stepper(DRIVE).estimate_ps(0, 8, volume=-1), "volume: -1; it must be"),
        (lambda: pl.study("talagala", seed=-1), "seed: -1; it must be 0 or more"),
        (lambda: pl.Trace.random(DRIVE, 5)[3], r"a trace has parts: take \[3:3 \+ 1\]"),
    ],
)
def test_a_number_out_of_range_is_named(call, what):
    with pytest.raises(pl.InputError, match=what):
        call()


def test_what_is_wrong_with_requests_in_memory_names_no_file():
    trace = pl.Trace.random(DRIVE, 500)
    with pytest.raises(pl.InputError, match=r"^requests in memory: has no service times") as caught:
        pl.calibrate(DRIVE, trace)
    assert caught.value.file is None


@pytest.mark.parametrize("timing", ["open", "issue"])
def test_requests_in_memory_are_served_as_those_of_their_file_are(tmp_path, timing):
    path = tmp_path / "some.csv"
    requests = pl.Trace.random(DRIVE, 20_000, seed=3).columns
    rows = (
        f"{3 * number},{requests['lba'][number]},{requests['sectors'][number]},{'RW'[number % 2]},"
        f"1,{number % 7}\n"
        for number in range(20_000)
    )
    path.write_text("time,lba,size,op,queued,took\n" + "".join(rows))
    read = pl.Trace(path, options={"columns": COLUMNS})
    ways = [pl.simulate(DRIVE, trace, timing=timing, rows=True) for trace in (read, held(read))]
    assert ways[0].rows.equals(ways[1].rows)
    assert ways[0].figures == ways[1].figures


def held(trace: pl.Trace) -> pl.Trace:
    """The same, in memory."""
    return pl.Trace.of(trace.columns)


def test_who_hears_how_far_a_replay_is_may_ask_what_came_of_it():
    heard: list[tuple[float, int]] = []
    replay = pl.Replay.of(DRIVE.profile, pl.Trace.random(DRIVE, 40_000).requests, timing="open")
    rows = replay.next(40_000, lambda share: heard.append((share, replay.summary()["served"])))
    assert heard == sorted(heard)
    assert len(heard) > 2
    assert heard[-1] == (1.0, 40_000)
    assert (len(rows["lba"]), replay.next(1)) == (40_000, None)


def test_a_trace_may_have_no_requests():
    columns = {name: [] for name in ("arrival_ms", "lba", "sectors", "operation")}
    assert len(pl.Trace.of(columns)) == 0
