"""Nodes."""

from tschema import Object, declare


@declare
class Node__A(Object):
    """A node."""

    type_key = "toy.Thing"


@declare
class EndNode(Object):
    """A node."""

    type_key = "toy.end"
