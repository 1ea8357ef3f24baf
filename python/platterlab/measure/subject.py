"""Description of a device before anything is measured: what it is, and what it is not."""

from collections.abc import Mapping

from platterlab.answers import MeasuredDevice

_KINDS = {"CRYPT": "dm-crypt", "LVM": "LVM", "mpath": "multipath"}
"""What makes mapped devices, by how it begins their names."""


def cannot_rotate(facts: Mapping[str, str]) -> bool:
    """Whether the device has no platter, for all that the kernel shows of it."""
    return "cannot_rotate" in facts


def does_not_rotate(facts: Mapping[str, str]) -> bool:
    """Whether the kernel says so, right or wrong."""
    return cannot_rotate(facts) or facts.get("rotational") == "0"


def sentences(device: MeasuredDevice) -> list[str]:
    """What a reader has to know of a device; a sentence or two each, the gravest first."""
    facts = dict(device["facts"])
    said = [*_of_rotation(device["name"], facts), *_of_names(device["name"], facts)]
    if facts.get("direct_io", "yes") != "yes" and not cannot_rotate(facts):
        said.append(
            "The file system cannot do direct I/O, so the page cache answers. Measure the block "
            "device itself, or a file on a file system that can (ext4, xfs)."
        )
    said += [*_of_file(facts), *_of_place(device, facts)]
    said += _of_sectors(device, facts)
    said += _of_bridge(facts)
    return said


def _of_rotation(name: str, facts: Mapping[str, str]) -> list[str]:
    if seen := facts.get("cannot_rotate"):
        return [f"{name} cannot rotate: {seen}. It is measured all the same, as what it is."]
    if facts.get("rotational") != "0":
        return []
    driver = f" (its driver is {facts['driver']})" if "driver" in facts else ""
    return [
        f"The kernel says that this device does not rotate: its queue/rotational is 0{driver}. "
        "Behind a loop device, a virtual disk or a RAID controller it may be wrong either way; "
        "what follows was measured."
    ]


def _of_names(name: str, facts: Mapping[str, str]) -> list[str]:
    return [f"{name} is {facts['link_to']}."] if "link_to" in facts else []


def is_a_file(facts: Mapping[str, str]) -> bool:
    """Whether addresses are those of a file, itself or behind a loop device."""
    return facts.get("kind") == "file" or "backing_file" in facts


def _of_file(facts: Mapping[str, str]) -> list[str]:
    if not is_a_file(facts) or cannot_rotate(facts):
        return []
    what = "a loop device over a file" if "backing_file" in facts else "a file"
    return [
        f"This is {what}: a file system lies between its addresses and those of a disk, if there "
        "is one. For a drive, measure the block device."
    ]


def _of_place(device: MeasuredDevice, facts: Mapping[str, str]) -> list[str]:
    said = []
    if start := facts.get("partition_start_512_byte_units"):
        disk, byte = f"/dev/{facts.get('disk', '?')}", 512 * int(start)
        sector = byte // device["logical_sector_bytes"]
        said.append(
            f"This is a partition: partition {facts.get('partition', '?')} of {disk}, which begins "
            f"at byte {byte:,} of it (sector {sector:,}). Addresses count from its start, and "
            "zones and seeks are only those within it. For the whole drive, measure "
            f"{disk}."
        )
    if below := facts.get("stands_on"):
        kind = _KINDS.get(facts.get("dm_kind", ""), "device mapper")
        what = (
            f"an md array ({facts['md_level']})"
            if "md_level" in facts
            else f"a mapped device ({kind}, {facts.get('dm_name', facts.get('disk', '?'))})"
        )
        said.append(
            f"This is {what} over {below}: it is read through, with its own addresses, and the "
            "answers are those of all below it together. For a drive, measure that itself."
        )
    if "unused_tail_bytes" in facts:
        said.append(
            f"The last {facts['unused_tail_bytes']} bytes are not a whole sector and were left out."
        )
    return said


def _of_sectors(device: MeasuredDevice, facts: Mapping[str, str]) -> list[str]:
    logical, physical = device["logical_sector_bytes"], device["physical_sector_bytes"]
    if facts.get("kind") != "block device" or physical == 512:
        return []
    if logical == physical:
        native = " (4Kn)" if logical == 4096 else ""
        return [f"Its sectors, logical and physical, are of {logical:,} bytes{native}."]
    offset = facts.get("alignment_offset_bytes", "0")
    shifted = f"; the first of these begins at byte {int(offset):,}" if offset != "0" else ""
    emulated = " (512e)" if (logical, physical) == (512, 4096) else ""
    return [
        f"Its logical sectors are of {logical:,} bytes, its physical ones of "
        f"{physical:,}{emulated}{shifted}. Requests are of whole physical sectors."
    ]


def _of_bridge(facts: Mapping[str, str]) -> list[str]:
    if facts.get("transport") != "usb":
        return []
    cache = facts.get("write_cache")
    reported = f"reports its write cache as `{cache}`" if cache else "reports no write cache"
    if "fua" in facts:
        reported += " and writes past it (FUA) as " + ("possible" if facts["fua"] == "1" else "not")
    return [
        f"A USB bridge answers for the drive: it {reported}. Whether a flush or FUA has any effect "
        "behind it is unknown, and so is what of the drive's caches it lets through."
    ]
