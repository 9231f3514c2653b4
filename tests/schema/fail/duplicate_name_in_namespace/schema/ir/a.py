"""Nodes."""

from tschema import Object, declare, function, ty


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.ir.A"


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1


@function
def size() -> int:
    """Return a size."""
    ...
