"""Nodes."""

from tschema import declare, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1
    SELF = 2
    Self = 3
    EOF = 4
    name = 5
    class_ = 6
    mro = 7
