"""Drives for audio and video: the commands and the equations."""

import math
from fractions import Fraction

import pytest

from platterlab import library
from platterlab._core import InputError, align, tracks
from platterlab.av import equations, place, plan, units
from platterlab.av.play import Serving, Stream, play

DISK1 = "samsung-120g-disk1"
HDTV = ("--sessions", 4, "--rate", "19.39M")


def test_align_writes_a_profile_that_reads_back(run, tmp_path):
    target = tmp_path / "aligned.toml"
    arguments = ("-p", DISK1, "--extent", "128k", "--per-track", 4, "--model", 3, "--out", target)
    account = run("av", "align", *arguments, "--json").json()
    assert account["capacity_before_sectors"] == 261_934_392
    assert account["capacity_sectors"] == 216_879_104
    assert account["spares_gained_sectors"] == 261_934_392 - 216_879_104
    assert library.load(str(target)).capacity_sectors == 216_879_104
    shown = run("profile", "show", target, "--json").json()
    kinds = {item["key"]: item["kind"] for item in shown["values"]}
    assert kinds["zone[0].sparing.kind"] == "assumed"
    assert kinds["spindle.speed_rpm"] == "published"


def test_aligned_tracks_begin_at_whole_extents():
    made, _ = align(library.load(DISK1), 128 * 1024, 3, None)
    places = list(range(0, made.capacity_sectors, made.capacity_sectors // 997))
    columns = tracks(made, places)
    assert not (columns["track_first_lba"] % 256).any()
    assert not (columns["track_data_sectors"] % 256).any()


def test_the_third_model_streams_faster_than_the_second():
    account = {m: align(library.load(DISK1), 128 * 1024, m, 4)[1] for m in (1, 2, 3)}
    first = {m: account[m]["zones"][0] for m in account}
    assert first[3]["sequential_mib_s"] > 1.2 * first[2]["sequential_mib_s"]
    assert first[1]["media_rate_mib_s"] < first[2]["media_rate_mib_s"]


def test_plan_agrees_with_its_simulation(run):
    found = run("av", "plan", "-p", DISK1, *HDTV, "--ios", 1500, "--json").json()
    for kind in ("original", "aligned"):
        assert abs(found[kind]["difference_pct"]) < 2.0
        assert found[kind]["most_streams"] >= 4
    assert "underruns" in run("av", "plan", "-p", DISK1, *HDTV).out


def test_play_counts_what_happens(run):
    options = ("--io", "512k", "--ios", 100, "--fragmentation", 0.2, "--record", 1)
    report = run("av", "play", "-p", DISK1, *HDTV, *options, "--json").json()
    assert report["ios"] == 400
    # A fifth has a break; one of eight begins the 4 MiB that an indirect block maps.
    expected = 400 * (1 - (1 - 0.2) * (1 - 512 / 4096))
    assert abs(report["split_ios"] - expected) < 4 * math.sqrt(expected * 0.7)
    assert sum(session["underruns"] for session in report["sessions"]) == 0
    assert report["commands"] > 400


def test_plan_of_unequal_rates_plays_without_a_stop():
    drive = library.load(DISK1)
    rates = [19_390_000, 128_000, 5_000_000]
    found = plan.plan(drive, rates, units.spread(3))
    played = plan.simulate(drive, rates, found, ios=200, seed=1, host_spread_ms=0.0)
    lasts_ms = [8e3 * 512 * io / rate for io, rate in zip(found.io_sectors, rates, strict=True)]
    ios = [one["response"]["count"] for one in played.report["sessions"]]
    whole = [count * each for count, each in zip(ios, lasts_ms, strict=True)]
    # All files end together, so that no idle time is what is left of the longest.
    assert max(whole) - min(whole) <= max(lasts_ms)
    assert max(ios) == 200


def test_a_stream_that_plays_from_late_in_a_round_is_in_every_round_after():
    made, _ = align(library.load(DISK1), 128 * 1024, 3, None)
    rates = [6_000_000, 19_390_000]
    found = plan.plan(made, rates, units.spread(2), 128 * 1024)
    played = plan.simulate(made, rates, found, ios=400, seed=0, host_spread_ms=0.0)
    assert played.report["idle_ms"] > 0.5 * played.report["elapsed_ms"]
    assert played.underruns == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("align", "--extent", "1M"), "more than the"),
        (("align", "--extent", "1000"), "not a whole number of sectors"),
        (("align", "--extent", "0"), "above 0"),
        (("align", "--model", 4), "there is no model 4"),
        (("align", "--model", -1), "not in the range 1<=x<=4294967295"),
        (("align", "--extent", "1e999M"), "beyond 64 bits"),
        (("align", "--extent", "1e999999999"), "such as 512k"),
        (("align", "--per-track", 2**40), "<=x<=4294967295"),
        (("plan", "--sessions", 1, "--rate", "1e30M"), "beyond 64 bits"),
        (("plan", "--sessions", 1, "--rate", "1M", "--at", "1e999999999"), "a place is 1"),
        (
            ("play", "--sessions", 1, "--rate", "1M", "--buffers", 2**40),
            "<=x<=4294967295",
        ),
        (("plan", "--sessions", 1, "--rate", 0), "at least 1 bit per second"),
        (("play", "--sessions", 1, "--rate", "0.0000001"), "rate 0.0000001: a stream needs"),
        (("plan", "--sessions", 1, "--rate", "fast"), "bits per second"),
        (("plan", "--sessions", 1, "--rate", "1G"), "MB/s more than the"),
        (("plan", "--sessions", 40, "--rate", "19.39M"), "% too much"),
        (("plan", "--sessions", 2, "--rate", "1M", "--at", "1"), "1 places for 2 streams"),
        (("plan", "--sessions", 1, "--rate", "1M", "--at", "2"), "a place is 1 (outermost)"),
        (("play", "--sessions", 1, "--rate", "1M", "--io", "700"), "not a multiple of the sector"),
        (("play", "--sessions", 1, "--rate", "1M", "--io", "512k", "--ios", 10**7), "beyond"),
        (("play", "--sessions", 1, "--rate", "1M", "--fragmentation", 2), "it must be 0 to 1"),
        (("play", "--sessions", 1, "--rate", "1M", "--allocator", "fat"), "not an allocator"),
        (("play", "--sessions", 1, "--rate", "1M", "--order", "swep"), "did you mean `sweep`"),
        (("play", "--sessions", 1, "--rate", "1M", "--start-after", 3), "write 1 to 2"),
        (("play", "--sessions", 1, "--rate", "1M", "--io", "8000000000G"), "drive has no more"),
        (("play", "--sessions", 1, "--rate", "1M", "--io", "1T"), "drive has no more than"),
        (("play", "--sessions", 1, "--rate", "1M", "--period-ms", 0), "a period of 0 ms"),
        (("play", "--sessions", 1, "--rate", "1M", "--extent", "1M"), "give --allocator extent"),
    ],
)
def test_bad_input_is_refused(run, arguments, message):
    command, *rest = arguments
    ran = run("av", command, "-p", DISK1, *rest)
    assert (ran.code, ran.out) == (2, "")
    assert message in " ".join(ran.err.split())


def test_layouts_are_sketched_and_drawn(run, tmp_path):
    target = tmp_path / "layout.png"
    shown = run("profile", "show", DISK1, "--layout", "--out", target)
    assert "surface 3" in shown.out
    assert target.read_bytes().startswith(b"\x89PNG")
    assert run("profile", "show", DISK1, "--layout", "--out", tmp_path / "a.txt").code == 2
    assert run("profile", "show", DISK1, "--out", target).code == 2


def test_the_equations_agree_with_each_other():
    rates, media, delta, overhead = [2.4e6] * 4, 25e6, 2e-3, 0.05
    switches = [1.0] * 4
    each = equations.blocks(overhead, rates, media, switches, delta, 4096)
    together = equations.blocks_together(overhead, rates, media, switches, delta, 4096)
    assert math.isclose(sum(each), together)
    sizes = [n * 4096 for n in each]
    shortest = equations.period(overhead, sizes, media, switches, delta)
    assert all(math.isclose(size, rate * shortest) for size, rate in zip(sizes, rates, strict=True))
    assert equations.fits_period(shortest, [equations.transfer(b, media, delta) for b in sizes], 0)
    assert equations.keeps_up(4096, each[0] + 1e-6, rates[0], shortest)
    assert math.isinf(equations.blocks_together(overhead, [9e6] * 3, media, [0] * 3, delta, 1))


def test_a_place_is_on_the_cylinder_nearest_to_it():
    for last in (1, 10, 1961):
        for parts in range(1, 40):
            for part in range(parts + 1):
                diameter = Fraction(part, parts)
                assert place._nearest(diameter, last) == round((1 - diameter) * last)


def test_the_most_streams_of_a_low_rate_are_thousands():
    # The rate of an MP3: the media would carry a hundred times as many without seeks.
    drive = library.load(DISK1)
    most = plan.most_streams(drive, [128_000], 4096)
    assert plan.plan(drive, [128_000] * most, units.spread(most), 4096).period_ms > 1e4
    with pytest.raises(InputError, match="period above 600 s"):
        plan.plan(drive, [128_000] * (most + 1), units.spread(most + 1), 4096)
    assert most == 2978


def test_an_aligned_transfer_saves_the_last_switch():
    original = equations.transfer_original(1.5e5, 25e6, 1e5, 2e-3)
    aligned = equations.transfer_aligned(1.5e5, 25e6, 1e5, 2e-3)
    assert math.isclose(original - aligned, 0.5 * 2e-3)
    assert plan.switches(1024, 1024) == 0
    assert plan.switches(2048, 1024) == 1
    assert plan.switches(3, 4) == 0.5


def test_rates_sizes_and_places_as_people_write_them():
    assert units.rate_bit_s("19.39M") == 19_390_000
    assert units.rate_bit_s("128k") == 128_000
    assert units.size_bytes("512k", "io") == 524_288
    assert units.diameters("1,2/3,0") == [Fraction(1), Fraction(2, 3), Fraction(0)]
    for bad in ("-1", "x", "", "1/0"):
        with pytest.raises(InputError):
            units.rate_bit_s(bad)


def test_the_same_seed_plays_the_same():
    drive = library.load(DISK1)
    streams = [Stream(0, 19_390_000, 1024), Stream(10**8, 19_390_000, 1024)]
    serving = Serving(ios=50, fragmentation=0.3, host_spread_ms=11.0, seed=3)
    assert play(drive, streams, serving).report == play(drive, streams, serving).report


def test_streams_may_differ_in_rate(run):
    mixed = ("--sessions", 3, "--rate", "19.39M,19.39M,6M")
    found = run("av", "plan", "-p", DISK1, *mixed, "--ios", 1500, "--json").json()
    assert found["rates_bit_s"] == [19_390_000, 19_390_000, 6_000_000]
    original = found["original"]
    assert original["io_kib"] == [160.0, 160.0, 52.0]
    assert abs(original["difference_pct"]) < 2.0
    assert original["simulated_underruns"] == 0
    played = run(
        "av", "play", "-p", DISK1, *mixed, "--io", "1M,1M,512k", "--record", 1, "--json"
    ).json()
    rates = [one["rate_bit_s"] for one in played["sessions"] if "rate_bit_s" in one]
    assert not rates or rates == found["rates_bit_s"]
    assert sum(one["underruns"] for one in played["sessions"]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sessions", 3, "--rate", "19M,6M"), "2 for 3 streams"),
        (("--sessions", 2, "--rate", "6M,0"), "at least 1 bit per second"),
        (("--sessions", 2, "--rate", "6M,900M"), "stream 2: 112.50 MB/s are"),
    ],
)
def test_rates_that_cannot_be_are_refused(run, options, said):
    result = run("av", "plan", "-p", DISK1, *options)
    assert result.code == 2
    assert said in result.err
