"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"
