"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"


@declare
class BNode(Object):
    """A node."""

    type_key = "toy.A"
