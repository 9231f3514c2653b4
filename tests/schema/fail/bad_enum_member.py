"""Nodes."""

from tschema import declare, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    type_key = "toy.Kind"
    A = "a"
    B = 2147483648
    C = 1
    D = 1
    C = 3
    E: int = 4
    F = True


@declare
class Empty(ty.IntEnum):
    """Nothing."""
