"""Nodes."""

from tschema import Object, declare, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1
    TWO = 2


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d, e
        A field.
    """

    type_key = "toy.A"
    a: Kind = Kind.THREE
    b: Kind = 1
    c: int = Kind.ONE
    d: Kind = Knd.ONE
    e: Kind = ONE
