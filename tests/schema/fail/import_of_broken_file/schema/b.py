"""Nodes."""

from schema.a import ANode
from tschema import declare


@declare
class BNode(ANode):
    """A node.

    Attributes
    ----------
    a
        A field.
    """

    type_key = "toy.B"
    a: ANode
