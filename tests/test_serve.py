"""`platterlab serve`: a drive behind a socket. Functions only: nothing here waits for a drive."""

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import nbd_client as nbd
from nbd_client import RefusedError
from platterlab.serve_control import ask
from serving import BYTES, DRIVE, Server, command, serving

PLACES = ((0, BYTES // 512 - 64), (1, 64))
SMALL_REQUESTS, MOST_CPU_S = 400, 0.5e-3


@pytest.mark.parametrize("structured", [False, True])
def test_what_was_written_is_read(tmp_path: Path, structured: bool):
    with serving(tmp_path) as server, server.client(structured=structured) as client:
        assert client.size == BYTES
        assert client.flags & (1 << 4), "it turns"
        data = os.urandom(40960)
        client.write(4096, data)
        client.write(8192, b"x" * 512, nbd.FUA)
        client.ask(nbd.FLUSH)
        wanted = data[:4096] + b"x" * 512 + data[4608:]
        assert client.read(4096, 40960) == wanted
        client.ask(nbd.TRIM, 4096, 4096)
        client.ask(nbd.WRITE_ZEROES, 8192, 4096)
        assert client.read(4096, 40960) == bytes(8192) + wanted[8192:]
        report = server.end()
    counts = {key: report[key] for key in ("requests", "reads", "writes", "flushes", "trims")}
    assert counts == {"requests": 7, "reads": 2, "writes": 3, "flushes": 1, "trims": 1}
    assert report["verdict"] == "unpaced"
    assert not server.path.exists(), "its socket goes with it"


def test_where_data_is(tmp_path: Path):
    with serving(tmp_path) as server, server.client(structured=True) as client:
        client.write(1 << 20, b"x" * 8192)
        assert client.runs(0, 2 << 20) == [(1 << 20, 3), (8192, 0), ((1 << 20) - 8192, 3)]


def test_a_pattern_is_read_and_never_written(tmp_path: Path):
    with serving(tmp_path, store="pattern") as server, server.client() as client:
        assert client.flags & 2, "read-only"
        words = client.read(1 << 20, 4096)
        assert [int.from_bytes(words[at : at + 8], "little") for at in (0, 8, 4088)] == [
            (1 << 20) + at for at in (0, 8, 4088)
        ]
        for command in (nbd.WRITE_ZEROES, nbd.TRIM):
            with pytest.raises(RefusedError, match=str(nbd.EPERM)):
                client.ask(command, 0, 512)


def test_many_at_once_are_answered_each_with_its_own(tmp_path: Path):
    chance = np.random.default_rng(1)
    with serving(tmp_path, "--depth", 32, "--scheduler", "sptf", store="pattern") as server:
        clients = [server.client(structured=bool(number % 2)) for number in range(4)]
        asked = []
        for client in clients:
            places = [int(chance.integers(BYTES // 4096)) * 4096 for _ in range(200)]
            cookies = {client.send(nbd.READ, place, 4096): place for place in places}
            asked.append(cookies)
        for client, cookies in zip(clients, asked, strict=True):
            lengths = dict.fromkeys(cookies, 4096)
            for _ in range(len(lengths)):
                cookie, data = client.answer(lengths)
                place = cookies.pop(cookie)
                assert int.from_bytes(data[:8], "little") == place
            client.socket.close()
        assert server.end()["requests"] == 800


def test_rows_are_those_of_a_simulation_of_the_same_requests(tmp_path: Path):
    """Served and simulated, a request takes the same to the last picosecond."""
    rows = tmp_path / "served.parquet"
    chance = np.random.default_rng(2)
    with serving(tmp_path, "--rows", rows) as server, server.client() as client:
        for _ in range(300):
            place, sectors = (int(chance.integers(low, most)) for low, most in PLACES)
            if chance.random() < 0.5:
                client.read(place * 512, sectors * 512)
            else:
                client.write(place * 512, bytes(sectors * 512))
        server.end()
    served = pq.read_table(rows)
    trace = tmp_path / "requests.trace"
    with trace.open("w") as file:
        for row in served.to_pylist():
            flag = 1 if row["operation"] == "read" else 0
            file.write(f"{row['arrival_ms']:.9f} 0 {row['lba']} {row['sectors']} {flag}\n")
    simulated = tmp_path / "simulated.parquet"
    simulate = [sys.executable, "-m", "platterlab", "simulate", "--profile", DRIVE]
    simulate += ["--trace", str(trace), "--format", "disksim-ascii", "--timing", "open"]
    simulate += ["--per-request", str(simulated)]
    done = subprocess.run(simulate, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    again = pq.read_table(simulated)
    for name in ("service_ms", "seek_ms", "rotation_ms", "transfer_ms"):
        off = np.abs(served[name].to_numpy() - again[name].to_numpy())
        assert off.max() < 1e-6, name


def test_a_store_in_a_file_keeps_its_data(tmp_path: Path):
    store = tmp_path / "disk.img"
    with serving(tmp_path, store=store) as server, server.client() as client:
        client.write(512 * 1000, b"kept" * 128)
        client.ask(nbd.FLUSH)
        server.process.kill()
        server.process.wait()
        server.report = {"killed": True}
    assert store.stat().st_size == BYTES
    assert store.stat().st_blocks * 512 < 1 << 20, "it is sparse"
    # The killed one left its socket, and the next takes the place over.
    assert server.path.exists()
    server.path.rename(tmp_path / "left")
    with serving(tmp_path, store=store) as server, server.client() as client:
        assert client.read(512 * 1000, 512) == b"kept" * 128


def test_a_socket_that_a_dead_server_left_is_taken_over(tmp_path: Path):
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "nbd"))
    left.close()
    process = subprocess.Popen(
        command(DRIVE, "--store", "memory", "--nbd", tmp_path / "nbd", "--speed", "max"),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stderr
        assert "serving" in process.stderr.readline()
        process.terminate()
        assert process.wait(60) == 0


def test_only_this_user_and_this_machine_are_let_in(tmp_path: Path):
    with serving(tmp_path) as server:
        assert server.path.stat().st_mode & 0o077 == 0


def test_a_rude_client_is_cut_off_and_others_are_served(tmp_path: Path):
    with serving(tmp_path) as server, server.client() as good:
        with server.client() as rude:
            rude.socket.sendall(b"GET / HTTP/1.1\r\n\r\n" * 4)
            with pytest.raises(ConnectionError):
                rude.take(1)
        with server.client(go=False) as shy:
            shy.socket.sendall(bytes([0, 0, 0, 8]))
            with pytest.raises(ConnectionError):
                shy.take(1)
        with server.client() as leaver:
            for _ in range(100):
                leaver.send(nbd.READ, 0, 1 << 20)
        assert good.read(0, 512) == bytes(512)


def ask_for_ever(client: nbd.Client) -> None:
    while True:
        client.send(nbd.READ, 0, 32 << 20)


def test_who_takes_no_answers_holds_nobody_up(tmp_path: Path):
    """More is asked than is kept for one client, and none of it taken."""
    with serving(tmp_path) as server, server.client() as greedy, server.client() as other:
        greedy.socket.settimeout(0.5)
        with pytest.raises(TimeoutError):
            ask_for_ever(greedy)
        other.socket.settimeout(10)
        other.write(0, b"abcdefgh" * 512)
        assert other.read(0, 4096) == b"abcdefgh" * 512
        # What it asked is answered once it takes it.
        greedy.socket.settimeout(30)
        assert [greedy.answer({1: 32 << 20, 2: 32 << 20})[0] for _ in range(2)] == [1, 2]


def test_one_client_more_than_are_served_is_let_go_at_once(tmp_path: Path):
    with serving(tmp_path) as server, ExitStack() as stack:
        all_of_them = [stack.enter_context(server.client()) for _ in range(64)]
        with pytest.raises(ConnectionError):
            stack.enter_context(server.client())
        assert all_of_them[63].read(0, 512) == bytes(512)
        all_of_them[0].socket.close()
        assert awaited_client(server, stack).read(0, 512) == bytes(512)


def awaited_client(server: Server, stack: ExitStack) -> nbd.Client:
    """One that is let in once the server has seen that another went."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with suppress(ConnectionError):
            return stack.enter_context(server.client())
    raise AssertionError("nobody is let in")


def test_what_was_not_done_at_the_end_is_told(tmp_path: Path):
    control = tmp_path / "control"
    with serving(tmp_path, "--control", control) as server, server.client() as client:
        client.read(0, 512)
        ask(control, "pause")
        client.send(nbd.READ, 0, 512)
        while not ask(control, "stats")["in_flight"]:
            pass
        assert server.end()["in_flight"] == 1
    assert "1 requests were in flight, and not done within 5 s of the end" in server.said


def cpu_s(process: int) -> float:
    """What a process has had of processors."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def test_a_small_request_costs_little(tmp_path: Path):
    """What it costs is late at the client, and the server's own figures have none of it."""
    with serving(tmp_path) as server, server.client() as client:
        client.read(0, 4096)
        before_s = cpu_s(server.process.pid)
        for _ in range(SMALL_REQUESTS):
            client.read(0, 4096)
        assert cpu_s(server.process.pid) - before_s < SMALL_REQUESTS * MOST_CPU_S
