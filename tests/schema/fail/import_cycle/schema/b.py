"""Nodes."""

from schema.a import ANode
from tschema import Object, declare


@declare
class BNode(Object):
    """A node."""

    type_key = "toy.B"
