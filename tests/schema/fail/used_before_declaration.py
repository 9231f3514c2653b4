"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    b, kind
        A field.
    """

    type_key = "toy.A"
    b: ty.Optional[BNode]
    kind: Kind


@declare
class BNode(Object):
    """A node.

    Attributes
    ----------
    children
        A field.
    """

    type_key = "toy.B"
    children: ty.Array[BNode]


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1
