"""Nodes."""

from tschema import Object, declare, method


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"

    @method
    def new(self) -> int:
        """Return one."""
        ...

    @method
    def post_init(self) -> int:
        """Return one."""
        ...

    @method
    def is_instance(self, this: int) -> int:
        """Return one."""
        ...
