"""Nodes."""

from tschema import Object, declare


@declare
class FooNode(Object):
    """A node."""

    type_key = "toy.Foo"

    def size(self) -> int:
        """Return a size."""
        ...
