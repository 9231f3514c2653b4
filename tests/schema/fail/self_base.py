"""Nodes."""

from tschema import declare


@declare
class FooNode(FooNode):
    """A node."""

    type_key = "toy.Foo"
