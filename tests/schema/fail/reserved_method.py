"""Nodes."""

from tschema import Object, declare, method


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"

    @method
    def same_as(self) -> int:
        """Return one."""
        ...

    @method
    def a__b(self, this: int) -> int:
        """Return one."""
        ...
