"""The hash that stands for a serial number."""

import hashlib

from platterlab.measure.environment import describe
from platterlab.measure.identity import cleaned, model, private_facts, serial_hash


def facts(serial: str = "S1", of: str = "WD10", **more: str) -> list[tuple[str, str]]:
    return [("kind", "block device"), ("model", of), ("serial", serial), *more.items()]


def test_it_tells_drives_apart_and_is_keyed_by_the_model():
    one = serial_hash("/dev/sdb", facts())
    assert one == serial_hash("/dev/sdc", facts(firmware="2"))
    assert one != serial_hash("/dev/sdb", facts("S2"))
    assert one != serial_hash("/dev/sdb", facts(of="WD20"))
    assert one is not None
    assert not hashlib.sha256(b"S1").hexdigest().startswith(one)
    assert serial_hash("/dev/loop0", [("kind", "block device")]) is None
    assert one == serial_hash("/dev/sdb", facts(" S1 ")), "as some drivers pad it"
    for none in ("", " ", "0000000000", "FFFF"):
        assert serial_hash("/dev/sdb", facts(none)) is None, "what USB bridges report of none"


def test_an_older_bundle_comes_to_the_same():
    older = hashlib.sha256(b"S1").hexdigest()[:16]
    known = [("kind", "block device"), ("model", "WD10"), ("serial_sha256", older)]
    assert serial_hash("/dev/sdb", known) == serial_hash("/dev/sdb", facts())
    assert private_facts("/dev/sdb", known) == private_facts("/dev/sdb", facts())


def test_a_hash_that_is_none_is_not_believed():
    assert serial_hash("/dev/sdb", [("serial_hash", "<script>")]) is None


def test_a_measurement_holds_no_serial_number():
    device = {"name": "/dev/sdb", "facts": facts("WD-WCC4E1234567")}
    made = describe(device, {}, [])
    assert "WD-WCC4E1234567" not in str(made)
    assert [key for key, _ in made["device"]["facts"]] == ["kind", "model", "serial_hash"]


def test_a_model_is_told_by_the_drive_or_not_at_all():
    disk = [("kind", "block device"), ("vendor", "ATA"), ("model", "WDC  WD10 ")]
    assert model("/dev/sdb", disk) == "WDC WD10"
    assert model("/dev/sdb", [("vendor", "SEAGATE"), ("model", "ST1")]) == "SEAGATE ST1"
    assert model("HP C2200A", [("kind", "simulated")]) == "HP C2200A"
    assert model("image", [("kind", "file")]) is None


def test_a_name_is_one_line():
    assert cleaned("a\x1b[31m\n b\u202ec") == "a [31m b c"
    assert len(cleaned("x" * 1000)) == 80
