"""Nodes."""

from tschema import Object, declare, field


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a
        A field.
    """

    type_key = "toy.A"
    a: int = field(init=False)


@declare
class BNode(Object):
    """A node.

    Attributes
    ----------
    b
        A field.
    """

    type_key = "toy.B"
    final = False
    b: int


@declare
class CNode(BNode):
    """A node.

    Attributes
    ----------
    b
        A field.
    """

    type_key = "toy.C"
    b: int = field(init=False)


@declare
class DNode(Object):
    """A node.

    Attributes
    ----------
    d
        A field.
    """

    type_key = "toy.D"
    abstract = True
    d: int = field(init=False)


@declare
class ENode(DNode):
    """A node."""

    type_key = "toy.E"


@declare
class FNode(DNode):
    """A node."""

    type_key = "toy.F"
    post_init = True
