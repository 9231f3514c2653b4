"""A file."""

from tschema import Object, declare, ty


@declare
class ClampNode(Object):
    """A value within bounds.

    Attributes
    ----------
    low, high
        The bounds.
    """

    type_key = "toy.Clamp"
    script = "toy.clamp({low}, {hihg})"
    low: ty.int64_t
    high: ty.int64_t = 1


@declare
class StepsNode(Object):
    """Steps.

    Attributes
    ----------
    count
        Their number.
    """

    type_key = "toy.Steps"
    script = "steps of {count}"
    count: ty.int64_t


@declare
class RangeNode(Object):
    """A range.

    Attributes
    ----------
    low
        Its begin.
    """

    type_key = "toy.Range"
    script = "toy.clamp({low})"
    low: ty.int64_t
