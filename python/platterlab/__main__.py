"""`python -m platterlab` is the command `platterlab`."""

from platterlab.cli import main

if __name__ == "__main__":
    main()
