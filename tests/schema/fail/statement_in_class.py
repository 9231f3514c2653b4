"""Nodes."""

from tschema import Object, declare


@declare
class FooNode(Object):
    """A node."""

    type_key = "toy.Foo"
    if True:
        value: int
    for i in range(3):
        pass
    print(1)
    a, b = 1, 2
