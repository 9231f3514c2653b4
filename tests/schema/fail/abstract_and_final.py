"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"
    abstract = True
    final = True


@declare
class BNode(Object):
    """A node."""

    type_key = "toy.B"
    final = True
    reserve = 3


@declare
class CNode(Object):
    """A node."""

    type_key = "toy.C"
    mutable = True
    mutable = True
