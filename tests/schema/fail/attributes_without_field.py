"""Nodes."""

from tschema import Object, declare, function, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    valeu
        A field.
    value
        A field.
    """

    type_key = "toy.A"
    value: int


@declare
class Kind(ty.IntEnum):
    """A kind.

    Attributes
    ----------
    TWO
        The second.
    """

    ONE = 1


@function
def size(scale: int) -> int:
    """Return a size.

    Parameters
    ----------
    scael
        The scale.
    """
    ...
