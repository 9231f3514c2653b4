"""Nodes."""

from tschema import Object, declare


@declare
class LeafNode(Object):
    """A node."""

    type_key = "base.Leaf"
