"""The environment of a measurement: enough to judge it, and to make it again."""

import os
import platform
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NotRequired, TypedDict

from platterlab import __version__
from platterlab import manifest as manifests
from platterlab.answers import MeasuredDevice
from platterlab.documents import Json
from platterlab.measure.identity import private_facts, serial_hash
from platterlab.output import SCHEMA_VERSION

PARTITION_START = "partition_start_512_byte_units"


if TYPE_CHECKING:

    class Described(TypedDict):
        """The environment of a measurement, as its bundle has it."""

        schema_version: int
        platterlab: str
        inputs: NotRequired[list[manifests.Input]]
        started: str
        options: Json
        device: MeasuredDevice
        host: Json
        requests: NotRequired[int]
        drive_time_s: NotRequired[float]

else:
    Described = dict  # decoded as it stands: what else is in a bundle is looked at as well


def describe(device: MeasuredDevice, options: Json, inputs: manifests.Inputs) -> Described:
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
        "platterlab": __version__,
        "inputs": manifests.of(inputs)["inputs"],
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


def is_same_disk(one: MeasuredDevice, other: MeasuredDevice) -> bool | None:
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


def manifest(described: Described) -> Json:
    """What it takes to get the same again, as all commands say it, of a described measurement."""
    keys: Json = {key: described[key] for key in ("platterlab", "inputs") if key in described}
    return described["options"] | keys
