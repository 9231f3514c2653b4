"""Enums: one whose values follow each other, one with the extreme values."""

from tschema import declare, ty


@declare
class Order(ty.IntEnum):
    """
    A place in a row.

    Attributes
    ----------
    FIRST, SECOND, LAST
        From left to right.
    """

    FIRST = 0
    SECOND = 1
    LAST = 2


@declare
class str(ty.IntEnum):
    """
    An enum whose name generated Python uses itself.

    Attributes
    ----------
    Self, name, EOF
        Names that Rust, Python and C++ reserve.
    """

    Self = 1
    name = 2
    EOF = 3


@declare
class Extreme(ty.IntEnum):
    """
    The ends of the 32-bit integers.

    Attributes
    ----------
    LEAST, NONE, GREATEST
        In ascending order.
    """

    LEAST = -2147483648
    NONE = 0
    GREATEST = 2147483647
