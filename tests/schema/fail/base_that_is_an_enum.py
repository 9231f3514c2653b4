"""Nodes."""

from tschema import Object, declare, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1


@declare
class FooNode(Kind):
    """A node."""

    type_key = "toy.Foo"
