"""The classes of `atlas/geometry.h`."""

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
    register = "hand"
    x: ty.float64
    y: ty.float64

    @method(cpp="&PointNode::Norm")
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
    reserve = 1
    register = "hand"
    label: ty.String


@declare
class SegmentNode(ShapeNode):
    """
    A straight line between two points.

    Attributes
    ----------
    start
        Where it begins.
    end
        Where it ends.
    """

    type_key = "atlas.Segment"
    register = "hand"
    start: PointNode
    end: PointNode

    @method(cpp="&SegmentNode::Length")
    def length(self) -> ty.float64:
        """Length of the line."""
        ...


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
    register = "hand"
    center: PointNode
    radius: ty.float64

    @method(cpp="&CircleNode::Area")
    def area(self) -> ty.float64:
        """Area inside."""
        ...


@declare
class BoxNode(ShapeNode):
    """
    A rectangle whose sides are parallel to the axes.

    Attributes
    ----------
    low
        The corner with the least coordinates.
    high
        The corner with the greatest coordinates.
    """

    type_key = "atlas.Box"
    register = "hand"
    low: PointNode
    high: PointNode

    @method(cpp="&BoxNode::Contains")
    def contains(self, point: PointNode) -> ty.bool:
        """Whether a point is inside."""
        ...

    @method(cpp="&BoxNode::Area")
    def area(self) -> ty.float64:
        """Area inside."""
        ...


@declare
class PolylineNode(ShapeNode):
    """
    A line through points.

    It is closed if it ends where it begins.

    Attributes
    ----------
    points
        Its corners, in order.
    width
        Width of the pen.
    """

    type_key = "atlas.Polyline"
    register = "hand"
    points: ty.Array[PointNode]
    width: ty.float64

    @method(cpp="&PolylineNode::Length")
    def length(self) -> ty.float64:
        """Length of the line."""
        ...


@declare
class TextNode(ShapeNode):
    """
    Some text at a point.

    Attributes
    ----------
    anchor
        Where it begins.
    text
        What it says.
    height
        Height of a capital; that of the page if there is none.
    """

    type_key = "atlas.Text"
    register = "hand"
    anchor: PointNode
    text: ty.String
    height: ty.Optional[ty.float64]


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
    register = "hand"
    members: ty.Array[ShapeNode]
    notes: ty.Map[ty.String, ty.Any]

    @method(cpp="&GroupNode::Count")
    def count(self) -> ty.int64_t:
        """Number of members, those of groups in it included."""
        ...


@declare
class MarkerNode(ShapeNode):
    """
    A place that is marked.

    Attributes
    ----------
    at
        Where it is.
    corners
        Number of corners of the sign.
    filled
        Whether the sign is filled.
    """

    type_key = "atlas.Marker"
    register = "hand"
    at: PointNode
    corners: ty.int32_t
    filled: ty.bool


@declare
class SceneNode(Object):
    """
    Everything that is drawn.

    Attributes
    ----------
    shapes
        What is drawn, the lowest first.
    margin
        What is left white around it.
    """

    type_key = "atlas.Scene"
    register = "hand"
    shapes: ty.Array[ShapeNode]
    margin: ty.float64

    @method(cpp="&SceneNode::Count")
    def count(self) -> ty.int64_t:
        """Number of shapes, those of groups included."""
        ...
