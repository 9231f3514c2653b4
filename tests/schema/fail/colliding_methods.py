"""Nodes."""

from tschema import Object, declare, method


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    size, Depth
        A field.
    """

    type_key = "toy.A"
    size: int
    Depth: int

    @method
    def trip_count(self) -> int:
        """Return one."""
        ...

    @method
    def tripCount(self) -> int:
        """Return one."""
        ...

    @method
    def TripCount(self) -> int:
        """Return one."""
        ...

    @method
    def size(self) -> int:
        """Return one."""
        ...

    @method
    def depth(self) -> int:
        """Return one."""
        ...
