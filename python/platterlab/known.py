"""Values that the core may leave out, where they have to be there."""

from typing import TypeVar

Value = TypeVar("Value")


def known(value: Value | None) -> Value:
    """The value of an answer that is `None` where it is not known.

    Raises:
        ValueError: it is not known.
    """
    if value is None:
        raise ValueError("the core does not know a value that is needed here")
    return value
