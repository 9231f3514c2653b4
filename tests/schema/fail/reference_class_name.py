"""Nodes."""

from tschema import Object, declare


@declare
class Foo(Object):
    """A node."""

    type_key = "toy.Foo"
