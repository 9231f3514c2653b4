"""Nodes."""

from tschema import declare, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1
    SELF = 2
    Self = 3
    a__b = 4
