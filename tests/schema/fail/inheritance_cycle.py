"""Nodes."""

from tschema import declare


@declare
class ANode(CNode):
    """A node."""

    type_key = "toy.A"


@declare
class BNode(ANode):
    """A node."""

    type_key = "toy.B"


@declare
class CNode(BNode):
    """A node."""

    type_key = "toy.C"
