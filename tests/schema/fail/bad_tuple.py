"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c
        A field.
    """

    type_key = "toy.A"
    a: tuple[int, ...]
    b: tuple[()]
    c: ty.Tuple
