"""`python -m platterlab` is the command `platterlab`."""

import gc
import sys
from typing import NoReturn

_INTERRUPTED = 130
"""As in a shell: 128 and the number of the signal. `cli` may not be loaded yet."""


def main() -> NoReturn:
    """The entry point of the command."""
    try:
        # What is loaded stays: to look through it for garbage meanwhile takes a tenth of the start.
        gc.disable()
        from platterlab import cli

        gc.freeze()
        gc.enable()
        cli.main()
    except KeyboardInterrupt:
        # Before there is a command line to report it, or a second one while it does.
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
