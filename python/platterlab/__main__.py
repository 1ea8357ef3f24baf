"""`python -m platterlab` is the command `platterlab`."""

import gc
from typing import NoReturn


def main() -> NoReturn:
    """The entry point of the command."""
    # What is loaded stays: to look through it for garbage meanwhile takes a tenth of the start.
    gc.disable()
    from platterlab import cli

    gc.freeze()
    gc.enable()
    cli.main()


if __name__ == "__main__":
    main()
