"""Nodes."""

from tschema import Object, declare


@declare
class FooNode(Object, metaclass=type):
    """A node."""

    type_key = "toy.Foo"
