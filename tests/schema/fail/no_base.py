"""Nodes."""

from tschema import Object, declare


@declare
class FooNode:
    """A node."""

    type_key = "toy.Foo"


@declare
class BarNode(Object, FooNode):
    """A node."""

    type_key = "toy.Bar"
