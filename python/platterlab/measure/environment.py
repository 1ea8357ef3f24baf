"""What a measurement was made with: enough to judge it, and to make it again."""

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from platterlab import manifest as manifests
from platterlab.measure.identity import private_facts, serial_hash
from platterlab.output import SCHEMA_VERSION

PARTITION_START = "partition_start_512_byte_units"


def describe(
    device: Mapping[str, Any], options: dict[str, Any], inputs: manifests.Inputs
) -> dict[str, Any]:
    """The environment of a measurement that begins now.

    Args:
        device: what the core knows of the device.
        options: what the user chose.
        inputs: the files that the answers come from; none of a real device.

    Raises:
        InputError: one of them cannot be read.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        **manifests.of(inputs),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "options": options,
        "device": {**device, "facts": private_facts(device["name"], device["facts"])},
        "host": {
            "system": platform.system(),
            "kernel": platform.release(),
            "machine": platform.machine(),
            "processors": os.cpu_count(),
            "python": platform.python_version(),
        },
    }


def is_same_disk(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool | None:
    """Whether two described devices are one and the same; None where they do not say."""
    first, second = dict(one["facts"]), dict(other["facts"])
    if first.get(PARTITION_START) != second.get(PARTITION_START):
        return False
    drives = [serial_hash(described["name"], described["facts"]) for described in (one, other)]
    if None not in drives:
        return drives[0] == drives[1]
    if "backing_file" in first and "backing_file" in second:
        return bool(first["backing_file"] == second["backing_file"])
    if first.get("model") != second.get("model") and "model" in first and "model" in second:
        return False
    return None


def manifest(described: dict[str, Any]) -> dict[str, Any]:
    """What it takes to get the same again, as all commands say it, of a described measurement."""
    keys = {key: described[key] for key in ("platterlab", "inputs") if key in described}
    return {**described["options"], **keys}
