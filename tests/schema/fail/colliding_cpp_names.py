"""A file."""

from tschema import Object, declare, field, function, ty


@declare
class PointNode(Object):
    """A point.

    Attributes
    ----------
    x
        Its place.
    y
        Its other place.
    """

    type_key = "toy.Point"
    x: ty.int64_t
    y: ty.int64_t = field(cpp_name="x")
