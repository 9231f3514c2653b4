"""Nodes."""

from tschema import Object, declare, function, ty


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.ir.B"


@declare
class KindNode(Object):
    """A node."""

    type_key = "toy.ir.Kind"


@function
def size() -> int:
    """Return a size."""
    ...
