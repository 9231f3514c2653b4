"""A file."""

from tschema import Object, declare, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "toy.left.Point"
    cpp_namespace = "acme"
