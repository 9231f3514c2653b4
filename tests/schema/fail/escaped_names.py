"""Names that are equal in a language once it has spelled those that it reserves."""

from tschema import Object, declare, function, ty


@declare
class PointNode(Object):
    """A node."""

    type_key = "toy.Point"
    template: ty.int64_t
    template_: ty.int64_t
    crate: ty.int64_t
    crate_: ty.int64_t
    match: ty.int64_t
    match_: ty.int64_t


@function
def measure(operator: ty.int64_t, operator_: ty.int64_t) -> None:
    """Measure."""
    ...
