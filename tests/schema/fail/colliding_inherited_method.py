"""Nodes."""

from tschema import Object, declare, method


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    size
        A field.
    """

    type_key = "toy.A"
    final = False
    size: int

    @method
    def count(self) -> int:
        """Return one."""
        ...


@declare
class BNode(ANode):
    """A node.

    Attributes
    ----------
    count
        A field.
    """

    type_key = "toy.B"
    count: int

    @method
    def count(self) -> int:
        """Return one."""
        ...

    @method
    def size(self) -> int:
        """Return one."""
        ...
