"""A volume of an experiment's system as a block device, and ten drives in one process."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import numpy as np
import pytest

import nbd_client as nbd
from nbd_client import Client, RefusedError
from platterlab import Experiment, Stepper, serve
from platterlab.serve import Service
from serving import serving

BLOCK = 4096
RAID5 = """
[[drive]]
profile = "hp-97560"
count = 5
[[volume]]
name = "array"
drives = ["drive"]
layout = { kind = "raid5", unit = "64k" }
[[workload]]
kind = "closed"
population = 1
requests = 1
"""


def experiment(folder: Path, text: str = RAID5) -> Path:
    path = folder / "array.toml"
    path.write_text(text)
    return path


def test_a_system_without_an_end_is_served(tmp_path: Path):
    endless = experiment(tmp_path, RAID5.replace("requests = 1\n", ""))
    with serving(tmp_path, drive=str(endless)) as server, server.client() as client:
        assert len(client.read(0, BLOCK)) == BLOCK


def test_an_array_is_read_and_written(tmp_path: Path):
    store, array = tmp_path / "store", experiment(tmp_path)
    data = os.urandom(1 << 20)
    with serving(tmp_path, drive=array, store=store) as server, server.client() as client:
        assert client.size == pytest.approx(4 * 1355304960, rel=0.001)
        client.write(3 << 30, data)
        client.ask(nbd.FLUSH)
        client.ask(nbd.TRIM, 0, BLOCK)
        assert client.read(3 << 30, len(data)) == data
        report = server.end()
    assert (report["reads"], report["writes"], report["flushes"], report["trims"]) == (1, 1, 1, 1)
    assert report["errors"] == 0
    with store.open("rb") as file:
        file.seek(3 << 30)
        assert file.read(len(data)) == data


def test_its_times_are_those_of_the_simulation(tmp_path: Path):
    array, chance = experiment(tmp_path), np.random.default_rng(1)
    asked = [(int(chance.integers(1_000_000)), chance.random() < 0.5) for _ in range(101)]
    with serving(tmp_path, drive=array) as server, server.client() as client:
        for place, writes in asked:
            if writes:
                client.write(place * BLOCK, bytes(BLOCK))
            else:
                client.read(place * BLOCK, BLOCK)
        served_us = server.end()["median_service_us"]
    system, took_ms = Stepper(Experiment.load(array)), []
    for place, writes in asked:
        system.submit(place * 8, 8, operation="write" if writes else "read")
        over = []
        while not over:
            over = system.advance(system.next_event_ps)
        took_ms.append(over[0].response_ms)
    # The server's is read off a histogram with 64 steps to a doubling.
    assert served_us == pytest.approx(median(took_ms) * 1e3, rel=1 / 64)


def test_many_in_flight_and_flushes_among_them_are_all_answered(tmp_path: Path):
    array, chance = experiment(tmp_path), np.random.default_rng(2)
    with serving(tmp_path, drive=array) as server, server.client() as client:
        lengths = {}
        for number in range(400):
            if number % 10 == 9:
                lengths[client.send(nbd.FLUSH)] = 0
            else:
                lengths[client.send(nbd.READ, int(chance.integers(1 << 20)) * BLOCK, BLOCK)] = BLOCK
        heard = [client.answer(lengths)[0] for _ in lengths]
        assert sorted(heard) == sorted(lengths)
        # Whatever came before a flush is answered before it.
        for place, cookie in enumerate(heard):
            if lengths[cookie] == 0:
                assert set(range(1, cookie)) <= set(heard[:place])
        assert server.end()["errors"] == 0


DEAD = '\n[[fault]]\nat_s = 0\nwhat = {{ kind = "drive", drive = "drive{}" }}\n'


@pytest.mark.parametrize("dead", [1, 2])
def test_an_array_does_without_one_drive_and_fails_without_two(tmp_path: Path, dead: int):
    text = RAID5 + "".join(DEAD.format(number) for number in range(dead))
    errors = []
    with serving(tmp_path, drive=experiment(tmp_path, text)) as server, server.client() as client:
        for place in range(40):
            try:
                client.write(place << 16, b"degraded" * 512)
                assert client.read(place << 16, BLOCK) == b"degraded" * 512
            except RefusedError as error:
                errors += error.args
        assert server.end()["errors"] == len(errors)
    assert set(errors) == (set() if dead == 1 else {nbd.EIO})


def test_ten_drives_are_served_by_one_process(tmp_path: Path):
    with ExitStack() as stack:
        served = []
        for number in range(10):
            service = Service("hp-97560", "memory", tmp_path / str(number), real_time=False)
            one = serve.start(service)
            stack.callback(one.stop)
            served.append(one)

        def use(number: int) -> bytes:
            with Client(tmp_path / str(number)) as client:
                for place in range(10):
                    client.write(place << 20, bytes([number]) * BLOCK)
                return b"".join(client.read(place << 20, BLOCK) for place in range(10))

        with ThreadPoolExecutor(10) as all_of_them:
            read = list(all_of_them.map(use, range(10)))
        reports = [one.report() for one in served]
    assert read == [bytes([number]) * BLOCK * 10 for number in range(10)]
    assert [report["requests"] for report in reports] == [20] * 10
    # In real time: twenty requests of a drive of 1992 take longer than that.
    assert all(report["served_ms"] > 100 for report in reports)
