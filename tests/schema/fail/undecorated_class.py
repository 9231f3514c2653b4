"""Nodes."""

from tschema import Object


class FooNode(Object):
    """A node."""

    type_key = "toy.Foo"
