"""Nodes."""

from tschema import Object, declare


@declare
class FooNode(Object)
    """A node."""
