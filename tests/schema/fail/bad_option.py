"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"
    abstract = 1
    structural = "graph"
    reserve = -1
    renamed_from = "a b"
    final = maybe
