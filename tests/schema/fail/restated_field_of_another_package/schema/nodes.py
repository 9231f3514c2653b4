"""Nodes."""

from base.schema.nodes import ANode
from tschema import declare


@declare
class BNode(ANode):
    """A node.

    Attributes
    ----------
    x
        A field.
    """

    type_key = "toy.B"
    x: str
