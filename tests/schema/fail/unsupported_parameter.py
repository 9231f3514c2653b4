"""Nodes."""

from tschema import Object, declare, function, method


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"

    @method
    def size() -> int:
        """Return a size."""
        ...


@function
def f(a: int, /, *b: int, c: int, **d: int) -> int:
    """Return one."""
    ...


@function
async def g(a: int, a: int) -> int:
    """Return one."""
    ...
