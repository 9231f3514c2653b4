"""Names of older versions that are wrong, taken, or claimed twice."""

from tschema import Object, declare, field, ty


@declare
class ShapeNode(Object):
    """A shape."""

    type_key = "toy.Shape"
    final = False
    removed_fields = ["x", "y"]
    x: ty.int64_t = field(doc="A number.")


@declare
class BallNode(ShapeNode):
    """A ball."""

    type_key = "toy.Ball"
    renamed_from = ["toy.Shape", "OrbNode"]
    a: ty.int64_t = field(renamed_from="old", doc="A number.")
    b: ty.int64_t = field(renamed_from=["older", "old", "x"], doc="A number.")
    c: ty.int64_t = field(renamed_from=[], stored_default="text", doc="A number.")
    x: ty.int64_t = field(renamed_from="z", doc="A number.")


@declare
class OrbitNode(Object):
    """An orbit."""

    type_key = "toy.Orbit"
    renamed_from = "toy.Orb"
    removed_fields = [1, 2]


@declare
class PointNode(Object):
    """A point."""

    type_key = "toy.Point"
    renamed_from = ["Spot", "a b"]
    removed_fields = "gone"
