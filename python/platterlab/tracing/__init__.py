"""Takes a process flow from a running Linux: tracefs written and read with plain files.

`device.py` says what is traced, `tracefs.py` holds the kernel's tracing instances,
`leftovers.py` removes them when the capture is killed, `system.py` writes down the state of the
system, `session.py` runs the command under them all. The raw trace is made into a flow by the core
(`crates/capture`).
"""

from platterlab.tracing.session import Captured, capture, clean

__all__ = ["Captured", "capture", "clean"]
