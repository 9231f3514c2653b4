"""A file that imports nothing of the schema language."""


@dialect
class KilnDialect:
    """Operators on clay."""


@declare
class CircleNode(Object):
    """
    A circle.

    Attributes
    ----------
    radius
        Half its width.
    layer
        Drawing order.
    """

    type_key = "toy.Circle"
    radius: ty.float64
    layer: int = field(default=0)

    @method
    def area(self) -> float:
        """Return the area."""
        ...


@function
def largest(circles: list[CircleNode]) -> CircleNode:
    """Return the largest circle."""
    ...
