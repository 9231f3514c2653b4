"""Nodes."""

from tschema import Object, declare


@declare
class FooNode(Object):
    """A node."""

    type_key = "toy.Foo"

    class Inner:
        pass
