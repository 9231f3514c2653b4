"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"


@declare
class BNode(Object):
    """A node."""

    type_key = "B"


@declare
class CNode(Object):
    """A node."""

    type_key = "other.ir.C"
