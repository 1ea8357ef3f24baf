"""Platterlab: a laboratory for disk drives and the systems around them.

The core is Rust (`platterlab._core`); this package is the part that people meet: the command line,
results as Parquet, comparisons with the demerit, reports and the studies of published papers.

    >>> from platterlab import library
    >>> drive = library.load("hp-c2200a")
    >>> drive.capacity_sectors * drive.sector_bytes > 0
    True
"""

from platterlab._core import InputError, Profile, Replay, version_info

__version__: str = version_info()["version"]

__all__ = ["InputError", "Profile", "Replay", "__version__"]
