"""A file."""

from tschema import Object, declare, field, function, ty


@declare
class PointNode(Object):
    """A point.

    Attributes
    ----------
    x, y, z, u
        Members.
    """

    type_key = "toy.Point"
    cpp_namespace = "acme.ir"
    x: ty.int64_t = field(access="hidden")
    y: ty.int64_t = field(cpp_name="y z")
    z: ty.int64_t = field(mutable=1)
    u: ty.int64_t = field(cpp_type="")
