"""Nodes."""

from tschema import Object, declare, method


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"

    @method
    def size(self) -> int:
        """Return a size."""
        return 3
