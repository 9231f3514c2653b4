"""Nodes."""

from tschema import Object, declare


@declared
class FooNode(Object):
    """A node."""

    type_key = "toy.Foo"


@declare
@dataclass(frozen=True)
class BarNode(Object):
    """A node."""

    type_key = "toy.Bar"
