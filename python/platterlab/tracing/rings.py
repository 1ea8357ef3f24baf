"""The ring buffers of a capture, read at its end or while it runs."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from platterlab.tracing.tracefs import Instance

EVERY_S = 0.1
"""Between two readings: of a megabyte, far less is full by then."""


class Rings:
    """The buffers of the instances of one capture, read into a folder that is asked for then.

    Attributes:
        raw_bytes: read so far.
    """

    def __init__(
        self, instances: Mapping[str, Instance], folder: Callable[[], Path], page_bytes: int
    ) -> None:
        self._instances, self._folder, self._page_bytes = instances, folder, page_bytes
        self.raw_bytes = 0

    def read(self, *, running: bool = False) -> None:
        """Takes what they hold into the folder, behind what was read before."""
        for name, instance in self._instances.items():
            self.raw_bytes += instance.pages(
                self._folder(), name, self._page_bytes, running=running
            )

    @contextlib.contextmanager
    def read_meanwhile(self) -> Iterator[None]:
        """Reads them again and again until the end of the block.

        Raises what reading raised, as an OSError does where the folder is full.
        """
        over = threading.Event()
        failed: list[OSError] = []

        def keep_reading() -> None:
            try:
                while not over.wait(EVERY_S):
                    self.read(running=True)
            except OSError as error:
                failed.append(error)

        reader = threading.Thread(target=keep_reading, name="reads the ring buffers")
        reader.start()
        try:
            yield
        finally:
            over.set()
            reader.join()
        if failed:
            raise failed[0]
