"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"
    final = True


@declare
class BNode(ANode):
    """A node."""

    type_key = "toy.B"
