"""Shapes in the plane."""

from tschema import Object, declare, method, ty


@declare
class PointNode(Object):
    """
    A point in the plane.

    Attributes
    ----------
    x
        Abscissa.
    y
        Ordinate.
    """

    type_key = "atlas.Point"
    x: ty.float64
    y: ty.float64

    @method
    def norm(self) -> ty.float64:
        """Distance to the origin."""
        ...


@declare
class ShapeNode(Object):
    """
    Anything that can be drawn.

    Attributes
    ----------
    label
        What it is called in a legend.
    """

    type_key = "atlas.Shape"
    abstract = True
    label: ty.String


@declare
class CircleNode(ShapeNode):
    """
    A circle.

    Attributes
    ----------
    center
        Where its middle is.
    radius
        Its radius, not negative.
    """

    type_key = "atlas.Circle"
    center: PointNode
    radius: ty.float64

    @method
    def area(self) -> ty.float64:
        """Area inside."""
        ...


@declare
class GroupNode(ShapeNode):
    """
    Shapes that are drawn as one.

    Attributes
    ----------
    members
        Its members, the lowest first.
    notes
        What the author noted.
    """

    type_key = "atlas.Group"
    members: ty.Array[ShapeNode]
    notes: ty.Map[ty.String, ty.Any]

    @method
    def count(self) -> ty.int64_t:
        """Number of members, those of groups in it included."""
        ...
