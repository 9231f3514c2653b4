"""Nodes."""

from base.schema.nodes import LeafNode
from tschema import declare


@declare
class FooNode(LeafNode):
    """A node."""

    type_key = "toy.Foo"
