"""Shapes in the plane."""

from tschema import Object, declare, ty


@declare
class CircleNode(Object):
    """
    A circle.

    Attributes
    ----------
    radius
        Distance of the line from the centre.
    """

    type_key = "toy.Circle"

    radius: ty.float64
