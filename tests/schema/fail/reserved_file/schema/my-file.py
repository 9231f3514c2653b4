"""Nodes."""

from tschema import Object, declare


@declare
class BNode(Object):
    """A node."""

    type_key = "toy.B"
