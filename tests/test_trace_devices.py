"""Devices of a trace by their names: one of them at a drive, several at several drives."""

import pytest

TRACE = "fio version 3 iolog\n" + "".join(
    f"{1000 * number} /dev/sd{'bc'[number % 2]} {'read' if number % 3 else 'write'} "
    f"{4096 * (number + 1)} 4096\n"
    for number in range(40)
)
SYSTEM = """
[[drive]]
name = "one"
profile = "hp-c2200a"
[[drive]]
name = "two"
profile = "hp-c2200a"
[[volume]]
name = "left"
drives = ["one"]
layout = { kind = "concat" }
[[volume]]
name = "right"
drives = ["two"]
layout = { kind = "concat" }
[[workload]]
kind = "trace"
file = "two.log"
"""


@pytest.fixture
def two(tmp_path):
    """A trace of two devices that have names."""
    path = tmp_path / "two.log"
    path.write_text(TRACE)
    return path


def test_a_device_is_chosen_by_its_name(run, two):
    line = ("simulate", "--profile", "hp-c2200a", "--trace", two, "--json", "--device")
    by_name, by_number = (run(*line, word).json() for word in ("/dev/sdc", "1"))
    assert by_name["served"] == 20
    del by_name["manifest"], by_number["manifest"]
    assert by_name == by_number
    wrong = run(*line, "/dev/sdz")
    assert (wrong.code, "it has /dev/sdb, /dev/sdc" in wrong.err.replace("\n", " ")) == (2, True)


def test_a_trace_whose_devices_have_numbers_has_none_by_a_name(run, tmp_path):
    path = tmp_path / "numbers.ascii"
    path.write_text("0.5 0 8 8 1\n1.5 1 16 8 1\n")
    ran = run("simulate", "--profile", "hp-c2200a", "--trace", path, "--device", "sda")
    assert (ran.code, "has numbers for its devices" in ran.err.replace("\n", " ")) == (2, True)


def test_devices_go_to_volumes_by_their_names(run, two):
    def served(*pairs):
        text = SYSTEM
        for device, volume in pairs:
            text += f'[[workload.map]]\n{device}\nvolume = "{volume}"\n'
        path = two.with_name("system.toml")
        path.write_text(text)
        return run("simulate", path, "--json")

    names = served(('named = "/dev/sdb"', "right"), ('named = "/dev/sdc"', "left")).json()
    numbers = served(("device = 0", "right"), ("device = 1", "left")).json()
    assert names["served"] == 40
    assert names["volumes"] == numbers["volumes"]
    lost = served(('named = "/dev/sdb"', "right"))
    assert (lost.code, "device /dev/sdc goes nowhere" in lost.err.replace("\n", " ")) == (2, True)
    both = served(('device = 1\nnamed = "/dev/sdc"', "left"))
    assert (both.code, "not both" in both.err.replace("\n", " ")) == (2, True)
    pairs = served(('named = "8:16"', "left"), ('named = "8,16"', "right"))
    assert (pairs.code, "a second time" in pairs.err.replace("\n", " ")) == (2, True)
