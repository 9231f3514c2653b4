"""Points, with a bare type key and plain Python types."""

from tschema import Object, declare


@declare
class PointNode(Object):
    """
    A point of the map.

    Attributes
    ----------
    x
        East of the origin, in meters.
    y
        North of the origin, in meters.
    """

    type_key = "Point"
    script = "atlas.point({x}, y={y})"
    x: int
    y: int = 0
