"""Power cuts, faults and control of a drive that is served."""

import json
import os
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nbd_client import FUA, RefusedError
from platterlab.serve_control import ask
from serving import command, serving

BLOCK = 4096
BLOCKS = 96
WRITE_BACK = (
    "--set", 'cache.write_report="buffer"',
    "--set", "cache.write_back.capacity=\"96k\"",
    "--set", "cache.write_back.extents=12",
    "--set", "cache.write_back.idle_ms=40",
)  # fmt: skip
"""A drive that holds what is written until it has time."""


def block(number: int) -> bytes:
    return number.to_bytes(8, "little") * (BLOCK // 8)


def written(client, seed: int, count: int) -> tuple[list[list[int]], list[int]]:
    """Writes and flushes at random.

    Returns:
        The numbers that each block had one after the other, and the last of them that must last.
    """
    chance = np.random.default_rng(seed)
    had, lasts = [[0] for _ in range(BLOCKS)], [0] * BLOCKS
    for number in range(1, count):
        place = int(chance.integers(BLOCKS))
        forced = chance.random() < 0.05
        had[place].append(number)
        client.write(place * BLOCK, block(number), FUA if forced else 0)
        if forced:
            lasts[place] = number
        if chance.random() < 0.03:
            client.ask(3)
            lasts = [numbers[-1] for numbers in had]
    return had, lasts


def check(store: Path, had: list[list[int]], lasts: list[int]) -> int:
    """Every block is one of those it had, and none older than what must last; how many lost any."""
    lost = 0
    with store.open("rb") as data:
        for numbers, last in zip(had, lasts, strict=True):
            read = data.read(BLOCK)
            number = int.from_bytes(read[:8], "little")
            assert read == block(number), "torn"
            assert number in numbers
            assert number >= last, "what was flushed is gone"
            lost += number != numbers[-1]
    return lost


@pytest.mark.parametrize("seed", range(6))
def test_a_power_cut_takes_what_the_cache_holds_and_nothing_else(tmp_path: Path, seed: int):
    store, control = tmp_path / "store", tmp_path / "control"
    with serving(
        tmp_path, *WRITE_BACK, "--control", control, "--size", "1M", "--seed", seed, store=store
    ) as server:
        with server.client() as client:
            had, lasts = written(client, seed, 300)
            assert client.read(0, BLOCK) == block(had[0][-1]), "clients read what they wrote"
            ask(control, "power-cut")
        server.process.wait(30)
        cut = server.end()["power_cut"]
    lost = check(store, had, lasts)
    assert lost * BLOCK == cut["lost_bytes"] <= 96 << 10


DEAD = ("dead.toml", '[[fault]]\nkind = "dead-battery"\n')


@pytest.mark.parametrize(
    ("memory", "faults", "kept"),
    [("volatile", None, False), ("battery-backed", None, True), ("nvram", None, True),
     ("battery-backed", DEAD, False)],
)  # fmt: skip
def test_a_cut_takes_what_the_memory_of_the_profile_loses(
    tmp_path: Path, memory: str, faults: tuple[str, str] | None, kept: bool
):
    store, control = tmp_path / "store", tmp_path / "control"
    more = (*WRITE_BACK, "--set", f'cache.written_memory="{memory}"')
    with serving(tmp_path, *more, "--control", control, "--size", "1M", store=store) as server:
        ask(control, "faults", faults)
        with server.client() as client:
            had, lasts = written(client, 3, 300)
            ask(control, "power-cut")
        server.process.wait(30)
        cut = server.end()["power_cut"]
    lost = check(store, had, [numbers[-1] for numbers in had] if kept else lasts)
    assert (cut["kept_bytes"] > 0, cut["lost_bytes"] > 0, lost > 0) == (kept, not kept, not kept)
    assert lost * BLOCK == cut["lost_bytes"]


def crowded(client, seed: int, count: int, end: Callable[[], None]) -> tuple[list, list]:
    """Writes and flushes at random over one another, many in flight; `end` comes among them.

    Returns:
        As `written`.
    """
    chance = np.random.default_rng(seed)
    had, lasts, answered = ([[0] for _ in range(BLOCKS)], [0] * BLOCKS, [0] * BLOCKS)
    flying: dict[int, tuple] = {}

    def hear() -> None:
        cookie, _ = client.answer({})
        kind, place, number, before = flying.pop(cookie)
        if kind == "flush":
            lasts[:] = map(max, lasts, before)
            return
        answered[place] = max(answered[place], number)
        if kind == "forced":
            lasts[place] = max(lasts[place], number)

    try:
        for number in range(1, count):
            if number == count * 3 // 4:
                end()
            if chance.random() < 0.1:
                flying[client.send(3)] = ("flush", 0, 0, list(answered))
            else:
                place, forced = int(chance.integers(BLOCKS)), chance.random() < 0.05
                had[place].append(number)
                cookie = client.send(1, place * BLOCK, BLOCK, block(number), FUA if forced else 0)
                flying[cookie] = ("forced" if forced else "write", place, number, [])
            while len(flying) > chance.integers(16):
                hear()
        while flying:
            hear()
    except OSError:
        pass
    return had, lasts


@pytest.mark.parametrize("how", ["cut", "killed", "killed with cuts in view"])
@pytest.mark.parametrize("seed", range(4))
def test_what_was_flushed_lasts_however_it_ends_in_the_middle(tmp_path: Path, how: str, seed: int):
    """Overlapping writes and flushes in flight, and the server dies, or the drive's power goes."""
    store, control = tmp_path / "store", tmp_path / "control"
    more = () if how == "killed" else ("--control", control)
    with serving(tmp_path, *WRITE_BACK, *more, "--size", "1M", "--depth", 8, store=store) as server:
        ends = (lambda: ask(control, "power-cut")) if how == "cut" else server.process.kill
        with server.client() as client:
            had, lasts = crowded(client, seed, 800, ends)
        server.process.wait(30)
        if how != "cut":
            server.report = {"killed": True}
    assert max(lasts) > 100
    check(store, had, lasts)


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import nbd_client
client = nbd_client.Client(Path(sys.argv[2]))
for number in range(1, 100000):
    client.write(number % 96 * 4096, number.to_bytes(8, "little") * 512)
    if number % 5 == 0:
        client.ask(nbd_client.FLUSH)
    print(number, flush=True)
"""


def test_what_was_answered_lasts_when_the_client_is_killed(tmp_path: Path):
    with serving(tmp_path, *WRITE_BACK, "--size", "1M") as server:
        words = [sys.executable, "-c", WRITER, os.fspath(Path(__file__).parent), server.path]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            for _ in range(200):
                last = int(writer.stdout.readline())
            writer.kill()
            last = int(([str(last), *writer.stdout.read().split()])[-1])
        with server.client() as client:
            for place in range(BLOCKS):
                # The one that it was killed in may be there too.
                number = last - (last - place) % BLOCKS
                may_be = {number, last + 1} if (last + 1) % BLOCKS == place else {number}
                assert int.from_bytes(client.read(place * BLOCK, 8 * 64)[:8], "little") in may_be


def test_a_drive_without_a_write_cache_loses_nothing_that_it_answered(tmp_path: Path):
    store, control = tmp_path / "store", tmp_path / "control"
    more = ("--set", 'cache.write_report="media"', "--control", control, "--size", "1M")
    with serving(tmp_path, *more, store=store) as server:
        with server.client() as client:
            had, _ = written(client, 1, 200)
            ask(control, "power-cut")
        server.process.wait(30)
        assert server.end()["power_cut"]["lost_bytes"] == 0
    assert check(store, had, [numbers[-1] for numbers in had]) == 0


def test_one_that_ends_as_it_should_has_written_all(tmp_path: Path):
    store = tmp_path / "store"
    more = (*WRITE_BACK, "--power-cut", "1h", "--size", "1M")
    with serving(tmp_path, *more, store=store) as server:
        with server.client() as client:
            had, _ = written(client, 2, 200)
        assert server.end()["power_cut"] is None
    assert check(store, had, [numbers[-1] for numbers in had]) == 0


def test_the_power_goes_at_its_time_and_nobody_is_answered(tmp_path: Path):
    with serving(tmp_path, "--power-cut", "500ms", "--size", "1M") as server:
        with server.client() as client:
            number = _until_it_hangs_up(client)
        server.process.wait(30)
        cut = server.end()["power_cut"]
    assert cut["at_ms"] == 500.0
    assert number > 10
    assert cut["unanswered"] == 1


def _until_it_hangs_up(client) -> int:
    """Reads until nobody answers; how many were."""
    for number in range(1000):
        try:
            client.read(number % BLOCKS * BLOCK, BLOCK)
        except OSError:
            return number
    raise AssertionError("it still answers")


def test_faults_fail_and_change_while_it_serves(tmp_path: Path):
    faults, control = tmp_path / "faults.toml", tmp_path / "control"
    faults.write_text('[[fault]]\nkind = "unreadable"\nlba = 8\nsectors = 8\n')
    with serving(tmp_path, "--faults", faults, "--control", control) as server:
        with server.client() as client:
            with pytest.raises(RefusedError, match="5"):
                client.read(BLOCK, BLOCK)
            assert client.read(0, BLOCK) == bytes(BLOCK)
            client.write(BLOCK, block(7))
            assert client.read(BLOCK, BLOCK) == block(7), "written, it can be read again"
            ask(control, "faults", ("gone.toml", '[[fault]]\nkind = "gone"\n'))
            with pytest.raises(RefusedError, match="5"):
                client.write(0, block(9))
            ask(control, "faults", None)
            assert client.read(0, BLOCK) == bytes(BLOCK), "what failed was not written"
        assert server.end()["errors"] == 2


def test_time_stands_still_and_goes_at_another_speed(tmp_path: Path):
    control = tmp_path / "control"
    with (
        serving(tmp_path, "--control", control, "--no-real-time", speed="1000") as server,
        server.client() as client,
    ):
        client.read(0, BLOCK)
        ask(control, "pause")
        cookie = client.send(0, BLOCK, BLOCK)
        client.socket.settimeout(0.3)
        with pytest.raises(TimeoutError):
            client.take(1)
        assert ask(control, "stats")["in_flight"] == 1
        assert ask(control, "speed", 500)["speed"] == 500.0
        ask(control, "resume")
        client.socket.settimeout(30)
        assert client.answer({cookie: BLOCK})[1] == bytes(BLOCK)


def test_a_snapshot_is_what_clients_read(tmp_path: Path):
    control, copy = tmp_path / "control", tmp_path / "copy"
    with serving(tmp_path, *WRITE_BACK, "--control", control) as server:
        with server.client() as client:
            client.write(5 * BLOCK, block(5))
            client.write(1 << 29, block(6))
        ask(control, "snapshot", str(copy))
        with pytest.raises(Exception, match="folder"):
            ask(control, "snapshot", str(tmp_path))
    assert copy.stat().st_size == 1355304960
    assert copy.stat().st_blocks * 512 < 10 << 20, "what was never written takes no room"
    with copy.open("rb") as data:
        assert data.read(6 * BLOCK) == bytes(5 * BLOCK) + block(5)
        data.seek(1 << 29)
        assert data.read(BLOCK) == block(6)


def test_figures_are_there_for_prometheus_on_this_machine_alone(tmp_path: Path):
    port = _free_port()
    with serving(tmp_path, "--metrics", port) as server:
        with server.client() as client:
            client.read(0, BLOCK)
        lines = _figures(port).splitlines()
    assert "platterlab_serve_requests 1.0" in lines
    assert any(line.startswith('platterlab_serve_lateness_us{of="p99"} ') for line in lines)


def _figures(port: int) -> str:
    """The page of figures, which is there a moment after the drive."""
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
                return page.read().decode()
        except urllib.error.URLError:
            time.sleep(0.05)
    raise AssertionError(f"nothing at port {port}")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_the_command_says_what_it_did_and_what_it_wants(tmp_path: Path, run):
    control = tmp_path / "control"
    with serving(tmp_path, "--control", control):
        assert stat.S_IMODE(control.lstat().st_mode) == 0o600
        assert run("serve-ctl", control, "pause").out.startswith("pause: done")
        assert json.loads(run("serve-ctl", control, "stats").out)["requests"] == 0
        for words, said in [
            (("speed",), "needs a factor"),
            (("speed", "0"), "speed 0: is 0.001 to 1000000"),
            (("speed", "fast"), "speed fast: write a number, as 1 or 0.1"),
            (("pause", "3"), "takes no value"),
            (("faults", tmp_path / "none.toml"), "there is no such file"),
            (("snapshot", "/dev/null"), "not a regular file"),
        ]:
            ran = run("serve-ctl", control, *words)
            assert ran.code == 2, ran
            assert said in ran.err
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(os.fspath(control))
            rude.sendall(b"[1\n")
            assert "error" in json.loads(rude.recv(4096))
    assert not control.exists()
    ran = run("serve-ctl", control, "stats")
    assert ran.code == 2
    assert "nobody serves there" in ran.err


def test_what_is_not_served_with_power_cuts_in_view_has_none(tmp_path: Path, run):
    bad = tmp_path / "bad.toml"
    bad.write_text('[[fault]]\nkind = "hang"\n')
    for more, said in [
        (("--faults", bad), "missing field `until_s`"),
        (("--faults", tmp_path / "none"), "there is no such file"),
        (("--power-cut", "soon"), "write a time, as 500ms"),
        (("--control", tmp_path), "is not a socket"),
    ]:
        ran = run(*command("hp-97560", "--store", "memory", "--nbd", tmp_path / "nbd", *more)[3:])
        assert ran.code == 2, ran
        assert said in ran.err
