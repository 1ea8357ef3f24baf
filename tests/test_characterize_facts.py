"""What is said of devices that no test can have, from what the kernel would show of them."""

from typing import Any

import pytest

from platterlab.measure import advice, environment, subject
from platterlab.measure.identity import private_facts


def device(
    *facts: tuple[str, str], sectors: tuple[int, int] = (512, 512), writes: bool = False
) -> dict[str, Any]:
    """A block device of these facts and sizes of sectors, logical and physical."""
    return {
        "name": "/dev/sdx",
        "capacity_sectors": 1 << 30,
        "logical_sector_bytes": sectors[0],
        "physical_sector_bytes": sectors[1],
        "writes": writes,
        "facts": [["kind", "block device"], ["disk", "sdx"], *map(list, facts)],
    }


def estimate(value: float | None, status: str = "ok", note: str = "") -> dict[str, Any]:
    return {"value": value, "ci95": None, "method": "", "status": status, "note": note}


def found(*, cached: bool, rotates: bool = False) -> dict[str, Any]:
    note = "requests are answered before the platter could come around"
    rotation = estimate(8.3) if rotates else estimate(None, "unsupported", note)
    none = estimate(None, "unsupported")
    names = {name: none for name, *_ in advice.QUANTITIES}
    return {**names, "rotation_ms": rotation, "cached": cached, "zones": []}


SOLID = ("cannot_rotate", "/dev/sdx is an NVMe drive, its queue/rotational is 0")
SAYS_SOLID = ("rotational", "0")


@pytest.mark.parametrize("facts", [(SOLID,), (SAYS_SOLID,), (SOLID, SAYS_SOLID)])
@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("writes", [True, False])
def test_nobody_is_told_to_write_on_what_does_not_rotate(facts, cached, writes) -> None:
    said = advice.warnings(found(cached=cached), device(*facts, writes=writes), quick=False)
    text = " ".join(said)
    assert "No rotation found" in text
    assert "queue/rotational is 0" in text
    for words in ("--write", "hdparm", "sdparm", "measure again"):
        assert words not in text, text


def test_a_disk_behind_a_cache_is_still_told_the_way() -> None:
    said = " ".join(advice.warnings(found(cached=True), device(("rotational", "1")), quick=False))
    assert "hdparm -A0" in said
    assert "--write" in said


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ((("dm_kind", "LVM"), ("dm_name", "vg-lv")), "a mapped device (LVM, vg-lv) over sda"),
        ((("dm_kind", "CRYPT"), ("dm_name", "home")), "a mapped device (dm-crypt, home) over sda"),
        ((("dm_name", "plain"),), "a mapped device (device mapper, plain) over sda"),
        ((("md_level", "raid0"),), "an md array (raid0) over sda"),
    ],
)
def test_a_device_over_others_names_them(facts, words) -> None:
    below = ("stands_on", "sda (rotational 1), sdb (rotational 0)")
    said = " ".join(subject.sentences(device(below, *facts)))
    assert words in said
    assert "sdb (rotational 0)" in said
    assert "read through" in said


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ((("write_cache", "write back"), ("fua", "0")), "its write cache as `write back` and"),
        ((("write_cache", "write through"), ("fua", "1")), "(FUA) as possible"),
        ((), "reports no write cache"),
    ],
)
def test_of_caches_behind_a_usb_bridge_nothing_can_be_told(facts, words) -> None:
    said = " ".join(subject.sentences(device(("transport", "usb"), *facts)))
    assert words in said
    assert "is unknown" in said


def test_writes_that_a_usb_bridge_keeps_are_no_reason_to_trust_hdparm() -> None:
    bridge = device(("transport", "usb"), ("rotational", "1"), writes=True)
    said = " ".join(advice.warnings(found(cached=True), bridge, quick=False))
    assert "is unknown" in said
    assert "SATA" in said
    assert "hdparm" not in said


@pytest.mark.parametrize(
    ("sectors", "facts", "words"),
    [
        ((512, 4096), (), "(512e). Requests are of whole physical sectors"),
        ((512, 4096), (("alignment_offset_bytes", "3584"),), "begins at byte 3,584"),
        ((4096, 4096), (), "4,096 bytes (4Kn)"),
        ((520, 520), (), "are of 520 bytes."),
        ((512, 8192), (), "its physical ones of 8,192."),
    ],
)
def test_sizes_of_sectors_are_said(sectors, facts, words) -> None:
    assert words in " ".join(subject.sentences(device(*facts, sectors=sectors)))


def test_a_plain_disk_needs_no_word() -> None:
    assert subject.sentences(device(("rotational", "1"), ("transport", "ata"))) == []


def test_a_partition_counts_in_its_own_sectors() -> None:
    start = ("partition_start_512_byte_units", "2048")
    part = device(("partition", "3"), start, sectors=(4096, 4096))
    said = " ".join(subject.sentences(part))
    assert "partition 3 of /dev/sdx, which begins at byte 1,048,576 of it (sector 256)" in said
    assert "measure /dev/sdx." in said


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([("serial_sha256", "a")], [("serial_sha256", "a")], True),
        ([("serial_sha256", "a")], [("serial_sha256", "b")], False),
        ([("serial_sha256", "a"), ("model", "x")], [("model", "x")], None),
        ([("model", "x")], [("model", "y")], False),
        ([], [("model", "y")], None),
        ([("backing_file", "/a")], [("backing_file", "/b")], False),
        (
            [("serial_sha256", "a"), ("partition_start_512_byte_units", "8")],
            [("serial_sha256", "a")],
            False,
        ),
    ],
)
def test_a_disk_is_told_from_another(one, other, same) -> None:
    described = [{"name": "/dev/sda", "facts": facts} for facts in (one, other)]
    assert environment.is_same_disk(*described) is same
    # As a bundle keeps them now, and beside one that an older version began.
    kept = [{**each, "facts": private_facts(each["name"], each["facts"])} for each in described]
    assert environment.is_same_disk(*kept) is same
    assert environment.is_same_disk(described[0], kept[1]) is same
